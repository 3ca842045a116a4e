"""What is shown of a grid, in which order and in which words? Tables, pictures and the page all ask here.

Scores are shown in percent, differences in percentage points. A score is compared as it is shown: two means that both
read 84.12 are equal, and get the same mark.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from linnet.comparison.results import Cell, Comparison, Labels, Results, Verdict, title_of

__all__ = [
    *("Arrangement", "Curve", "CurvePoint", "Mark", "arrange", "baseline_title", "headline", "learning_panels"),
    *("p_text", "percent", "place_title", "points", "told", "trouble"),
]

Mark = Literal["best", "second", ""]
Key = tuple[tuple[str, str], ...]

MOST_NAMES = 8  # of choices in a headline; more are counted
WORDS_OF_VERDICT: dict[Verdict, str] = {
    "better": "better than {baseline}: {names}",
    "worse": "worse than {baseline}: {names}",
    "no evidence": "no evidence of a difference: {names}",
    "identical": "identical to {baseline}: {names}",
}


@dataclass(frozen=True)
class Arrangement:
    """The places and choices of a grid in their order, and what is known where they meet."""

    places: tuple[Labels, ...]
    choices: tuple[Labels, ...]
    cells: dict[tuple[Key, Key], Cell]
    comparisons: dict[tuple[Key, Key], Comparison]
    pooled: tuple[Comparison, ...]  # over all places, where places are told apart

    def cell(self, place: Labels, choice: Labels) -> Cell | None:
        """Return the cell, if there is one."""
        return self.cells.get((_key(place), _key(choice)))

    def comparison(self, place: Labels, choice: Labels) -> Comparison | None:
        """Return the choice's comparison with the baseline, if there is one; the baseline has none."""
        return self.comparisons.get((_key(place), _key(choice)))

    def mark(self, place: Labels, choice: Labels) -> Mark:
        """Return which of the place's means this is, as they are shown; a mean that is alone has no mark."""
        found = {_key(other): self.cell(place, other) for other in self.choices}
        shown = {key: percent(cell.mean) for key, cell in found.items() if cell is not None and cell.score_by_seed}
        if len(shown) < 2 or _key(choice) not in shown:
            return ""
        ranking = sorted(set(shown.values()), key=float, reverse=True)
        marks: dict[str, Mark] = dict(zip(ranking, ("best", "second"), strict=False))
        return marks.get(shown[_key(choice)], "")


@dataclass(frozen=True)
class CurvePoint:
    """The scores with one size of the training data."""

    size: float  # its position in the grid where sizes are not numbers
    label: str
    mean: float
    deviation: float | None
    n_seeds: int


@dataclass(frozen=True)
class Curve:
    """How the scores of a choice grow with the training data."""

    number: int  # of the choice, the same in all panels
    title: str
    points: tuple[CurvePoint, ...]


def arrange(results: Results) -> Arrangement:
    """Return the grid with places and choices in the order in which its cells are listed."""
    return Arrangement(
        places=tuple({_key(cell.place): cell.place for cell in results.cells}.values()),
        choices=tuple({_key(cell.choice): cell.choice for cell in results.cells}.values()),
        cells={(_key(cell.place), _key(cell.choice)): cell for cell in results.cells},
        comparisons={(_key(found.place), _key(found.choice)): found for found in results.comparisons},
        pooled=tuple(found for found in results.comparisons if found.is_pooled and results.place_axes),
    )


def percent(fraction: float | None, digits: int = 2) -> str:
    """Return a score as it is shown; nothing for none."""
    return "" if fraction is None or not math.isfinite(fraction) else f"{100 * fraction:.{digits}f}"


def points(difference: float | None, digits: int = 2) -> str:
    """Return a difference of scores with its sign; what is shown as zero has none.

    >>> points(0.0123), points(-0.5), points(-0.000001)
    ('+1.23', '-50.00', '0.00')
    """
    shown = percent(difference, digits)
    if not shown or float(shown) == 0:
        return shown.lstrip("-")
    return shown if shown.startswith("-") else f"+{shown}"


def p_text(p_value: float) -> str:
    """Return a p value with three decimals, or that it is less than they can say."""
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def place_title(place: Labels) -> str:
    """Return the place as people read it, also where it is all of them."""
    return title_of(place) if place else "all places"


def baseline_title(results: Results) -> str:
    """Return the baseline as people read it."""
    return title_of(results.baseline) or "the baseline"


