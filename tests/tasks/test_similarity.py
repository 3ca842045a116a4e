"""Similarity: pairs with finite scores, and how well numbers follow them."""

from pathlib import Path

import pytest

from linnet.contracts import tasks
from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.metrics.texts.resampled import plain_value
from linnet.tasks.similarity import Similarity, SimilaritySettings
from linnet.tasks.texts.kinds import REGRESSION, Scale
from linnet.tasks.texts.task import Decision, TextTask
from tests.shared_data import SHARED, needs_shared

TASK = Similarity()
SETTINGS = SimilaritySettings()
NUMBER = Decision(REGRESSION, {})


def written(folder: Path, text: str, name: str = "train.tsv") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def pairs(*scores: float | None) -> list[TextExample]:
    return [TextExample(str(number), "A.", "B.", score, place=f"f:{number}") for number, score in enumerate(scores, 1)]


def read_one(place: Path, settings: SimilaritySettings = SETTINGS) -> list[tuple[str, str, str | None, object]]:
    (examples,) = TASK.read(place, settings).values()
    return [(each.id, each.first, each.second, each.gold) for each in examples]


def test_biosses_has_a_header_and_ids(tmp_path: Path) -> None:
    place = written(tmp_path, 'pair_id\tsent1\tsent2\tscore\n88\tA cell.\tA "cell".\t3\n7\tA.\tB.\t0.25\n')

    assert read_one(place) == [("88", "A cell.", 'A "cell".', 3.0), ("7", "A.", "B.", 0.25)]


def test_medsts_has_no_header_and_its_rows_are_named_after_their_places(tmp_path: Path) -> None:
    place = written(tmp_path, "A.\tB.\t4.5\nC.\tD.\t1e0\n")

    assert read_one(place) == [("train.tsv:1", "A.", "B.", 4.5), ("train.tsv:2", "C.", "D.", 1.0)]
    assert TASK.read(place, SETTINGS)["train"][1].place == f"{tmp_path / 'train.tsv'}:2"


def test_json_lines_have_numbers_or_numbers_as_text(tmp_path: Path) -> None:
    rows = '{"sentence1": "A.", "sentence2": "B.", "score": 4}\n{"sentence1": "C.", "sentence2": "D.", "score": "2.5"}'
    found = read_one(written(tmp_path, rows, "test.jsonl"))

    assert [gold for *_, gold in found] == [4.0, 2.5]
    assert all(isinstance(gold, float) for *_, gold in found)


def test_csv_and_columns_of_other_names_are_read(tmp_path: Path) -> None:
    place = written(tmp_path, 'left,right,gold\n"A, b.",C.,1\n', "train.csv")
    columns = {"sentence1": "left", "sentence2": "right", "score": "gold"}

    assert read_one(place, SimilaritySettings(columns=columns)) == [("train.csv:2", "A, b.", "C.", 1.0)]


def test_pairs_without_any_score_have_no_gold(tmp_path: Path) -> None:
    assert read_one(written(tmp_path, "sentence1\tsentence2\nA.\tB.\n")) == [("train.tsv:2", "A.", "B.", None)]


@pytest.mark.parametrize("score", ["nan", "inf", "-inf", "1e999", "high", "2,5", "1_0", "2.8\x1c", ""])
def test_a_score_that_is_no_finite_number_is_refused_with_its_line_and_value(tmp_path: Path, score: str) -> None:
    place = written(tmp_path, f"sent1\tsent2\tscore\nA.\tB.\t1\nA.\tB.\t{score}\n")

    with pytest.raises(BadFile) as refused:
        TASK.read(place, SETTINGS)

    assert refused.value.problem.startswith(f"{tmp_path / 'train.tsv'}:3: the score is ")
    assert "expected a finite number" in refused.value.problem
    assert (repr(score) if score != "1e999" else "inf") in refused.value.problem


@pytest.mark.parametrize("score", ["NaN", "Infinity", "true", "null", "[1]", "1" + 400 * "0"])
def test_a_score_in_json_must_be_a_finite_number_too(tmp_path: Path, score: str) -> None:
    row = '{"sentence1": "A.", "sentence2": "B.", "score": SCORE}\n'

    with pytest.raises(BadFile, match=r"train\.jsonl:2: the score is .*, expected a finite number"):
        TASK.read(written(tmp_path, row.replace("SCORE", "1") + row.replace("SCORE", score), "train.jsonl"), SETTINGS)


