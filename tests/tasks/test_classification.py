"""Classification: one label or any number, however they are written, and which score chooses."""

import json
from collections import Counter
from pathlib import Path

import pytest

from linnet.contracts import Notes, tasks
from linnet.documents.texts import Plain, TextExample
from linnet.errors import BadFile
from linnet.metrics.texts.resampled import plain_value
from linnet.tasks.classification import Classification
from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL
from linnet.tasks.texts.reading.label_values import HALLMARKS
from linnet.tasks.texts.settings import TextSettings
from linnet.tasks.texts.task import Decision, TextTask
from tests.shared_data import SHARED, needs_shared

TASK = Classification()
SETTINGS = TextSettings()
SEVERAL = TextSettings(several_labels=True)
HOC = "labels\tsentence\tindex\n"
NONE = ",".join(f"{number}_0" for number in range(10))


def written(folder: Path, text: str, name: str = "train.tsv") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def json_lines(folder: Path, *rows: object, name: str = "train.jsonl") -> Path:
    return written(folder, "".join(json.dumps(row) + "\n" for row in rows), name)


def read_one(place: Path, settings: TextSettings = SETTINGS) -> list[TextExample]:
    (examples,) = TASK.read(place, settings).values()
    return examples


def golds(place: Path, settings: TextSettings = SETTINGS) -> list[Plain | None]:
    return [example.gold for example in read_one(place, settings)]


def example(id: str, gold: Plain | None, group: str = "") -> TextExample:
    return TextExample(id, "A text.", gold=gold, group=group)


def test_a_table_without_header_has_text_and_label(tmp_path: Path) -> None:
    found = read_one(written(tmp_path, 'A "cell".\tyes\nB.\tno\n'))

    assert [(each.id, each.first, each.gold) for each in found] == [
        ("train.tsv:1", 'A "cell".', "yes"),
        ("train.tsv:2", "B.", "no"),
    ]
    assert found[1].place == f"{tmp_path / 'train.tsv'}:2"
    assert TASK.kind(found, SETTINGS) is CLASSIFICATION


def test_a_table_without_header_may_have_ids_first(tmp_path: Path) -> None:
    assert [(each.id, each.first) for each in read_one(written(tmp_path, "x1\tA.\tyes\n"))] == [("x1", "A.")]


@pytest.mark.parametrize(
    ("header", "row", "text"),
    [
        ("label\ttext", "yes\tA.", "A."),
        ("sentence\tlabels", "A.\tyes", "A."),
        ("id\ttitle\tabstract\tlabel", "1\tA.\t B.\tyes", "A.  B."),
        ("title\tabstract\tlabel", "A.\t\tyes", "A."),
        ("abstract\tyear\tlabel", "B.\t1999\tyes", "B."),
        ("title\ttext\tlabel", "A.\tB.\tyes", "B."),
    ],
)
def test_texts_stand_in_columns_of_several_names(tmp_path: Path, header: str, row: str, text: str) -> None:
    (found,) = read_one(written(tmp_path, f"{header}\n{row}\n"))

    assert (found.first, found.gold) == (text, "yes")


def test_names_of_columns_are_known_in_any_case(tmp_path: Path) -> None:
    (found,) = read_one(written(tmp_path, "Labels\tSentence\tIndex\nyes\tA.\t12_s0\n"))

    assert (found.id, found.first, found.gold, found.group) == ("12_s0", "A.", "yes", "12")


def test_a_table_without_the_label_column_of_the_recipe_has_texts_to_be_answered(tmp_path: Path) -> None:
    settings = TextSettings(columns={"text": "abstract", "label": "topic"})

    assert golds(written(tmp_path, "abstract\tyear\nA.\t2001\n"), settings) == [None]


@pytest.mark.parametrize(("name", "row"), [("train.tsv", "\t"), ("train.csv", ",")])
def test_a_row_without_values_is_refused(tmp_path: Path, name: str, row: str) -> None:
    with pytest.raises(BadFile, match=rf"{name}:2: a label is empty"):
        read_one(written(tmp_path, f"A.{row}yes\n{row}\nB.{row}no\n", name))


def test_csv_and_columns_of_other_names_are_read(tmp_path: Path) -> None:
    place = written(tmp_path, 'text,abstract,topic\nnot this,"A, b.",yes\n', "train.csv")

    (found,) = read_one(place, TextSettings(columns={"text": "abstract", "label": "topic"}))

    assert (found.first, found.gold) == ("A, b.", "yes")


def test_a_json_column_gives_way_to_the_one_the_recipe_names(tmp_path: Path) -> None:
    place = json_lines(tmp_path, {"abstract": "A.", "text": "not this", "label": "yes"})

    assert [each.first for each in read_one(place, TextSettings(columns={"text": "abstract"}))] == ["A."]


