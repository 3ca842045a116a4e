"""Tables of a grid: CSV for programs, Markdown and LaTeX for papers, and tables for the terminal."""

from collections.abc import Iterable
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from linnet.comparison.arrangement import (
    Arrangement,
    arrange,
    baseline_title,
    interval_text,
    p_text,
    percent,
    place_title,
    points,
    summary_lines,
)
from linnet.comparison.judging.wording import name_verdict
from linnet.comparison.paper_tables import latex_table, markdown_table
from linnet.comparison.results import Cell, Comparison, Labels, Results, title_of
from linnet.storage.cells import write_rows
from linnet.storage.files import new_file

if TYPE_CHECKING:  # rich is loaded where a table is made
    from rich.table import Table

__all__ = ["terminal_table", "write_tables"]

MOST_SENTENCES = 30  # verdicts on a terminal; table.md and the page have all of them
NARROW = 80  # columns of a terminal
WIDE = 100  # columns of a terminal with room for wins, ties and losses, and for collapsed runs
SEED_COLUMNS = 6  # columns of a terminal for the score of a seed and a gap
COMPARED = ("difference", "low", "high", "p", "adjusted p", "smallest detectable", "wins", "ties", "losses", "verdict")
SIZES = ("split", "unit", "units", "mentions", "training units")
DRAWN = ("interval unit", "interval units")  # what intervals are over


def write_tables(results: Results, folder: Path) -> list[Path]:
    """Write `table.csv`, `table.md` and `table.tex` and return their paths.

    The CSV file has a row for each cell and, with "all" as the place, for each comparison over all places. Scores are
    in percent with four decimals. The layout of the others is that of papers (`paper_tables.py`).
    """
    arrangement = arrange(results)
    paths = [folder / f"table.{ending}" for ending in ("csv", "md", "tex")]
    columns, *rows = _csv_rows(results, arrangement)
    write_rows(paths[0], columns, rows)
    for path, write in zip(paths[1:], (markdown_table, latex_table), strict=True):
        with new_file(path) as file:
            file.write("\n".join(write(results, arrangement)) + "\n")
    return paths


def terminal_table(results: Results, *, width: int = NARROW) -> list["Table"]:
    """Return a table for each place, one for all places together, and one with the verdicts as sentences.

    Args:
        results: what to show.
        width: columns of the terminal; a wider one also shows wins, the score of each seed and other scores.
    """
    arrangement = arrange(results)
    tables = [_place_table(results, arrangement, place, width) for place in arrangement.places]
    if arrangement.pooled:
        tables.append(_place_table(results, arrangement, {}, width))
    return [*tables, _summary_table(results, width)]


# --- CSV


def _csv_rows(results: Results, arrangement: Arrangement) -> Iterable[list[str]]:
    seeds = [f"seed {seed}" for seed in results.seeds]
    beside = [head for name in results.beside for head in (name, f"{name} sd")]
    published = [f"published {name}" for name in results.beside]
    has_collapsed = any(cell.collapsed for cell in results.cells)
    yield [
        *(*results.place_axes, *results.choice_axes, "mean", "sd", "n", *seeds, *beside),
        *(*COMPARED, "published", *published, *(["collapsed"] if has_collapsed else [])),
        *(SIZES if results.sizes else ()),
        *(DRAWN if results.drawn else ()),
    ]
    for cell in results.cells:
        scores = [percent(cell.score_by_seed.get(seed), 4) for seed in results.seeds]
        yield [
            *(cell.place.get(axis, "") for axis in results.place_axes),
            *(cell.choice.get(axis, "") for axis in results.choice_axes),
            *(percent(cell.mean, 4), percent(cell.deviation, 4), str(len(cell.score_by_seed)), *scores),
            *(percent(value, 4) for name in results.beside for value in (cell.mean_of(name), cell.deviation_of(name))),
            *_comparison_cells(arrangement.comparison(cell.place, cell.choice), _cell_state(cell)),
            *(percent(value, 4) for value in (cell.published, *map(cell.published_beside.get, results.beside))),
            *([str(len(cell.collapsed))] if has_collapsed else []),
            *_size_cells(results, cell.place),
            *_drawn_cells(results, cell.place),
        ]
    for pooled in arrangement.pooled:
        choice = [pooled.choice.get(axis, "") for axis in results.choice_axes]
        blank = [""] * (3 + len(seeds) + len(beside))
        n_sizes = (len(SIZES) if results.sizes else 0) + (len(DRAWN) if results.drawn else 0)
        no_published = [""] * (1 + len(published) + has_collapsed + n_sizes)
        yield [*["all"] * len(results.place_axes), *choice, *blank, *_comparison_cells(pooled, ""), *no_published]


