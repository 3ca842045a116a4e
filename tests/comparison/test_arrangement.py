"""The order, number formats and sentences that tables, plots and page share."""

from dataclasses import replace

from linnet.comparison.arrangement import (
    arrange,
    baseline_title,
    headline,
    interval_text,
    learning_panels,
    p_text,
    percent,
    place_title,
    points,
    summary_lines,
    trouble,
)
from linnet.comparison.results import title_of
from tests.comparison.example_results import collapsed_results, empty_results, example_results, plain_cell, size_results


def test_the_headline_names_the_choices_under_their_verdicts() -> None:
    results = example_results()
    single = tuple(each for each in results.comparisons if title_of(each.place) == "linnaeus, minilm")

    assert headline(results) == "No evidence of a difference: welt, isns; identical to none: ens 0.9."
    assert headline(replace(results, comparisons=single)).startswith("Better than none: welt (linnaeus, minilm); no")


def test_means_are_ranked_as_they_are_shown() -> None:
    place = {"corpus": "x"}
    scores = {"none": 0.80001, "welt": 0.80004, "isns": 0.7}  # the first two read 80.00
    cells = tuple(
        plain_cell(place, {"w": name}, {1: score}, is_baseline=name == "none") for name, score in scores.items()
    )
    alone = replace(example_results(), cells=cells[:1])

    arrangement = arrange(replace(example_results(), cells=cells))

    assert [arrangement.mark(place, {"w": name}) for name in scores] == ["best", "best", "second"]
    assert arrange(alone).mark(place, {"w": "none"}) == ""


def test_numbers_are_shown_with_their_sign_and_never_as_minus_zero() -> None:
    assert [points(value) for value in (0.0123, -0.5, -0.000001, 0.0, float("nan"), None)] == [
        *("+1.23", "-50.00", "0.00", "0.00", "", ""),
    ]
    assert [p_text(value) for value in (0.0004, 0.001, 1.0)] == ["<0.001", "0.001", "1.000"]


def test_sizes_that_are_not_numbers_are_positions_in_the_grid() -> None:
    results = size_results()
    named = tuple(
        replace(cell, place={**cell.place, "training sentences": {"3200": "all"}.get(size, size)})
        for cell in results.cells
        for size in [cell.place["training sentences"]]
    )

    numbered = learning_panels(results)["linnaeus"][1].points
    panels = learning_panels(replace(results, cells=named))

    assert [(point.size, point.label, point.n_seeds) for point in numbered] == [
        *((200, "200", 3), (800, "800", 3), (3200, "3200", 1)),
    ]
    assert [(point.size, point.label) for point in panels["linnaeus"][0].points] == [(0, "200"), (1, "800"), (2, "all")]
    assert learning_panels(example_results()) == {}


def test_trouble_is_a_sentence_for_each_kind_with_its_count() -> None:
    assert trouble(example_results()) == [
        "1 run failed; the next start tries again.",
        "3 runs are missing: the results may still change.",
    ]
    assert trouble(size_results()) == []


def test_a_run_with_a_score_of_zero_is_a_warning_with_its_seed() -> None:
    cell, empty = example_results().cells[0], replace(empty_results(), seeds=(1, 2))
    one, all_ = replace(cell, score_by_seed={1: 0.8, 2: 0.0}), replace(cell, score_by_seed={1: 0.0, 2: 0.0})

    [first] = trouble(replace(empty, cells=(one,)))
    [second] = trouble(replace(empty, cells=(all_,)))

    assert first.startswith("ncbi-disease, minilm, none: nothing was right with seed 2, ")
    assert second.startswith("ncbi-disease, minilm, none: nothing was right with any seed; ")


def test_a_single_run_with_a_score_of_zero_has_no_seed_in_its_warning() -> None:
    cell = replace(example_results().cells[0], score_by_seed={1: 0.0})

    [warning] = trouble(replace(empty_results(), cells=(cell,)))

    assert warning.startswith("ncbi-disease, minilm, none: nothing was right; what is compared with it ")


def test_collapsed_runs_are_a_warning_for_each_place_in_place_of_zero_scores() -> None:
    results = collapsed_results()

    assert trouble(results)[2:] == [
        "On ncbi-disease, minilm, runs that collapsed (a score below 1 %): none 1 of 3 (seed 2), welt 0 of 3 "
        "(p = 1.000); p by Fisher's exact test against none, after Holm."
    ]


def test_places_and_choices_keep_their_order_and_meet_in_cells() -> None:
    results = example_results()

    arrangement = arrange(results)

    assert [title_of(choice) for choice in arrangement.choices] == ["none", "welt", "ens 0.9", "isns"]
    assert [place_title(place) for place in arrangement.places][:2] == ["ncbi-disease, minilm", "ncbi-disease, biobert"]
    assert arrangement.cell(arrangement.places[1], {"weighting": "welt"}) == results.cells[5]
    assert arrangement.cell({"corpus": "elsewhere"}, {"weighting": "welt"}) is None
    assert arrangement.comparison(arrangement.places[0], {"weighting": "none"}) is None
    assert [title_of(each.choice) for each in arrangement.pooled] == ["welt", "ens 0.9", "isns"]


def test_the_order_of_axes_in_labels_does_not_matter() -> None:
    arrangement = arrange(example_results())

    turned = {"encoder": "biobert", "corpus": "linnaeus"}

    assert arrangement.cell(turned, {"weighting": "none"}) == example_results().cells[12]


def test_a_grid_without_place_axes_pools_nothing() -> None:
    assert arrange(replace(example_results(), place_axes=())).pooled == ()


def test_a_summary_has_verdicts_over_all_places_first_and_notes_last() -> None:
    results = example_results()

    lines = summary_lines(results)

    assert lines[0] == next(each.sentence for each in results.comparisons if each.is_pooled)
    assert lines[3] == results.comparisons[0].sentence
    assert lines[-4:] == [
        *trouble(results),
        "failed: linnaeus-minilm-isns-seed3: the loss is not a number after step 12",
        "ens 0.9 weighs all labels alike.",
    ]


def test_a_short_summary_counts_the_verdicts_of_single_places() -> None:
    lines = summary_lines(example_results(), most=5)

    assert lines[3] == "11 more verdicts, for single conditions, are in table.md and index.html."
    assert len(summary_lines(example_results(), most=14)) == len(summary_lines(example_results()))


def test_many_choices_are_counted_in_a_headline() -> None:
    results = example_results()
    many = tuple(replace(results.comparisons[-3], choice={"weighting": f"w{number}"}) for number in range(9))

    assert headline(replace(results, comparisons=many)) == "No evidence of a difference: 9 of them."
    assert headline(empty_results()) == "There is nothing to compare yet."


def test_scores_are_shown_in_percent_and_missing_ones_are_empty() -> None:
    assert [percent(value) for value in (0.80304, None, float("inf"))] == ["80.30", "", ""]
    assert percent(0.80304, 4) == "80.3040"


def test_titles_of_all_places_and_of_a_grid_without_baseline() -> None:
    assert place_title({}) == "all conditions"
    assert baseline_title(example_results()) == "none"
    assert baseline_title(empty_results()) == "the baseline"


def test_an_interval_is_shown_within_the_scale_or_not_at_all() -> None:
    found = example_results().comparisons[0]

    shown = [interval_text(replace(found, low=low, high=high)) for low, high in ((-0.6, 1.3), (-1.34, 1.7), (0.9, 1.3))]

    assert shown == ["-60.00 to +100.00", "too few to tell", "+90.00 to +110.00"]
    assert interval_text(replace(found, low=float("-inf"), high=float("inf"))) == "too few to tell"
