"""PubMed XML is read with exact offsets, safely, in little memory, and up to any damage."""

import gzip
import time
from pathlib import Path
from random import Random

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions
from linnet.documents.document import Document, Passage
from linnet.errors import BadFile, BadSetting
from linnet.formats.conversion import convert_path
from linnet.formats.pubmed_xml import PubMedXML
from linnet.formats.reading import detect_format, format_for_output, read_documents
from tests.memory import memory_of_reading

DOCTYPE = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<!DOCTYPE PubmedArticleSet SYSTEM "http://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)
STRUCTURED = """
      <Abstract>
        <AbstractText Label="BACKGROUND" NlmCategory="BACKGROUND">TGF-\u03b2<sub>1</sub> drives fibrosis.</AbstractText>
        <AbstractText Label="WHAT WAS FOUND" NlmCategory="UNASSIGNED">Ca<sup>2+</sup> rose &lt;2 \u03bcM (<i>p</i> =
          0.01).</AbstractText>
        <AbstractText Label="EMPTY"/>
        <CopyrightInformation>Copyright \u00a9 2024 Elsevier Inc.</CopyrightInformation>
      </Abstract>"""
BOOK = """<PubmedBookArticle><BookDocument><PMID Version="1">20301295</PMID>
<Abstract><AbstractText>A book.</AbstractText></Abstract></BookDocument></PubmedBookArticle>"""
DELETED = '<DeleteCitation><PMID Version="1">111</PMID><PMID Version="1">112</PMID></DeleteCitation>'


def article(
    pmid: str = "1", abstract: str = "", *, title: str = "No ataxia.", version: str = "1", more: str = ""
) -> str:
    return f"""<PubmedArticle>
  <MedlineCitation Status="MEDLINE" IndexingMethod="Automated" Owner="NLM">
    <PMID Version="{version}">{pmid}</PMID>
    <DateRevised><Year>2024</Year></DateRevised>
    <Article PubModel="Print">
      <Journal><Title>Journal of samples</Title></Journal>
      <ArticleTitle>{title}</ArticleTitle>{abstract}
      <AuthorList><Author><LastName>Curie</LastName></Author></AuthorList>
    </Article>
    {more}
  </MedlineCitation>
  <PubmedData><ArticleIdList><ArticleId IdType="pubmed">{pmid}</ArticleId></ArticleIdList>
    <ReferenceList><Reference><ArticleIdList><ArticleId IdType="pubmed">99</ArticleId></ArticleIdList></Reference>
    </ReferenceList></PubmedData>
</PubmedArticle>
"""


def abstract(text: str, tag: str = "Abstract", attributes: str = "") -> str:
    return f"<{tag}{attributes}><AbstractText>{text}</AbstractText></{tag}>"


def file_of(content: str, *, before: str = DOCTYPE) -> str:
    return f"{before}<PubmedArticleSet>\n{content}</PubmedArticleSet>\n"


def read(text: str, folder: Path, *, notes: Notes | None = None) -> list[Document]:
    path = folder / "pubmed.xml"
    path.write_bytes(text.encode("utf-8"))
    return list(PubMedXML().read(path, ReadOptions(), notes or Notes()))


def read_until_error(path: Path) -> tuple[list[str], BadFile]:
    """Return the ids of the documents before the error, and the error."""
    found: list[str] = []
    with pytest.raises(BadFile) as caught:
        found.extend(document.id for document in PubMedXML().read(path, ReadOptions(), Notes()))
    return found, caught.value


def passages(document: Document) -> list[tuple[str, str]]:
    """Return the text of each passage with the name of its section."""
    return [
        (document.text[passage.start : passage.end], passage.infons.get("section", passage.infons["type"]))
        for passage in document.passages
    ]


def test_title_and_labelled_sections_are_passages_with_exact_offsets(tmp_path: Path) -> None:
    (found,) = read(file_of(article("38000001", STRUCTURED, title="<b>SMAD3</b> in <i>Mus musculus</i>.")), tmp_path)

    # offsets counted by hand
    text = "SMAD3 in Mus musculus.\nTGF-\u03b21 drives fibrosis.\nCa2+ rose <2 \u03bcM (p = 0.01)."
    assert found == Document(
        "38000001",
        text,
        passages=(
            Passage(0, 22, {"type": "title"}),
            Passage(23, 46, {"type": "abstract", "section": "BACKGROUND", "category": "BACKGROUND"}),
            Passage(47, 74, {"type": "abstract", "section": "WHAT WAS FOUND", "category": "UNASSIGNED"}),
        ),
    )


