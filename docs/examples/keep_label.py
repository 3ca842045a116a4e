"""Keep the mentions of one label: python docs/examples/keep_label.py IN OUT.jsonl LABEL."""

import sys
from collections.abc import Iterator
from pathlib import Path

import linnet
from linnet.contracts import WriteOptions, formats
from linnet.documents.document import Document


def with_label(source: Path, label: str) -> Iterator[Document]:
    for document in linnet.read_documents(source):
        yield document.with_spans(tuple(span for span in document.spans if span.label == label))


if __name__ == "__main__":
    source, target, label = sys.argv[1:]
    formats.get("jsonl").write(with_label(Path(source), label), Path(target), WriteOptions())
    n_kept = sum(len(document.spans) for document in linnet.read_documents(Path(target)))
    print(f"{n_kept} mentions of {label}")
