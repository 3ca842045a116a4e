"""Small made-up results of grids, with failed and missing runs, published values and disagreements."""

from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean

from linnet.comparison.results import (
    Cell,
    CollapsedRuns,
    Comparison,
    Disagreement,
    Failure,
    Labels,
    Pair,
    Results,
    Verdict,
    title_of,
)
from linnet.labels.mention import Mention

SEEDS = (1, 2, 3)
CORPORA = ("ncbi-disease", "linnaeus")
ENCODERS = ("minilm", "biobert")
BASELINE = {"weighting": "none"}
SCORES: Mapping[tuple[str, str, str], tuple[float, ...]] = {  # by corpus, encoder and weighting, one for each seed
    ("ncbi-disease", "minilm", "none"): (0.8010, 0.8030, 0.8050),
    ("ncbi-disease", "minilm", "welt"): (0.8210, 0.8250, 0.8230),
    ("ncbi-disease", "minilm", "ens 0.9"): (0.8010, 0.8030, 0.8050),  # weighs nothing: the same runs as none
    ("ncbi-disease", "minilm", "isns"): (0.7910, 0.7940, 0.7970),
    ("ncbi-disease", "biobert", "none"): (0.8600, 0.8610, 0.8650),
    ("ncbi-disease", "biobert", "welt"): (0.8590, 0.8640, 0.8660),
    ("ncbi-disease", "biobert", "ens 0.9"): (0.8600, 0.8610, 0.8650),
    ("ncbi-disease", "biobert", "isns"): (0.8480, 0.8500, 0.8550),
    ("linnaeus", "minilm", "none"): (0.7000, 0.7100, 0.7200),
    ("linnaeus", "minilm", "welt"): (0.7210, 0.7240, 0.7330),
    ("linnaeus", "minilm", "ens 0.9"): (0.7000, 0.7100, 0.7200),
    ("linnaeus", "minilm", "isns"): (0.7400, 0.6900),  # one run failed
    ("linnaeus", "biobert", "none"): (0.8010, 0.8020, 0.8120),
    ("linnaeus", "biobert", "welt"): (0.8110, 0.8130, 0.8200),
    ("linnaeus", "biobert", "ens 0.9"): (0.8010, 0.8020, 0.8120),
    ("linnaeus", "biobert", "isns"): (),  # still to be run
}
PUBLISHED = {
    ("ncbi-disease", "biobert", "none"): 0.8693,
    ("ncbi-disease", "biobert", "welt"): 0.8771,
}
WORDS = tuple("Familial breast cancer is linked to ovarian cancer .".split())
HOSTILE = r"100% of_it & $x$ #1 {a} ~b ^c \d <e> |f| [g]"


def example_results() -> Results:
    """Two corpora, two encoders, four weightings and three seeds; one run failed and three are missing."""
    cells = tuple(_cell(*names, scores) for names, scores in SCORES.items())
    failure = Failure(
        "linnaeus-minilm-isns-seed3", "the loss is not a number after step 12", command(*list(SCORES)[11], 3)
    )
    return Results(
        name="Does weighting help?",
        metric="strict F1",
        baseline=BASELINE,
        place_axes=("corpus", "encoder"),
        choice_axes=("weighting",),
        size_axis=None,
        seeds=SEEDS,
        cells=cells,
        comparisons=compare(cells),
        pairs=_pairs(cells),
        failures=(failure,),
        missing=3,
        notes=("ens 0.9 weighs all labels alike.",),
        details={"grid": "recipes/grid-small.toml", "linnet": "0.1.0"},
    )


