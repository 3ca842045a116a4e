"""Demonstration: trains a tagger with and without class weights and tests the difference for significance."""

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
    """Two models that differ only in the weighting scheme, and their difference on the test split."""

    runs: dict[str, Run]
    difference: Difference

    @property
    def verdict(self) -> str:
        """The result of the significance test, as a sentence."""
        test = self.difference
        interval = f"95 % interval {100 * test.low:+.2f} to {100 * test.high:+.2f}, p = {test.p_value:.2f}"
        points = f"{100 * test.difference:+.2f} F1"
        if test.p_value < 0.05:
            meaning = (
                "more than these sentences would show by chance; whether it holds for other seeds, one seed cannot say"
            )
        else:
            meaning = "no evidence of a difference: other sentences or another seed could turn it round"
        return f"welt minus none: {points} ({interval}; paired bootstrap over sentences, one seed each): {meaning}."


def demonstrate(folder: Path, watch: Callable[[str], Watcher]) -> Demonstration:
    """Train `minilm` on the embedded corpus with each scheme; finished runs are used as they are."""
    runs: dict[str, Run] = {}
    for scheme in SCHEMES:
        settings = read_recipe(None, data="demo", output=str(folder / scheme), scheme=scheme, epochs=EPOCHS)
        runs[scheme] = train(settings, watcher=watch(scheme), resume=True)
    counts = [
        score(read_predictions(run.folder / "predictions-test.tsv"), names=["strict"], n_resamples=0).counts["strict"]
        for run in runs.values()
    ]
    return Demonstration(runs, paired_bootstrap(*counts))
