"""Which texts are learned from: samples that keep shares, devel cut by groups, and labels that must be known."""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import Notes
from linnet.documents.texts import TextExample
from linnet.errors import BadFile, BadSetting
from linnet.tasks.classification import Classification
from linnet.tasks.texts.kinds import CLASSIFICATION, SPANS
from linnet.tasks.texts.reading.known_labels import labels_of
from linnet.tasks.texts.reading.sources import TextSource, check_gold, fingerprint, read_text_source, sample_examples
from linnet.tasks.texts.settings import TextSettings
from tests import text_corpora

MANY = [TextExample(str(at), "a", gold="rare" if at % 10 == 0 else "frequent") for at in range(100)]


def source(kind: str, **given: Any) -> TextSource:
    return read_text_source(text_corpora.settings(kind, Path("unused"), **given), text_corpora.task(kind))


def table(folder: Path, **rows: str) -> str:
    for name, content in rows.items():
        (folder / f"{name}.tsv").write_text(content, encoding="utf-8")
    return str(folder)


def golden(folder: Path, name: str, *questions: dict[str, Any]) -> None:
    (folder / f"{name}.json").write_text(json.dumps({"questions": questions}), encoding="utf-8")


@pytest.mark.parametrize("number", [10, 20, 50, 100])
def test_a_sample_keeps_the_share_of_each_label(number: int) -> None:
    found = sample_examples(MANY, number, seed=0, setting="train_sentences")

    assert Counter(example.gold for example in found)["rare"] == number // 10
    assert found == sorted(found, key=lambda each: int(each.id))


def test_a_smaller_sample_is_part_of_every_larger_one() -> None:
    samples = [
        {each.id for each in sample_examples(MANY, n, seed=3, setting="train_sentences")} for n in (7, 30, 31, 99)
    ]

    assert all(small < large for small, large in pairwise(samples))


def test_another_seed_draws_another_sample() -> None:
    first, second = (sample_examples(MANY, 30, seed=seed, setting="x") for seed in (0, 1))

    assert first != second


def test_questions_with_many_texts_are_not_drawn_before_those_with_one() -> None:
    many = [TextExample(f"m{n}", "q", "t", gold=(f"a{n // 4}",), group=f"m{n // 4}") for n in range(200)]
    one = [TextExample(f"o{n}", "q", "t", gold=(f"b{n}",), group=f"o{n}") for n in range(200)]

    found = sample_examples([*many, *one], 100, seed=0, setting="train_sentences", kind=SPANS)

    assert 35 < sum(each.id.startswith("o") for each in found) < 65


def test_more_than_there_are_cannot_be_taken() -> None:
    with pytest.raises(BadSetting, match="train_sentences is 101, the split has 100"):
        sample_examples(MANY, 101, seed=0, setting="train_sentences")


@pytest.mark.parametrize(("gold", "labels"), [("a", ("a",)), (("a", "b"), ("a", "b")), ((), ()), (2.5, ()), (None, ())])
def test_an_example_has_its_label_or_labels(gold: Any, labels: tuple[str, ...]) -> None:
    assert labels_of(TextExample("1", "a", gold=gold)) == labels


def test_samples_of_a_recipe_are_those_that_are_learned_and_scored() -> None:
    found = source("classification", train_sentences=12, devel_sentences=3)

    assert (len(found.training), len(found.scored["devel"]), len(found.scored["test"])) == (12, 3, 8)
    assert Counter(labels_of(each)[0] for each in found.training) == {"treated": 4, "unchanged": 4, "unknown": 4}


@pytest.mark.parametrize(
    ("kind", "what", "labels"),
    [
        ("classification", "classes", ("treated", "unchanged", "unknown")),
        ("several", "labels", ("chemical", "disease")),
        ("similarity", "number", ("score",)),
        ("answering", "spans", ()),
        ("relations", "classes", ("none", "treats")),
    ],
)
def test_the_labels_are_sorted_whatever_the_kind(kind: str, what: str, labels: tuple[str, ...]) -> None:
    found = source(kind)

    assert (found.kind.name, found.labels) == (what, labels)
    assert set(found.fingerprints) == {"train", "devel", "test"}


def test_the_range_of_numbers_is_that_of_training() -> None:
    found = source("similarity")

    assert (found.scale.lowest, found.scale.highest) == (1.0, 4.0)


def test_devel_is_cut_from_training_by_groups(tmp_path: Path) -> None:
    data = text_corpora.write(tmp_path, "several", train=40, devel=0)  # two sentences of each document

    found = source("several", data=str(data), text={"devel_share": 0.25})

    inside, outside = ({each.group for each in rows} for rows in (found.scored["devel"], found.training))
    assert not inside & outside
    assert len(inside) == 5  # a quarter of the 20 documents and the single first sentence, rounded
    assert len(found.scored["devel"]) + len(found.training) == 40
    assert "devel: examples taken from training" in " ".join(found.notes.sentences())