def test_json_lines_have_a_label_or_a_list_of_labels(tmp_path: Path) -> None:
    one = json_lines(tmp_path, {"id": 7, "text": "A.", "label": "a, b"}, {"text": "B.", "label": 1}, name="one.jsonl")
    several = json_lines(tmp_path, {"text": "A.", "labels": ["a, b", "c"]}, {"text": "B.", "labels": []})

    assert golds(one / "one.jsonl") == ["a, b", "1"]
    assert read_one(one / "one.jsonl")[0].id == "7"
    assert golds(several / "train.jsonl") == [("a, b", "c"), ()]
    assert TASK.kind(read_one(several / "train.jsonl"), SETTINGS) is MULTI_LABEL


def test_a_label_among_lists_is_a_list_of_one_in_all_splits(tmp_path: Path) -> None:
    json_lines(tmp_path, {"text": "A.", "label": ["a", "b"]})
    json_lines(tmp_path, {"text": "B.", "label": "a;b"}, name="test.jsonl")

    assert TASK.read(tmp_path, SETTINGS)["test"][0].gold == ("a;b",)


def test_files_of_one_name_in_two_folders_have_names_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    for place in (tmp_path, tmp_path / "more"):
        written(place, "a text\tone\n")

    found = TASK.read(tmp_path, TextSettings(files={"train": ("train.tsv", "more/train.tsv")}))["train"]

    assert [each.id for each in found] == ["train.tsv:1", "more/train.tsv:1"]


def test_texts_without_any_label_have_no_gold(tmp_path: Path) -> None:
    assert golds(written(tmp_path, "text\nA.\n")) == [None]
    assert golds(written(tmp_path, "A.\nB.\n")) == [None, None]


def test_hallmarks_are_read_from_marks_and_grouped_by_abstract(tmp_path: Path) -> None:
    marks = NONE.replace("6_0", "6_1").replace("9_0", "9_1")
    place = written(tmp_path, f"{HOC}{marks}\tA.\t12_s0\n{NONE}\tB.\t12_s1\n{NONE}\tC.\t3_s0\n")
    notes = Notes()

    found = TASK.read(place, SETTINGS, notes)["train"]

    assert [each.gold for each in found] == [("inducing angiogenesis", "tumor promoting inflammation"), (), ()]
    assert [(each.id, each.group) for each in found] == [("12_s0", "12"), ("12_s1", "12"), ("3_s0", "3")]
    assert TASK.kind(found, SETTINGS) is MULTI_LABEL
    assert notes.sentences() == [f"texts of train without a label: 2 (first: {tmp_path / 'train.tsv'}:3)"]


def test_a_label_of_training_is_never_taken_for_several(tmp_path: Path) -> None:
    rows = "text\tlabel\nA.\tgrowth, sustained|death\nB.\tdeath\n"
    training = read_one(written(tmp_path, rows), SEVERAL)
    new = written(tmp_path, "text\tlabel\nC.\tgrowth, sustained\n", "new.tsv") / "new.tsv"

    settled = TASK.complete_settings(SEVERAL, training)

    assert TASK.kind(training, SEVERAL) is MULTI_LABEL
    assert settled.labels == ("death", "growth, sustained")
    assert golds(new, settled) == [("growth, sustained",)]
    assert golds(tmp_path / "train.tsv", settled) == [each.gold for each in training]


def test_labels_are_settled_where_a_text_may_have_several_and_the_recipe_names_none() -> None:
    named = TextSettings(labels=("b",))

    assert TASK.complete_settings(SETTINGS, [example("1", "a"), example("2", None)]) is SETTINGS
    assert TASK.complete_settings(named, [example("1", ("a",))]) is named


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"text": "B."}, "the label is missing"),
        ({"text": "B.", "label": True}, "the label is True, expected a text"),
        ({"text": "B.", "label": {"a": 1}}, "the label is {'a': 1}, expected a text"),
        ({"label": "a"}, "'text' is missing"),
        ({"text": 3, "label": "a"}, "'text' is 3, expected a text"),
        ({"text": " ", "label": "a"}, "'text' is empty"),
        ({"title": "", "abstract": " ", "label": "a"}, "'title' is empty"),
        ({"text": "B.", "label": "a", "id": 1.5}, "'id' is 1.5, expected an id"),
    ],
)
def test_what_is_missing_or_no_text_is_refused_with_its_line(
    tmp_path: Path, row: dict[str, object], problem: str
) -> None:
    with pytest.raises(BadFile) as refused:
        read_one(json_lines(tmp_path, {"text": "A.", "label": "a"}, row))

    assert f"train.jsonl:2: {problem}" in refused.value.problem


def test_a_wrong_number_of_columns_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"train\.tsv:2: found 1 columns, expected 2"):
        read_one(written(tmp_path, "A.\ta\nB.\n"))


def test_an_id_that_comes_twice_in_a_split_is_refused_with_both_lines(tmp_path: Path) -> None:
    written(tmp_path, "id\ttext\tlabel\n1\tA.\ta\n", "a.tsv")
    written(tmp_path, "id\ttext\tlabel\n2\tA.\ta\n1\tB.\tb\n", "b.tsv")
    settings = TextSettings(files={"train": ("a.tsv", "b.tsv")})

    with pytest.raises(BadFile, match=r"b\.tsv:3: the id '1' stands at .*a\.tsv:2 already"):
        TASK.read(tmp_path, settings)


