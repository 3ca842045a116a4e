"""How much longer does reading `conll` take than a bare loop that splits each line?"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from linnet.contracts import Notes, ReadOptions
from linnet.formats.conll import CoNLL

MOST = 5.0  # times the bare loop
ROUNDS = 5
FILE = Path(__file__).resolve().parents[2] / "shared" / "data" / "ner" / "bc2gm" / "train.tsv"


def main() -> int:
    if not FILE.is_file():
        print(f"skipped: {FILE} is not here")
        return 0
    best = {"bare loop": float("inf"), "conll": float("inf")}
    tasks: dict[str, Callable[[], int]] = {"bare loop": split_every_line, "conll": read_documents}
    for _ in range(ROUNDS):
        for name, task in tasks.items():
            start = time.process_time()
            n_tokens = task()
            best[name] = min(best[name], time.process_time() - start)
    for name, seconds in best.items():
        print(f"{name:10} {1000 * seconds:7.1f} ms  {1e6 * seconds / n_tokens:6.3f} µs per token")
    ratio = best["conll"] / best["bare loop"]
    print(f"conll / bare loop: {ratio:.2f} (at most {MOST:g})")
    return int(ratio > MOST)


def split_every_line() -> int:
    """Return the number of tokens, each line split into its columns and kept with its sentence."""
    n_tokens = 0
    sentence: list[list[str]] = []
    with FILE.open(encoding="utf-8") as file:
        for line in file:
            columns = line.rstrip("\n").split("\t")
            if len(columns) > 1:
                sentence.append(columns)
            else:
                n_tokens += len(sentence)
                sentence = []
    return n_tokens + len(sentence)


def read_documents() -> int:
    """Return the number of tokens of the documents: tagging found, offsets, tokens and mentions computed."""
    documents = CoNLL().read(FILE, ReadOptions(), Notes())
    return sum(len(sentence.tokens) for document in documents for sentence in document.sentences)


if __name__ == "__main__":
    sys.exit(main())
