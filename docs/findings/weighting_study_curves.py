"""Draw how devel F1 rises in the runs of the weighting study: python weighting_study_curves.py [KEPT PICTURE].

KEPT is weighting-study-runs.json.gz beside this script if it is not given.
"""

import json
import sys
from pathlib import Path
from statistics import fmean

import matplotlib

from linnet.comparison.kept.archive import Archive, KeptRun, read_archive

matplotlib.use("Agg")  # also where there is no screen

from matplotlib import pyplot as plt

FOLDER = Path(__file__).resolve().parent
CORPORA = ("ncbi-disease", "bc5cdr-disease", "linnaeus")
COLOURS = {"none": "#24292f", "welt": "#c75000", "isns": "#0072b2", "ens 0.9999": "#7a5195"}
EPOCHS = 12


def best_so_far(run: KeptRun) -> list[float]:
    """Return the best devel F1 after each epoch, in percent; a run that ended early keeps its last value."""
    scores = [100 * json.loads(line)["devel_f1"] for line in run.epochs]
    return [max(scores[: epoch + 1]) for epoch in range(EPOCHS)]


def curves(kept: Archive, corpus: str, weighting: str) -> list[list[float]]:
    """Return a curve for each seed."""
    return [
        best_so_far(run) for run in kept.runs if (run.place["data"], run.choice["weighting"]) == (corpus, weighting)
    ]


def main(path: Path, picture: Path) -> None:
    kept = read_archive(path)
    figure, panels = plt.subplots(1, len(CORPORA), figsize=(12, 3.8), sharey=True, layout="constrained")
    epochs = range(1, EPOCHS + 1)
    for panel, corpus in zip(panels, CORPORA, strict=True):
        for weighting, colour in COLOURS.items():
            by_epoch = list(zip(*curves(kept, corpus, weighting), strict=True))
            panel.plot(epochs, [fmean(each) for each in by_epoch], color=colour, linewidth=1.8, label=weighting)
            panel.fill_between(
                epochs,
                [min(each) for each in by_epoch],
                [max(each) for each in by_epoch],
                color=colour,
                alpha=0.1,
                linewidth=0,
            )
        panel.set_title(corpus, loc="left", fontsize=11)
        panel.set_xlabel("epoch")
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", color="#e3e6e9")
    panels[0].set_ylabel("best strict F1 on devel so far, percent")
    panels[-1].legend(frameon=False, loc="lower right", title="weighting")
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    given = [Path(each) for each in sys.argv[1:]]
    main(*(given or [FOLDER / "weighting-study-runs.json.gz", FOLDER / "weighting-study-curves.png"]))
