"""Draw the pictures of general-transfer.md from its table: python docs/findings/general_transfer_plots.py.

The runs of this grid were not kept, so the numbers come from the page. What such a comparison would have found is not
known by the method of today, so the forest plot has no band for it.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from linnet.comparison.plots import forest_plot, learning_curves
from linnet.comparison.results import Cell, Comparison, DrawnUnits, Labels, Results

FOLDER = Path(__file__).resolve().parent
SIZES = ("250", "500", "1000")
BASELINE = "training alone"
NUMBER = r"[+-]?[\d.]+"
SCORE = re.compile(rf"({NUMBER}) ± ({NUMBER})")
DIFFERENCE = re.compile(rf"({NUMBER}) \(({NUMBER}) to ({NUMBER})")
POOLED = re.compile(r"^Over the three sizes together: .*?\n\n", re.MULTILINE | re.DOTALL)
P_AFTER_HOLM = {("1000", "CoNLL-2003"): 0.972, ("", "CoNLL-2003"): 0.061}  # 1.000 for all others, says the page
N_SENTENCES = 940


def read_results(page: Path) -> Results:
    """Return the scores and differences of the page's first table, and those over all sizes below it."""
    text = page.read_text(encoding="utf-8")
    table = text[text.index("| learned from |") :].split("\n\n")[0].split("\n")[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    places: list[Labels] = [{"train_sentences": size} for size in SIZES]
    return Results(
        name="Does another corpus help?",
        metric="strict F1",
        baseline={"transfer": BASELINE},
        place_axes=("train_sentences",),
        choice_axes=("transfer",),
        size_axis="train_sentences",
        seeds=(1, 2, 3),
        cells=tuple(_read_cell(row, at, place) for at, place in enumerate(places) for row in rows),
        comparisons=(*_read_places(rows, places), *_read_pooled(text)),
        drawn=tuple(DrawnUnits(place, "sentences", N_SENTENCES) for place in places),
    )


def _read_cell(row: list[str], at: int, place: Labels) -> Cell:
    """Return a cell with three scores that have the mean and the deviation of the table."""
    found = SCORE.search(row[1 + 2 * at])
    assert found is not None
    mean, deviation = (float(number) / 100 for number in found.groups())
    return Cell(
        place=place,
        choice={"transfer": _name(row[0])},
        is_baseline=_name(row[0]) == BASELINE,
        score_by_seed={1: mean - deviation, 2: mean, 3: mean + deviation},
        label_scores={},
        commands=(),
    )


def _read_places(rows: list[list[str]], places: list[Labels]) -> Iterator[Comparison]:
    for at, place in enumerate(places):
        for row in rows:
            found = DIFFERENCE.search(row[2 + 2 * at])
            if found is not None:
                yield _compare(place, row[0].split()[-1], found)


def _read_pooled(text: str) -> Iterator[Comparison]:
    sentence = POOLED.search(text)
    assert sentence is not None
    for part in re.split(r"(?<=\)), ", " ".join(sentence[0].split())):
        found = DIFFERENCE.search(part)
        assert found is not None
        yield _compare({}, part[: found.start()].split()[-1], found)


def _name(learned_from: str) -> str:
    return BASELINE if learned_from.endswith("alone") else learned_from.split()[-1]


def _compare(place: Labels, choice: str, found: re.Match[str]) -> Comparison:
    p_value = P_AFTER_HOLM.get(("".join(place.values()), choice), 1.0)
    middle, low, high = (float(number) / 100 for number in found.groups())
    return Comparison(
        place=place, choice={"transfer": choice}, difference=middle, low=low, high=high,
        p_value=p_value, adjusted_p=p_value, family_size=9 if place else 3, smallest_detectable=0.0,
        wins=0, ties=0, losses=0, verdict="no evidence", sentence="",
    )  # fmt: skip


if __name__ == "__main__":
    results = read_results(FOLDER / "general-transfer.md")
    with TemporaryDirectory() as folder:  # the plots are written in other formats, too
        for name, draw in (("forest", forest_plot), ("learning-curves", learning_curves)):
            picture = Path(folder) / f"general-transfer-{name}.png"
            draw(results, picture)
            shutil.copy(picture, FOLDER)
