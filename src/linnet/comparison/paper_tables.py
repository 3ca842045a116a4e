"""Markdown and LaTeX tables of a grid in the layout of papers.

Rows are choices and columns are places, or the other way round if there are many places. If scores such as precision
and recall are shown beside the compared one, each row has a line for each score, the compared one last. Long tables are
divided by the first place axis.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from linnet.comparison.arrangement import Arrangement, Rank, baseline_title, percent, summary_lines
from linnet.comparison.results import Cell, Labels, Results, title_of

__all__ = ["latex_table", "markdown_table"]

MOST_COLUMNS = 4  # for places; with more of them, and more places than choices, the choices are the columns
MOST_SIZES = 6  # places with their sizes in a caption
MOST_LINES = 45  # of a table on a printed page
SCORE = "score"  # head of the column with the names of the scores
ARROWS = {"better": "↑", "worse": "↓"}
LATEX_ARROWS = {"better": r"$^{\uparrow}$", "worse": r"$^{\downarrow}$"}
LATEX_MARKS = {"best": r"\textbf{%s}", "second": r"\underline{%s}", "": "%s"}
MARKDOWN_MARKS = {"best": "**%s**", "second": "<u>%s</u>", "": "%s"}
LATEX_ESCAPES = {
    **{character: rf"\{character}" for character in "&%$#_{}"},
    **{character: f"{{{character}}}" for character in "[]*"},  # these have a meaning after the end of a row
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}"},
}


@dataclass(frozen=True)
class _Entry:
    """The numbers of one table cell as text; what is unknown is empty."""

    mean: str
    deviation: str
    published: str
    rank: Rank = ""
    verdict: str = ""
    shortfall: str = ""  # of seeds: missing and collapsed ones


Write = Callable[[_Entry | None], str]  # the text of a table cell; None has no scores


@dataclass(frozen=True)
class _Part:
    """A table, or a part of a long one."""

    title: str  # the value of the first axis that its rows share; empty for a whole table
    axes: tuple[str, ...]  # of the rows
    columns: tuple[Labels, ...]
    rows: tuple[tuple[Labels, list[list[str]]], ...]  # each with a line of cells for each score


def markdown_table(results: Results, arrangement: Arrangement) -> Iterable[str]:
    """Yield the lines of the table in Markdown, with the verdicts as sentences below it."""
    own = [_markdown_text(results.caption), ""] if results.caption else []
    yield from (f"# {_markdown_text(results.name)}", "", *own, _caption(results, _markdown_text, "↑", "↓"), "")
    for part in _parts(results, arrangement, _markdown_entry):
        yield from (f"## {_markdown_text(part.title)}", "") if part.title else ()
        yield from _markdown_part(part, _names(results))
        yield ""
    yield from (f"- {_markdown_text(line)}" for line in summary_lines(results))


def latex_table(results: Results, arrangement: Arrangement) -> Iterable[str]:
    """Yield the lines of the table in LaTeX, with the verdicts as sentences below it."""
    yield "% needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}"
    caption = _caption(results, _latex_text, LATEX_ARROWS["better"], LATEX_ARROWS["worse"])
    for part in _parts(results, arrangement, _latex_entry):
        first = results.caption or results.name
        name = _latex_text(f"{first}, {part.title}" if part.title else first)
        yield from (r"\begin{table}", r"\centering")
        yield rf"\caption{{{name}{'' if name.endswith(('.', '?', '!')) else '.'} {caption}}}"
        yield from _latex_part(part, _names(results))
        yield r"\end{table}"
    lines = summary_lines(results)
    if lines:
        yield from (r"\begin{itemize}", *(rf"\item {_latex_text(line)}" for line in lines), r"\end{itemize}")


# --- layout


def _names(results: Results) -> tuple[str, ...]:
    """Return the names of the scores in each row, the compared one last; empty if it is the only one."""
    return (*results.beside, results.metric) if results.beside else ()


def _parts(results: Results, arrangement: Arrangement, write: Write) -> Iterable[_Part]:
    """Yield the table, whole or in parts."""
    places, choices = arrangement.places, arrangement.choices
    scores = (*results.beside, "")
    is_by_choice = len(places) <= max(MOST_COLUMNS, len(choices))
    if is_by_choice:
        axes, columns, labels = results.choice_axes, places, choices
    else:
        axes, columns, labels = results.place_axes, choices, places
    rows = []
    for row in labels:
        pairs = [(column, row) if is_by_choice else (row, column) for column in columns]
        rows.append((row, [[write(_entry(results, arrangement, *pair, score)) for pair in pairs] for score in scores]))
    if is_by_choice or len(axes) < 2 or len(rows) * len(scores) <= MOST_LINES:
        yield _Part("", axes, columns, tuple(rows))
        return
    titles = dict.fromkeys(row[axes[0]] for row, _ in rows)
    for title in titles:
        yield _Part(title, axes[1:], columns, tuple(row for row in rows if row[0][axes[0]] == title))


def _entry(results: Results, arrangement: Arrangement, place: Labels, choice: Labels, score: str) -> _Entry | None:
    """Return the entry of the compared score ("") or of one beside it, which has no rank and no verdict."""
    cell, comparison = arrangement.cell(place, choice), arrangement.comparison(place, choice)
    mean = None if cell is None else cell.mean_of(score) if score else cell.mean
    if cell is None or mean is None:
        return None
    if score:
        deviation, published = cell.deviation_of(score), cell.published_beside.get(score)
        return _Entry(mean=percent(mean), deviation=percent(deviation), published=percent(published))
    return _Entry(
        mean=percent(mean),
        deviation=percent(cell.deviation),
        published=percent(cell.published),
        rank=arrangement.mark(place, choice),
        verdict=comparison.verdict if comparison else "",
        shortfall=_shortfall(results, cell),
    )


def _shortfall(results: Results, cell: Cell) -> str:
    """Return the number of seeds of a mean if runs are missing, and how many of them collapsed."""
    n_seeds = len(cell.score_by_seed)
    seeds = "" if n_seeds == len(results.seeds) else f"of {n_seeds} seed{'' if n_seeds == 1 else 's'}"
    collapsed = f"{len(cell.collapsed)} collapsed" if cell.collapsed else ""
    return ", ".join(filter(None, [seeds, collapsed]))


def _caption(results: Results, escape: Callable[[str], str], up: str, down: str) -> str:
    seeds = f"{len(results.seeds)} seed{'' if len(results.seeds) == 1 else 's'}"
    published = any(cell.published is not None for cell in results.cells)
    baseline = escape(baseline_title(results))
    scores = [escape(name) for name in (*results.beside, results.metric)]
    listed = " and ".join(filter(None, [", ".join(scores[:-1]), scores[-1]]))
    of_metric = f" {scores[-1]}" if results.beside else ""
    return (
        f"{listed[0].upper()}{listed[1:]} in percent, mean and standard deviation of {seeds}; best{of_metric} bold,"
        f" second best underlined; {up} better and {down} worse than {baseline} by the paired test"
        f"{'; published values in parentheses' if published else ''}. {escape(_describe_sizes(results))}"
    )


def _describe_sizes(results: Results) -> str:
    """Return the split and the sizes at each place, as the end of a caption."""
    if len(results.sizes) > MOST_SIZES:
        return f"Scores on {results.split}; table.csv has the sizes of the splits."
    named = [f"{title_of(each.place)}, " if each.place else "" for each in results.sizes]
    return " ".join(
        f"{'On ' if name else ''}{name}{each.sentence}." for name, each in zip(named, results.sizes, strict=True)
    )


# --- Markdown


def _markdown_entry(entry: _Entry | None) -> str:
    if entry is None:
        return "missing"
    deviation = f"± {entry.deviation}" if entry.deviation else ""
    published = f"({entry.published})" if entry.published else ""
    parts = [MARKDOWN_MARKS[entry.rank] % entry.mean, deviation, ARROWS.get(entry.verdict, ""), entry.shortfall]
    return " ".join(filter(None, [*parts, published]))


def _markdown_part(part: _Part, names: Sequence[str]) -> Iterable[str]:
    heads = [*part.axes, *([SCORE] if names else [])]
    yield _markdown_row([*map(_markdown_text, heads), *(_markdown_text(title_of(column)) for column in part.columns)])
    yield _markdown_row(["---"] * len(heads) + ["---:"] * len(part.columns))
    for row, lines in part.rows:
        labels = [_markdown_text(row.get(axis, "")) for axis in part.axes]
        for number, cells in enumerate(lines):
            yield _markdown_row([*labels, *map(_markdown_text, names[number : number + 1]), *cells])


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_text(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|~$&#])", r"\\\1", " ".join(text.split()))


# --- LaTeX


def _latex_entry(entry: _Entry | None) -> str:
    if entry is None:
        return r"\textit{missing}"
    deviation = rf" $\pm$ {entry.deviation}" if entry.deviation else ""
    shortfall = rf" {{\scriptsize {entry.shortfall}}}" if entry.shortfall else ""
    published = f" ({entry.published})" if entry.published else ""
    arrow = LATEX_ARROWS.get(entry.verdict, "")
    return LATEX_MARKS[entry.rank] % entry.mean + deviation + arrow + shortfall + published


def _latex_part(part: _Part, names: Sequence[str]) -> Iterable[str]:
    heads = [*part.axes, *([SCORE] if names else [])]
    yield from (rf"\begin{{tabular}}{{{'l' * len(heads)}{'r' * len(part.columns)}}}", r"\toprule")
    yield from _latex_head(heads, part.columns)
    yield r"\midrule"
    for position, (row, lines) in enumerate(part.rows):
        if names and position:
            yield r"\addlinespace"
        for number, cells in enumerate(lines):
            labels = ["" if number else _latex_text(row.get(axis, "")) for axis in part.axes]
            yield _latex_row([*labels, *map(_latex_text, names[number : number + 1]), *cells])
    yield from (r"\bottomrule", r"\end{tabular}")


def _latex_head(axes: Sequence[str], columns: Sequence[Labels]) -> Iterable[str]:
    """Yield a line for each axis of the columns; equal neighbours share one cell."""
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