def test_formulas_and_nested_markup_give_their_text(tmp_path: Path) -> None:
    formula = (
        '<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:msup>\n  <mml:mi>x</mml:mi>\n'
        "  <mml:mn>2</mml:mn></mml:msup></mml:math>"
    )
    title = f"\n  Of <u><b>k<sub>cat</sub></b></u>,\t{formula}&#x3b2;<!-- not said --> &amp;\u00a0co\u2028x \n"

    (found,) = read(file_of(article(title=title)), tmp_path)

    assert found.text == "Of kcat, x 2\u03b2 &\u00a0co\u2028x"


def test_an_article_without_an_abstract_is_its_title(tmp_path: Path) -> None:
    (found,) = read(file_of(article("7")), tmp_path)

    assert found == Document("7", "No ataxia.", passages=(Passage(0, 10, {"type": "title"}),))


def test_an_article_without_any_text_keeps_its_place_and_is_noted(tmp_path: Path) -> None:
    notes = Notes()

    found = read(file_of(article("7", title="") + article("8")), tmp_path, notes=notes)

    assert [(document.id, document.text) for document in found] == [("7", ""), ("8", "No ataxia.")]
    assert list(notes.counts) == ["articles without title and abstract, whose text is empty"]
    assert notes.first_place.popitem()[1].endswith("pubmed.xml: PMID 7")


def test_another_abstract_is_read_only_where_there_is_none(tmp_path: Path) -> None:
    other = abstract("Keine Ataxie.", "OtherAbstract", " Type='Publisher' Language='ger'")
    notes = Notes()

    with_both, with_other = read(
        file_of(article("1", abstract("None."), more=other) + article("2", more=other + other)), tmp_path, notes=notes
    )

    assert passages(with_both) == [("No ataxia.", "title"), ("None.", "abstract")]
    assert passages(with_other) == [("No ataxia.", "title"), ("Keine Ataxie.", "abstract")]
    assert with_other.passages[1].infons == {"type": "abstract", "language": "ger"}
    assert dict(notes.counts) == {"further abstracts (OtherAbstract) left out": 2}


def test_books_deletions_and_unknown_elements_are_left_out_and_noted(tmp_path: Path) -> None:
    notes = Notes()
    content = article("1") + BOOK + "<Erratum/>" + article("2") + DELETED + "<Erratum/>"

    found = read(file_of(content), tmp_path, notes=notes)

    assert [document.id for document in found] == ["1", "2"]
    assert dict(notes.counts) == {
        "articles of books left out": 1,
        "elements left out (<Erratum>)": 2,
        "deletions of articles (DeleteCitation) left out": 2,
    }
    assert notes.first_place["articles of books left out"].endswith("pubmed.xml: PMID 20301295")


def test_a_file_of_deletions_alone_holds_no_document_and_is_no_error(tmp_path: Path) -> None:
    assert read(file_of(DELETED), tmp_path) == []


def test_the_version_is_in_the_id_only_where_a_pmid_comes_again(tmp_path: Path) -> None:
    notes = Notes()
    articles = [article("5", version="2"), article("6"), article("6", version="2"), article("6", version="2")]

    found = read(file_of("".join(articles)), tmp_path, notes=notes)

    assert [document.id for document in found] == ["5", "6", "6.2", "6.2-2"]
    assert found[2].infons == {"pmid": "6", "version": "2"}
    assert notes.counts.total() == 2


@pytest.mark.parametrize("prefix", ["", "p:"])
def test_namespaces_do_not_matter(prefix: str, tmp_path: Path) -> None:
    content = file_of(article("1", STRUCTURED), before="")
    if prefix:
        content = content.replace("</", "\0").replace("<", f"<{prefix}").replace("\0", f"</{prefix}")
    declared = f"xmlns{prefix and ':p'}='http://example.org/pubmed'"
    content = content.replace("PubmedArticleSet>", f"PubmedArticleSet {declared}>", 1)

    (found,) = read(content, tmp_path)

    assert found == read(file_of(article("1", STRUCTURED)), tmp_path)[0]


