"""Order, number formats and sentences that the tables, plots and page of a grid share.

Scores are shown in percent, differences in percentage points. Means are ranked as they are shown: two means that are
both shown as 84.12 are equal and get the same mark.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from linnet.comparison.judging.wording import VERDICTS, describe_collapsed, describe_group
from linnet.comparison.results import Cell, Comparison, Labels, Results, Verdict, cut_interval, title_of

__all__ = [
    *("Arrangement", "Curve", "CurvePoint", "Rank", "arrange", "baseline_title", "headline", "interval_text"),
    *("learning_panels", "p_text", "percent", "place_title", "points", "summary_lines", "trouble"),
]

Rank = Literal["best", "second", ""]
Key = tuple[tuple[str, str], ...]

MOST_NAMES = 8  # of choices in a headline; more are counted


@dataclass(frozen=True)
class Arrangement:
    """The places and choices of a grid in their order, with the cell and the comparison of each combination."""

    places: tuple[Labels, ...]
    choices: tuple[Labels, ...]
    cells: dict[tuple[Key, Key], Cell]
    comparisons: dict[tuple[Key, Key], Comparison]
    pooled: tuple[Comparison, ...]  # over all places; empty for a grid without place axes

    def cell(self, place: Labels, choice: Labels) -> Cell | None:
        """Return the cell, if there is one."""
        return self.cells.get((_key(place), _key(choice)))

    def comparison(self, place: Labels, choice: Labels) -> Comparison | None:
        """Return the choice's comparison with the baseline, if there is one; the baseline has none."""
        return self.comparisons.get((_key(place), _key(choice)))

    def mark(self, place: Labels, choice: Labels) -> Rank:
        """Return whether this mean is the best or second best of its place, as they are shown; a single mean is not."""
        cells = {_key(other): self.cell(place, other) for other in self.choices}
        shown = {key: percent(cell.mean) for key, cell in cells.items() if cell is not None and cell.score_by_seed}
        if len(shown) < 2 or _key(choice) not in shown:
            return ""
        ranking = sorted(set(shown.values()), key=float, reverse=True)
        ranks: dict[str, Rank] = dict(zip(ranking, ("best", "second"), strict=False))
        return ranks.get(shown[_key(choice)], "")


@dataclass(frozen=True)
class CurvePoint:
    """The scores with one size of the training data."""

    size: float  # the position in the grid if sizes are not numbers
    label: str
    mean: float
    deviation: float | None
    n_seeds: int


@dataclass(frozen=True)
class Curve:
    """The learning curve of a choice: its scores by the size of the training data."""

    number: int  # of the choice, the same in all panels
    title: str
    points: tuple[CurvePoint, ...]


def arrange(results: Results) -> Arrangement:
    """Return the grid with places and choices in the order in which its cells are listed."""
    return Arrangement(
        places=tuple({_key(cell.place): cell.place for cell in results.cells}.values()),
        choices=tuple({_key(cell.choice): cell.choice for cell in results.cells}.values()),
        cells={(_key(cell.place), _key(cell.choice)): cell for cell in results.cells},
        comparisons={(_key(each.place), _key(each.choice)): each for each in results.comparisons},
        pooled=tuple(each for each in results.comparisons if each.is_pooled and results.place_axes),
    )


def percent(fraction: float | None, digits: int = 2) -> str:
    """Return a score in percent; an empty text for no score."""
    return "" if fraction is None or not math.isfinite(fraction) else f"{100 * fraction:.{digits}f}"


def points(difference: float | None, digits: int = 2) -> str:
    """Return a difference of scores in points with its sign; what is rounded to zero has none.

    >>> points(0.0123), points(-0.5), points(-0.000001)
    ('+1.23', '-50.00', '0.00')
    """
    shown = percent(difference, digits)
    if not shown or float(shown) == 0:
        return shown.lstrip("-")
    return shown if shown.startswith("-") else f"+{shown}"


def interval_text(comparison: Comparison) -> str:
    """Return the interval of a comparison in points, or that there is too little to tell."""
    ends = cut_interval(comparison.low, comparison.high)
    return "too few to tell" if ends is None else f"{points(ends[0])} to {points(ends[1])}"


def p_text(p_value: float) -> str:
    """Return a p value with three decimals, or `<0.001`."""
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def place_title(place: Labels) -> str:
    """Return the title of a place; an empty place is all places."""
    return title_of(place) if place else "all conditions"


def baseline_title(results: Results) -> str:
    """Return the title of the baseline."""
    return title_of(results.baseline) or "the baseline"


