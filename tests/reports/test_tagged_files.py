"""A file with gold and predicted tags side by side is scored by itself, as the conlleval script does."""

from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions
from linnet.errors import LinnetError
from linnet.formats.reading import read_documents
from linnet.labels.mention import Mention
from linnet.scoring import review_files, score_files, units_from_files
from tests import tiny

GOLD = [["B-X", "I-X", "O"], ["O", "B-Y"]]
PREDICTED = [["B-X", "O", "O"], ["O", "B-Y"]]


def write(path: Path, separator: str, *columns: list[list[str]]) -> Path:
    sentences = [
        "\n".join(separator.join([f"w{number}", *row]) for number, row in enumerate(zip(*sentence, strict=True)))
        for sentence in zip(*columns, strict=True)
    ]
    path.write_text("\n\n".join(sentences) + "\n", encoding="utf-8")
    return path


def refusal(path: Path, **options: object) -> LinnetError:
    with pytest.raises(LinnetError) as refused:
        units_from_files(path, **options)  # type: ignore[arg-type]
    return refused.value


@pytest.mark.parametrize("separator", ["\t", " "])
def test_one_file_is_scored_as_two_would_be(tmp_path: Path, separator: str) -> None:
    parts_of_speech = [["NN", "NN", "VB"], ["DT", "NN"]]
    gold = write(tmp_path / "gold.tsv", "\t", GOLD)
    predicted = write(tmp_path / "predicted.tsv", "\t", PREDICTED)
    both = write(tmp_path / "both.txt", separator, parts_of_speech, GOLD, PREDICTED)

    assert score_files(both).as_dict() == score_files(gold, predicted).as_dict()


def test_predictions_are_not_taken_for_gold(tmp_path: Path) -> None:
    first = write(tmp_path / "first.tsv", "\t", GOLD, PREDICTED)
    second = write(tmp_path / "second.tsv", "\t", GOLD, GOLD)
    chunks = write(tmp_path / "chunks.tsv", "\t", [["B-NP", "I-NP", "O"], ["O", "B-NP"]], GOLD)

    refused = refusal(first, predicted=second)

    assert refused.problem.startswith(f"{first}: its last two columns have tags of the same labels (X, Y)")
    assert f"linnet compare-runs {first} {second}" in refused.remedy
    assert len(units_from_files(first, second, options=ReadOptions(tag_column=2))) == 2
    assert len(units_from_files(chunks, second)) == 2  # other labels: no column of predictions


def test_the_predictions_of_a_run_can_be_scored_again(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", epochs=1)

    found = score_files(run.folder / "predictions-test.tsv").as_dict()

    assert found == {key: run.metrics[key] for key in found}


def test_gold_mentions_that_tags_cannot_hold_count_from_the_file_beside(tmp_path: Path) -> None:
    path = write(tmp_path / "predictions-test.tsv", "\t", GOLD, PREDICTED)
    beside = tmp_path / "predictions-test.gold.jsonl"
    beside.write_text('[1, [[1, 2, "Y", []], [0, 2, "Y", []]]]\n', encoding="utf-8")
    notes = Notes()

    found = score_files(path, notes=notes)

    assert found.mentions == 3
    assert notes.sentences() == [f"sentences with gold mentions that tags cannot hold: 1 (first: {beside})"]


def test_a_strange_file_beside_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "\t", GOLD, PREDICTED)
    (tmp_path / "a.gold.jsonl").write_text('{"id": "1", "text": "a"}\n', encoding="utf-8")

    error = refusal(path)

    assert "a.gold.jsonl:1: these are no mentions of a sentence of a.tsv" in error.problem
    assert "another name" in error.remedy


def test_a_file_with_one_column_of_tags_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "gold.tsv", "\t", GOLD)

    error = refusal(path)

    assert error.problem == (
        f"{path}:1: found a word and one tag; scored alone, a file needs a gold and a predicted tag"
    )
    assert "linnet score GOLD PREDICTED" in error.remedy


def test_a_column_between_that_holds_no_tags_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "gold.tsv", "\t", [["O", "NN", "VB"], ["DT", "NN"]], PREDICTED)

    assert refusal(path).problem.startswith(f"{path}:2: 'NN' in the last column but one is not a tag")


def test_a_format_of_one_side_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "1", "text": "a"}\n', encoding="utf-8")

    assert refusal(path).problem == f"{path}: this is jsonl, which holds the annotations of one side"


def test_a_tag_column_is_refused_where_there_are_two(tmp_path: Path) -> None:
    path = write(tmp_path / "both.tsv", "\t", GOLD, PREDICTED)

    assert "a tag column is given" in refusal(path, options=ReadOptions(tag_column=2)).problem


def test_invalid_gold_tags_are_refused_or_repaired(tmp_path: Path) -> None:
    broken = [["B-X", "I-X", "O"], ["O", "I-Y"]]
    path = write(tmp_path / "both.tsv", "\t", broken, PREDICTED)

    assert refusal(path, options=ReadOptions(tagging="iob2")).problem.startswith(f"{path}:6: found 'I-Y'")
    assert score_files(path, options=ReadOptions(tagging="iob2", repair=True)).matching("conll").micro.correct == 1


def test_columns_without_a_label_in_common_are_noted(tmp_path: Path) -> None:
    path = write(tmp_path / "both.tsv", "\t", [["B-NP", "I-NP", "O"], ["O", "B-VP"]], PREDICTED)
    notes = Notes()

    score_files(path, notes=notes)

    assert notes.sentences()[0].startswith("no label in common, are these gold and predicted tags? (NP, VP; X, Y)")


def test_bare_tags_are_read_on_both_sides(tmp_path: Path) -> None:
    path = write(tmp_path / "both.tsv", " ", [["B", "I", "O"]], [["B", "I", "O"]])

    assert set(score_files(path, options=ReadOptions(label="Gene")).matching("strict").labels) == {"Gene"}


def test_reviewed_rows_have_the_documents_and_places_that_converting_gives(tmp_path: Path) -> None:
    text = "-DOCSTART- d1\tO\n\nNo\tO\nataxia\tB-X\n\nIt\tO\n\n-DOCSTART-\tO\n\n-DOCSTART- d3\tO\n\naspirin\tB-X\n\n"
    path = tmp_path / "gold.tsv"
    path.write_text(text, encoding="utf-8")

    found = review_files(path, path)

    texts = {document.id: document.text for document in read_documents(path)}
    assert [(each.document, each.number) for each in found] == [("d1", 1), ("d1", 2), ("d3", 1)]
    assert all(texts[each.document][each.start :].startswith(each.text) for each in found)
    assert found[0].gold == found[0].predicted == (Mention(1, 2, "X"),)
    assert found[0].text_of(found[0].gold[0]) == "ataxia"


def test_sentences_without_a_document_are_documents_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "both.tsv"
    path.write_text("a\tB-X\tO\n\nb\tO\tB-X\n\n", encoding="utf-8")

    found = review_files(path)

    assert [(each.document, each.number, each.start) for each in found] == [("both-1", 1, 0), ("both-2", 1, 0)]
    assert [(each.gold, each.predicted) for each in found] == [
        ((Mention(0, 1, "X"),), ()),
        ((), (Mention(0, 1, "X"),)),
    ]