def test_ids_may_come_again_in_another_split(tmp_path: Path) -> None:
    written(tmp_path, "id\ttext\tlabel\n1\tA.\ta\n")
    written(tmp_path, "id\ttext\tlabel\n1\tB.\tb\n", "dev.tsv")

    assert list(TASK.read(tmp_path, SETTINGS)) == ["train", "devel"]


def test_macro_f1_chooses_for_one_label() -> None:
    examples = [example("1", "a"), example("2", "a"), example("3", "a"), example("4", "b")]
    outputs = [{"a": 0.9, "b": 0.1}, {"a": 0.8, "b": 0.2}, {"a": 0.4, "b": 0.6}, {"a": 0.3, "b": 0.7}]

    predictions = TASK.decide(examples, outputs, Decision(CLASSIFICATION, {}), SETTINGS)
    scores = {metric.name: plain_value(metric) for metric in TASK.metrics(predictions, SETTINGS)}

    assert [(each.predicted, each.score) for each in predictions] == [("a", 0.9), ("a", 0.8), ("b", 0.6), ("b", 0.7)]
    # a: 2 * 2 / (2 + 3) = 0.8, b: 2 * 1 / (2 + 1); three of four are right
    assert next(iter(scores)) == "macro_f1"
    assert scores["macro_f1"] == pytest.approx((0.8 + 2 / 3) / 2)
    assert scores["accuracy"] == scores["micro_f1"] == 0.75


def test_document_micro_f1_chooses_for_several_labels_of_documents() -> None:
    examples = [example("1_s0", ("a",), "1"), example("1_s1", (), "1"), example("2_s0", ("b",), "2")]
    outputs = [{"a": 0.2, "b": 0.1}, {"a": 0.9, "b": 0.1}, {"a": 0.6, "b": 0.6}]

    predictions = TASK.decide(examples, outputs, Decision(MULTI_LABEL, {"a": 0.5, "b": 0.6}), SETTINGS)
    scores = {metric.name: plain_value(metric) for metric in TASK.metrics(predictions, SETTINGS)}

    assert [each.predicted for each in predictions] == [(), ("a",), ("a", "b")]
    # by document a of 1 and b of 2 are right, a of 2 is wrong: 2 * 2 / (3 + 2); by sentence only b: 2 * 1 / (3 + 2)
    assert next(iter(scores)) == "document_micro_f1"
    assert scores["document_micro_f1"] == pytest.approx(0.8)
    assert scores["micro_f1"] == pytest.approx(0.4)


def test_micro_f1_chooses_for_several_labels_of_single_texts() -> None:
    predictions = TASK.decide(
        [example("1", ("a",)), example("2", ())], [{"a": 0.9}, {"a": 0.8}], Decision(MULTI_LABEL, {}), SETTINGS
    )

    metrics = TASK.metrics(predictions, SETTINGS)

    assert metrics[0].name == "micro_f1"
    assert plain_value(metrics[0]) == pytest.approx(2 / 3)  # 2 * 1 / (2 + 1)


def test_single_labels_can_be_compared_with_several_predicted_ones() -> None:
    predictions = TASK.decide([example("1", "a")], [{"a": 0.9, "b": 0.8}], Decision(MULTI_LABEL, {}), SETTINGS)

    assert plain_value(TASK.metrics(predictions, SETTINGS)[0]) == pytest.approx(2 / 3)  # 2 * 1 / (2 + 1)


def test_a_text_without_gold_cannot_be_scored() -> None:
    predictions = TASK.decide([example("1", None)], [{"a": 0.9}], Decision(CLASSIFICATION, {}), SETTINGS)

    with pytest.raises(BadFile, match="text 1 has no labels to compare with"):
        TASK.metrics(predictions, SETTINGS)


def test_the_task_is_registered_and_keeps_the_protocol() -> None:
    assert isinstance(tasks.get("classification"), TextTask)
    assert (TASK.name, TASK.pooling) == ("classification", "mean")


@needs_shared
def test_the_hallmarks_of_cancer_are_blurbs() -> None:
    notes = Notes()

    splits = TASK.read(SHARED / "data" / "classification" / "hoc", SETTINGS, notes)

    # sentences and abstracts as PROVENANCE.md counts them
    assert {name: len(rows) for name, rows in splits.items()} == {"train": 12_119, "devel": 1_798, "test": 3_547}
    abstracts = {name: {each.group for each in rows} for name, rows in splits.items()}
    assert {name: len(groups) for name, groups in abstracts.items()} == {"train": 1_295, "devel": 186, "test": 371}
    assert len(set().union(*abstracts.values())) == 1_852
    assert list(notes.counts.values()) == [9_034, 1_337, 2_650]
    # the named corpus's counts (BigBio's `hallmarks_of_cancer`, training split), all different: the order is certain
    in_training = Counter(name for each in splits["train"] if isinstance(each.gold, tuple) for name in each.gold)
    assert [in_training[name] for name in HALLMARKS] == [448, 185, 136, 219, 268, 523, 238, 602, 674, 375]
    assert TASK.kind(splits["train"], SETTINGS) is MULTI_LABEL
