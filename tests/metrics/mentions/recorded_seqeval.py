"""Rows of tags with the reports that seqeval gives for them: made once with seqeval, read by the tests.

seqeval comes as source only, and its build needs a package that many machines do not have, so the tests do without it.
To record again, in an environment with `seqeval==1.2.2` and, for the last two pairs, the shared corpora beside the
project:

    python -m tests.metrics.mentions.recorded_seqeval
"""

import gzip
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tests.metrics.mentions.samples import Rows, random_rows, read_rows, with_noise
from tests.shared_data import SHARED

RECORD = Path(__file__).with_name("seqeval.json.gz")
NER = SHARED / "data" / "ner"
WIDE_TAGS = ("O", "O", "O", *(f"{prefix}-{label}" for label in "ABCDE" for prefix in "BI"))
N_RANDOM = 40  # pairs of each kind
Report = dict[str, dict[str, float]]


class Recorded(NamedTuple):
    """Two corpora, and what seqeval reports by default and in strict mode."""

    gold: Rows
    predicted: Rows
    conll: Report
    strict: Report


def disease_pair() -> tuple[Rows, Rows]:
    gold = read_rows(NER / "ncbi-disease" / "test.tsv")
    return gold, with_noise(gold, 0.05, seed=4)


def five_label_pair() -> tuple[Rows, Rows]:
    gold = [row for row in read_rows(NER / "jnlpba" / "devel.tsv", 800) if len(row) > 1]
    return gold, with_noise(gold, 0.05, seed=5)


SHARED_PAIRS: dict[str, Callable[[], tuple[Rows, Rows]]] = {"disease": disease_pair, "five labels": five_label_pair}


def recorded_pairs() -> list[Recorded]:
    """Return the random corpora and their reports."""
    return [
        Recorded(_rows(each["gold"]), _rows(each["predicted"]), each["conll"], each["strict"])
        for each in _record()["random"]
    ]


def recorded_shared_pair(name: str) -> Recorded:
    """Return a pair made from a shared corpus, which is not in the record, and its reports, which are."""
    kept = _record()["shared"][name]
    gold, predicted = SHARED_PAIRS[name]()
    assert digest(gold, predicted) == kept["digest"], "these are not the rows that seqeval saw"
    return Recorded(gold, predicted, kept["conll"], kept["strict"])


def digest(gold: Rows, predicted: Rows) -> str:
    return hashlib.sha256(json.dumps([gold, predicted]).encode()).hexdigest()


def random_pairs() -> Iterator[tuple[Rows, Rows]]:
    """Yield noisy copies and unrelated predictions, with two labels and with five, some only on one side."""
    for seed in range(N_RANDOM):
        generator = random.Random(seed)
        for tags in (None, WIDE_TAGS):
            draw = partial(random_rows, generator.randint(1, 60), seed)
            gold = draw() if tags is None else draw(tags=tags)
            yield gold, with_noise(gold, generator.choice((0.05, 0.3)), seed)
            yield gold, [generator.choices(["O", "B-X", "I-X", "I-Z", "B-Z"], k=len(row)) for row in gold]


def record() -> None:
    """Write the record."""
    shared = {name: make() for name, make in SHARED_PAIRS.items()}
    whole = {
        "random": [
            {"gold": _text(gold), "predicted": _text(predicted), **_reports(gold, predicted)}
            for gold, predicted in random_pairs()
        ],
        "shared": {name: {"digest": digest(*pair), **_reports(*pair)} for name, pair in shared.items()},
    }
    RECORD.write_bytes(gzip.compress(json.dumps(whole).encode(), mtime=0))


def _reports(gold: Rows, predicted: Rows) -> dict[str, Report]:
    from seqeval.metrics import classification_report
    from seqeval.scheme import IOB2

    report = partial(classification_report, gold, predicted, output_dict=True, zero_division=0)
    found = {"conll": report(), "strict": report(mode="strict", scheme=IOB2)}
    return {
        mode: {name: {key: float(value) for key, value in block.items()} for name, block in each.items()}
        for mode, each in found.items()
    }


def _record() -> Any:  # Any: what JSON holds
    return json.loads(gzip.decompress(RECORD.read_bytes()))


def _text(rows: Rows) -> str:
    return "\n".join(map(" ".join, rows))


def _rows(text: str) -> Rows:
    return [line.split(" ") for line in text.split("\n")]


if __name__ == "__main__":
    record()
