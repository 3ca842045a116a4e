"""Compute tables and pictures of a findings page from kept runs: python docs/findings/rescore.py [--check] PAGE.md...

A page has its tables between two comments. The first names the grid, the file of kept runs beside the page, and what
the choices are compared with if it is not the grid's own baseline:

    <!-- rescored: recipes/grid-x.toml x-runs.json.gz -->
    <!-- end of rescored -->

Everything between them is written anew: scores, differences with their intervals, verdicts as `linnet compare` words
them. No corpus is needed, because the kept runs have the gold tags. Pictures are drawn if the page shows them: for
`x-runs.json.gz` they are `x-forest.png` and `x-learning-curves.png`. With `--check` nothing is written, and the exit
code is 1 if a page has other tables than its runs give. Without a page, all pages beside this script are computed.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from linnet.comparison.arrangement import Arrangement, arrange, p_text, percent, points
from linnet.comparison.axes import FEWEST_SEEDS
from linnet.comparison.grid import load_grid
from linnet.comparison.judging.wording import name_verdict
from linnet.comparison.kept.runs import restore_runs
from linnet.comparison.plots import forest_plot, learning_curves
from linnet.comparison.results import Cell, Comparison, Results, title_of
from linnet.comparison.verdict import compare_choices

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
BLOCK = re.compile(
    r"(<!-- rescored: (?P<grid>\S+) (?P<kept>\S+)(?: against (?P<baseline>.+?))? -->\n).*?(<!-- end of rescored -->)",
    re.DOTALL,
)
PICTURES = {"forest": forest_plot, "learning-curves": learning_curves}
BASELINE = re.compile(r"^baseline = \{ (\S+) = .* \}$", re.MULTILINE)


def rescore(text: str) -> str:
    """Return the text of a page with its tables computed from the kept runs."""
    return BLOCK.sub(
        lambda found: f"{found[1]}\n{block(found['grid'], found['kept'], found['baseline'])}\n{found[5]}", text
    )


def block(grid: str, kept: str, baseline: str | None) -> str:
    """Return the tables of one grid in Markdown."""
    results = judge(ROOT / grid, FOLDER / kept, baseline)
    arrangement = arrange(results)
    n_runs = sum(len(cell.score_by_seed) for cell in results.cells)
    planned = n_runs + results.missing
    counted = f"All {planned} runs" if not results.missing else f"{n_runs} of {planned} runs"
    units = "; ".join(f"{title_of(each.place)}, {each.sentence}" for each in results.drawn)
    if max((len(cell.score_by_seed) for cell in results.cells), default=0) < FEWEST_SEEDS:
        return f"{counted} of `{grid}` are finished. The tables follow when each choice has {FEWEST_SEEDS} seeds.\n"
    lines = [f"{counted} of `{grid}`. {results.metric[0].upper()}{results.metric[1:]} on {results.split}. {units}.", ""]
    lines += [*place_table(results, arrangement), ""]
    if arrangement.pooled:
        lines += [*pooled_table(results, arrangement), ""]
    sentences = [each.sentence for each in arrangement.pooled or results.comparisons]
    return "\n".join([*lines, *(f"- {sentence}" for sentence in sentences), ""])


@cache
def judge(grid: Path, kept: Path, baseline: str | None) -> Results:
    """Return the verdicts of the kept runs of a grid, against its own baseline or against another choice."""
    text = grid.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / grid.name
        copy.write_text(BASELINE.sub(rf'baseline = {{ \1 = "{baseline}" }}', text) if baseline else text, "utf-8")
        loaded = load_grid(copy, output=str(Path(folder) / "runs"))
        restore_runs(loaded, kept)
        return compare_choices(loaded)


def draw_pictures(page: Path) -> Iterator[Path]:
    """Draw the pictures that a page shows of its kept runs, and yield their paths."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        for kind, draw in PICTURES.items():
            picture = page.with_name(f"{found['kept'].removesuffix('-runs.json.gz')}-{kind}.png")
            if f"({picture.name})" in text:
                with tempfile.TemporaryDirectory() as folder:  # the plots are written in other formats, too
                    draw(
                        judge(ROOT / found["grid"], FOLDER / found["kept"], found["baseline"]),
                        Path(folder, picture.name),
                    )
                    shutil.copy(Path(folder, picture.name), picture)
                yield picture


def place_table(results: Results, arrangement: Arrangement) -> Iterator[str]:
    places = [title_of(place) for place in arrangement.places]
    yield f"| {', '.join(results.choice_axes)} | {' | '.join(f'{place} | change' for place in places)} |"
    yield f"|---|{'---:|---:|' * len(places)}"
    for choice in arrangement.choices:
        cells = [
            text
            for place in arrangement.places
            for text in (score_of(arrangement.cell(place, choice)), change_of(arrangement.comparison(place, choice)))
        ]
        yield f"| {title_of(choice)} | {' | '.join(cells)} |"


def pooled_table(results: Results, arrangement: Arrangement) -> Iterator[str]:
    yield f"| {', '.join(results.choice_axes)} | change over all | p after Holm | verdict | found with 80 % |"
    yield "|---|---:|---:|---|---:|"
    for each in arrangement.pooled:
        verdict, detectable = name_verdict(each.verdict, each.margin), percent(each.smallest_detectable)
        yield f"| {title_of(each.choice)} | {interval(each)} | {p_text(each.adjusted_p)} | {verdict} | {detectable} |"


def score_of(cell: Cell | None) -> str:
    if cell is None or not cell.score_by_seed:
        return ""
    deviation = "" if cell.deviation is None else f" ± {percent(cell.deviation)}"
    collapsed = f" ({len(cell.collapsed)} collapsed)" if cell.collapsed else ""
    return f"{percent(cell.mean)}{deviation}{collapsed}"


def change_of(comparison: Comparison | None) -> str:
    if comparison is None:
        return ""
    marked = "**" if comparison.verdict in ("better", "worse") else ""
    return f"{marked}{interval(comparison)}{marked}, p {p_text(comparison.adjusted_p)}"


def interval(comparison: Comparison) -> str:
    return f"{points(comparison.difference)} ({points(comparison.low)} to {points(comparison.high)})"


def main(arguments: list[str]) -> int:
    pages = [Path(each) for each in arguments if each != "--check"] or sorted(FOLDER.glob("*.md"))
    is_same = True
    for page in pages:
        old = page.read_text(encoding="utf-8")
        new = rescore(old)
        is_same &= old == new
        print(f"{page}: {len(BLOCK.findall(old))} tables, {'the same' if old == new else 'changed'}")
        if "--check" not in arguments:
            page.write_text(new, encoding="utf-8")
            for picture in draw_pictures(page):
                print(f"{picture}: drawn")
    return int("--check" in arguments and not is_same)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
