"""How long does it take to compare seven schemes with five seeds each on 940 sentences? Best of three.

Resamples the sentences 1,000 times for all 35 runs, and compares six schemes with the first over seeds and sentences,
Holm's correction included. Exits with 1 if that takes five seconds or more.
"""

import sys
import time

import numpy as np

from linnet.metrics.mentions.matching import SPANS
from linnet.metrics.mentions.tally import Counts
from linnet.metrics.statistics.hierarchical import PairedDifference, paired_difference, resampled_scores
from linnet.metrics.statistics.significance import holm

N_SCHEMES, N_SEEDS, N_SENTENCES, N_RESAMPLES = 7, 5, 940, 1000
N_ROUNDS = 3
MOST_SECONDS = 5.0
SEED = 0


def main() -> int:
    counts = random_counts()
    best = float("inf")
    for _ in range(N_ROUNDS):
        start = time.perf_counter()
        verdicts = compare(counts)
        holm({str(scheme): verdict.p_value for scheme, verdict in enumerate(verdicts, start=1)})
        best = min(best, time.perf_counter() - start)
    print(f"{N_SCHEMES} schemes x {N_SEEDS} seeds, {N_SENTENCES} sentences, {N_RESAMPLES:,} resamples: {best:.3f} s")
    return int(best >= MOST_SECONDS)


def random_counts() -> list[Counts]:
    """Return the counts of all runs, the seeds of each scheme together: one mention a sentence, 80 % of them found."""
    generator = np.random.default_rng(SEED)
    gold = generator.poisson(1.0, size=N_SENTENCES)
    runs = []
    for _ in range(N_SCHEMES * N_SEEDS):
        correct = generator.binomial(gold, 0.8)
        predicted = correct + generator.poisson(0.2, size=N_SENTENCES)
        values = np.stack([gold, predicted, correct, correct], axis=1).astype(np.float64)
        runs.append(Counts(("X",), SPANS, values[:, np.newaxis, :]))
    return runs


def compare(counts: list[Counts]) -> list[PairedDifference]:
    observed = np.array([run.total.f1 for run in counts]).reshape(N_SCHEMES, N_SEEDS)
    resampled = resampled_scores(counts, n_resamples=N_RESAMPLES, seed=SEED).reshape(-1, N_SCHEMES, N_SEEDS)
    return [
        paired_difference(observed[0], observed[scheme], resampled[:, 0], resampled[:, scheme], n_units=N_SENTENCES)
        for scheme in range(1, N_SCHEMES)
    ]


if __name__ == "__main__":
    sys.exit(main())
