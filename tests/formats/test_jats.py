"""Full text of articles is read with its sections, and nothing of it is silently lost."""

from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.jats import JATS
from linnet.formats.reading import detect_format

FRONT = """<front><article-meta>
<article-id pub-id-type="pmid">111</article-id><article-id pub-id-type="pmc">222</article-id>
<article-id pub-id-type="doi">10.1/x</article-id>
<title-group><article-title>Lithium &amp; <italic>renal</italic>
  failure<xref ref-type="fn">*</xref></article-title></title-group>
<abstract><sec><title>Aim</title><p>To see H<sub>2</sub>O.</p></sec>
<sec><title>Result</title><p>We saw.</p></sec></abstract>
</article-meta></front>"""
BODY = """<body><p>Lead.</p><sec sec-type="methods"><label>1</label><title>Methods</title>
<p>We took <xref rid="b1">[1]</xref> mice:<list><list-item><p>young</p></list-item>
<list-item><p>old</p></list-item></list>
 and <fig id="f1"><label>Fig. 1</label><caption><title>Mice.</title><p>Two mice.</p></caption></fig> ran.</p>
<sec><title>Patients</title><p>None
   came.</p></sec></sec>
<sec><title>Results</title><table-wrap><label>Table 1</label><caption><p>Weights.</p></caption>
<table><tr><td>12</td></tr></table></table-wrap>
<p>All <inline-formula><tex-math>\\documentclass</tex-math></inline-formula>died.</p></sec></body>"""
BACK = "<back><ack><p>Thanks.</p></ack><ref-list><ref>Smith</ref></ref-list></back>"
DOCTYPE = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.3//EN" "JATS.dtd">'


def article(*parts: str, attributes: str = "") -> str:
    return f"<article{attributes}>{''.join(parts)}</article>"


def read(content: str, folder: Path, notes: Notes | None = None) -> list[Document]:
    path = folder / "a.nxml"
    path.write_text(content, encoding="utf-8")
    return list(JATS().read(path, ReadOptions(), notes or Notes()))


def passages(document: Document) -> list[tuple[str, str, str]]:
    return [
        (each.infons["type"], each.infons.get("section", ""), document.text[each.start : each.end])
        for each in document.passages
    ]


def test_sections_and_captions_are_passages(tmp_path: Path) -> None:
    (document,) = read(f'<?xml version="1.0"?>{DOCTYPE}{article(FRONT, BODY, BACK)}', tmp_path)

    assert document.id == "PMC222"
    assert document.infons == {"pmid": "111", "pmcid": "PMC222", "doi": "10.1/x"}
    assert passages(document) == [
        ("title", "", "Lithium & renal failure*"),
        ("abstract", "Aim", "To see H2O."),
        ("abstract", "Result", "We saw."),
        ("section", "", "Lead."),
        ("section", "Methods", "Methods\nWe took [1] mice:\nyoung\nold\nand  ran."),
        ("figure", "Methods", "Fig. 1 Mice. Two mice."),
        ("section", "Methods > Patients", "Patients\nNone came."),
        ("section", "Results", "Results\nAll died."),
        ("table", "Results", "Table 1 Weights."),
    ]
    assert document.passages[4].infons["category"] == "methods"
    assert document.text == "\n".join(text for _, _, text in passages(document))


def test_a_set_of_articles_is_read_one_by_one(tmp_path: Path) -> None:
    second = article(FRONT.replace("222", "PMC333"))

    found = read(f"<pmc-articleset>{article(FRONT)}{second}</pmc-articleset>", tmp_path)

    assert [document.id for document in found] == ["PMC222", "PMC333"]


@pytest.mark.parametrize(("removed", "expected"), [("pmc", "111"), ("pmc pmid", "10.1/x"), ("pmc pmid doi", "a")])
def test_an_article_is_called_by_the_best_id_that_it_has(removed: str, expected: str, tmp_path: Path) -> None:
    front = FRONT
    for kind in removed.split():
        front = front.replace(f'"{kind}"', '"other"')

    (document,) = read(article(front), tmp_path)

    assert document.id == expected


def test_namespaces_do_not_matter(tmp_path: Path) -> None:
    (document,) = read(article(FRONT, attributes=' xmlns="https://jats.nlm.nih.gov/ns"'), tmp_path)

    assert document.id == "PMC222"


def test_what_is_left_out_is_noted(tmp_path: Path) -> None:
    notes = Notes()

    read(article("<front/>", "<sub-article><body><p>Review</p></body></sub-article>"), tmp_path, notes)

    assert set(notes.counts) == {
        "articles without an id, named after their file",
        "elements left out (<sub-article>)",
        "articles without text",
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("<pmc-articleset/>", "holds no article"),
        ("<article><front>", "not well-formed XML"),
        ("<book/>", "expected a <pmc-articleset> or <article>, found <book>"),
        (f"<pmc-articleset>{article(FRONT)}{article(FRONT)}</pmc-articleset>", "a second document is called 'PMC222'"),
        ('<!DOCTYPE article [<!ENTITY a "b">]><article><front/></article>', "declarations inside the DOCTYPE"),
        (article("<front/><body>", "<p>" * 1500, "</p>" * 1500, "</body>"), "nested too deeply"),
        ("<article><front>&nbsp;</front></article>", "Entity 'nbsp' not defined"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(content: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile) as caught:
        read(content, tmp_path)

    assert caught.value.problem.startswith(str(tmp_path / "a.nxml"))
    assert problem in caught.value.problem


@pytest.mark.parametrize(
    ("content", "is_jats"),
    [
        (article(FRONT), True),
        ("<pmc-articleset/>", True),
        ('<article xmlns="http://docbook.org/ns/docbook"><title>x</title></article>', False),
    ],
)
def test_the_format_is_detected_by_its_content(content: str, is_jats: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(content)

    assert (detect_format(path).name == "jats") == is_jats
