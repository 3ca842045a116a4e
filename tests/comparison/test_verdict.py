"""Verdicts on runs whose right and wrong sentences are known."""

from collections.abc import Callable, Collection
from pathlib import Path
from shlex import quote

import pytest

from linnet.comparison.arrangement import arrange, trouble
from linnet.comparison.grid import Grid, PlannedRun
from linnet.comparison.outcomes import read_outcomes
from linnet.comparison.paper_tables import latex_table, markdown_table
from linnet.comparison.results import Cell, Comparison, Results, title_of
from linnet.comparison.verdict import N_RESAMPLES, compare_choices, find_pilots
from linnet.errors import BadFile
from linnet.metrics.statistics.hierarchical import paired_difference
from linnet.metrics.statistics.pooling import mean_over_places, pooled_difference
from linnet.metrics.statistics.significance import holm
from tests.comparison.fake_runs import WEIGHTINGS, finish, make_grid

N = 100  # test sentences
SEEDS = "[axes]\nseed = [1, 2, 3]\n"
TWO_CORPORA = f'{SEEDS}data = ["corpora/ncbi-disease", "corpora/linnaeus"]\n{WEIGHTINGS}'
TWO_ENCODERS = f'{SEEDS}encoder = ["biobert", "scibert"]\n{WEIGHTINGS}'


def finish_all(grid: Grid, wrong: Callable[[PlannedRun], Collection[int]]) -> None:
    for run in grid.runs:
        finish(run, wrong(run), n_sentences=N)


def some_wrong(run: PlannedRun) -> Collection[int]:
    """welt is right more often than none, other sentences for each seed, and ens 0.9 is none."""
    number = {"none": 30, "ens 0.9": 30, "welt": 10}[run.choice["weighting"]]
    return range(3 * run.seed, 3 * run.seed + number + run.seed % 2)


def cell_of(results: Results, *labels: str) -> Cell:
    (found,) = (cell for cell in results.cells if title_of({**cell.place, **cell.choice}) == ", ".join(labels))
    return found


def comparison_of(results: Results, *labels: str) -> Comparison:
    (found,) = (each for each in results.comparisons if title_of({**each.place, **each.choice}) == ", ".join(labels))
    return found


