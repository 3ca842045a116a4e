"""Is scoring by seven matchings faster than seqeval's one report?

    python benchmarks/scoring.py

Both read the same tags of the BC2GM test split and of a copy with 5 % of the tags drawn anew, in turn, best of five.
Ours includes decoding the tags, all seven span matchings and the intervals of F1 from 1,000 resamples.
Exits with 1 if it takes longer than seqeval's `classification_report` alone. seqeval is no dependency of ours, since it
comes as source only: `pip install seqeval` before.
"""

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from linnet.labels.mention import Mention
from linnet.labels.tagging import decode_conll, decode_well_formed
from linnet.metrics.mentions.scores import score
from linnet.metrics.mentions.units import Unit

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "data" / "ner" / "bc2gm" / "test.tsv"
MATCHINGS = ("strict", "conll", "exact", "partial", "type", "fair", "weighted_fair")
N_ROUNDS = 5
NOISE = 0.05
SEED = 0

Rows = list[list[str]]


def main() -> int:
    if not CORPUS.is_file():
        print(f"skipped: {CORPUS} is not here")
        return 0
    try:
        from seqeval.metrics import classification_report
    except ImportError:
        print("skipped: seqeval is not installed")
        return 0
    gold = read_tags(CORPUS)
    predicted = with_noise(gold)
    contestants: dict[str, Callable[[], object]] = {
        "seqeval, one matching": lambda: classification_report(gold, predicted, digits=4, zero_division=0),
        "linnet, seven matchings": lambda: score_tags(gold, predicted, n_resamples=0),
        "linnet, seven matchings with intervals": lambda: score_tags(gold, predicted, n_resamples=1000),
    }
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(N_ROUNDS):
        for name, contestant in contestants.items():
            best[name] = min(best[name], seconds(contestant))
    seqeval_seconds, *our_seconds = best.values()
    print(f"{len(gold):,} sentences, {sum(map(len, gold)):,} tokens, best of {N_ROUNDS}")
    for name, duration in best.items():
        print(f"{name:40} {duration:6.3f} s  {duration / seqeval_seconds:5.2f} of seqeval")
    return int(max(our_seconds) > seqeval_seconds)


def read_tags(path: Path) -> Rows:
    sentences = path.read_text(encoding="utf-8").strip("\n").split("\n\n")
    return [[line.rpartition("\t")[2] for line in sentence.split("\n")] for sentence in sentences]


def with_noise(rows: Rows) -> Rows:
    generator = random.Random(SEED)
    tags = sorted({tag for row in rows for tag in row})
    return [[generator.choice(tags) if generator.random() < NOISE else tag for tag in row] for row in rows]


def score_tags(gold: Rows, predicted: Rows, *, n_resamples: int) -> object:
    units = [
        Unit(
            gold=mentions(decode_conll(gold_tags)),
            predicted=mentions(decode_conll(predicted_tags)),
            strictly_predicted=mentions(decode_well_formed(predicted_tags, "iob2")),
        )
        for gold_tags, predicted_tags in zip(gold, predicted, strict=True)
    ]
    return score(units, names=MATCHINGS, n_resamples=n_resamples)


def mentions(mentions: list[Mention]) -> tuple[Mention, ...]:
    return tuple(Mention(*mention) for mention in mentions)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