def test_the_cut_is_the_same_for_every_seed_of_the_training(tmp_path: Path) -> None:
    data = str(text_corpora.write(tmp_path, "classification", devel=0))

    first, second, other = (
        source("classification", data=data, seed=seed, sample_seed=sample).scored["devel"]
        for seed, sample in ((1, 0), (2, 0), (1, 5))
    )

    assert first == second
    assert first != other


@pytest.mark.parametrize("share", [0.0, 0.01, 0.99])
def test_a_share_that_leaves_nothing_on_one_side_is_refused(tmp_path: Path, share: float) -> None:
    data = str(text_corpora.write(tmp_path, "classification", devel=0))

    with pytest.raises(BadSetting, match="there is no devel split, and"):
        source("classification", data=data, text={"devel_share": share})


def test_all_may_be_learned_from_and_then_nothing_is_cut(tmp_path: Path) -> None:
    data = str(text_corpora.write(tmp_path, "classification", devel=0))

    found = source("classification", data=data, train_on="train_dev")

    assert (len(found.training), set(found.scored)) == (24, {"test"})


def test_devel_is_learned_from_where_the_recipe_says_so() -> None:
    found = source("classification", train_on="train_dev")

    assert (len(found.training), set(found.scored)) == (32, {"test"})


def test_labels_that_training_lacks_are_refused_with_the_first_place_of_each(tmp_path: Path) -> None:
    rows = "a\tx\nb\ty\n"
    data = table(tmp_path, train=rows, devel=rows, test="a\tx\nc\tz\nd\tz\ne\tw\n")

    with pytest.raises(BadSetting) as refused:
        source("classification", data=data)

    assert refused.value.problem == (
        "the test split has labels that training does not have: "
        f"'z' ({tmp_path / 'test.tsv'}:2), 'w' ({tmp_path / 'test.tsv'}:4)"
    )
    assert "training has x, y" in refused.value.remedy


@pytest.mark.parametrize(
    ("rows", "message"),
    [("a\tx\nb\tx\n", "the training split has 1 label: x"), ("a\nb\n", "does not say what is right")],
)
def test_a_training_split_with_nothing_to_tell_apart_is_refused(tmp_path: Path, rows: str, message: str) -> None:
    with pytest.raises((BadSetting, BadFile), match=message):
        source("classification", data=table(tmp_path, train=rows, devel=rows))


def test_scores_that_are_all_alike_are_refused(tmp_path: Path) -> None:
    rows = "a\tb\t2\nc\td\t2\n"

    with pytest.raises(BadFile, match="scores are 2, so there is nothing to learn"):
        source("similarity", data=table(tmp_path, train=rows, devel=rows))


def test_a_corpus_without_training_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="there is no training split; found test"):
        source("classification", data=table(tmp_path, test="a\tx\nb\ty\n"))


def test_a_row_without_a_label_among_others_is_refused_with_its_place() -> None:
    rows = [TextExample("1", "a", gold="x"), TextExample("2", "b", place="f:2")]

    for split in ("train", "devel", "test"):
        with pytest.raises(
            BadFile, match=f"f:2: this text of the {split} split does not say what is right, and others"
        ):
            check_gold({split: rows}, kind=CLASSIFICATION)
    check_gold({"test": rows}, kind=SPANS)  # nobody may know the answer to a question, which is not scored then


def test_a_test_file_without_labels_among_others_is_refused_before_training(tmp_path: Path) -> None:
    rows = "@A$ @B$\t1\n@A$ is @B$\t0\n"
    data = table(tmp_path, train=rows, devel=rows, some=rows, others="@A$ @B$ .\n@A$ and @B$\n")
    files = {"train": ["train.tsv"], "devel": ["devel.tsv"], "test": ["some.tsv", "others.tsv"]}

    with pytest.raises(BadFile, match=r"others.tsv:1: this text of the test split does not say what is right"):
        source("relations", data=data, text={"files": files})


def test_a_split_that_says_nothing_is_refused_with_its_place() -> None:
    with pytest.raises(BadFile, match="f:1: the test split does not say what is right"):
        check_gold({"test": [TextExample("1", "a", place="f:1")]})