def test_a_cell_has_mean_deviation_and_the_score_of_each_seed(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    finish_all(grid, some_wrong)

    results = compare_choices(grid)

    cell = cell_of(results, "demo", "none")
    assert cell.is_baseline
    assert cell.score_by_seed == pytest.approx({1: 0.69, 2: 0.70, 3: 0.69})
    assert cell.mean == pytest.approx(0.6933, abs=1e-4)
    assert cell.deviation == pytest.approx(0.0058, abs=1e-4)  # of 0.69, 0.70, 0.69 by hand
    assert cell.label_scores == pytest.approx({"X": cell.mean})
    assert [cell.is_baseline for cell in results.cells] == [True, False, False]
    assert results.seeds == (1, 2, 3)
    assert results.metric == "strict F1"


def test_every_seed_has_the_command_that_repeats_it(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, output=str(tmp_path / "my grid"))

    commands = cell_of(compare_choices(grid), "demo", "none").commands

    run = grid.runs[0]
    assert len(commands) == 2
    assert commands[0] == f"linnet train {quote(f'{run.folder}/recipe.toml')} --output runs/{run.name}"


def test_a_choice_that_gets_more_right_is_better(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    finish_all(grid, some_wrong)

    found = comparison_of(compare_choices(grid), "demo", "welt")

    assert found.verdict == "better"
    assert found.difference == pytest.approx(0.20)
    assert 0 < found.low < 0.20 < found.high
    assert found.adjusted_p < 0.05
    assert (found.wins, found.ties, found.losses) == (3, 0, 0)
    assert found.sentence.startswith("On demo, welt is better than none: +20.00 points (+")
    assert found.sentence.endswith("after Holm.")


def test_a_choice_that_gets_fewer_right_is_worse(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS, baseline={"weighting": "welt"})
    finish_all(grid, some_wrong)

    found = comparison_of(compare_choices(grid), "demo", "none")

    assert found.verdict == "worse"
    assert found.difference == pytest.approx(-0.20)
    assert (found.wins, found.ties, found.losses) == (0, 0, 3)
    assert "none is worse than welt: -20.00 points" in found.sentence


def test_a_choice_that_predicts_the_same_run_for_run_is_identical(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    finish_all(grid, some_wrong)

    found = comparison_of(compare_choices(grid), "demo", "ens 0.9")

    assert found.verdict == "identical"
    assert (found.difference, found.low, found.high, found.p_value) == (0, 0, 0, 1)
    assert (found.wins, found.ties, found.losses) == (0, 3, 0)
    assert found.sentence == "On demo, ens 0.9 scores as none does, run for run."


def test_equal_scores_on_other_sentences_are_not_identical(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    finish_all(grid, lambda run: range(40, 50) if run.choice["weighting"] == "welt" else range(10))

    found = comparison_of(compare_choices(grid), "demo", "welt")

    assert (found.difference, found.verdict) == (0, "no evidence")


def test_no_evidence_says_what_would_have_been_found(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    finish_all(grid, lambda run: range(20 + run.seed - (run.choice["weighting"] == "welt")))

    found = comparison_of(compare_choices(grid), "demo", "welt")

    assert found.verdict == "no evidence"
    assert found.difference == pytest.approx(0.01)
    assert found.sentence.startswith("On demo, there is no evidence that welt differs from none: +1.00 points")
    power = f"finds a true difference of {100 * found.smallest_detectable:.2f} points with a probability of 80 %"
    assert power in found.sentence


def test_too_few_seeds_for_any_difference_are_said_to_be(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, f"[axes]\nseed = [1, 2]\n{WEIGHTINGS}")
    finish_all(grid, lambda run: range(10 + 30 * (run.seed == 1) * (run.choice["weighting"] == "welt")))

    found = comparison_of(compare_choices(grid), "demo", "welt")

    assert found.smallest_detectable > 1
    assert found.sentence.endswith(
        "; even the largest possible difference would be found in fewer than four of five such comparisons; "
        "2 seeds, which say little about others."
    )


def test_one_seed_is_said_in_the_sentence(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, f"[axes]\nseed = [1]\n{WEIGHTINGS}")
    finish_all(grid, some_wrong)

    found = comparison_of(compare_choices(grid), "demo", "welt")

    assert found.sentence.endswith("; one seed, so nothing is known about others.")
    assert cell_of(compare_choices(grid), "demo", "welt").deviation is None


def test_a_comparison_is_the_hierarchical_bootstrap_of_the_runs(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    finish_all(grid, some_wrong)
    outcomes = read_outcomes(grid.runs, metric="strict", n_resamples=300, seed=5)
    paired = outcomes.pair(grid.baseline, {"weighting": "welt"})
    assert paired is not None
    wanted = paired_difference(*paired[1], n_units=N)

    found = comparison_of(compare_choices(grid, n_resamples=300, seed=5), "demo", "welt")

    assert (found.low, found.high, found.p_value) == (wanted.low, wanted.high, wanted.p_value)
    assert found.family_size == 2
    assert found.smallest_detectable == wanted.smallest_detectable(family_size=2)


def test_single_places_and_their_mean_are_two_families_for_holm(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, TWO_CORPORA, recipe={})
    finish_all(grid, some_wrong)

    results = compare_choices(grid)

    for family, size in (([each for each in results.comparisons if each.is_pooled], 2),
                         ([each for each in results.comparisons if not each.is_pooled], 4)):  # fmt: skip
        adjusted = holm({str(number): each.p_value for number, each in enumerate(family)})
        assert [each.adjusted_p for each in family] == list(adjusted.values())
        assert {each.family_size for each in family} == {size} == {len(family)}


def test_corpora_are_pooled_with_seeds_that_may_be_shared(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, TWO_CORPORA, recipe={})
    finish_all(grid, lambda run: some_wrong(run) if run.place["data"] == "linnaeus" else range(run.seed))
    each = []
    for corpus in ("ncbi-disease", "linnaeus"):
        runs = [run for run in grid.runs if run.place["data"] == corpus]
        paired = read_outcomes(runs, metric="strict", n_resamples=N_RESAMPLES, seed=0).pair(
            grid.baseline, {"weighting": "welt"}
        )
        assert paired is not None
        each.append(paired_difference(*paired[1], n_units=N))
    wanted = pooled_difference(each, seeds=[[1, 2, 3]] * 2)

    found = comparison_of(compare_choices(grid), "welt")

    assert found.is_pooled
    assert found.difference == pytest.approx((0.20 + 0) / 2)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))
    assert (found.wins, found.ties, found.losses) == (3, 3, 0)
    assert found.sentence.startswith("Over all conditions, ")


def test_a_seed_that_is_lucky_on_all_corpora_counts_once(tmp_path: Path) -> None:
    """The gain depends on the seed in the same way on both corpora: 2, 10 and 18 points. Issue 23."""
    grid = make_grid(tmp_path, TWO_CORPORA, recipe={})
    finish_all(grid, lambda run: range(30 if run.choice["weighting"] == "none" else 36 - 8 * run.seed))

    found = comparison_of(compare_choices(grid), "welt")

    assert found.difference == pytest.approx(0.10)
    assert found.readings["independent seeds"] < found.readings["paired seeds"] == found.adjusted_p
    single = comparison_of(compare_choices(grid), "linnaeus", "welt")
    assert single.readings == {}


def test_a_choice_that_differs_by_less_than_the_margin_is_called_so(tmp_path: Path) -> None:
    grids = {margin: make_grid(tmp_path, SEEDS + WEIGHTINGS, margin=margin) for margin in (1.0, 20.0)}
    finish_all(grids[1.0], lambda run: range(20 + run.seed - (run.choice["weighting"] == "welt")))

    found = {margin: comparison_of(compare_choices(grid), "demo", "welt") for margin, grid in grids.items()}

    assert (found[1.0].verdict, found[20.0].verdict) == ("no evidence", "no difference")
    assert found[20.0].equivalence_p < 0.05 < found[1.0].equivalence_p
    assert found[20.0].margin == 0.2
    assert "welt and none differ by less than 20 points" in found[20.0].sentence


def test_encoders_on_one_corpus_share_their_sentences_and_are_averaged_first(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, TWO_ENCODERS)
    finish_all(grid, some_wrong)
    scores = []
    for encoder in ("biobert", "scibert"):
        runs = [run for run in grid.runs if run.place["encoder"] == encoder]
        paired = read_outcomes(runs, metric="strict", n_resamples=N_RESAMPLES, seed=0).pair(
            grid.baseline, {"weighting": "welt"}
        )
        assert paired is not None
        scores.append(paired[1])
    wanted = mean_over_places(scores, n_units=N)

    found = comparison_of(compare_choices(grid), "welt")

    assert (found.low, found.high, found.p_value) == pytest.approx((wanted.low, wanted.high, wanted.p_value))
    # both encoders make the same errors here, so their mean is no surer than one of them
    assert found.low == pytest.approx(comparison_of(compare_choices(grid), "biobert", "welt").low)


def test_encoders_that_lack_different_seeds_are_averaged_over_those_that_both_have(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, TWO_ENCODERS)
    for run in grid.runs:
        if (run.place["encoder"], run.seed) not in (("biobert", 1), ("scibert", 2)):
            finish(run, some_wrong(run), n_sentences=N)

    results = compare_choices(grid)

    pooled = comparison_of(results, "welt")
    assert (pooled.wins, pooled.ties, pooled.losses) == (2, 0, 0)  # seed 3 with both encoders
    assert comparison_of(results, "biobert", "welt").wins == 2
    assert results.missing == 6


def test_a_choice_that_some_place_lacks_has_no_mean_over_all_places(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, TWO_CORPORA, recipe={})
    for run in grid.runs:
        if (run.place["data"], run.choice["weighting"]) != ("linnaeus", "welt"):
            finish(run, some_wrong(run), n_sentences=N)

    results = compare_choices(grid)

    pooled = [title_of(each.choice) for each in results.comparisons if each.is_pooled]
    assert pooled == ["ens 0.9"]
    assert comparison_of(results, "ncbi-disease", "welt").verdict == "better"
    assert cell_of(results, "linnaeus", "welt").mean is None


def test_several_axes_are_compared_with_a_baseline_named_in_any_order(tmp_path: Path) -> None:
    axes = f'{SEEDS}scheme = ["none", "welt"]\nloss = ["cross-entropy", "focal"]\n'
    grid = make_grid(tmp_path, axes, baseline={"loss": "cross-entropy", "scheme": "none"})
    finish_all(grid, lambda run: range(len(run.choice["scheme"]) + run.seed))

    results = compare_choices(grid)

    compared = [title_of(each.choice) for each in results.comparisons]
    assert compared == ["none, focal", "welt, cross-entropy", "welt, focal"]
    assert comparison_of(results, "demo", "none", "focal").verdict == "identical"


def test_another_metric_needs_no_other_runs(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    finish_all(grid, some_wrong)

    results = compare_choices(grid, metric="weighted_fair")

    assert results.metric == "weighted fair F1"
    mean = cell_of(results, "demo", "none").mean
    strict = cell_of(compare_choices(grid), "demo", "none").mean
    assert mean is not None
    assert strict is not None
    assert mean > strict  # boundary errors are half right


def test_failed_and_missing_runs_are_in_the_results(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    finish(grid.runs[0])
    errors = {grid.runs[1].name: "out of memory", grid.runs[0].name: "long ago"}

    results = compare_choices(grid, errors=errors)

    (failure,) = results.failures
    assert (failure.name, failure.reason) == (grid.runs[1].name, "out of memory")
    assert failure.command == f"linnet compare {quote(str(grid.path))} --output {quote(str(grid.output))}"
    assert results.missing == 5
    assert results.comparisons == ()


def test_a_run_that_got_nothing_right_is_a_warning(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    finish_all(grid, lambda run: range(N) if (run.seed, run.choice["weighting"]) == (2, "none") else some_wrong(run))

    [sentence] = trouble(compare_choices(grid))

    assert sentence.startswith(
        "On demo, runs that collapsed (a score below 1 %): none 1 of 3 (seed 2), welt 0 of 3 (p = 1.000), "
    )


def test_a_choice_that_never_got_anything_right_is_a_warning(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    finish_all(grid, lambda run: range(N) if run.choice["weighting"] == "none" else some_wrong(run))

    [sentence] = trouble(compare_choices(grid))

    assert "none 3 of 3 (seeds 1, 2, 3), " in sentence
    assert sentence.endswith("The choices are compared with networks that learned nothing.")


def one_collapsed(run: PlannedRun) -> Collection[int]:
    """The baseline's run with seed 5 is wrong in everything; others make a few different errors."""
    if (run.seed, run.choice["weighting"]) == (5, "none"):
        return range(N)
    return some_wrong(run)


FIVE_SEEDS = f"[axes]\nseed = [1, 2, 3, 4, 5]\n{WEIGHTINGS}"


def test_collapsed_runs_are_reported_and_the_verdict_is_given_with_and_without_them(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, FIVE_SEEDS)
    finish_all(grid, one_collapsed)

    results = compare_choices(grid)

    found = comparison_of(results, "demo", "welt")
    assert (found.verdict, found.n_seeds, found.is_conditional) == ("no evidence", 5, False)
    assert found.other is not None
    assert (found.other.verdict, found.other.n_seeds, found.other.is_conditional) == ("better", 4, True)
    assert found.other.difference == pytest.approx(0.20)
    assert "; among runs that did not collapse (4 seeds): +20.00 points (" in found.sentence
    assert cell_of(results, "demo", "none").collapsed == (5,)
    assert [(each.n_collapsed, each.n_runs) for each in results.collapsed] == [(1, 5), (0, 5), (0, 5)]
    assert results.details["collapsed runs"] == "count in the verdicts"


def test_collapsed_runs_can_be_left_out_and_the_verdict_says_so(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, FIVE_SEEDS, collapse="exclude")
    finish_all(grid, one_collapsed)

    results = compare_choices(grid)

    found = comparison_of(results, "demo", "welt")
    assert (found.verdict, found.n_seeds, found.is_conditional) == ("better", 4, True)
    assert found.sentence.startswith("On demo, among runs that did not collapse, welt is better than none: ")
    assert "; with the collapsed runs (5 seeds): " in found.sentence
    assert results.details["collapsed runs"] == "left out of the verdicts"
    assert [each.test.n_seeds for each in find_pilots(grid).differences] == [4, 4]


def test_ranks_find_a_difference_although_a_run_collapsed(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, FIVE_SEEDS, test="rank")
    finish_all(grid, one_collapsed)

    results = compare_choices(grid)

    found = comparison_of(results, "demo", "welt")
    assert (found.verdict, found.test) == ("better", "rank")
    assert "by ranks after Holm" in found.sentence
    assert results.details["test over seeds"] == "ranks"


def test_without_collapsed_runs_nothing_is_said_about_them(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    finish_all(grid, some_wrong)

    results = compare_choices(grid)

    assert results.collapsed == ()
    assert all(each.other is None and not each.is_conditional for each in results.comparisons)
    assert "collapse" not in " ".join(each.sentence for each in results.comparisons)


def test_a_place_whose_runs_all_collapsed_has_no_conditional_verdict_over_all(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, TWO_CORPORA, recipe={}, collapse="exclude")
    finish_all(grid, lambda run: range(N) if run.place["data"] == "linnaeus" else some_wrong(run))

    results = compare_choices(grid)

    assert not [each for each in results.comparisons if each.is_pooled]
    assert {title_of(each.place) for each in results.comparisons} == {"ncbi-disease"}
    assert cell_of(results, "linnaeus", "welt").collapsed == (1, 2, 3)


def test_a_grid_without_any_run_has_cells_and_nothing_to_say(tmp_path: Path) -> None:
    results = compare_choices(make_grid(tmp_path))

    assert len(results.cells) == 3
    assert (results.comparisons, results.pairs, results.missing) == ((), (), 6)


@pytest.mark.parametrize(
    ("metric", "published", "source"),
    [
        ("strict", {"none": 0.8701, "welt": 0.8790}, "table 9, conll F1"),  # Mobasher et al. 2023, table 9
        ("conll", {"none": 0.8701, "welt": 0.8790}, "table 9, conll F1"),
        ("fair", {"none": None, "welt": None}, ""),
    ],
)
def test_what_the_welt_paper_has_for_a_cell_is_shown_beside_it(
    tmp_path: Path, metric: str, published: dict[str, float | None], source: str
) -> None:
    grid = make_grid(tmp_path, recipe={"data": "corpora/ncbi-disease", "encoder": "biobert"}, metric=metric)
    finish_all(grid, some_wrong)

    results = compare_choices(grid)

    for weighting, value in published.items():
        cell = cell_of(results, "ncbi-disease", weighting)
        assert cell.published == value
        assert cell.source.endswith(source)


def test_precision_and_recall_stand_beside_f1_and_so_do_the_papers(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, recipe={"data": "corpora/ncbi-disease", "encoder": "biobert"})
    finish_all(grid, some_wrong)

    results = compare_choices(grid)

    cell = cell_of(results, "ncbi-disease", "none")
    assert results.beside == ("precision", "recall")
    assert cell.mean_of("precision") == pytest.approx(cell.mean)  # each wrong sentence costs both alike
    assert cell.deviation_of("recall") == pytest.approx(cell.deviation)
    assert cell.published_beside == {"precision": 0.8612, "recall": 0.8791}  # Mobasher et al. 2023, table 9


@pytest.mark.parametrize(
    "other",
    [{"encoder": "minilm"}, {"data": "demo"}, {"loss": "focal"}, {"train_sentences": 100}, {"lora": {"rank": 4}}],
)
def test_what_was_trained_otherwise_has_no_published_value(tmp_path: Path, other: dict[str, object]) -> None:
    grid = make_grid(tmp_path, recipe={"data": "corpora/ncbi-disease", "encoder": "biobert"} | other)

    assert all(cell.published is None for cell in compare_choices(grid).cells)


def test_a_grid_can_be_judged_on_devel_and_says_so(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, on="devel", title="My grid", caption="Weights in the loss")
    for run in grid.runs:
        finish(run, wrong=range(4 if run.choice == grid.baseline else 1), fingerprints={"devel": "d", "test": "t"})
        (run.folder / "predictions-test.tsv").rename(run.folder / "predictions-devel.tsv")

    results = compare_choices(grid)
    text = "\n".join(markdown_table(results, arrange(results)))

    assert (results.name, results.metric, results.split) == ("My grid", "strict F1 on devel", "devel")
    assert all(each.sentence.startswith("On demo (devel), ") for each in results.comparisons)
    assert any("report the chosen ones on test" in note for note in results.notes)
    assert results.details["resamples"].endswith("draws of the units of devel")
    assert text.startswith("# My grid\n\nWeights in the loss\n\n")
    assert "strict F1 on devel in percent" in text
    assert r"\caption{Weights in the loss. " in "\n".join(latex_table(results, arrange(results)))


def test_results_name_the_units_of_their_intervals_and_warn_of_sentences(tmp_path: Path) -> None:
    """Issue 23: where no documents are known, the output says so."""
    grid = make_grid(tmp_path)
    finish_all(grid, some_wrong)
    narrow = compare_choices(grid)
    for run in grid.runs:
        path = run.folder / "predictions-test.tsv"
        sentences = path.read_text(encoding="utf-8").split("\n\n")[1:-1]
        marked = [f"-DOCSTART- d{at // 2}\tO\tO\n\n" * (at % 2 == 0) + rows for at, rows in enumerate(sentences)]
        path.write_text("\n\n".join([*marked, ""]), encoding="utf-8")

    by_documents = compare_choices(grid)

    assert narrow.drawn_at(grid.runs[0].place).startswith(f"intervals over {N} sentences; the files have no")
    (note,) = (note for note in narrow.notes if "probably too narrow, and p values too small" in note)
    assert note.endswith("`--documents FILE` says which sentences are one document")
    assert by_documents.drawn_at(grid.runs[0].place) == f"intervals over {N // 2} documents"
    assert not any("too narrow" in note for note in by_documents.notes)
    assert by_documents.comparisons[0].low != narrow.comparisons[0].low


def test_a_sample_of_devel_sentences_is_named_as_the_reason_with_the_remedy(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, on="devel", recipe={"data": "demo", "devel_sentences": 20})
    for run in grid.runs:
        finish(run, wrong=range(4 if run.choice == grid.baseline else 1), fingerprints={"devel": "d", "test": "t"})
        (run.folder / "predictions-test.tsv").rename(run.folder / "predictions-devel.tsv")

    results = compare_choices(grid)

    reason = "devel is a sample of single sentences"
    assert results.drawn_at(grid.runs[0].place).startswith(f"intervals over 20 sentences; {reason}: ")
    (note,) = (note for note in results.notes if "too narrow" in note)
    assert f"because {reason} (demo)" in note
    assert "`sample_documents = true`" in note


def test_a_run_without_the_fingerprint_of_its_test_split_is_refused(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    for run in grid.runs:
        finish(run, wrong=range(4), fingerprints={"devel": "d"})

    with pytest.raises(BadFile, match=r"linnet\.json: has no fingerprint of test"):
        compare_choices(grid)
