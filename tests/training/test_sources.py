"""Several corpora: each is read by its own rules, heads know their labels, and all that is wrong is said at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoModelForTokenClassification

from linnet.errors import BadSetting, LinnetError
from linnet.losses.marginal import MarginalLoss
from linnet.training import ingredients as module
from linnet.training.ingredients import Ingredients, prepare
from linnet.training.pricing import loss_of
from tests import tiny
from tests.training import several

TARGET, AUXILIARY = "diseases", "chemicals"


@pytest.fixture
def nothing_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where an encoder is looked for, or a network is opened."""
    monkeypatch.setattr(module, "find_encoder", lambda name: pytest.fail("an encoder was looked for"))
    monkeypatch.setattr(AutoModelForTokenClassification, "from_pretrained", pytest.fail)


def prepared(**given: Any) -> Ingredients:
    return prepare(tiny.settings(Path("unused"), **several.joint(**given)))


def refusal(**given: Any) -> LinnetError:
    with pytest.raises(LinnetError) as refused:
        prepared(**given)
    return refused.value


def write(folder: Path, **splits: str) -> str:
    folder.mkdir()
    for split, content in splits.items():
        (folder / f"{split}.tsv").write_text(content, encoding="utf-8")
    return str(folder)


def shared(**of_the_second: Any) -> list[dict[str, Any]]:
    return [{**each, "head": "one"} for each in several.members(**of_the_second)]


def test_the_target_comes_first_wherever_it_stands() -> None:
    found = prepared(corpora=several.members()[::-1])

    assert [course.name for course in found.courses] == [TARGET, AUXILIARY]
    assert found.settings.data == str(several.diseases())
    assert set(found.scored) == {"devel", "test"}


def test_each_corpus_has_a_head_of_its_own_where_none_is_named() -> None:
    found = prepared()

    assert [(course.head, course.label_set.labels) for course in found.courses] == [
        (TARGET, ["Disease"]),
        (AUXILIARY, ["Chemical"]),
    ]
    assert all(course.unannotated == () for course in found.courses)
    assert {example.corpus for course in found.courses[1:] for example in course.examples} == {AUXILIARY}


def test_corpora_that_agree_share_a_head(tmp_path: Path) -> None:
    other = write(tmp_path / "other", train=tiny.conll(several.annotated_for("Disease", 9, 5)))

    found = prepared(corpora=shared(data=other))

    assert {course.head for course in found.courses} == {"one"}
    assert {course.label_set.labels[0] for course in found.courses} == {"Disease"}


def test_labels_that_mean_the_same_are_renamed_to_share_a_head() -> None:
    found = prepared(corpora=shared(map={"Chemical": "Disease"}))

    target, auxiliary = found.courses
    assert auxiliary.label_set == target.label_set
    assert auxiliary.training.counts["B-Disease"] > 0
    assert not any("Chemical" in tag for tag in auxiliary.training.counts)


def test_the_targets_own_labels_are_renamed_in_all_splits() -> None:
    target, auxiliary = several.members()

    found = prepared(corpora=[{**target, "map": {"Disease": "Disorder"}}, auxiliary])

    assert found.label_set.labels == ["Disorder"]
    assert all(rows.counts["B-Disorder"] > 0 for rows in (found.training, *found.scored.values()))


def test_with_partial_labels_a_head_learns_all_and_each_corpus_says_what_it_leaves_open() -> None:
    found = prepared(corpora=shared(), partial_labels=True)

    target, auxiliary = found.courses
    assert target.label_set.labels == ["Chemical", "Disease"]
    assert target.unannotated == ("B-Chemical", "I-Chemical")
    assert auxiliary.unannotated == ("B-Disease", "I-Disease")
    assert found.shared_labels is not None
    assert found.shared_labels.labels == ("Disease",)


def test_a_scheme_prices_what_a_corpus_annotates_and_nothing_else() -> None:
    found = prepared(corpora=shared(), partial_labels=True, scheme="ins")

    for course in found.courses:
        loss = loss_of(found.settings, course.label_set, course.weighting, course.loss, course.unannotated)
        assert isinstance(loss, MarginalLoss)
        assert set(course.weighting.weights) == set(course.label_set.names) - set(course.unannotated)
        assert course.weighting.warnings == []


def test_each_corpus_has_its_own_loss_and_scheme() -> None:
    found = prepared(
        corpora=several.members(loss={"name": "focal", "gamma": 1.0, "scheme": "isns"}, weight=0.5), scheme="welt"
    )

    assert [(course.loss.name, course.weighting.scheme, course.weight) for course in found.courses] == [
        ("cross-entropy", "welt", 1.0),
        ("focal", "isns", 0.5),
    ]


def test_a_sample_at_the_top_is_one_of_the_target_alone() -> None:
    both = prepared(train_sentences=9)
    second = prepared(corpora=several.members(train_sentences=7))

    assert [len(course.training.rows) for course in both.courses] == [9, 40]
    assert [len(course.training.rows) for course in second.courses] == [24, 7]


def test_a_label_that_a_sample_lacks_is_annotated_all_the_same(tmp_path: Path) -> None:
    rare = tiny.conll(several.annotated_for("Chemical", 20, 3)) + "mice\tB-Species\n\n"
    both = tiny.conll(several.annotated_for("Chemical", 20, 4)) + "mice\tB-Species\n\n"
    corpora = [
        {"name": "a", "data": write(tmp_path / "a", train=both, devel=both), "role": "target", "head": "one"},
        {"name": "b", "data": write(tmp_path / "b", train=rare), "head": "one", "train_sentences": 5},
    ]

    found = prepared(corpora=corpora)

    assert not any("Species" in tag for tag in found.courses[1].training.counts)  # the sample has none
    assert found.courses[1].unannotated == ()