@pytest.mark.parametrize("head", ["", "\ufeff"])
def test_the_format_is_recognised_by_its_root_also_when_compressed(head: str, tmp_path: Path) -> None:
    content = (head + file_of(article("1"))).encode()
    (tmp_path / "pubmed26n0001.xml").write_bytes(content)
    (tmp_path / "pubmed26n0001.xml.gz").write_bytes(gzip.compress(content))

    for name in ("pubmed26n0001.xml", "pubmed26n0001.xml.gz"):
        assert detect_format(tmp_path / name).name == "pubmed-xml"
        assert [document.id for document in read_documents(tmp_path / name)] == ["1"]


ENTITIES = {
    "bomb": '<!DOCTYPE PubmedArticleSet [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>',
    "file": '<!DOCTYPE PubmedArticleSet SYSTEM "x.dtd" [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
    "undeclared": DOCTYPE,
    "undeclared without a DTD": "",
}


@pytest.mark.parametrize("case", ENTITIES)
def test_entities_are_refused(case: str, tmp_path: Path) -> None:
    text = file_of(article("1", title="&b;"), before=ENTITIES[case])

    with pytest.raises(BadFile) as caught:
        read(text, tmp_path)

    assert "pubmed.xml:" in caught.value.problem
    assert caught.value.remedy.startswith("XML entities are not expanded")
    if case in ("bomb", "file"):
        assert detect_format(tmp_path / "pubmed.xml").name == "pubmed-xml"


