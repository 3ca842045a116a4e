"""Annotate and link a file from Python: python docs/examples/annotate_file.py, run from the root of the project."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import linnet

with TemporaryDirectory() as folder:
    found, linked = Path(folder, "found.jsonl"), Path(folder, "linked.jsonl")
    done = linnet.annotate("docs/examples/sample.pubtator", output=found, limit=100, min_score=0.5)  # or with model=...
    print(done.documents, "annotated,", done.failures, "failed")
    linnet.link(found, vocabulary="demo", output=linked)  # or in one step: linnet.annotate(..., link="demo")
    for document in linnet.read_documents(linked):
        print(document.id, Counter(span.label for span in document.spans))
