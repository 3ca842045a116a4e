"""Draw the differences of the table in class-weighting.md: python class_weighting_forest.py PAGE PICTURE.

The runs of the first grid were not kept, so the numbers come from the page. What such a comparison would have found is
not known by the method of today, so the picture has no band for it.
"""

import re
import sys
from pathlib import Path

from linnet.comparison.plots import forest_plot
from linnet.comparison.results import Cell, Comparison, Results

CORPORA = ("ncbi-disease", "linnaeus")
DIFFERENCE = re.compile(r"([+-][\d.]+) \(([+-][\d.]+) to ([+-][\d.]+)\)")
N_COMPARISONS = 10


def read_results(page: Path) -> Results:
    """Return the differences of the page's first table."""
    text = page.read_text(encoding="utf-8")
    table = text[text.index("| weighting |") :].split("\n\n")[0].split("\n")[3:]  # without heads and `none`
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    found = [
        compare(row[0], corpus, difference=row[2 + 3 * at], p_value=row[3 + 3 * at])
        for row in rows
        for at, corpus in enumerate(CORPORA)
    ]
    places = [{"data": corpus} for corpus in CORPORA]
    return Results(
        name="First grid: intervals over sentences",
        metric="strict F1",
        baseline={"weighting": "none"},
        place_axes=("data",),
        choice_axes=("weighting",),
        size_axis=None,
        seeds=(1, 2, 3, 4, 5),
        cells=tuple(Cell(place, {"weighting": "none"}, is_baseline=True, score_by_seed={}, label_scores={}, commands=())
                    for place in places),
        comparisons=tuple(each for each in found if each),
    )  # fmt: skip


def compare(name: str, corpus: str, *, difference: str, p_value: str) -> Comparison | None:
    """Return a difference of the table, nothing where it says `identical`."""
    numbers = DIFFERENCE.search(difference)
    if numbers is None:
        return None
    middle, low, high = (float(number) / 100 for number in numbers.groups())
    return Comparison(
        place={"data": corpus}, choice={"weighting": name}, difference=middle, low=low, high=high,
        p_value=float(p_value), adjusted_p=float(p_value), family_size=N_COMPARISONS, smallest_detectable=0.0,
        wins=0, ties=0, losses=0, verdict="no evidence", sentence="",
    )  # fmt: skip


if __name__ == "__main__":
    forest_plot(read_results(Path(sys.argv[1])), Path(sys.argv[2]))
