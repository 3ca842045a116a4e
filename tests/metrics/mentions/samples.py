"""Rows of tags and units for the tests of scores, random ones from a seed and real ones from the shared corpora."""

import random
from collections.abc import Sequence
from pathlib import Path

from linnet.labels.mention import Mention
from linnet.labels.tagging import decode_conll, decode_well_formed, split_tag
from linnet.metrics.mentions.units import Unit

TAGS = ("O", "O", "O", "B-X", "I-X", "B-Y", "I-Y")  # drawn freely they make many rows that IOB2 does not allow
Rows = list[list[str]]


def mentions(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    return tuple(Mention(*mention) for mention in mentions)


def random_rows(n_rows: int, seed: int, tags: Sequence[str] = TAGS) -> Rows:
    generator = random.Random(seed)
    return [generator.choices(tags, k=generator.randint(1, 12)) for _ in range(n_rows)]


def with_noise(rows: Rows, share: float, seed: int) -> Rows:
    generator = random.Random(seed)
    tags = sorted({tag for row in rows for tag in row})
    return [[generator.choice(tags) if generator.random() < share else tag for tag in row] for row in rows]


def read_rows(path: Path, n_rows: int | None = None) -> Rows:
    sentences = path.read_text(encoding="utf-8").strip("\n").split("\n\n")
    rows = [[line.rpartition("\t")[2] for line in sentence.split("\n")] for sentence in sentences]
    return rows[:n_rows]


def units_of(gold: Rows, predicted: Rows, *, strict_gold: bool = False) -> list[Unit]:
    """Return a unit for each pair of rows; `strict_gold` reads the gold as strictly as the prediction."""
    return [
        Unit(
            gold=mentions(decode_well_formed(gold_tags, "iob2") if strict_gold else decode_conll(gold_tags)),
            predicted=mentions(decode_conll(predicted_tags)),
            strictly_predicted=mentions(decode_well_formed(predicted_tags, "iob2")),
            gold_labels=[split_tag(tag)[1] for tag in gold_tags],
            predicted_labels=[split_tag(tag)[1] for tag in predicted_tags],
            group=index // 3,
        )
        for index, (gold_tags, predicted_tags) in enumerate(zip(gold, predicted, strict=True))
    ]


def random_units(n_units: int, seed: int, noise: float = 0.3) -> list[Unit]:
    gold = random_rows(n_units, seed)
    return units_of(gold, with_noise(gold, noise, seed + 1))


def overlapping_mentions(generator: random.Random, labels: str = "XY") -> tuple[Mention, ...]:
    """Return up to five different mentions that may lie across and within each other."""
    drawn = {
        (start := generator.randint(0, 9), start + generator.randint(1, 5)) for _ in range(generator.randint(0, 5))
    }
    return tuple(Mention(start, end, generator.choice(labels)) for start, end in sorted(drawn))