def test_an_auxiliary_corpus_needs_no_devel_split_also_where_all_is_learned_from() -> None:
    found = prepared(train_on="train_dev")

    assert [len(course.training.rows) for course in found.courses] == [24 + 8, 40]


def test_bare_tags_get_the_label_of_their_own_corpus(tmp_path: Path) -> None:
    bare = write(tmp_path / "bare", train="ataxia\tB\nis\tO\n\n" * 3, devel="ataxia\tB\n\n")
    corpora = [{"name": "a", "data": bare, "role": "target"}, {"name": "b", "data": bare, "label": "Cause"}]

    found = prepared(corpora=corpora, label="Disease")

    assert [course.label_set.labels for course in found.courses] == [["Disease"], ["Cause"]]


@pytest.mark.usefixtures("nothing_opened")
@pytest.mark.parametrize(
    ("given", "message", "remedy"),
    [
        (
            lambda: {"corpora": [{**each, "role": "auxiliary"} for each in several.members()]},
            "no corpus is the target",
            "--eval",
        ),
        (
            lambda: {"corpora": [{**each, "role": "target"} for each in several.members()]},
            "more than one target: ",
            "--eval",
        ),
        (lambda: {"corpora": several.members(name=TARGET)}, "two corpora are called 'diseases'", "a name of its own"),
        (lambda: {"stages": [{"corpora": [TARGET, "genes"]}]}, "stage 1 names genes", "there are diseases, chemicals"),
        (lambda: {"stages": [{"corpora": [AUXILIARY]}]}, "stage 1 does not learn from the target diseases", "add it"),
        (lambda: {"stages": [{"corpora": [TARGET]}]}, "no stage learns from chemicals", "leave the corpus out"),
        (lambda: {"stages": [{"corpora": [TARGET, TARGET, AUXILIARY]}]}, "stage 1 names a corpus twice", "weight"),
        (lambda: {"data": "elsewhere"}, "data is 'elsewhere', but the target 'diseases' is in", "leave `data` out"),
        (lambda: {"corpora": several.members(data="nowhere")}, "nowhere: there is no such file", "check the name"),
        (
            lambda: {"corpora": several.members(train_sentences=99)},
            "corpus 'chemicals': train_sentences is 99",
            "at most 40",
        ),
        (
            lambda: {"corpora": several.members(map={"Drug": "X"})},
            "`map` renames Drug, which it does not have",
            "it has Chem",
        ),
        (
            lambda: {"corpora": several.members(loss={"scheme": "wellt"})},
            "corpus 'chemicals': there is no weighting",
            "welt",
        ),
        (lambda: {"corpora": several.members(loss={"name": "crf", "scheme": "ins"})}, "cannot use weights", "none"),
        (
            lambda: {"corpora": shared()},
            "cannot share the head 'one': diseases has Disease; chemicals has",
            "partial_labels",
        ),
        (
            lambda: {"corpora": shared(map={"Chemical": "Drug"}), "partial_labels": True},
            "corpus 'chemicals': `map` leads to Drug, which no other corpus of the head 'one' has",
            "map to one of Disease",
        ),
        (
            lambda: {"corpora": shared(map={"Chemical": "disease"}), "partial_labels": True},
            "would learn 'Disease' and 'disease' as two labels",
            "rename one of them",
        ),
        (
            lambda: {"corpora": shared(), "partial_labels": True, "loss": {"name": "focal"}},
            "'focal' does not know partial labels",
            "separate heads",
        ),
        (
            lambda: {"corpora": shared(), "partial_labels": True, "loss": {"smoothing": 0.1}},
            "partial labels cannot be smoothed",
            "separate heads",
        ),
    ],
)
def test_what_cannot_be_learned_together_is_refused(
    given: Callable[[], dict[str, Any]], message: str, remedy: str
) -> None:
    found = refusal(**given())

    assert isinstance(found, LinnetError)
    assert message in found.problem
    assert remedy in found.remedy


@pytest.mark.usefixtures("nothing_opened")
def test_all_that_is_wrong_with_several_corpora_is_said_together(tmp_path: Path) -> None:
    no_training = write(tmp_path / "untrained", test=tiny.conll(tiny.sentences(3, 1)))
    corpora = [
        *({**each, "role": "auxiliary"} for each in shared()),
        {"name": "untrained", "data": no_training},
        {"name": "renamed", "data": str(several.chemicals()), "map": {"Drug": "Chemical"}},
    ]

    found = refusal(corpora=corpora, stages=[{"corpora": ["genes"]}], selection={"matching": "strickt"})

    assert isinstance(found, BadSetting)
    for part in (
        "no corpus is the target",
        "stage 1 names genes",
        "no stage learns from diseases, chemicals, untrained, renamed",
        "corpus 'untrained' has no split 'train'",
        "corpus 'renamed': `map` renames Drug",
        "cannot share the head 'one'",
        "'strickt'",
    ):
        assert part in found.problem


@pytest.mark.usefixtures("nothing_opened")
def test_two_targets_are_said_beside_the_rest() -> None:
    corpora = [{**each, "role": "target"} for each in shared()]

    found = refusal(corpora=corpora)

    assert "more than one target: diseases and chemicals" in found.problem
    assert "the devel split of" in found.problem  # a second target would need one, too
