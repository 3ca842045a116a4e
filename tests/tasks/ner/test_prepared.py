"""What training needs: all problems are found, and said together, before any network is loaded."""

import importlib.util
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoModelForTokenClassification

from linnet.errors import BadFile, BadSetting, LinnetError, UnknownName
from linnet.losses.cost_sensitive import IGNORED, TokenLoss
from linnet.tasks.ner import prepared as module
from linnet.tasks.ner.losses import build_weighted_loss
from linnet.tasks.ner.prepared import prepare
from tests import tiny


@pytest.fixture
def nothing_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where an encoder is looked for, or a network is opened."""
    monkeypatch.setattr(module, "find_encoder", lambda name: pytest.fail("an encoder was looked for"))
    monkeypatch.setattr(AutoModelForTokenClassification, "from_pretrained", pytest.fail)


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a network is opened."""
    monkeypatch.setattr(AutoModelForTokenClassification, "from_pretrained", pytest.fail)


def refusal(folder: Path, **given: Any) -> LinnetError:
    with pytest.raises(LinnetError) as refused:
        tiny.train(folder / "run", **given)
    assert not (folder / "run").exists()
    return refused.value


def corpus_with(folder: Path, **splits: str) -> str:
    tiny.write_corpus(folder)
    for split, content in splits.items():
        (folder / f"{split}.tsv").write_text(content, encoding="utf-8")
    return str(folder)


@pytest.mark.usefixtures("nothing_opened")
@pytest.mark.parametrize(
    ("loss", "message"),
    [
        ({"scheme": "wellt"}, "no weighting scheme called 'wellt'"),
        ({"name": "crff"}, "no loss called 'crff'"),
        ({"scheme": "ens"}, "'ens' needs a beta"),
        ({"scheme": "welt", "beta": 0.9}, "scheme 'welt' has no beta"),
        ({"name": "crf", "scheme": "welt"}, "'crf' cannot use weights"),
        ({"gamma": 2.0}, "loss 'cross-entropy' has no setting 'gamma'"),
        ({"name": "dice", "smoothing": 0.1}, "loss 'dice' has no setting 'smoothing'"),
        ({"weights": {"O": 1.0}}, "no weight for B-Chemical, B-Disease, I-Chemical, I-Disease"),
        ({"weights": {"O": 1.0}, "name": "crf"}, "no weight for B-Chemical"),
    ],
)
def test_prices_that_cannot_be_charged_are_refused(tmp_path: Path, loss: dict[str, Any], message: str) -> None:
    assert message in refusal(tmp_path, loss=loss).problem


@pytest.mark.usefixtures("nothing_opened")
def test_all_that_is_wrong_is_said_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "linnet.training.checks.find_spec", lambda name: None if name in ("wandb", "peft") else find(name)
    )

    found = refusal(
        tmp_path,
        data=str(tmp_path / "not even there"),
        loss={"scheme": "wellt", "name": "focl"},
        selection={"matching": "strickt"},
        tracker="wandb",
        lora={"rank": 2},
        optimiser={"precision": "float16"},
    )

    for part in ("'wellt'", "'focl'", "'strickt'", "tracker 'wandb' is not installed", "need peft", "no GPU"):
        assert part in found.problem
    for part in ("did you mean 'welt'", "did you mean 'focal'", "did you mean 'strict'", "pip install wandb"):
        assert part in found.remedy


def test_an_unknown_task_is_refused_first_since_it_says_which_settings_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no task called 'nre'"):
        tiny.settings(tmp_path, task="nre", loss={"scheme": "wellt"})


@pytest.mark.usefixtures("nothing_opened")
def test_a_price_is_refused_beside_the_rest_and_only_once(tmp_path: Path) -> None:
    found = refusal(tmp_path, loss={"weights": {"O": 1.0}}, selection={"matching": "strickt"})
    unknown = refusal(tmp_path, loss={"scheme": "wellt"}, selection={"matching": "strickt"})

    assert "'strickt'" in found.problem
    assert "\n  the given weights do not fit the tags: no weight for B-Chemical" in found.problem
    assert unknown.problem.count("'wellt'") == 1