def test_a_question_whose_answer_is_not_known_is_not_learned_as_one_without(tmp_path: Path) -> None:
    known = {"body": "Which drug?", "type": "factoid", "snippets": [{"text": "We gave aspirin."}]}
    for name in ("train", "devel"):
        golden(tmp_path, name, {**known, "id": f"{name}1", "exact_answer": ["aspirin"]}, {**known, "id": f"{name}2"})

    found = source("answering", data=str(tmp_path))

    assert [each.group for each in found.training] == ["train1"]
    assert [each.group for each in found.scored["devel"]] == ["devel1", "devel2"]
    assert any("whose answer is not known, left out: 1" in note for note in found.notes.sentences())


def test_texts_without_an_answer_may_be_left_out_of_training_and_are_counted(tmp_path: Path) -> None:
    text = [{"text": "We gave aspirin."}, {"text": "No cause is known."}]
    question = {"body": "Which?", "type": "factoid", "snippets": text, "exact_answer": ["aspirin"]}
    for name in ("train", "devel"):
        golden(tmp_path, name, {**question, "id": name})

    whole, some = (source("answering", data=str(tmp_path), text={"answerable_only": only}) for only in (False, True))

    assert [[bool(each.spans) for each in found.training] for found in (whole, some)] == [[True, False], [True]]
    assert whole.notes.sentences() == []
    assert some.notes.sentences() == [
        f"train: texts that hold no answer, left out (`text.answerable_only`): 1 (first: {tmp_path}/train.json:1)"
    ]


class ThinnedClasses(Classification):
    """The task of classes, which learns from the first text of one label only."""

    def __init__(self) -> None:
        self.given: list[TextExample] = []

    def sample_training(self, training: Sequence[TextExample], settings: TextSettings) -> list[TextExample]:
        self.given = list(training)
        return [each for each in training if each not in _others(self.given)]


def _others(training: list[TextExample]) -> list[TextExample]:
    return [each for each in training if each.gold == "unknown"][1:]


@pytest.mark.parametrize("devel", [0, 8])
def test_a_task_may_thin_what_is_learned_from_but_not_devel(tmp_path: Path, devel: int) -> None:
    data, task = text_corpora.write(tmp_path, "classification", devel=devel, test=0), ThinnedClasses()
    settings = text_corpora.settings("classification", Path("unused"), data=str(data), text={"devel_share": 0.5})
    whole = read_text_source(settings, Classification())

    found = read_text_source(settings, task)

    dropped = _others(whole.training)
    assert task.given == whole.training
    assert found.scored == whole.scored
    assert [each for each in whole.training if each not in dropped] == found.training
    counted = f"train: examples that were not drawn to be learned from: {len(dropped)} (first: {dropped[0].place})"
    assert counted in found.notes.sentences()


@pytest.mark.parametrize("empty", ["train", "devel", "test"])
def test_a_split_of_which_nothing_is_left_is_refused_with_the_reason(tmp_path: Path, empty: str) -> None:
    rows, nothing = "a\tb\tx\nc\td\ty\n", "a\tb\t-\nc\td\t-\n"
    data = table(tmp_path, **dict.fromkeys(("train", "devel", "test"), rows) | {empty: nothing})

    with pytest.raises(BadFile) as refused:
        source("inference", data=data)

    assert refused.value.problem == (
        f"{tmp_path}: the {empty} split has no example that the task can use "
        f"(pairs without an agreed label (`-`), left out: 2 (first: {tmp_path / empty}.tsv:1))"
    )


def test_a_split_without_examples_says_nothing_of_what_is_right() -> None:
    notes = Notes()
    notes.add("rows left out", "new.tsv:1", 3)

    with pytest.raises(BadFile, match=r"new.tsv has no example that the task can use \(rows left out: 3"):
        check_gold({"all": []}, "new.tsv", notes)
    with pytest.raises(BadFile, match=r"the corpus: the test split has no example that the task can use\n"):
        check_gold({"test": []})


def test_the_fingerprint_changes_with_what_is_read_and_with_nothing_else() -> None:
    one = TextExample("1", "a", gold="x", place="here")

    assert fingerprint([one]) == fingerprint([TextExample("1", "a", gold="x", place="there")])
    assert len({fingerprint([TextExample("1", "a", gold=gold)]) for gold in ("x", "y", None)}) == 3


def test_a_label_column_that_the_recipe_names_and_training_lacks_is_named(tmp_path: Path) -> None:
    for name in ("train", "devel"):
        (tmp_path / f"{name}.tsv").write_text("abstract\na b\nc d\n", encoding="utf-8")
    columns = {"text": "abstract", "label": "topic"}
    settings = text_corpora.settings("classification", tmp_path / "run", data=str(tmp_path), text={"columns": columns})

    with pytest.raises(BadFile, match=r"train\.tsv:2: the train split .* is right: there is no column 'topic'"):
        read_text_source(settings, Classification())