def _size_cells(results: Results, place: Labels) -> list[str]:
    """Return the columns `SIZES`, where sizes are known."""
    found = results.sizes_at(place)
    if found is None:
        return [""] * len(SIZES) if results.sizes else []
    training = [] if found.training is None else sorted(set(found.training))
    counts = ["" if number is None else str(number) for number in (found.n_units, found.n_mentions)]
    return [found.split, found.unit, *counts, "-".join(map(str, training))]


def _drawn_cells(results: Results, place: Labels) -> list[str]:
    """Return the columns `DRAWN`, where the units of intervals are known."""
    found = results.units_at(place)
    return [found.name, str(found.number)] if found else [""] * len(DRAWN) if results.drawn else []


def _comparison_cells(comparison: Comparison | None, otherwise: str) -> list[str]:
    """Return the columns `COMPARED`; without a comparison they are empty, and the last one says why."""
    if comparison is None:
        return [*[""] * (len(COMPARED) - 1), otherwise]
    differences = [percent(value, 4) for value in (comparison.difference, comparison.low, comparison.high)]
    p_values = [f"{comparison.p_value:.4g}", f"{comparison.adjusted_p:.4g}"]
    counts = map(str, (comparison.wins, comparison.ties, comparison.losses))
    return [*differences, *p_values, percent(comparison.smallest_detectable, 4), *counts, _verdict_of(comparison)]


def _verdict_of(comparison: Comparison) -> str:
    return name_verdict(comparison.verdict, comparison.margin)


def _cell_state(cell: Cell | None) -> str:
    """Return why a cell has no comparison: it has no scores, all its runs collapsed, or it is the baseline."""
    if cell is None or not cell.score_by_seed:
        return "missing"
    if len(cell.collapsed) == len(cell.score_by_seed) and not cell.is_baseline:
        return "collapsed"
    return "baseline" if cell.is_baseline else ""


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
        caption=sizes.sentence if (sizes := results.sizes_at(place)) else None,
        caption_justify="left",
    )
    columns = _columns(results, is_pooled=is_pooled, width=width)
    for column in columns:
        table.add_column(column, justify="left" if column in (columns[0], "verdict") else "right", no_wrap=True)
    for choice in arrangement.choices:
        cell, comparison = arrangement.cell(place, choice), arrangement.comparison(place, choice)
        if comparison is not None or not is_pooled:
            shown = {**_cell_texts(cell), **_comparison_texts(comparison, _cell_state(cell))}
            table.add_row(title_of(choice), *(shown.get(column, "") for column in columns[1:]))
    return table


def _columns(results: Results, *, is_pooled: bool, width: int) -> list[str]:
    is_published = any(cell.published is not None for cell in results.cells)
    has_collapsed = width >= WIDE and any(cell.collapsed for cell in results.cells)
    room = width - WIDE - SEED_COLUMNS * len(results.seeds)
    seeds = [f"seed {seed}" for seed in results.seeds] if room >= 0 else []
    has_others = room >= sum(len(name) + 2 for name in results.beside)
    return [
        ", ".join(results.choice_axes),
        *(
            []
            if is_pooled
            else [
                "mean",
                "SD",
                "n",
                *(["collapsed"] if has_collapsed else []),
                *seeds,
                *(results.beside if has_others else ()),
            ]
        ),
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
    others = {name: percent(cell.mean_of(name)) for name in cell.beside}
    return {**others, **seeds, **shown, "n": str(len(cell.score_by_seed)), "collapsed": str(len(cell.collapsed))}


def _comparison_texts(comparison: Comparison | None, otherwise: str) -> dict[str, str]:
    if comparison is None:
        return {"verdict": otherwise}
    return {
        "change": points(comparison.difference),
        "95 % interval": interval_text(comparison),
        "Holm p": p_text(comparison.adjusted_p),
        "W-T-L": f"{comparison.wins}-{comparison.ties}-{comparison.losses}",
        "verdict": _verdict_of(comparison),
    }


def _summary_table(results: Results, width: int) -> "Table":
    from rich.table import Table

    table = Table(title="What this says", box=None, pad_edge=False, show_header=False)
    for line in summary_lines(results, most=MOST_SENTENCES):
        table.add_row(fill(line, width, subsequent_indent="  ", break_on_hyphens=False))
    return table