@pytest.mark.usefixtures("nothing_opened")
def test_what_only_tasks_about_texts_know_is_refused_together(tmp_path: Path) -> None:
    found = refusal(tmp_path, text={"questions": "yesno", "devel_share": 0.2})

    for name in ("text.questions", "text.devel_share"):
        assert f"the task 'ner' does not know the setting {name}" in found.problem
    metric = refusal(tmp_path, selection={"metric": "accuracy"})
    assert "the task 'ner' does not know the setting selection.metric" in metric.problem


def test_partial_labels_of_a_single_corpus_are_refused(tmp_path: Path) -> None:
    assert "partial_labels is true, but no two corpora share a head" in refusal(tmp_path, partial_labels=True).problem


@pytest.mark.usefixtures("nothing_opened")
def test_a_crf_does_not_learn_from_parts_of_words(tmp_path: Path) -> None:
    assert "all_subwords" in refusal(tmp_path, loss={"name": "crf"}, window={"all_subwords": True}).problem


ROW = "ataxia\tB-Disease\n\n"
OTHER = "ataxia\tB-Gene\n\n"


@pytest.mark.usefixtures("nothing_opened")
@pytest.mark.parametrize(
    ("splits", "message"),
    [
        ({"devel": OTHER}, "labels that training does not have: Gene"),
        ({"test": ROW + OTHER}, "labels that training does not have: Gene"),
        ({"train": "we\tO\nrest\tO\n\n"}, "the training split has no mention"),
        ({"train": "-DOCSTART- 1\tO\n\n"}, "the training split of 'corpus' is empty"),
        ({"devel": "-DOCSTART- 1\tO\n\n"}, "the devel split of 'corpus' is missing or empty"),
        ({"devel": ""}, "devel.tsv: the file is empty"),
        ({"train": "ataxia\tI-Disease\n\nx\tB-Disease\n\n" * 2 + "x\tB-Disease\n\n"}, "train.tsv:1: found 'I-Disease'"),
    ],
)
def test_a_corpus_that_cannot_be_learned_from_is_refused(tmp_path: Path, splits: dict[str, str], message: str) -> None:
    assert message in refusal(tmp_path, data=corpus_with(tmp_path / "corpus", **splits)).problem


@pytest.mark.usefixtures("nothing_opened")
def test_a_missing_devel_split_is_refused_with_a_way_out(tmp_path: Path) -> None:
    data = corpus_with(tmp_path / "corpus")
    (tmp_path / "corpus" / "devel.tsv").unlink()

    found = refusal(tmp_path, data=data)

    assert "the devel split of 'corpus' is missing or empty" in found.problem
    assert "train_dev" in found.remedy


@pytest.mark.usefixtures("nothing_opened")
def test_more_sentences_than_there_are_cannot_be_drawn(tmp_path: Path) -> None:
    assert "train_sentences is 25, the split has 24" in refusal(tmp_path, train_sentences=25).problem
    assert "devel_sentences is 9,999" in refusal(tmp_path, devel_sentences=9999).problem


@pytest.mark.usefixtures("no_network")
def test_what_the_encoder_cannot_do_is_refused_together(tmp_path: Path) -> None:
    found = refusal(tmp_path, window={"max_length": 97}, optimiser={"freeze_layers": 3})

    assert isinstance(found, BadSetting)
    assert "window.max_length is 97" in found.problem
    assert "reads at most 96" in found.problem
    assert "optimiser.freeze_layers is 3" in found.problem
    assert "2 layers" in found.problem


@pytest.mark.usefixtures("no_network")
def test_an_encoder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert isinstance(refusal(tmp_path, encoder="somebody/something"), BadSetting)
    assert isinstance(refusal(tmp_path, encoder=str(tiny.corpus())), BadFile)