def headline(results: Results) -> str:
    """Return the answer of the grid in one plain sentence, over all places where they were pooled."""
    asked = arrange(results).pooled or results.comparisons
    if not asked:
        return "There is nothing to compare yet."
    is_by_place = not asked[0].is_pooled
    names: dict[Verdict, list[str]] = {verdict: [] for verdict in WORDS_OF_VERDICT}
    for found in asked:
        names[found.verdict].append(
            f"{title_of(found.choice)} ({title_of(found.place)})" if is_by_place else title_of(found.choice)
        )
    baseline = baseline_title(results)
    parts = [
        WORDS_OF_VERDICT[verdict].format(baseline=baseline, names=_listed(listed))
        for verdict, listed in names.items()
        if listed
    ]
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def trouble(results: Results) -> list[str]:
    """Return what is not as it should be, a sentence each: runs that failed, are to be made, or learned nothing."""
    found = []
    if results.failures:
        found.append(f"{_many(len(results.failures), 'run')} failed; the next start tries again.")
    if results.missing:
        verb = "is" if results.missing == 1 else "are"
        found.append(f"{_many(results.missing, 'run')} {verb} missing: what is said here may still change.")
    return [*found, *_learned_nothing(results.cells)]


def told(results: Results, most: int | None = None) -> list[str]:
    """Return the verdicts, those over all places first, then what failed, is missing, or should be known."""
    pooled = [found.sentence for found in results.comparisons if found.is_pooled]
    others = [found.sentence for found in results.comparisons if not found.is_pooled]
    if most is not None and len(pooled) + len(others) > most:
        others = [f"{len(others):,} more verdicts, for single places, are in table.md and index.html."]
    failed: dict[str, list[str]] = {}
    for failure in results.failures:
        failed.setdefault(failure.reason, []).append(failure.name)
    failures = [f"failed: {', '.join(names)}: {reason}" for reason, names in failed.items()]
    return [*pooled, *others, *trouble(results), *failures, *results.notes]


def learning_panels(results: Results) -> dict[str, list[Curve]]:
    """Return, by the title of the place, a curve for each choice; nothing where no axis is one of sizes."""
    axis = results.size_axis
    if axis is None:
        return {}
    sizes = _sizes({**cell.place, **cell.choice}.get(axis, "") for cell in results.cells)
    titles: list[str] = []
    found: dict[str, dict[str, list[CurvePoint]]] = {}
    for cell in results.cells:
        place, choice = (title_of(_without(labels, axis)) for labels in (cell.place, cell.choice))
        titles += [choice] if choice not in titles else []
        curve = found.setdefault(place, {}).setdefault(choice, [])
        label = {**cell.place, **cell.choice}.get(axis, "")
        if cell.mean is not None:
            curve.append(CurvePoint(sizes[label], label, cell.mean, cell.deviation, len(cell.score_by_seed)))
    return {
        place: [
            Curve(titles.index(choice), choice, tuple(sorted(curve, key=lambda point: point.size)))
            for choice, curve in curves.items()
        ]
        for place, curves in found.items()
    }


def _learned_nothing(cells: Iterable[Cell]) -> Iterator[str]:
    """Yield a sentence on each cell where a run got nothing right: its mean is of nothing, or of two kinds of runs."""
    for cell in cells:
        seeds = [str(seed) for seed, score in cell.score_by_seed.items() if score == 0]
        if seeds and len(seeds) == len(cell.score_by_seed):
            yield (
                f"{title_of({**cell.place, **cell.choice})}: nothing was right with any seed; what is compared with it "
                "is compared with a network that learned nothing."
            )
        elif seeds:
            yield (
                f"{title_of({**cell.place, **cell.choice})}: nothing was right with seed {' and '.join(seeds)}, and "
                "that alone makes intervals wide; `history.jsonl` of the run shows what it learned."
            )


def _key(labels: Labels) -> Key:
    return tuple(sorted(labels.items()))


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= MOST_NAMES else f"{len(names)} of them"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _without(labels: Labels, axis: str) -> Labels:
    return {name: label for name, label in labels.items() if name != axis}


def _sizes(labels: Iterable[str]) -> dict[str, float]:
    """Return the number that each label is, or its position where one of them is none (such as `all`)."""
    distinct = list(dict.fromkeys(labels))
    try:
        sizes = {label: float(label.replace(",", "").replace("_", "")) for label in distinct}
    except ValueError:
        sizes = {}
    if sizes and all(math.isfinite(size) for size in sizes.values()):
        return sizes
    return {label: float(position) for position, label in enumerate(distinct)}
