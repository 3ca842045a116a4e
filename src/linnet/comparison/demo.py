"""What does the demonstration train, and what is the difference between its two models worth?"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from linnet.metrics.mentions.scores import score
from linnet.metrics.statistics.significance import Difference, paired_bootstrap
from linnet.tasks.ner.evaluation import read_predictions
from linnet.training.job import Watcher
from linnet.training.options import read_recipe
from linnet.training.run_folder import Run
from linnet.training.train import train

__all__ = ["TEXT", "Demonstration", "demonstrate"]

SCHEMES = ("none", "welt")
EPOCHS = 4
TEXT = (
    "A 54-year-old woman with type 2 diabetes and chronic kidney disease (CKD) was admitted with nausea and confusion "
    "three days after starting ciprofloxacin. Metformin-associated lactic acidosis was suspected, but serum lactate "
    "was normal; there was no evidence of sepsis or hepatic encephalopathy. Levels of N-desmethylclobazam and "
    "1,25-dihydroxyvitamin D3 were not available. After ciprofloxacin was stopped the encephalopathy resolved, and "
    "insulin was continued."
)


@dataclass(frozen=True)
class Demonstration:
    """Two models that differ in the weighting scheme alone, and how far apart they are on the test split."""

    runs: dict[str, Run]
    difference: Difference

    @property
    def verdict(self) -> str:
        """What the difference is worth, in a sentence."""
        found = self.difference
        interval = f"95 % interval {100 * found.low:+.2f} to {100 * found.high:+.2f}, p = {found.p_value:.2f}"
        points = f"{100 * found.difference:+.2f} F1"
        if found.p_value < 0.05:
            worth = (
                "more than these sentences would show by chance; whether it holds for other seeds, one seed cannot say"
            )
        else:
            worth = "no evidence of a difference: other sentences or another seed could turn it round"
        return f"welt minus none: {points} ({interval}; paired bootstrap over sentences, one seed each): {worth}."


def demonstrate(folder: Path, watch: Callable[[str], Watcher]) -> Demonstration:
    """Train `minilm` on the embedded corpus with each scheme, or take the runs that are there already."""
    runs: dict[str, Run] = {}
    for scheme in SCHEMES:
        settings = read_recipe(None, data="demo", output=str(folder / scheme), scheme=scheme, epochs=EPOCHS)
        runs[scheme] = train(settings, watcher=watch(scheme), resume=True)
    counts = [
        score(read_predictions(run.folder / "predictions-test.tsv"), names=["strict"], n_resamples=0).counts["strict"]
        for run in runs.values()
    ]
    return Demonstration(runs, paired_bootstrap(*counts))