def headline(results: Results) -> str:
    """Return the verdicts of the grid in one sentence; those over all places if there are any."""
    comparisons = arrange(results).pooled or results.comparisons
    if not comparisons:
        return "There is nothing to compare yet."
    is_by_place = not comparisons[0].is_pooled
    names_by_verdict: dict[Verdict, list[str]] = {verdict: [] for verdict in VERDICTS}
    for each in comparisons:
        title = f"{title_of(each.choice)} ({title_of(each.place)})" if is_by_place else title_of(each.choice)
        names_by_verdict[each.verdict].append(title)
    baseline = baseline_title(results)
    parts = [
        describe_group(verdict, _list_names(names), baseline=baseline, margin=comparisons[0].margin)
        for verdict, names in names_by_verdict.items()
        if names
    ]
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def trouble(results: Results) -> list[str]:
    """Return a sentence for each kind of problem: runs that failed, are missing, collapsed, or have a score of zero."""
    sentences = []
    if results.failures:
        sentences.append(f"{_count(len(results.failures), 'run')} failed; the next start tries again.")
    if results.missing:
        verb = "is" if results.missing == 1 else "are"
        sentences.append(f"{_count(results.missing, 'run')} {verb} missing: the results may still change.")
    if not results.collapsed:
        return [*sentences, *_warn_of_zero_scores(results.cells, has_seeds=bool(results.seeds))]
    groups = groupby(results.collapsed, key=lambda counted: _key(counted.place))
    return [*sentences, *(describe_collapsed(list(group)) for _, group in groups)]


def summary_lines(results: Results, most: int | None = None) -> list[str]:
    """Return the verdicts, those over all places first, then failures, missing runs and notes.

    Args:
        results: of the grid.
        most: if there are more verdicts than this, those of single places are only counted.
    """
    pooled = [each.sentence for each in results.comparisons if each.is_pooled]
    others = [each.sentence for each in results.comparisons if not each.is_pooled]
    if most is not None and len(pooled) + len(others) > most:
        others = [f"{len(others):,} more verdicts, for single conditions, are in table.md and index.html."]
    names_by_reason: dict[str, list[str]] = {}
    for failure in results.failures:
        names_by_reason.setdefault(failure.reason, []).append(failure.name)
    failures = [f"failed: {', '.join(names)}: {reason}" for reason, names in names_by_reason.items()]
    return [*pooled, *others, *trouble(results), *failures, *results.notes]


def learning_panels(results: Results) -> dict[str, list[Curve]]:
    """Return the learning curve of each choice, by the title of the place; empty without an axis of sizes."""
    axis = results.size_axis
    if axis is None:
        return {}
    sizes = _sizes({**cell.place, **cell.choice}.get(axis, "") for cell in results.cells)
    titles: list[str] = []
    panels: dict[str, dict[str, list[CurvePoint]]] = {}
    for cell in results.cells:
        place, choice = (title_of(_without(labels, axis)) for labels in (cell.place, cell.choice))
        titles += [choice] if choice not in titles else []
        curve = panels.setdefault(place, {}).setdefault(choice, [])
        label = {**cell.place, **cell.choice}.get(axis, "")
        if cell.mean is not None:
            curve.append(_curve_point(cell, cell.mean, sizes[label], label))
    return {
        place: [
            Curve(titles.index(choice), choice, tuple(sorted(curve, key=lambda point: point.size)))
            for choice, curve in curves.items()
        ]
        for place, curves in panels.items()
    }


def _curve_point(cell: Cell, mean: float, size: float, label: str) -> CurvePoint:
    n_seeds = len(cell.score_by_seed)
    return CurvePoint(size=size, label=label, mean=mean, deviation=cell.deviation, n_seeds=n_seeds)


def _warn_of_zero_scores(cells: Iterable[Cell], *, has_seeds: bool) -> Iterator[str]:
    """Yield a sentence for each cell with a run whose score is zero, because its mean means little."""
    for cell in cells:
        seeds = [str(seed) for seed, score in cell.score_by_seed.items() if score == 0]
        if seeds and len(seeds) == len(cell.score_by_seed):
            yield (
                f"{title_of({**cell.place, **cell.choice})}: nothing was right{' with any seed' * has_seeds}; what is "
                "compared with it is compared with a network that learned nothing."
            )
        elif seeds:
            yield (
                f"{title_of({**cell.place, **cell.choice})}: nothing was right with seed {' and '.join(seeds)}, and "
                "that alone makes intervals wide; `history.jsonl` of the run shows what it learned."
            )


def _key(labels: Labels) -> Key:
    return tuple(sorted(labels.items()))


def _list_names(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= MOST_NAMES else f"{len(names)} of them"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _without(labels: Labels, axis: str) -> Labels:
    return {name: label for name, label in labels.items() if name != axis}


def _sizes(labels: Iterable[str]) -> dict[str, float]:
    """Return the labels as numbers; their positions if one of them is not a number (such as `all`)."""
    distinct = list(dict.fromkeys(labels))
    try:
        sizes = {label: float(label.replace(",", "").replace("_", "")) for label in distinct}
    except ValueError:
        sizes = {}
    if sizes and all(math.isfinite(size) for size in sizes.values()):
        return sizes
    return {label: float(position) for position, label in enumerate(distinct)}
