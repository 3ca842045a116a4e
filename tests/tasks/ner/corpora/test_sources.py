"""Several corpora: each is read by its own rules, heads know their labels, and all that is wrong is said at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoModelForTokenClassification

from linnet.errors import BadSetting, LinnetError
from linnet.losses.marginal import MarginalLoss
from linnet.settings.short_forms import spread_corpora
from linnet.tasks.ner import prepared as module
from linnet.tasks.ner.losses import build_weighted_loss
from linnet.tasks.ner.prepared import PreparedTraining, prepare
from tests import tiny
from tests.tasks.ner import several

TARGET, AUXILIARY = "diseases", "chemicals"


@pytest.fixture
def nothing_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where an encoder is looked for, or a network is opened."""
    monkeypatch.setattr(module, "find_encoder", lambda name: pytest.fail("an encoder was looked for"))
    monkeypatch.setattr(AutoModelForTokenClassification, "from_pretrained", pytest.fail)


def prepared(**given: Any) -> PreparedTraining:
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

    assert [corpus.name for corpus in found.corpora] == [TARGET, AUXILIARY]
    assert found.settings.data == str(several.diseases())
    assert set(found.scored) == {"devel", "test"}


@pytest.mark.parametrize("label", ["Disease", "Gene"])
def test_a_label_for_bare_tags_is_refused_where_the_corpus_names_its_own(label: str) -> None:
    with pytest.raises(BadSetting, match=r"names its own labels \(Chemical, Disease\)[\s\S]*leave `--label` out"):
        prepare(tiny.settings(Path("unused"), label=label))


def test_a_label_for_bare_tags_is_taken_where_the_corpus_has_them(tmp_path: Path) -> None:
    folder = write(tmp_path / "bare", **dict.fromkeys(("train", "devel", "test"), "no\tO\nataxia\tB\n\n"))

    found = prepare(tiny.settings(Path("unused"), data=folder, label="Disease"))

    assert list(found.label_set.labels) == ["Disease"]


def test_each_corpus_has_a_head_of_its_own_where_none_is_named() -> None:
    found = prepared()

    assert [(corpus.head, corpus.label_set.labels) for corpus in found.corpora] == [
        (TARGET, ["Disease"]),
        (AUXILIARY, ["Chemical"]),
    ]
    assert all(corpus.unannotated == () for corpus in found.corpora)
    assert {example.corpus for corpus in found.corpora[1:] for example in corpus.examples} == {AUXILIARY}


def test_corpora_that_agree_share_a_head(tmp_path: Path) -> None:
    other = write(tmp_path / "other", train=tiny.conll(several.annotated_for("Disease", 9, 5)))

    found = prepared(corpora=shared(data=other))

    assert {corpus.head for corpus in found.corpora} == {"one"}
    assert {corpus.label_set.labels[0] for corpus in found.corpora} == {"Disease"}


def test_labels_that_mean_the_same_are_renamed_to_share_a_head() -> None:
    found = prepared(corpora=shared(map={"Chemical": "Disease"}))

    target, auxiliary = found.corpora
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

    target, auxiliary = found.corpora
    assert target.label_set.labels == ["Chemical", "Disease"]
    assert target.unannotated == ("B-Chemical", "I-Chemical")
    assert auxiliary.unannotated == ("B-Disease", "I-Disease")
    assert found.shared_labels is not None
    assert found.shared_labels.labels == ("Disease",)


def one_word(folder: Path, label: str) -> str:
    """Return a corpus with a training split of one sentence, one word of which is labelled."""
    return write(folder, train=f"ataxia\tB-{label}\nhurts\tO\n\n")


def test_labels_of_one_name_and_two_meanings_are_learned_as_two_once_one_is_mapped(tmp_path: Path) -> None:
    other = one_word(tmp_path / "other", "disease")
    refused = refusal(corpora=shared(data=other), partial_labels=True)

    found = prepared(corpora=shared(data=other, map={"disease": "Illness"}), partial_labels=True)
    target, auxiliary = shared(data=other)
    of_target = prepared(corpora=[{**target, "map": {"Disease": "Illness"}}, auxiliary], partial_labels=True)
    of_both = prepared(
        corpora=[{**target, "map": {"Disease": "Illness"}}, {**auxiliary, "map": {"disease": "Cause"}}],
        partial_labels=True,
    )

    assert "would learn 'Disease' and 'disease' as two labels" in refused.problem
    assert "else to a name that differs" in refused.remedy  # what is followed here, three times
    assert found.label_set.labels == ["Disease", "Illness"]
    assert found.corpora[1].unannotated == ("B-Disease", "I-Disease")
    assert of_target.label_set.labels == ["Illness", "disease"]
    assert of_both.label_set.labels == ["Cause", "Illness"]


def test_the_very_same_name_is_mapped_apart_where_it_has_two_meanings(tmp_path: Path) -> None:
    other = one_word(tmp_path / "other", "Disease")

    found = prepared(corpora=shared(data=other, map={"Disease": "Illness"}), partial_labels=True)

    assert found.label_set.labels == ["Disease", "Illness"]


