"""Test whether two runs differ: python docs/examples/compare_two_runs.py FIRST SECOND (two run folders)."""

import sys
from pathlib import Path

from linnet.metrics.mentions.scores import score
from linnet.metrics.statistics.significance import approximate_randomization, holm, paired_bootstrap
from linnet.tasks.ner.evaluation import read_predictions

MATCHINGS = ("strict", "partial")  # two comparisons: all right, and half a point for overlapping boundaries
counts = [
    score(read_predictions(Path(folder) / "predictions-test.tsv"), names=MATCHINGS, n_resamples=0).counts
    for folder in sys.argv[1:]
]
p_values = {}
for matching in MATCHINGS:
    first, second = (each[matching] for each in counts)
    bootstrap = paired_bootstrap(first, second)
    exchange = approximate_randomization(first, second)
    p_values[matching] = exchange.p_value
    print(f"{matching} F1 {first.total.f1:.4f} and {second.total.f1:.4f} on {bootstrap.n_units} sentences")
    print(f"  difference {bootstrap.difference:+.4f}, 95 % interval {bootstrap.low:+.4f} to {bootstrap.high:+.4f}")
    print(f"  p = {bootstrap.p_value:.3f} (paired bootstrap), {exchange.p_value:.3f} (approximate randomisation)")
adjusted = holm(p_values)  # two tests find a difference by chance more easily than one
print("adjusted for two comparisons:", {name: round(p_value, 3) for name, p_value in adjusted.items()})