def counted(found: module.PreparedTraining) -> Counter[str]:
    """Return how often each tag stands in the windows."""
    labels = Counter(label for example in found.examples for label in example.labels if label != IGNORED)
    return Counter({found.label_set.names[label]: n for label, n in labels.items()})


@pytest.mark.parametrize("all_subwords", [False, True])
@pytest.mark.parametrize("max_length", [12, 64])
def test_the_scheme_counts_exactly_what_the_loss_sees(tmp_path: Path, all_subwords: bool, max_length: int) -> None:
    window = {"all_subwords": all_subwords, "max_length": max_length}

    found = prepare(tiny.settings(tmp_path, window=window, loss={"scheme": "ins"}))

    assert found.weighting.counts == counted(found)
    assert sum(counted(found).values()) >= sum(map(len, found.training.words))
    if not all_subwords:
        assert counted(found) == found.training.counts
    loss = build_weighted_loss(found.settings, found.label_set, found.weighting)
    assert isinstance(loss, TokenLoss)
    prices = dict(zip(found.label_set.names, loss.weights.tolist(), strict=True))
    ratios = {tag: prices[tag] / prices["O"] for tag in prices}  # a common factor is of no meaning
    counts = found.weighting.counts
    assert ratios == pytest.approx({tag: counts["O"] / n for tag, n in counts.items()})


def test_later_sub_words_go_on_inside_the_mention(tmp_path: Path) -> None:
    found = prepare(tiny.settings(tmp_path, window={"all_subwords": True, "max_length": 64}))

    names = found.label_set.names
    for example in found.examples:
        tags = found.training.rows[example.window.sentence].tags
        for tag, start, end in zip(tags, example.window.starts, example.window.ends, strict=True):
            first, *later = (names[label] for label in example.labels[start:end])
            assert first == tag
            assert set(later) <= {tag.replace("B-", "I-")}


def test_drawn_sentences_follow_from_the_seed_of_the_sample_and_not_from_that_of_the_training(tmp_path: Path) -> None:
    first, again, other = (
        [
            row.number + 100 * row.group
            for row in prepare(
                tiny.settings(tmp_path, train_sentences=9, seed=seed, sample_seed=sample_seed)
            ).training.rows
        ]
        for seed, sample_seed in ((1, 1), (2, 1), (1, 2))
    )

    assert first == again != other
    assert len(set(first)) == 9
    assert first == sorted(first)


def test_the_way_out_of_a_missing_devel_split_works(tmp_path: Path) -> None:
    data = corpus_with(tmp_path / "corpus")
    (tmp_path / "corpus" / "devel.tsv").unlink()

    found = prepare(tiny.settings(tmp_path, data=data, train_on="train_dev"))

    assert len(found.training.rows) > 0
    assert set(found.scored) <= {"test"}


def test_the_file_of_both_splits_is_learned_from_where_there_is_one(tmp_path: Path) -> None:
    data = corpus_with(tmp_path / "corpus", train_dev="aspirin\tB-Chemical\nataxia\tB-Disease\n\n" * 7)

    found = prepare(tiny.settings(tmp_path, data=data, train_on="train_dev"))

    assert len(found.training.rows) == 7


@pytest.mark.usefixtures("nothing_opened")
def test_what_chooses_an_epoch_on_devel_is_refused_where_devel_is_learned_from(tmp_path: Path) -> None:
    found = refusal(
        tmp_path, train_on="train_dev", devel_sentences=4, selection={"patience": 2, "matching": "exact"}
    )  # fmt: skip

    for name in ("selection.patience", "selection.matching", "devel_sentences"):
        assert f"{name} is about choosing an epoch on devel" in found.problem
        assert f'leave {name} out, or set train_on = "train"' in found.remedy


def test_train_dev_is_both_splits_where_the_corpus_has_no_file_for_it(tmp_path: Path) -> None:
    found = prepare(tiny.settings(tmp_path, train_on="train_dev"))

    assert len(found.training.rows) == 24 + 8
    assert set(found.scored) == {"test"}