def test_several_labels_of_a_corpus_become_one_of_a_new_name(tmp_path: Path) -> None:
    fine = write(tmp_path / "fine", train="aspirin\tB-Drug\n\nlead\tB-Poison\n\n")

    found = prepared(corpora=shared(data=fine, map={"Drug": "Substance", "Poison": "Substance"}), partial_labels=True)
    into_one = prepared(corpora=shared(data=fine, map={"Poison": "Drug"}), partial_labels=True)

    assert found.label_set.labels == ["Disease", "Substance"]
    assert into_one.label_set.labels == ["Disease", "Drug"]


@pytest.mark.usefixtures("nothing_opened")
def test_a_name_that_looks_like_a_slip_is_refused_also_where_a_new_one_is_needed(tmp_path: Path) -> None:
    fine = write(tmp_path / "fine", train="ataxia\tB-Disorder\n\npain\tB-Symptom\n\n")

    found = refusal(corpora=shared(data=fine, map={"Disorder": "Diseaes", "Symptom": "Diseaes"}), partial_labels=True)

    assert found.problem == "corpus 'chemicals': `map` leads to Diseaes, which no other corpus of the head 'one' has"
    assert "did you mean Disease?" in found.remedy


def test_a_scheme_prices_what_a_corpus_annotates_and_nothing_else() -> None:
    found = prepared(corpora=shared(), partial_labels=True, scheme="ins")

    for corpus in found.corpora:
        loss = build_weighted_loss(found.settings, corpus.label_set, corpus.weighting, corpus.loss, corpus.unannotated)
        assert isinstance(loss, MarginalLoss)
        assert set(corpus.weighting.weights) == set(corpus.label_set.names) - set(corpus.unannotated)
        assert corpus.weighting.warnings == []


def test_each_corpus_has_its_own_loss_and_scheme() -> None:
    found = prepared(
        corpora=several.members(loss={"name": "focal", "gamma": 1.0, "scheme": "isns"}, weight=0.5), scheme="welt"
    )

    assert [(corpus.loss.name, corpus.weighting.scheme, corpus.weight) for corpus in found.corpora] == [
        ("cross-entropy", "welt", 1.0),
        ("focal", "isns", 0.5),
    ]


def test_a_sample_at_the_top_is_one_of_the_target_alone() -> None:
    both = prepared(train_sentences=9)
    second = prepared(corpora=several.members(train_sentences=7))

    assert [len(corpus.training.rows) for corpus in both.corpora] == [9, 40]
    assert [len(corpus.training.rows) for corpus in second.corpora] == [24, 7]


def test_a_label_that_a_sample_lacks_is_annotated_all_the_same(tmp_path: Path) -> None:
    rare = tiny.conll(several.annotated_for("Chemical", 20, 3)) + "mice\tB-Species\n\n"
    both = tiny.conll(several.annotated_for("Chemical", 20, 4)) + "mice\tB-Species\n\n"
    corpora = [
        {"name": "a", "data": write(tmp_path / "a", train=both, devel=both), "role": "target", "head": "one"},
        {"name": "b", "data": write(tmp_path / "b", train=rare), "head": "one", "train_sentences": 5},
    ]

    found = prepared(corpora=corpora)

    assert not any("Species" in tag for tag in found.corpora[1].training.counts)  # the sample has none
    assert found.corpora[1].unannotated == ()


def test_an_auxiliary_corpus_needs_no_devel_split_also_where_all_is_learned_from() -> None:
    found = prepared(train_on="train_dev")

    assert [len(corpus.training.rows) for corpus in found.corpora] == [24 + 8, 40]


def test_where_all_is_learned_from_the_devel_split_of_an_auxiliary_corpus_is_too(tmp_path: Path) -> None:
    word = "aspirin\tB-Chemical\n\n"
    other = write(tmp_path / "other", train=word * 3, devel=word * 2, test=word)

    found = [prepared(corpora=several.members(data=other), train_on=splits) for splits in ("train", "train_dev")]

    assert [len(each.corpora[1].training.rows) for each in found] == [3, 5]


@pytest.mark.parametrize("train_on", ["train", "train_dev"])
def test_an_auxiliary_corpus_may_be_any_single_file(tmp_path: Path, train_on: str) -> None:
    file = tmp_path / "tweets.conll"
    file.write_text("aspirin\tB-Chemical\n\n" * 3, encoding="utf-8")

    found = prepared(corpora=several.members(data=str(file)), train_on=train_on)

    assert len(found.corpora[1].training.rows) == 3


@pytest.mark.usefixtures("nothing_opened")
def test_of_a_target_in_a_single_file_nothing_says_what_to_learn_from(tmp_path: Path) -> None:
    file = tmp_path / "tweets.conll"
    file.write_text("aspirin\tB-Chemical\n\n" * 3, encoding="utf-8")
    target, auxiliary = several.members()

    assert "has no split 'train'" in refusal(corpora=[{**target, "data": str(file)}, auxiliary]).problem


