"""How are the results of a grid laid out as tables, for papers, for programs and for the terminal?"""

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from linnet.compare.arrangement import (
    Arrangement,
    arrange,
    baseline_title,
    p_text,
    percent,
    place_title,
    points,
    trouble,
)
from linnet.compare.results import Cell, Comparison, Labels, Results, title_of
from linnet.files import new_file

if TYPE_CHECKING:  # rich is loaded where a table is made
    from rich.table import Table

__all__ = ["terminal_table", "write_tables"]

MOST_COLUMNS = 4  # of places side by side; where there are more of them than choices, choices are the columns
MOST_SENTENCES = 30  # on a terminal; table.md and the page have all
NARROW = 80  # columns of a terminal
WIDE = 100  # from here on wins, ties and losses have room
SEED_COLUMNS = 6  # of the terminal for a score and a gap
COMPARED = ("difference", "low", "high", "p", "adjusted p", "smallest detectable", "wins", "ties", "losses", "verdict")
ARROWS = {"better": "↑", "worse": "↓"}
LATEX_ARROWS = {"better": r"$^{\uparrow}$", "worse": r"$^{\downarrow}$"}
LATEX_MARKS = {"best": r"\textbf{%s}", "second": r"\underline{%s}", "": "%s"}
MARKDOWN_MARKS = {"best": "**%s**", "second": "<u>%s</u>", "": "%s"}
LATEX_ESCAPES = {
    **{character: rf"\{character}" for character in "&%$#_{}"},
    **{character: f"{{{character}}}" for character in "[]*"},  # after the end of a row these mean something
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}"},
}


def write_tables(results: Results, folder: Path) -> list[Path]:
    """Write `table.csv`, `table.md` and `table.tex` and return their paths.

    The CSV file has a row for each cell and, with "all" for a place, for each comparison over all places; scores are
    in percent with four decimals. The others are laid out as in papers: best bold, second best underlined.
    """
    arrangement = arrange(results)
    paths = [folder / f"table.{ending}" for ending in ("csv", "md", "tex")]
    with new_file(paths[0]) as file:
        csv.writer(file, lineterminator="\n").writerows(_csv_rows(results, arrangement))
    for path, write in zip(paths[1:], (_markdown, _latex), strict=True):
        with new_file(path) as file:
            file.write("\n".join(write(results, arrangement)) + "\n")
    return paths


def terminal_table(results: Results, *, width: int = NARROW) -> list["Table"]:
    """Return a table for each place, one for all places together, and one with the verdicts in words.

    Args:
        results: what to show.
        width: columns of the terminal; with more than 80 there is room for wins and for the score of each seed.
    """
    arrangement = arrange(results)
    tables = [_place_table(results, arrangement, place, width) for place in arrangement.places]
    if arrangement.pooled:
        tables.append(_place_table(results, arrangement, {}, width))
    return [*tables, _words_table(results, width)]


# --- CSV


def _csv_rows(results: Results, arrangement: Arrangement) -> Iterable[list[str]]:
    seeds = [f"seed {seed}" for seed in results.seeds]
    yield [*results.place_axes, *results.choice_axes, "mean", "sd", "n", *seeds, *COMPARED, "published"]
    for cell in results.cells:
        scores = [percent(cell.score_by_seed.get(seed), 4) for seed in results.seeds]
        yield [
            *(cell.place.get(axis, "") for axis in results.place_axes),
            *(cell.choice.get(axis, "") for axis in results.choice_axes),
            *(percent(cell.mean, 4), percent(cell.deviation, 4), str(len(cell.score_by_seed)), *scores),
            *_compared(arrangement.comparison(cell.place, cell.choice), _standing(cell)),
            percent(cell.published, 4),
        ]
    for found in arrangement.pooled:
        choice = [found.choice.get(axis, "") for axis in results.choice_axes]
        blank = [""] * (3 + len(seeds))
        yield [*["all"] * len(results.place_axes), *choice, *blank, *_compared(found, ""), ""]


def _compared(found: Comparison | None, otherwise: str) -> list[str]:
    if found is None:
        return [*[""] * (len(COMPARED) - 1), otherwise]
    differences = [percent(value, 4) for value in (found.difference, found.low, found.high)]
    tests = [f"{found.p_value:.4g}", f"{found.adjusted_p:.4g}", percent(found.smallest_detectable, 4)]
    return [*differences, *tests, *map(str, (found.wins, found.ties, found.losses)), found.verdict]


