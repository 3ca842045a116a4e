"""One token per line."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span
from linnet.errors import BadFile, BadSetting
from linnet.labels.tagging import TAGGINGS

CONLL = formats.get("conll")


def read(
    tmp_path: Path, text: str, *, name: str = "in.tsv", notes: Notes | None = None, **options: object
) -> list[Document]:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return list(CONLL.read(path, ReadOptions(**options), notes or Notes()))  # type: ignore[arg-type]


def write(tmp_path: Path, documents: Sequence[Document], *, tagging: str = "iob2", name: str = "out.tsv") -> str:
    CONLL.write(documents, tmp_path / name, WriteOptions(tagging=tagging))
    return (tmp_path / name).read_bytes().decode()


def mentions(documents: Sequence[Document]) -> list[list[tuple[str, str]]]:
    return [[(text, span.label) for span, text in document.mentions()] for document in documents]


def losses(document: Document) -> dict[str, int]:
    return {what: number for what, number in CONLL.losses(document) if number}


def test_a_sentence_becomes_a_document_of_its_words(tmp_path: Path) -> None:
    (first, second) = read(tmp_path, "No\tO\nlung\tB-X\ncancer\tI-X\n\nFever\tB-X\n")

    assert (first.id, first.text) == ("in-1", "No lung cancer")
    assert first.spans == (Span(3, 14, "X"),)
    assert first.sentences == (Sentence(0, 14, ((0, 2), (3, 7), (8, 14))),)
    assert (second.id, second.text, second.spans) == ("in-2", "Fever", (Span(0, 5, "X"),))


def test_a_missing_final_newline_loses_nothing(tmp_path: Path) -> None:
    text = "a\tO\nb\tB-X"

    assert read(tmp_path, text) == read(tmp_path, text + "\n") == read(tmp_path, text + "\n\n\n")


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    text = "a\tO\nb\tB-X\n\nc\tI-X\n"

    assert read(tmp_path, "\ufeff" + text.replace("\n", "\r\n"), repair=True) == read(tmp_path, text, repair=True)


def test_lines_of_blanks_end_a_sentence(tmp_path: Path) -> None:
    assert len(read(tmp_path, "a\tO\n \t \nb\tO\n")) == 2


def test_unusual_line_breaks_are_characters_of_words(tmp_path: Path) -> None:
    (document,) = read(tmp_path, "a\u2028b\tO\nc\u0085d\tB-X\n\u00a0\tO\n")

    assert document.text == "a\u2028b c\u0085d \u00a0"
    assert mentions([document]) == [[("c\u0085d", "X")]]


def test_columns_may_be_separated_by_spaces_and_those_between_are_kept(tmp_path: Path) -> None:
    (document,) = read(tmp_path, "EU NNP I-NP I-ORG\nrejects  VBZ I-VP O\n")

    assert document.text == "EU rejects"
    assert document.sentences[0].columns == (("NNP", "I-NP"), ("VBZ", "I-VP"))


def test_the_tag_may_stand_in_another_column(tmp_path: Path) -> None:
    (document,) = read(tmp_path, "EU\tB-ORG\tNNP\nrejects\tO\tVBZ\n", tag_column=2)

    assert mentions([document]) == [[("EU", "ORG")]]
    assert document.sentences[0].columns == (("NNP",), ("VBZ",))


def test_bare_tags_get_the_label_or_the_name_of_the_corpus(tmp_path: Path) -> None:
    folder = tmp_path / "ncbi-disease"
    folder.mkdir()

    assert mentions(read(folder, "a\tB\nb\tI\nc\tO\n")) == [[("a b", "ncbi-disease")]]
    assert mentions(read(folder, "a\tB\nb\tI\nc\tO\n", label="Disease")) == [[("a b", "Disease")]]


@pytest.mark.parametrize(
    "mark", ["-DOCSTART-\tO\n\n", "-DOCSTART- -X- O O\n\n", "-DOCSTART-\n", "-DOCSTART-\t-X-\tO\tO\n"]
)
def test_docstart_begins_a_document_and_is_no_sentence(tmp_path: Path, mark: str) -> None:
    found = read(tmp_path, f"{mark}a\tO\n\nb\tB-X\n\n{mark}c\tO\n")

    assert [(document.id, document.text) for document in found] == [("in-1", "a\nb"), ("in-2", "c")]
    assert [(s.start, s.end) for s in found[0].sentences] == [(0, 1), (2, 3)]
    assert found[0].spans == (Span(2, 3, "X"),)


def test_docstart_without_a_blank_line_before_it_begins_a_document(tmp_path: Path) -> None:
    assert [d.text for d in read(tmp_path, "a\tO\n-DOCSTART-\tO\nb\tO\n")] == ["a", "b"]


def test_documents_keep_their_ids_and_their_place_even_without_sentences(tmp_path: Path) -> None:
    documents = [
        Document("PMID 7", "a b\nC"),
        Document("empty", ""),
        Document("x-3", "d", (Span(0, 1, "X"),)),
        Document("last", ""),
    ]

    write(tmp_path, documents)
    found = list(CONLL.read(tmp_path / "out.tsv", ReadOptions(), Notes()))

    assert [(d.id, d.text, d.spans) for d in found] == [(d.id, d.text, d.spans) for d in documents]


def test_numbered_sentences_need_no_mark_and_are_named_after_their_file(tmp_path: Path) -> None:
    documents = read(tmp_path, "a\tO\n\nb\tB-X\n", name="test.tsv")

    written = write(tmp_path, documents)

    assert written == "a\tO\n\nb\tB-X\n\n"
    assert [d.id for d in CONLL.read(tmp_path / "out.tsv", ReadOptions(), Notes())] == ["out-1", "out-2"]


def test_a_file_is_written_as_it_was_read(tmp_path: Path) -> None:
    text = "-DOCSTART- one\tO\n\nEU\tNNP\tB-ORG\nrejects\tVBZ\tO\n\nIt\tPRP\tO\n\n-DOCSTART- two\tO\n\nNo\tDT\tO\n\n"

    assert write(tmp_path, read(tmp_path, text)) == text


@pytest.mark.parametrize("tagging", [tagging for tagging in TAGGINGS if tagging != "io"])
def test_every_tagging_is_written_found_again_and_gives_the_same_mentions(tmp_path: Path, tagging: str) -> None:
    text = "a\tB-X\nb\tI-X\nc\tB-X\nd\tO\ne\tB-Y\n\nf\tO\n\ng\tB-X\n"
    documents = read(tmp_path, text, name="x.tsv")

    written = write(tmp_path, documents, tagging=tagging, name="y.tsv")

    assert read(tmp_path, written, name="x.tsv") == documents


def test_io_is_written_where_no_mentions_touch(tmp_path: Path) -> None:
    assert write(tmp_path, [Document("x-1", "a b c", (Span(0, 3, "X"),))], tagging="io") == "a\tI-X\nb\tI-X\nc\tO\n\n"


def test_io_is_refused_where_it_would_run_mentions_together(tmp_path: Path) -> None:
    touching = Document("d", "a b", (Span(0, 1, "X"), Span(2, 3, "X")))

    with pytest.raises(BadSetting, match="document 'd': adjacent mentions have one label"):
        write(tmp_path, [touching], tagging="io")


def test_an_unknown_tagging_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="iob3"):
        write(tmp_path, [Document("d", "a")], tagging="iob3")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("a\tO\nb\n", 2, "one column, 'b'"),
        ("a\n", 1, "expected a word and its tag"),
        ("a\tO\nb\t\n", 2, "'' is not a tag"),
        ("a\tx\tO\nb\tO\n", 2, "found 2 columns"),
        ("a\tO\n\nb\tx\tO\n", 3, "the lines before have 2"),
        ("a\tO\nb\tQ-X\n", 2, "'Q-X' is not a tag"),
        ("a\tO\nb\tB-\n", 2, "'B-' is not a tag"),
        ("a\tO\nb\tgood\nc\tbad\nd\tugly\n", 2, "'good' is not a tag"),
        ("a\tB-X\nb\tI-X\n\nc\tO\nd\tI-X\n", 5, "found 'I-X' after 'O', which iob2 does not allow"),
        ("a\tB-X\nb\tE-X\n\nc\tB-X\n\nd\tO\n", 4, "found 'the end' after 'B-X', which iobes does not allow"),
        ("a\tO\nb\0\tO\n", 2, "NUL"),
        ("-DOCSTART- d\tO\n\na\tO\n\n-DOCSTART- d\tO\n\nb\tO\n", 7, "a second document is called 'd'"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, text: str, place: int, problem: str) -> None:
    with pytest.raises(BadFile) as caught:
        read(tmp_path, text)

    assert caught.value.problem.startswith(f"{tmp_path / 'in.tsv'}:{place}: ")
    assert problem in caught.value.problem
    assert caught.value.remedy


def test_a_second_document_of_one_name_is_found_without_sentences_too(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="second document"):
        read(tmp_path, "-DOCSTART- d\tO\n\n-DOCSTART- d\tO\n")


@pytest.mark.parametrize("text", ["", "\n\n \n"])
def test_a_file_without_a_sentence_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadFile, match="holds no sentence"):
        read(tmp_path, text)


@pytest.mark.parametrize("column", [1, 3, 0])
def test_a_tag_column_that_is_not_there_is_refused(tmp_path: Path, column: int) -> None:
    with pytest.raises(BadFile, match=f"no tag column {column}"):
        read(tmp_path, "a\tO\n", tag_column=column)


def test_repair_reads_as_conlleval_does_and_counts(tmp_path: Path) -> None:
    notes = Notes()

    found = read(tmp_path, "a\tB-X\nb\tB-X\n\nc\tO\nd\tI-X\ne\tI-Y\n\nf\tB-X\n", repair=True, notes=notes)

    assert mentions(found) == [[("a", "X"), ("b", "X")], [("d", "X"), ("e", "Y")], [("f", "X")]]
    assert list(notes.counts.values()) == [2]
    assert next(iter(notes.first_place.values())) == f"{tmp_path / 'in.tsv'}:5"


def test_a_given_tagging_is_believed(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="iob2 does not allow"):
        read(tmp_path, "a\tI-X\n", tagging="iob2")

    assert mentions(read(tmp_path, "a\tI-X\n", tagging="iob1")) == [[("a", "X")]]


def test_everything_that_rows_of_tags_cannot_hold_is_listed() -> None:
    span = Span(0, 3, "X", id="T1", links=(Link("D1"), Link("D2")), score=0.5, infons={"a": "b"})
    nested = Span(1, 2, "X")
    document = Document(
        " padded",
        "abc  def-g",
        (span, nested, Span(5, 6, "X")),
        (Relation("r", (Argument("a", "T1"),)),),
        (Passage(0, 10),),
        infons={"k": "v"},
    )

    assert losses(document) == {
        "concept ids": 2,
        "scores of mentions": 1,
        "infons": 2,
        "relations": 1,
        "passage structure (documents)": 1,
        "document ids": 1,
        "discontinuous, nested or overlapping mentions": 1,
        "exact ends of mentions that cut a token": 1,
        "spacing of the text (documents)": 1,
    }


def test_text_that_no_token_holds_is_listed() -> None:
    document = Document("d", "abc def", sentences=(Sentence(0, 7, ((0, 3),)),))

    assert losses(document)["characters outside tokens"] == 3


def test_a_sentence_that_begins_inside_a_mention_is_listed() -> None:
    document = Document("d", "ab\ncd", (Span(0, 5, "X"),), sentences=(Sentence(0, 2), Sentence(3, 5)))

    assert losses(document)["sentences without a token, or begun inside a mention"] == 1


def test_nothing_is_listed_for_what_was_read_from_rows(tmp_path: Path) -> None:
    found = read(tmp_path, "-DOCSTART- d\tO\n\na-b\tNN\tB-X\nc\tVB\tI-X\n\n.\t.\tO\n")

    assert [losses(document) for document in found] == [{}]


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (Document("d", "a\tb", sentences=(Sentence(0, 3, ((0, 3),)),)), "cannot be written in a column"),
        (Document("d", "a\nb", sentences=(Sentence(0, 3, ((0, 3),)),)), "cannot be written in a column"),
        (Document("d", "-DOCSTART-", sentences=(Sentence(0, 10, ((0, 10),)),)), "cannot be written in a column"),
        (Document("d", "a", sentences=(Sentence(0, 1, ((0, 1),), (("x\ty",),)),)), "cannot be written in a column"),
        (Document("d", "a", (Span(0, 1, "X\nY"),)), "cannot be written in a column"),
        (Document("d", "a", (Span(0, 1, "X\r"),)), "cannot be written in a column"),
        (Document("d", "a", (Span(0, 1, ""),)), "has no label"),
        (Document("d", "a\0b"), "NUL"),
        (
            Document("d", "a b", sentences=(Sentence(0, 1, ((0, 1),), (("NN",),)), Sentence(2, 3, ((2, 3),)))),
            "has 2 columns, the tokens before have 3",
        ),
    ],
)
def test_what_would_break_the_rows_is_refused_and_nothing_is_written(
    tmp_path: Path, document: Document, problem: str
) -> None:
    with pytest.raises(BadFile, match=problem) as caught:
        write(tmp_path, [document])

    assert "document 'd'" in caught.value.problem
    assert list(tmp_path.iterdir()) == []


def test_two_documents_of_one_name_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="two documents are called 'd'"):
        write(tmp_path, [Document("d", "a"), Document("d", "b")])


def test_a_text_that_begins_like_a_byte_order_mark_keeps_it(tmp_path: Path) -> None:
    document = Document("out-1", "\ufeff", (Span(0, 1, "X"),))

    write(tmp_path, [document])

    (found,) = CONLL.read(tmp_path / "out.tsv", ReadOptions(), Notes())
    assert (found.id, found.text, found.spans) == (document.id, document.text, document.spans)


def test_a_label_may_end_with_a_dash_and_hold_spaces(tmp_path: Path) -> None:
    document = Document("out-1", "a b", (Span(0, 1, "Cell line-"),))

    write(tmp_path, [document])

    assert mentions(list(CONLL.read(tmp_path / "out.tsv", ReadOptions(), Notes()))) == [[("a", "Cell line-")]]


@pytest.mark.parametrize(
    ("head", "is_conll"),
    [
        ("a\tO\nb\tB-X\n", True),
        ("-DOCSTART- -X- O O\n\nEU NNP I-NP I-ORG\n", True),
        ("a O", True),
        ("a\tB\nb\tI\n", True),
        ("Plain prose of several lines\nthat ends in no tag.\n", False),
        ("123|t|A title\n123|a|An abstract\n123\t0\t1\tA\tX\tD1\n", False),
        ('{"id": "1", "text": "x"}\n', False),
        ("<?xml version='1.0'?>\n<collection/>\n", False),
        ("word\nother\n", False),
    ],
)
def test_rows_that_end_in_tags_are_recognised(tmp_path: Path, head: str, is_conll: bool) -> None:
    assert CONLL.recognises(tmp_path / "x", head) is is_conll


MEDLINE = (
    "###MEDLINE:95369245\n\nIL-2\tB-DNA\ngene\tI-DNA\n\nIt\tO\nbinds\tO\n\n"
    "###MEDLINE:97218353\n\nT\tB-cell_type\n\n###MEDLINE:97218353\n\nT\tO\n"
)


def test_medline_lines_begin_documents_and_are_no_sentences(tmp_path: Path) -> None:
    found = read(tmp_path, MEDLINE)

    assert [document.id for document in found] == ["95369245", "97218353", "97218353~2"]
    assert [document.text for document in found] == ["IL-2 gene\nIt binds", "T", "T"]
    assert [len(document.spans) for document in found] == [1, 1, 0]
    assert formats.get("conll").recognises(Path("Genia4ERtask2.iob2"), MEDLINE)


def test_a_quotation_mark_of_blues_files_is_one_character(tmp_path: Path) -> None:
    rows = 'The\t00176-102920\t426\tO\n""""\t-\t430\tO\natrium\t-\t431\tB\n""""\t-\t437\tO\n'

    (blue,) = read(tmp_path, rows, label="Disorder")
    (other,) = read(tmp_path, 'The\tO\n""""\tO\n')

    assert blue.text == 'The " atrium "'
    assert other.text == 'The """"'