def size_results() -> Results:
    """Two corpora, three sizes of the training data, and two weightings; one cell has one seed."""
    means = {
        ("ncbi-disease", "none"): (0.55, 0.68, 0.76),
        ("ncbi-disease", "welt"): (0.61, 0.70, 0.765),
        ("linnaeus", "none"): (0.32, 0.51, 0.66),
        ("linnaeus", "welt"): (0.40, 0.54, 0.65),
    }
    cells = []
    for (corpus, weighting), scores in means.items():
        for size, mean in zip(("200", "800", "3200"), scores, strict=True):
            seeds = SEEDS[:1] if (corpus, size) == ("linnaeus", "3200") else SEEDS
            by_seed = {seed: mean + 0.01 * (seed - 2) * len(seeds) / 3 for seed in seeds}
            place = {"corpus": corpus, "training sentences": size}
            is_baseline = weighting == "none"
            cells.append(
                Cell(
                    place=place,
                    choice={"weighting": weighting},
                    is_baseline=is_baseline,
                    score_by_seed=by_seed,
                    label_scores={"Disease": mean},
                    commands=("repeat",),
                )
            )
    return Results(
        name="Does weighting help when there is little to learn from?",
        metric="strict F1",
        baseline=BASELINE,
        place_axes=("corpus", "training sentences"),
        choice_axes=("weighting",),
        size_axis="training sentences",
        seeds=SEEDS,
        cells=tuple(cells),
        comparisons=compare(tuple(cells)),
    )


def hostile_results(named: str = HOSTILE) -> Results:
    """One place and two choices, all named with characters that have a meaning in LaTeX, Markdown or HTML."""
    place = {"corpus": named}
    cells = (
        plain_cell(place, {"weighting": "none"}, {1: 0.7, 2: 0.71}, is_baseline=True),
        plain_cell(place, {"weighting": named}, {1: 0.8, 2: 0.81}),
    )
    return replace(
        example_results(), name=named, place_axes=("corpus",), seeds=(1, 2), cells=cells, comparisons=compare(cells)
    )


def collapsed_results() -> Results:
    """The example, in which the baseline collapsed with seed 2 on the first place."""
    results = example_results()
    first = results.cells[0]
    cells = (replace(first, collapsed=(2,)), *results.cells[1:])
    shares = (
        CollapsedRuns(first.place, BASELINE, n_runs=3, n_collapsed=1, seeds=(2,)),
        CollapsedRuns(first.place, {"weighting": "welt"}, n_runs=3, n_collapsed=0, p_value=1.0, adjusted_p=1.0),
    )
    return replace(results, cells=cells, collapsed=shares)


def empty_results() -> Results:
    """A grid without any cell."""
    return Results(
        name="empty",
        metric="strict F1",
        baseline={},
        place_axes=(),
        choice_axes=("weighting",),
        size_axis=None,
        seeds=(),
        cells=(),
        comparisons=(),
    )


def plain_cell(place: Labels, choice: Labels, score_by_seed: Mapping[int, float], *, is_baseline: bool = False) -> Cell:
    """Return a cell with scores and nothing else."""
    return Cell(
        place=place,
        choice=choice,
        is_baseline=is_baseline,
        score_by_seed=score_by_seed,
        label_scores={},
        commands=(),
    )


def disagree(
    words: tuple[str, ...],
    *,
    gold: tuple[Mention, ...] = (),
    first: tuple[Mention, ...] = (),
    second: tuple[Mention, ...] = (),
    right: tuple[int, int],
) -> Disagreement:
    """Return a sentence that two systems got right in so many of three seeds."""
    return Disagreement(
        words=words,
        gold=gold,
        first=first,
        second=second,
        first_right=right[0],
        second_right=right[1],
        seeds=len(SEEDS),
    )


def with_parts(results: Results) -> Results:
    """Return the results with precision two points above and recall one point below each score; also published ones."""
    cells = []
    for cell in results.cells:
        beside = {
            name: {seed: score + change for seed, score in cell.score_by_seed.items()}
            for name, change in (("precision", 0.02), ("recall", -0.01))
        }
        known = cell.published
        published = {} if known is None else {"precision": known + 0.001, "recall": known - 0.001}
        cells.append(replace(cell, beside=beside if cell.score_by_seed else {}, published_beside=published))
    return replace(results, cells=tuple(cells))


