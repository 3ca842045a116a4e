"""Draw F1 and perplexity over the budget of pretraining: python domain_pretraining_curve.py KEPT PICTURE.

KEPT is a file of kept runs with pretrainings, such as domain-pretraining-runs.json.gz beside this script.
"""

import json
import sys
from pathlib import Path
from statistics import fmean

import matplotlib

from linnet.comparison.kept.archive import Archive, read_archive

matplotlib.use("Agg")  # also where there is no screen

from matplotlib import pyplot as plt

CORPORA = {"ncbi-disease": "#0072b2", "bc5cdr-chem": "#c75000"}
BUDGETS = {"none": 0, "30 minutes": 30, "60 minutes": 60, "120 minutes": 120}
ENCODERS = {
    "pretrain-minilm-pmc-30": "30 minutes",
    "pretrain-minilm-pmc-60": "60 minutes",
    "pretrain-minilm-pmc": "120 minutes",
}
SHADES = ("#c75000", "#7d868f", "#24292f")
HALF_HEIGHT = 2.5  # points of F1, the same in both panels, so that slopes can be compared
TICKS = (40, 60, 100, 200, 300)


def scores(kept: Archive, corpus: str) -> dict[int, list[float]]:
    """Return the strict test F1 of each seed, in percent, by minutes."""
    found: dict[int, list[float]] = {}
    for run in kept.runs:
        if run.place["data"] == corpus:
            f1 = 100 * json.loads(run.files["metrics.json"])["strict"]["micro"]["f1"]
            found.setdefault(BUDGETS[run.choice["pretraining"]], []).append(f1)
    return dict(sorted(found.items()))


def main(path: Path, picture: Path) -> None:
    kept = read_archive(path)
    pretrainings = kept.more["pretrainings"]
    figure, panels = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    for panel, (corpus, colour) in zip(panels, CORPORA.items(), strict=False):
        by_minutes = scores(kept, corpus)
        panel.plot(list(by_minutes), [fmean(each) for each in by_minutes.values()], color=colour, linewidth=1.8)
        for minutes, each in by_minutes.items():
            panel.plot(
                [minutes] * len(each), each, color=colour, marker="o", markersize=5, alpha=0.55, linestyle="none"
            )
        panel.set_title(f"{corpus}: seeds and their mean", loc="left", fontsize=11)
        panel.set_xlabel("minutes of pretraining on one core")
        panel.set_ylabel("strict F1 on test, percent")
        panel.set_xticks(list(BUDGETS.values()))
        panel.set_xlim(-6, 126)
        every = [f1 for each in by_minutes.values() for f1 in each]
        middle = (min(every) + max(every)) / 2 if every else 50.0
        panel.set_ylim(middle - HALF_HEIGHT, middle + HALF_HEIGHT)
    for (name, title), colour in reversed(list(zip(ENCODERS.items(), SHADES, strict=True))):  # the shortest on top
        if name in pretrainings:
            steps, perplexities = zip(*pretrainings[name]["perplexity"][1:], strict=True)
            panels[2].plot(steps, perplexities, color=colour, linewidth=1.8, marker="o", markersize=4, label=title)
    panels[2].set_title("Perplexity of held-out text", loc="left", fontsize=11)
    panels[2].set_xlabel("updates")
    panels[2].set_yscale("log")
    panels[2].set_yticks(TICKS, [str(tick) for tick in TICKS])
    panels[2].minorticks_off()
    panels[2].legend(frameon=False, title="budget")
    for panel in panels:
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", color="#e3e6e9")
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
