"""Draw how devel F1 rises in the runs of grid-class-weighting: python class_weighting_curves.py RUNS PICTURE.

RUNS is the folder `runs/grid-class-weighting/runs` that the grid leaves.
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # also where there is no screen

from matplotlib import pyplot as plt

CORPORA = ("ncbi-disease", "linnaeus")
COLOURS = {"none": "#4d5761", "isns": "#2f7fb5", "welt": "#c8622d"}


def devel_scores(run: Path) -> list[float]:
    rows = [json.loads(line) for line in (run / "history.jsonl").read_text(encoding="utf-8").splitlines()]
    return [100 * row["devel_f1"] for row in rows if "devel_f1" in row]


def main(runs: Path, picture: Path) -> None:
    figure, panels = plt.subplots(1, len(CORPORA), figsize=(10, 3.6), sharey=True, layout="constrained")
    for panel, corpus in zip(panels, CORPORA, strict=True):
        for scheme, colour in COLOURS.items():
            for number, run in enumerate(sorted(runs.glob(f"{corpus}--seed-*--{scheme}--*"))):
                scores = devel_scores(run)
                epochs = range(1, len(scores) + 1)
                panel.plot(epochs, scores, color=colour, linewidth=1.4, label=scheme if number == 0 else None)
        panel.set_title(f"{corpus}, five seeds each", loc="left", fontsize=11)
        panel.set_xlabel("epoch")
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", color="#e3e6e9")
    panels[0].set_ylabel("strict F1 on devel, percent")
    panels[-1].legend(frameon=False, loc="lower right", title="weighting")
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