def test_a_wrong_number_of_columns_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"train\.tsv:2: found 2 columns, expected 3"):
        TASK.read(written(tmp_path, "A.\tB.\t1\nA.\tB.\n"), SETTINGS)


def test_an_empty_sentence_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"train\.tsv:3: 'sent2' is empty"):
        TASK.read(written(tmp_path, "sent1\tsent2\tscore\nA.\tB.\t1\nA.\t \t1\n"), SETTINGS)


def test_an_id_that_comes_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    place = written(tmp_path, "pair_id\tsent1\tsent2\tscore\n7\tA.\tB.\t1\n8\tA.\tB.\t1\n7\tC.\tD.\t1\n")

    with pytest.raises(BadFile, match=r"train\.tsv:4: the id '7' stands at .*train\.tsv:2 already"):
        TASK.read(place, SETTINGS)


def test_rows_of_two_files_of_one_name_have_names_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    for place in (tmp_path, tmp_path / "more"):
        written(place, "A.\tB.\t1\n")
    files = {"train": ("train.tsv", "more/train.tsv")}

    found = TASK.read(tmp_path, SimilaritySettings(files=files))["train"]

    assert [each.id for each in found] == ["train.tsv:1", "more/train.tsv:1"]


def test_a_file_without_rows_is_refused(tmp_path: Path) -> None:
    for name in ("train.tsv", "train.jsonl"):
        with pytest.raises(BadFile, match="there are no rows in the file"):
            TASK.read(written(tmp_path, "", name) / name, SETTINGS)
    with pytest.raises(BadFile, match="there are no rows in the file"):
        TASK.read(written(tmp_path, "sent1\tsent2\tscore\n") / "train.tsv", SETTINGS)


def test_the_range_goes_from_the_lowest_to_the_highest_score() -> None:
    assert REGRESSION.scale(pairs(2.5, 0.25, 4.0)) == Scale(0.25, 4.0)


def test_a_range_needs_two_different_scores() -> None:
    with pytest.raises(BadFile, match=r"f:1: all 2 scores are 3, so there is nothing to learn"):
        REGRESSION.scale(pairs(3.0, 3.0))
    with pytest.raises(BadFile, match="there are no scores, so there is nothing to learn"):
        REGRESSION.scale([])
    with pytest.raises(BadFile, match="f:1: all 1 scores are 3"):
        REGRESSION.scale(pairs(3.0, None))


def test_numbers_are_predicted_as_they_are_and_pearson_is_first() -> None:
    examples = pairs(0.0, 2.0, 4.0)

    predictions = TASK.decide(examples, [1.0, 2.0, 6.0], NUMBER, SETTINGS)
    scores = {metric.name: plain_value(metric) for metric in TASK.metrics(predictions, SETTINGS)}

    assert TASK.kind(examples, SETTINGS) is REGRESSION
    assert (predictions[0].text, predictions[0].gold, predictions[0].predicted) == ("A.\nB.", 0.0, 1.0)
    # around their means -2 0 2 and -2 -1 3: 10 / sqrt(8 * 14); the ranks agree; (1 + 0 + 4) / 3
    assert scores == pytest.approx({"pearson": 10 / 112**0.5, "spearman": 1.0, "mse": 5 / 3})
    assert next(iter(scores)) == "pearson"


def test_a_pair_without_a_score_cannot_be_scored() -> None:
    with pytest.raises(BadFile, match="pair 1: the score is missing"):
        TASK.metrics(TASK.decide(pairs(None), [1.0], NUMBER, SETTINGS), SETTINGS)


def test_the_task_is_registered_and_keeps_the_protocol() -> None:
    assert isinstance(tasks.get("similarity"), TextTask)
    assert (TASK.name, TASK.pooling) == ("similarity", "mean")


@needs_shared
def test_biosses_has_64_16_and_20_pairs_scored_from_0_to_4() -> None:
    splits = TASK.read(SHARED / "data" / "similarity" / "biosses", SETTINGS)

    # BLURB's split, as PROVENANCE.md counts it
    assert {name: len(examples) for name, examples in splits.items()} == {"train": 64, "devel": 16, "test": 20}
    everything = [example for examples in splits.values() for example in examples]
    assert len({example.id for example in everything}) == 100
    assert REGRESSION.scale(everything) == Scale(0.0, 4.0)