BROKEN = {
    "empty": ("", "pubmed.xml:1: expected a <PubmedArticleSet>, found ''"),
    "another root": ("<collection/>", "expected a <PubmedArticleSet>, found <collection>"),
    "nothing inside": (file_of(""), "holds no article"),
    "no PMID": (file_of(article("")), "found an article without a PMID; no article before that"),
    "two titles": (
        file_of(article("7", title="No ataxia.</ArticleTitle><ArticleTitle>More.")),
        "PMID 7: found 2 elements <ArticleTitle> side by side, expected one; no article before that",
    ),
    "two abstracts": (file_of(article("7", abstract("a") + abstract("b"))), "PMID 7: found 2 elements <Abstract>"),
    "two PMIDs": (file_of(article("7", more="<PMID>8</PMID>")), "found 2 elements <PMID>"),
    "two articles in one": (file_of(article("7", more="<Article/>")), "PMID 7: found 2 elements <Article>"),
    "wrapped": (file_of(f"<Group>{article()}</Group>"), "elsewhere than directly inside"),
    "two files in one": (file_of(article("4")) + file_of(article("5")), "last article before that is PMID 4"),
    "NUL": (file_of(article("4") + "\0"), ": found a NUL character; the last article before that is PMID 4"),
    "another encoding": (
        file_of(article(title="é"), before='<?xml version="1.0" encoding="latin1"?>'),
        "declares the encoding 'latin1'",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_cannot_be_read_whole_is_refused(case: str, tmp_path: Path) -> None:
    text, message = BROKEN[case]

    with pytest.raises(BadFile) as caught:
        read(text, tmp_path)

    assert message in caught.value.problem


def test_damage_in_the_middle_names_line_byte_and_last_article_after_all_before_it(tmp_path: Path) -> None:
    before = DOCTYPE + "<PubmedArticleSet>\n" + "".join(article(str(n), STRUCTURED) for n in range(1, 301))
    path = tmp_path / "a.xml"
    path.write_bytes((before + article("301", "\n<Abstract></Wrong>\n") + article("302")).encode())
    line = before.count("\n") + 8  # the abstract stands on the eighth line of its article
    byte = path.read_bytes().index(b"<Abstract></Wrong>")

    found, error = read_until_error(path)

    assert found == [str(n) for n in range(1, 301)]
    assert error.problem.startswith(f"{path}:{line} (from byte {byte:,}): this is not well-formed XML (")
    assert error.problem.endswith("; the last article before that is PMID 300")


def test_bytes_that_are_not_utf8_are_named_after_all_before_them(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(file_of(article("1") + article("2", title="\0")).encode().replace(b"\0", b"\xff"))

    found, error = read_until_error(path)

    assert found == ["1"]
    assert "this is not UTF-8 text" in error.problem
    assert "iconv" in error.remedy


def test_a_file_cut_anywhere_gives_its_whole_articles_and_says_so(tmp_path: Path) -> None:
    whole = file_of(article("1", STRUCTURED) + BOOK + article("2")).encode()
    ends = [whole.index(f"{pmid}</PMID>".encode()) for pmid in ("1", "2")]
    ends = [whole.index(b"</PubmedArticle>", at) + len(b"</PubmedArticle>") for at in ends]
    path = tmp_path / "a.xml"

    for size in range(0, len(whole) - 20, 37):
        path.write_bytes(whole[:size])
        found, error = read_until_error(path)

        assert len(found) == sum(end <= size for end in ends), size
        assert error.problem.startswith(str(path))


def test_a_cut_gzip_file_gives_its_whole_articles_and_says_how_much_was_read(tmp_path: Path) -> None:
    whole = file_of("".join(article(str(n), STRUCTURED) for n in range(1, 2001)))
    path = tmp_path / "pubmed26n0001.xml.gz"
    packed = gzip.compress(whole.encode())
    path.write_bytes(packed[: len(packed) // 2])

    found, error = read_until_error(path)

    assert 500 < len(found) < 1500
    assert found == [str(n) for n in range(1, len(found) + 1)]
    assert f"{path}: the gzip file is cut off after " in error.problem
    assert error.problem.endswith(f"; the last article before that is PMID {found[-1]}")


def test_it_can_only_be_read(tmp_path: Path) -> None:
    source = tmp_path / "a.xml"
    source.write_text(file_of(article("1")), encoding="utf-8")

    with pytest.raises(BadSetting, match="pubmed-xml can only be read") as caught:
        convert_path(source, tmp_path / "b.xml", target_format="pubmed-xml")
    with pytest.raises(BadSetting, match="pubmed-xml can only be read"):
        format_for_output(tmp_path / "b.xml", "pubmed-xml")
    with pytest.raises(BadSetting, match="pubmed-xml can only be read"):
        PubMedXML().write([], tmp_path / "b.xml", WriteOptions())

    assert "jsonl" in caught.value.remedy
    assert "pubmed-xml" not in caught.value.remedy
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("target", ["a.jsonl", "a.json", "a.bioc.xml"])
def test_it_converts_to_formats_with_passages_without_loss(target: str, tmp_path: Path) -> None:
    source = tmp_path / "a.xml.gz"
    source.write_bytes(gzip.compress(file_of(article("1", STRUCTURED) + article("2")).encode()))

    done = convert_path(source, tmp_path / target)

    assert done.n_documents == 2
    assert list(read_documents(tmp_path / target)) == list(read_documents(source))


@pytest.mark.long
@pytest.mark.parametrize("suffix", [".xml", ".xml.gz"])
def test_a_long_file_needs_little_memory(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"long{suffix}"
    random = Random(7)  # words in any order, so that they do not compress to nothing
    with gzip.open(path, "wt", encoding="utf-8") if suffix.endswith("gz") else path.open("w", encoding="utf-8") as file:
        file.write(f"{DOCTYPE}<PubmedArticleSet>\n")
        for number in range(2000):
            file.write(article(str(number), abstract(" ".join(random.choices(dir(Path), k=250)))))
        file.write("</PubmedArticleSet>\n")

    taken = memory_of_reading("pubmed-xml", path)

    assert taken.n_documents == 2000  # 7 MB of text
    assert taken.python_peak < 2_500_000
    # the tree itself lives outside Python, where only the size of the process shows it
    assert taken.process_growth < 4_000_000


def test_a_long_row_of_blanks_takes_linear_time(tmp_path: Path) -> None:  # issue 27
    started = time.process_time()

    (document,) = read(file_of(article(abstract=abstract(f"A{' ' * 200_000}B\n  C"))), tmp_path)

    assert time.process_time() - started < 1
    assert document.text == f"No ataxia.\nA{' ' * 200_000}B C"