def test_bare_tags_get_the_name_of_their_corpus_where_no_label_is_given(tmp_path: Path) -> None:
    bare = write(tmp_path / "folder", train="ataxia\tB\nis\tO\n\n" * 3, devel="ataxia\tB\n\n")
    corpora = [{"name": "Disease", "data": bare, "role": "target"}, {"name": "Cause", "data": bare}]

    described = prepared(corpora=corpora)
    joined = prepared(**spread_corpora(f"{bare}+{several.chemicals()}", None, None))
    plain = prepared(corpora=[], data=bare)

    assert [corpus.label_set.labels for corpus in described.corpora] == [["Disease"], ["Cause"]]
    assert joined.label_set.labels == plain.label_set.labels == ["folder"]


def test_bare_tags_get_the_label_of_their_own_corpus(tmp_path: Path) -> None:
    bare = write(tmp_path / "bare", train="ataxia\tB\nis\tO\n\n" * 3, devel="ataxia\tB\n\n")
    corpora = [{"name": "a", "data": bare, "role": "target"}, {"name": "b", "data": bare, "label": "Cause"}]

    found = prepared(corpora=corpora, label="Disease")

    assert [corpus.label_set.labels for corpus in found.corpora] == [["Disease"], ["Cause"]]


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
            "corpora 'diseases', 'chemicals': loss 'focal' does not know partial labels",
            "separate heads",
        ),
        (
            lambda: {"loss": {"weights": {"O": 1, "B-Disease": 2, "I-Disease": 2}}},
            "corpus 'chemicals': the given weights do not fit the tags",
            "B-Chemical",
        ),
        (lambda: {"corpora": several.members(format="conl")}, "corpus 'chemicals': there is no format", "'conll'"),
        (lambda: {"partial_labels": True}, "no two corpora share a head", "leave partial_labels out"),
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
def test_what_a_loss_refuses_is_said_beside_the_rest_and_once() -> None:
    found = refusal(corpora=shared(), partial_labels=True, loss={"name": "focal"}, selection={"matching": "strickt"})

    assert "'strickt'" in found.problem
    assert found.problem.count("does not know partial labels") == 1
    assert found.remedy.count("separate heads") == 1


@pytest.mark.usefixtures("nothing_opened")
@pytest.mark.parametrize("heads", [{}, {"head": "one"}])
@pytest.mark.parametrize("is_partial", [False, True])
def test_a_corpus_without_a_mention_teaches_nothing_and_is_named(
    tmp_path: Path, heads: dict[str, str], is_partial: bool
) -> None:
    quiet = write(tmp_path / "quiet", train="all\tO\nquiet\tO\n\n")
    third = {"name": "third", "data": str(several.diseases()), "head": "one"}
    target, auxiliary = several.members(data=quiet, **heads)

    found = refusal(corpora=[{**target, "head": "one"}, auxiliary, third], partial_labels=is_partial)

    assert found.problem == "corpus 'chemicals': the training split has no mention"


@pytest.mark.usefixtures("nothing_opened")
@pytest.mark.parametrize("is_partial", [False, True])
def test_a_label_that_the_target_does_not_learn_from_itself_cannot_be_scored(tmp_path: Path, is_partial: bool) -> None:
    word, both = "ataxia\tB-Disease\n\n", "ataxia\tB-Disease\n\naspirin\tB-Chemical\n\n"
    data = write(tmp_path / "target", train=word, devel=both, test=both)
    target, auxiliary = shared() if is_partial else several.members()

    found = refusal(corpora=[{**target, "data": data}, auxiliary], partial_labels=is_partial)

    assert "corpus 'diseases': the devel or test split has labels that training does not have: Chem" in found.problem
    assert "training has Disease" in found.remedy


@pytest.mark.usefixtures("nothing_opened")
def test_of_a_corpus_that_cannot_be_read_nothing_is_concluded(tmp_path: Path) -> None:
    target, renamed = shared(data=one_word(tmp_path / "other", "illness"), map={"illness": "Disease"})
    third = {"name": "third", "data": str(several.chemicals()), "head": "one"}
    weights = {"weights": {"O": 1, "B-Disease": 2, "I-Disease": 2, "B-Chemical": 2, "I-Chemical": 2}}

    found = refusal(corpora=[{**target, "data": "nowhere"}, renamed, third], partial_labels=True, loss=weights)

    assert found.problem.startswith("corpus 'diseases': nowhere: there is no such file")
    assert "\n" not in found.problem


@pytest.mark.usefixtures("nothing_opened")
def test_two_targets_are_said_beside_the_rest() -> None:
    corpora = [{**each, "role": "target"} for each in shared()]

    found = refusal(corpora=corpora)

    assert "more than one target: diseases and chemicals" in found.problem
    assert "the devel split of" in found.problem  # a second target would need one, too
