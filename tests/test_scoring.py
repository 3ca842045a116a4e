"""Predictions are compared with gold files, token by token and character by character."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document, Sentence, Span
from linnet.errors import BadFile, LinnetError
from linnet.formats.reading import convert_documents, detect_format
from linnet.labels.mention import Mention
from linnet.metrics.mentions.units import Unit
from linnet.scoring import score_files, units_from_documents, units_from_files, units_from_tags

TEXT = "Aspirin helps. Pain goes. So does fever."
GOLD = Document("d1", TEXT, (Span(0, 7, "Drug"), Span(15, 19, "Sign"), Span(34, 39, "Sign")))


def rows(path: Path, *sentences: str) -> Path:
    """Write sentences such as "a/B-X b/O"; one that is called "-" begins a document."""
    blocks = ["-DOCSTART-\tO" if each == "-" else each.replace("/", "\t").replace(" ", "\n") for each in sentences]
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "gold.tsv", tmp_path / "predicted.tsv"


def refusal(gold: Path, predicted: Path, options: ReadOptions | None = None) -> str:
    """Return the problem that the pair of files is refused with."""
    with pytest.raises(LinnetError) as refused:
        units_from_files(gold, predicted, options=options)
    assert refused.value.remedy
    return refused.value.problem


def test_faulty_prediction_gets_both_readings(paths: tuple[Path, Path]) -> None:
    gold, predicted = rows(paths[0], "a/B-X b/I-X c/O"), rows(paths[1], "a/I-X b/I-X c/B-X")

    (unit,) = units_from_files(gold, predicted)

    assert unit.predicted == (Mention(0, 2, "X"), Mention(2, 3, "X"))
    assert unit.strictly_predicted == (Mention(2, 3, "X"),)
    assert list(unit.gold_labels) == ["X", "X", ""]
    assert list(unit.predicted_labels) == ["X", "X", "X"]


def test_prediction_without_a_single_b_is_faulty_iob2_and_not_io(paths: tuple[Path, Path]) -> None:
    gold, predicted = rows(paths[0], "a/B-X b/I-X c/O"), rows(paths[1], "a/I-X b/I-X c/O")

    (unit,) = units_from_files(gold, predicted)

    assert unit.strictly_predicted == ()


@pytest.mark.parametrize("predicted_row", ["a/B-X b/I-X c/O", "a/I-X b/I-X c/O", "a/B-X b/L-X c/O", "a/B-X b/E-X c/O"])
@pytest.mark.parametrize("gold_row", ["a/B-X b/E-X c/O", "a/B-X b/L-X c/O", "a/I-X b/I-X c/O"])
def test_taggings_of_the_two_files_may_differ(gold_row: str, predicted_row: str, paths: tuple[Path, Path]) -> None:
    gold, predicted = rows(paths[0], gold_row), rows(paths[1], predicted_row)

    scores = score_files(gold, predicted, n_resamples=0)

    assert scores.matching("strict").micro.f1 == 1


def test_gold_iob2_and_predicted_iobes_agree(paths: tuple[Path, Path]) -> None:
    gold, predicted = rows(paths[0], "a/B-X b/I-X c/O d/B-X"), rows(paths[1], "a/B-X b/E-X c/O d/S-X")

    assert score_files(gold, predicted, n_resamples=0).matching("strict").micro.correct == 2


def test_repaired_gold_is_read_as_conlleval_reads_it_and_counted(paths: tuple[Path, Path]) -> None:
    gold, predicted = rows(paths[0], "a/B-X b/O", "c/O d/I-X"), rows(paths[1], "a/B-X b/O", "c/O d/I-X")
    notes = Notes()

    assert refusal(gold, predicted) == f"{gold}:5: found 'I-X' after 'O', which iob2 does not allow"
    units = units_from_files(gold, predicted, options=ReadOptions(repair=True), notes=notes)

    assert [unit.gold for unit in units] == [(Mention(0, 1, "X"),), (Mention(1, 2, "X"),)]
    assert units[1].strictly_predicted == ()  # the repair is the gold file's; the model's fault stays one
    assert notes.sentences() == [f"tags read as the conlleval script reads them: 1 (first: {gold}:5)"]


def test_sentences_between_marks_are_one_group(paths: tuple[Path, Path]) -> None:
    sentences = ["-", "a/O", "b/B-X", "-", "c/O"]
    gold, predicted = rows(paths[0], *sentences), rows(paths[1], *sentences)

    assert [unit.group for unit in units_from_files(gold, predicted)] == [0, 0, 1]


def test_a_file_says_which_sentences_are_one_document(paths: tuple[Path, Path]) -> None:
    sentences = ["a/O", "b/B-X", "c/O"]
    gold, predicted, documents = rows(paths[0], *sentences), rows(paths[1], *sentences), paths[0].with_suffix(".txt")
    documents.write_text("9\n7\n7\n", encoding="utf-8")

    scores = score_files(gold, predicted, n_resamples=5, documents=documents)

    assert scores.groups is not None
    assert (scores.groups.tolist(), scores.units) == ([0, 1, 1], "documents")


def test_a_file_of_documents_is_refused_for_files_that_have_their_own(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    convert_documents([GOLD], gold, to=formats.get("jsonl"))
    documents = tmp_path / "documents.txt"
    documents.write_text("9\n", encoding="utf-8")

    with pytest.raises(LinnetError, match="compared as documents"):
        score_files(gold, gold, documents=documents)


def test_sentences_without_marks_have_no_known_document(paths: tuple[Path, Path]) -> None:
    gold, predicted = rows(paths[0], "a/O", "b/B-X"), rows(paths[1], "a/O", "b/O")

    assert [unit.group for unit in units_from_files(gold, predicted)] == [None, None]


def test_first_word_that_differs_is_named_with_both_lines(paths: tuple[Path, Path]) -> None:
    gold, predicted = rows(paths[0], "a/O b/O", "c/O d/O e/O"), rows(paths[1], "-", "a/O b/O", "c/O x/O e/O")

    assert refusal(gold, predicted) == f"sentence 2 differs: {gold}:5 has 'd', {predicted}:7 has 'x'"


def test_sentence_that_ends_early_is_named(paths: tuple[Path, Path]) -> None:
    gold, predicted = rows(paths[0], "a/O b/O"), rows(paths[1], "a/O")

    expected = f"sentence 1 differs: {gold}:2 has 'b', {predicted}:2 has the end of the sentence"
    assert refusal(gold, predicted) == expected


def test_file_that_ends_early_is_named(paths: tuple[Path, Path]) -> None:
    longer, shorter = rows(paths[0], "a/O", "b/O", "c/O"), rows(paths[1], "a/O", "b/O")

    expected = f"{shorter}: ends after sentence 2; {longer}:5 goes on with 'c'"
    assert refusal(longer, shorter) == expected
    assert refusal(shorter, longer) == expected


def test_rows_of_tags_become_units_in_their_groups() -> None:
    units = list(
        units_from_tags([["B-X", "O"], ["O"]], [["B-X", "O"], ["I-Y"]], tagging="iob2", groups=[4, 4]),
    )

    assert units == [
        Unit((Mention(0, 1, "X"),), (Mention(0, 1, "X"),), None, ["X", ""], ["X", ""], 4, ["B-X", "O"], ["B-X", "O"]),
        Unit((), (Mention(0, 1, "Y"),), (), [""], ["Y"], 4, ["O"], ["I-Y"]),
    ]


def test_rows_of_tags_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="shorter"):
        list(units_from_tags([["O"], ["O"]], [["O"]], tagging="iob2"))


def test_documents_are_cut_into_sentences_with_marks_in_characters() -> None:
    predicted = GOLD.with_spans((Span(0, 7, "Drug"), Span(34, 39, "Drug")))

    units = list(units_from_documents([GOLD], [predicted]))

    assert [unit.gold for unit in units] == [
        (Mention(0, 7, "Drug"),),
        (Mention(15, 19, "Sign"),),
        (Mention(34, 39, "Sign"),),
    ]
    assert [unit.predicted for unit in units] == [(Mention(0, 7, "Drug"),), (), (Mention(34, 39, "Drug"),)]
    assert list(units[2].gold_labels) == ["", "", "Sign", ""]
    assert list(units[2].predicted_labels) == ["", "", "Drug", ""]


def test_mention_over_a_sentence_end_joins_the_sentences_of_both_sides() -> None:
    predicted = GOLD.with_spans((Span(8, 19, "Sign"),))  # helps. Pain

    first, second = units_from_documents([GOLD], [predicted])

    assert first.gold == (Mention(0, 7, "Drug"), Mention(15, 19, "Sign"))
    assert first.predicted == (Mention(8, 19, "Sign"),)
    assert second.gold == (Mention(34, 39, "Sign"),)


def test_documents_in_another_order_score_the_same() -> None:
    other = replace(GOLD, id="d2")
    predicted = [GOLD.with_spans(GOLD.spans[:1]), other.with_spans(other.spans[1:])]

    assert list(units_from_documents([GOLD, other], predicted)) == list(
        units_from_documents([GOLD, other], predicted[::-1])
    )


def test_every_sentence_of_a_document_has_its_group() -> None:
    units = list(units_from_documents([GOLD, replace(GOLD, id="d2")], [replace(GOLD, id="d2"), GOLD]))

    assert [unit.group for unit in units] == [0, 0, 0, 1, 1, 1]


def test_discontinuous_mention_is_right_only_with_the_same_fragments() -> None:
    whole, parts = Span(0, 19, "X"), Span(0, 19, "X", ((0, 7), (15, 19)))

    (unit, *_) = units_from_documents([GOLD.with_spans((parts,))], [GOLD.with_spans((whole,))])

    assert unit.gold == (Mention(0, 19, "X", ((0, 7), (15, 19))),)
    assert unit.predicted == (Mention(0, 19, "X"),)


def test_sentences_and_tokens_of_the_gold_document_are_used() -> None:
    sentences = (Sentence(0, 25, ((0, 7), (8, 14), (15, 25))), Sentence(26, 40, ((26, 40),)))

    first, second = units_from_documents([replace(GOLD, sentences=sentences)], [GOLD])

    assert (len(first.gold_labels), len(second.gold_labels)) == (3, 1)


@pytest.mark.parametrize("text", ["", " \n ", "word"])
def test_text_without_mentions_or_words_is_one_unit(text: str) -> None:
    document = Document("d1", text)

    assert len(list(units_from_documents([document], [document]))) == 1


def test_missing_document_is_named_with_its_place_in_gold() -> None:
    with pytest.raises(BadFile, match=r"predicted: no document is called 'd2', which is document 2 of gold"):
        list(units_from_documents([GOLD, replace(GOLD, id="d2")], [GOLD]))


def test_document_without_gold_is_named() -> None:
    with pytest.raises(BadFile, match=r"predicted: document 'd2' is not in gold \(1 such documents\)"):
        list(units_from_documents([GOLD], [GOLD, replace(GOLD, id="d2")]))


def test_document_that_comes_twice_is_refused_on_either_side() -> None:
    with pytest.raises(BadFile, match="predicted: two documents are called 'd1'"):
        list(units_from_documents([GOLD], [GOLD, GOLD]))
    with pytest.raises(BadFile, match="gold: two documents are called 'd1'"):
        list(units_from_documents([GOLD, GOLD], [GOLD]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Aspirin hurts. Pain goes.",
            "character 9 on, gold has 'elps. Pain goes. So ', predicted has 'urts. Pain goes.'",
        ),
        ("Aspirin", "character 7 on, gold has ' helps. Pain goes. S', predicted has its end"),
        (TEXT + " ", "character 40 on, gold has its end, predicted has ' '"),
    ],
)
def test_first_character_that_differs_is_named(text: str, expected: str) -> None:
    with pytest.raises(BadFile) as refused:
        list(units_from_documents([GOLD], [Document("d1", text)]))

    assert refused.value.problem == f"document 'd1': the texts differ from {expected}"


@pytest.mark.parametrize("name", ["a.jsonl", "a.xml", "a.json"])
def test_files_of_documents_are_scored_whatever_their_format(name: str, tmp_path: Path) -> None:
    kinds = {"a.jsonl": "jsonl", "a.xml": "bioc-xml", "a.json": "bioc-json"}
    gold, predicted = tmp_path / "gold.jsonl", tmp_path / name
    convert_documents([GOLD], gold, to=formats.get("jsonl"))
    convert_documents([GOLD.with_spans(GOLD.spans[1:])], predicted, to=formats.get(kinds[name]), is_lossy=True)

    scores = score_files(str(gold), str(predicted), n_resamples=0)

    assert detect_format(predicted).name == kinds[name]
    micro = scores.matching("strict").micro
    assert (micro.gold, micro.predicted, micro.correct) == (3, 2, 2)


def word_tags(gold: Path, predicted: Path, **options: Any) -> dict[str, tuple[int, int, int]]:
    """Return gold, predicted and right words of each tag."""
    report = score_files(gold, predicted, n_resamples=0, **options).tags
    assert report is not None
    return {tag: (found.gold, found.predicted, found.correct) for tag, found in report.tags.items()}


def test_words_are_compared_by_the_tags_that_stand_in_the_files(paths: tuple[Path, Path]) -> None:
    gold, predicted = rows(paths[0], "a/B-X b/I-X c/O"), rows(paths[1], "a/I-X b/I-X c/O")

    assert word_tags(gold, predicted) == {"O": (1, 1, 1), "B-X": (1, 0, 0), "I-X": (1, 2, 1)}


def test_words_of_files_in_two_taggings_are_compared_in_iob2(paths: tuple[Path, Path]) -> None:
    gold, predicted = rows(paths[0], "a/B-X b/E-X c/S-X"), rows(paths[1], "a/B-X b/I-X c/B-X")

    assert word_tags(gold, predicted) == {"B-X": (2, 2, 2), "I-X": (1, 1, 1)}


def test_words_of_a_repaired_gold_file_have_the_repaired_tags(paths: tuple[Path, Path]) -> None:
    gold = rows(paths[0], "a/I-X b/I-X", "c/B-X d/O", "e/B-X f/I-X", "g/B-X h/I-X")
    predicted = rows(paths[1], "a/B-X b/I-X", "c/B-X d/O", "e/B-X f/I-X", "g/B-X h/I-X")

    found = word_tags(gold, predicted, options=ReadOptions(repair=True, tagging="iob2"))

    assert found == {"O": (1, 1, 1), "B-X": (4, 4, 4), "I-X": (3, 3, 3)}


def test_words_of_documents_are_compared_in_iob2(tmp_path: Path) -> None:
    text = "acute renal failure"
    spans = {"gold": (Span(0, 19, "X"),), "predicted": (Span(6, 19, "X"),)}
    files = [tmp_path / f"{name}.jsonl" for name in spans]
    for path, found in zip(files, spans.values(), strict=True):
        formats.get("jsonl").write([Document("1", text, spans=found)], path, WriteOptions())

    assert word_tags(*files) == {"O": (0, 1, 0), "B-X": (1, 1, 0), "I-X": (2, 1, 1)}