def command(corpus: str, encoder: str, weighting: str, seed: int) -> str:
    """Return how a run is repeated."""
    return f"linnet train runs/{corpus}-{encoder}-{weighting.replace(' ', '')}-seed{seed}/recipe.toml"


def compare(cells: tuple[Cell, ...]) -> tuple[Comparison, ...]:
    """Return a comparison for each cell with scores, and one for each choice over all places; only made up."""
    baselines = {title_of(cell.place): cell for cell in cells if cell.is_baseline}
    compared = [cell for cell in cells if cell.score_by_seed and not cell.is_baseline]
    single = [_comparison(cell.place, cell.choice, _gains(cell, baselines)) for cell in compared]
    choices = {title_of(cell.choice): cell.choice for cell in compared}
    pooled = []
    for title, choice in choices.items():
        gains = [gain for cell in compared if title_of(cell.choice) == title for gain in _gains(cell, baselines)]
        pooled.append(_comparison({}, choice, gains))
    return (*single, *pooled)


def _cell(corpus: str, encoder: str, weighting: str, scores: tuple[float, ...]) -> Cell:
    mean = fmean(scores) if scores else 0.0
    label = "Disease" if corpus == "ncbi-disease" else "Species"
    published = PUBLISHED.get((corpus, encoder, weighting))
    return Cell(
        place={"corpus": corpus, "encoder": encoder},
        choice={"weighting": weighting},
        is_baseline=weighting == "none",
        score_by_seed=dict(zip(SEEDS, scores, strict=False)),
        label_scores={label: mean + 0.01, "Other": mean - 0.02} if scores else {},
        commands=tuple(command(corpus, encoder, weighting, seed) for seed in SEEDS),
        published=published,
        source="WeLT paper, Table 3" if published is not None else "",
    )


def _gains(cell: Cell, baselines: Mapping[str, Cell]) -> list[float]:
    baseline = baselines[title_of(cell.place)].score_by_seed
    return [score - baseline[seed] for seed, score in cell.score_by_seed.items()]


def _comparison(place: Labels, choice: Labels, gains: list[float]) -> Comparison:
    difference = fmean(gains)
    half = 0.0 if not any(gains) else 0.012
    verdict: Verdict = "identical" if not any(gains) else "no evidence"
    if difference > half > 0:
        verdict = "better"
    elif difference < -half < 0:
        verdict = "worse"
    return Comparison(
        place=place,
        choice=choice,
        difference=difference,
        low=difference - half,
        high=difference + half,
        p_value=0.0004 if verdict in ("better", "worse") else 1.0 if verdict == "identical" else 0.2,
        adjusted_p=0.004 if verdict in ("better", "worse") else 1.0 if verdict == "identical" else 0.6,
        family_size=12,
        smallest_detectable=0.017 if any(gains) else 0.0,
        wins=sum(gain > 0 for gain in gains),
        ties=sum(gain == 0 for gain in gains),
        losses=sum(gain < 0 for gain in gains),
        verdict=verdict,
        sentence=f"{title_of(choice)} against none, {title_of(place) or 'over all conditions'}: {verdict}"
        f" ({100 * difference:+.2f} points of strict F1; this grid would have found 1.70).",
    )


def _pairs(cells: tuple[Cell, ...]) -> tuple[Pair, ...]:
    gold = (Mention(0, 3, "Disease"), Mention(6, 8, "Disease"))
    for_choice = disagree(WORDS, gold=gold, first=(Mention(1, 3, "Disease"),), second=gold, right=(0, 3))
    for_baseline = disagree(("No", "cancer", "."), second=(Mention(1, 2, "Disease"),), right=(2, 1))
    return tuple(
        Pair(
            place=cell.place,
            choice=cell.choice,
            both_right=700.0,
            only_baseline_right=11.5,
            only_choice_right=20.25,
            both_wrong=208.25,
            sentences=(for_choice, for_baseline),
        )
        for cell in cells
        if cell.score_by_seed and cell.choice["weighting"] in ("welt", "isns")
    )
