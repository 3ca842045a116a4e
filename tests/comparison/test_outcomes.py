"""Scores and predictions of the finished runs at one place, by any matching."""

from pathlib import Path

import pytest

from linnet.comparison.grid import Grid
from linnet.comparison.outcomes import PlaceOutcomes, read_outcomes
from linnet.comparison.runner import make_run
from linnet.errors import BadFile
from linnet.labels.mention import Mention
from linnet.training.job import SilentWatcher
from tests import tiny
from tests.comparison.fake_runs import finish, make_grid

NONE, WELT = {"weighting": "none"}, {"weighting": "welt"}
WRONG = {  # sentences by weighting and seed, of 20
    ("none", 1): {0, 1, 2, 3},
    ("none", 2): {0, 1},
    ("welt", 1): {2, 3},
    ("welt", 2): {0, 4, 5},
}


def finished(folder: Path) -> Grid:
    grid = make_grid(folder)
    for run in grid.runs:
        if (key := (run.choice["weighting"], run.seed)) in WRONG:
            finish(run, WRONG[key])
    return grid


def outcomes_of(grid: Grid, *, metric: str = "strict", n_resamples: int = 20) -> PlaceOutcomes:
    done = [run for run in grid.runs if run.is_finished]
    return read_outcomes(done, metric=metric, n_resamples=n_resamples, seed=0)


def test_scores_are_those_of_the_saved_predictions(tmp_path: Path) -> None:
    outcomes = outcomes_of(finished(tmp_path))

    assert outcomes.n_units == 20
    assert outcomes.tested.words[3] == ("ataxia3", "here", ".")
    assert outcomes.scores_by_seed(NONE) == pytest.approx({1: 16 / 20, 2: 18 / 20})
    assert outcomes.label_scores(WELT) == pytest.approx({"X": (18 + 17) / 40})


def test_another_matching_scores_the_same_predictions_anew(tmp_path: Path) -> None:
    grid = finished(tmp_path)

    fair, tokens = (outcomes_of(grid, metric=metric) for metric in ("fair", "tokens"))

    # every boundary error counts once: 2 * 16 / (2 * 16 + 4)
    assert fair.scores_by_seed(NONE)[1] == pytest.approx(16 / (16 + 4 / 2))
    # 20 right tokens of 20 gold and 24 predicted ones
    assert tokens.scores_by_seed(NONE)[1] == pytest.approx(2 * 20 / (20 + 24))


def test_precision_and_recall_are_read_from_the_same_predictions(tmp_path: Path) -> None:
    grid = finished(tmp_path)

    strict, tokens = (outcomes_of(grid, metric=metric).beside_by_seed(NONE) for metric in ("strict", "tokens"))

    assert strict["precision"] == strict["recall"] == pytest.approx({1: 16 / 20, 2: 18 / 20})
    # all 20 gold tokens are found; four and two are predicted besides
    assert tokens == {"precision": pytest.approx({1: 20 / 24, 2: 20 / 22}), "recall": pytest.approx({1: 1.0, 2: 1.0})}


def test_taggings_are_compared_on_the_same_gold_though_one_runs_touching_mentions_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linnet.tasks.ner.results.plot_training", lambda rows, path, **_: path.write_bytes(b""))
    corpus = tiny.write_corpus(tmp_path / "corpus")
    touching = [[("ataxia", "B-Disease"), ("anaemia", "B-Disease"), (".", "O")]]
    (corpus / "test.tsv").write_text(tiny.conll(touching * 8), encoding="utf-8")
    shared = {"data": str(corpus), "encoder": str(tiny.encoder()), "epochs": 0, "max_length": 32}
    axes = "[axes]\nseed = [1]\ntagging = ['iob2', 'io']\n"
    grid = make_grid(tmp_path, axes, baseline={"tagging": "iob2"}, recipe=shared)
    for run in grid.runs:
        make_run(run.settings, SilentWatcher())

    outcomes = outcomes_of(grid)

    assert [len(marks) for marks in outcomes.tested.gold] == [2] * 8
    assert outcomes.pair({"tagging": "iob2"}, {"tagging": "io"}) is not None


def test_two_systems_are_paired_by_the_seeds_that_both_have(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, "[axes]\nseed = [1, 2, 3]\nscheme = ['none', 'welt']\n", baseline={"scheme": "none"})
    for run in grid.runs:
        if (run.choice["scheme"], run.seed) != ("none", 1):
            finish(run, range(run.seed + 2 * (run.choice["scheme"] == "welt")))

    paired = outcomes_of(grid).pair({"scheme": "none"}, {"scheme": "welt"})

    assert paired is not None
    seeds, scores = paired
    assert seeds == [2, 3]
    assert list(scores.a) == pytest.approx([0.90, 0.85])
    assert list(scores.b) == pytest.approx([0.80, 0.75])
    assert scores.resampled_a.shape == scores.resampled_b.shape == (20, 2)


def test_systems_without_a_common_seed_are_no_pair(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    for run in grid.runs:
        if (run.choice["weighting"], run.seed) in (("none", 1), ("welt", 2)):
            finish(run)
    outcomes = outcomes_of(grid)

    assert outcomes.pair(NONE, WELT) is None
    assert outcomes.agreement({}, NONE, WELT) is None


def test_all_runs_are_scored_on_the_same_draws_of_sentences(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    for run in grid.runs:
        finish(run, {0, 7})

    resampled = list(outcomes_of(grid).resampled.values())

    assert len(resampled) == 6
    assert all((each == resampled[0]).all() for each in resampled)
    assert resampled[0].std() > 0


def test_agreement_counts_sentences_and_shows_those_that_differ_most_first(tmp_path: Path) -> None:
    found = outcomes_of(finished(tmp_path)).agreement({"data": "demo"}, NONE, WELT)

    assert found is not None
    # seed 1: none wrong in 0-3, welt in 2 and 3; seed 2: none in 0 and 1, welt in 0, 4 and 5
    assert (found.both_wrong, found.both_right) == ((2 + 1) / 2, (16 + 16) / 2)
    assert (found.only_baseline_right, found.only_choice_right) == ((0 + 2) / 2, (2 + 1) / 2)
    right = [(each.words[0], each.first_right, each.second_right) for each in found.sentences]
    assert right == [("ataxia1", 0, 2), ("ataxia0", 0, 1), ("ataxia4", 2, 1), ("ataxia5", 2, 1)]
    first = found.sentences[0]
    assert (first.gold, first.first, first.second) == (
        (Mention(0, 1, "X"),),
        (Mention(0, 2, "X"),),
        (Mention(0, 1, "X"),),
    )
    assert first.seeds == 2
    # of `ataxia0` the predictions of seed 2 are shown: with seed 1 both systems are as good
    assert all((each.first == each.gold) is not (each.second == each.gold) for each in found.sentences)


def test_a_run_without_test_predictions_is_named(tmp_path: Path) -> None:
    grid = finished(tmp_path)
    (grid.runs[0].folder / "predictions-test.tsv").unlink()

    with pytest.raises(BadFile, match=rf"{grid.runs[0].name}/predictions-test\.tsv: there is no such file"):
        outcomes_of(grid)


def test_a_run_that_was_scored_on_other_sentences_is_named(tmp_path: Path) -> None:
    grid = finished(tmp_path)
    finish(grid.runs[1], n_sentences=19)

    with pytest.raises(
        BadFile, match=rf"{grid.runs[1].name}: was scored on other sentences than .*{grid.runs[0].name}"
    ):
        outcomes_of(grid)