def _standing(cell: Cell | None) -> str:
    """Return what is to say of a cell that is compared with nothing."""
    if cell is None or not cell.score_by_seed:
        return "missing"
    return "baseline" if cell.is_baseline else ""


# --- tables as in papers


def _paper_rows(
    results: Results, arrangement: Arrangement, write: Callable[[Labels, Labels], str]
) -> tuple[tuple[str, ...], tuple[Labels, ...], list[tuple[Labels, list[str]]]]:
    """Return the axes of the rows, the columns, and each row with its cells."""
    places, choices = arrangement.places, arrangement.choices
    if len(places) <= max(MOST_COLUMNS, len(choices)):
        rows = [(choice, [write(place, choice) for place in places]) for choice in choices]
        return results.choice_axes, places, rows
    return results.place_axes, choices, [(place, [write(place, choice) for choice in choices]) for place in places]


def _shortfall(results: Results, cell: Cell) -> str:
    """Return of how many seeds a mean is, where runs are missing."""
    n_seeds = len(cell.score_by_seed)
    return "" if n_seeds == len(results.seeds) else f"of {n_seeds} seed{'' if n_seeds == 1 else 's'}"


def _markdown(results: Results, arrangement: Arrangement) -> Iterable[str]:
    def write(place: Labels, choice: Labels) -> str:
        cell, found = arrangement.cell(place, choice), arrangement.comparison(place, choice)
        if cell is None or cell.mean is None:
            return "missing"
        parts = [MARKDOWN_MARKS[arrangement.mark(place, choice)] % percent(cell.mean)]
        parts += [f"± {percent(cell.deviation)}"] if cell.deviation is not None else []
        parts += [ARROWS[found.verdict]] if found and found.verdict in ARROWS else []
        parts += [_shortfall(results, cell)] if _shortfall(results, cell) else []
        return " ".join([*parts, *([f"({percent(cell.published)})"] if cell.published is not None else [])])

    axes, columns, rows = _paper_rows(results, arrangement, write)
    yield from (f"# {_markdown_text(results.name)}", "", _caption(results, _markdown_text, "↑", "↓"), "")
    yield _markdown_row([*map(_markdown_text, axes), *(_markdown_text(title_of(column)) for column in columns)])
    yield _markdown_row(["---"] * len(axes) + ["---:"] * len(columns))
    yield from (_markdown_row([*(_markdown_text(row.get(axis, "")) for axis in axes), *cells]) for row, cells in rows)
    yield ""
    yield from (f"- {_markdown_text(line)}" for line in _lines(results))


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_text(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|~$&#])", r"\\\1", " ".join(text.split()))


def _caption(results: Results, escape: Callable[[str], str], up: str, down: str) -> str:
    seeds = f"{len(results.seeds)} seed{'' if len(results.seeds) == 1 else 's'}"
    published = any(cell.published is not None for cell in results.cells)
    baseline = escape(baseline_title(results))
    return (
        f"{escape(results.metric)} in percent, mean and standard deviation of {seeds}; best bold, second best"
        f" underlined; {up} better and {down} worse than {baseline} by the paired test"
        f"{'; published values in parentheses' if published else ''}."
    )


def _latex(results: Results, arrangement: Arrangement) -> Iterable[str]:
    def write(place: Labels, choice: Labels) -> str:
        cell, found = arrangement.cell(place, choice), arrangement.comparison(place, choice)
        if cell is None or cell.mean is None:
            return r"\textit{missing}"
        deviation = "" if cell.deviation is None else rf" $\pm$ {percent(cell.deviation)}"
        published = "" if cell.published is None else f" ({percent(cell.published)})"
        arrow = LATEX_ARROWS.get(found.verdict, "") if found else ""
        shortfall = rf" {{\scriptsize {_shortfall(results, cell)}}}" if _shortfall(results, cell) else ""
        mean = LATEX_MARKS[arrangement.mark(place, choice)] % percent(cell.mean)
        return mean + deviation + arrow + shortfall + published

    axes, columns, rows = _paper_rows(results, arrangement, write)
    caption = _caption(results, _latex_text, LATEX_ARROWS["better"], LATEX_ARROWS["worse"])
    yield from ("% needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}", r"\begin{table}", r"\centering")
    name = _latex_text(results.name)
    yield rf"\caption{{{name}{'' if name.endswith(('.', '?', '!')) else '.'} {caption}}}"
    yield from (rf"\begin{{tabular}}{{{'l' * len(axes)}{'r' * len(columns)}}}", r"\toprule")
    yield from _latex_head(axes, columns)
    yield r"\midrule"
    yield from (_latex_row([*(_latex_text(row.get(axis, "")) for axis in axes), *cells]) for row, cells in rows)
    yield from (r"\bottomrule", r"\end{tabular}", r"\end{table}")


def _latex_head(axes: Sequence[str], columns: Sequence[Labels]) -> Iterable[str]:
    """Yield a line for each axis of the columns; what is equal side by side stands once, over all of them."""
    levels = list(columns[0]) if columns else []
    for depth in range(1, len(levels)):
        spans, rules, first = [], [], len(axes) + 1
        for label, run in groupby([tuple(column[level] for level in levels[:depth]) for column in columns]):
            n_columns = len(list(run))
            spans.append(rf"\multicolumn{{{n_columns}}}{{c}}{{{_latex_text(label[-1])}}}")
            rules.append(rf"\cmidrule(lr){{{first}-{first + n_columns - 1}}}")
            first += n_columns
        yield _latex_row([*[""] * len(axes), *spans])
        yield "".join(rules)
    last = [rf"\multicolumn{{1}}{{c}}{{{_latex_text(column[levels[-1]])}}}" if levels else "" for column in columns]
    yield _latex_row([*map(_latex_text, axes), *last])


def _latex_row(cells: Iterable[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _latex_text(text: str) -> str:
    return "".join(LATEX_ESCAPES.get(character, character) for character in " ".join(text.split()))


# --- terminal


def _place_table(results: Results, arrangement: Arrangement, place: Labels, width: int) -> "Table":
    from rich.table import Table

    is_pooled = bool(results.place_axes) and not place
    table = Table(
        title=f"{place_title(place) if results.place_axes else results.name}: {results.metric} in percent,"
        f" change against {baseline_title(results)}",
        box=None,
        pad_edge=False,
        padding=(0, 2 if width >= WIDE else 1, 0, 0),
    )
    columns = _columns(results, is_pooled=is_pooled, width=width)
    for column in columns:
        table.add_column(column, justify="left" if column in (columns[0], "verdict") else "right", no_wrap=True)
    for choice in arrangement.choices:
        cell, found = arrangement.cell(place, choice), arrangement.comparison(place, choice)
        if found is not None or not is_pooled:
            shown = {**_cell_texts(cell), **_comparison_texts(found, _standing(cell))}
            table.add_row(title_of(choice), *(shown.get(column, "") for column in columns[1:]))
    return table


def _columns(results: Results, *, is_pooled: bool, width: int) -> list[str]:
    is_published = any(cell.published is not None for cell in results.cells)
    has_room = width - WIDE >= SEED_COLUMNS * len(results.seeds)
    seeds = [f"seed {seed}" for seed in results.seeds] if has_room else []
    return [
        ", ".join(results.choice_axes),
        *([] if is_pooled else ["mean", "SD", "n", *seeds]),
        *("change", "95 % interval", "Holm p"),
        *(["W-T-L"] if width >= WIDE else []),
        "verdict",
        *(["published"] if is_published and not is_pooled else []),
    ]


def _cell_texts(cell: Cell | None) -> dict[str, str]:
    if cell is None:
        return {}
    seeds = {f"seed {seed}": percent(score) for seed, score in cell.score_by_seed.items()}
    shown = {"mean": percent(cell.mean), "SD": percent(cell.deviation), "published": percent(cell.published)}
    return {**seeds, **shown, "n": str(len(cell.score_by_seed))}


def _comparison_texts(found: Comparison | None, otherwise: str) -> dict[str, str]:
    if found is None:
        return {"verdict": otherwise}
    return {
        "change": points(found.difference),
        "95 % interval": f"{points(found.low)} to {points(found.high)}",
        "Holm p": p_text(found.adjusted_p),
        "W-T-L": f"{found.wins}-{found.ties}-{found.losses}",
        "verdict": found.verdict,
    }


def _words_table(results: Results, width: int) -> "Table":
    from rich.table import Table

    table = Table(title="What this says", box=None, pad_edge=False, show_header=False)
    for line in _lines(results, most=MOST_SENTENCES):
        table.add_row(fill(line, width, subsequent_indent="  ", break_on_hyphens=False))
    return table


def _lines(results: Results, most: int | None = None) -> list[str]:
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
