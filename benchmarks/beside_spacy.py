"""How do the embedded models compare with a spaCy pipeline that was trained from scratch, in F1 and in speed?

    .venv/bin/python benchmarks/beside_spacy.py [--steps 2400] [--texts 1000] [--rounds 3]

The pipeline is what `spacy init config --pipeline ner --optimize efficiency` describes (hashed norm, prefix, suffix and
shape of words, four layers, no pretrained weights). It learns from the train split of NCBI-disease, and the step with
the best F1 on devel counts. All find the diseases of the test split in the abstracts as they were published; strict
F1. Speed is in words per second over the same abstracts of PubMed, from texts in memory to mentions in memory, each
with one thread; they take turns, and the best round counts. The embedded models find six types, the pipeline one.

Exits with 1 if `bio` is not 4 points of F1 ahead with 0.35 of the pipeline's words per second, or `bio-fast` not 2
points with 0.7. Training takes a quarter of an hour of one core; fewer steps give the same speed.
"""

import argparse
import gzip
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import spacy
from spacy.cli.init_config import init_config
from spacy.tokens import DocBin
from spacy.training.initialize import init_nlp
from spacy.training.loop import train

import linnet
from linnet.contracts import Notes, ReadOptions, formats
from linnet.documents.document import Document, Span
from linnet.documents.sentences import with_sentences

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CORPUS = DATA / "linking" / "ncbi-disease"
LABEL = "Disease"
SPACY = "spaCy"
LIMITS = {"bio": (4.0, 0.35), "bio-fast": (2.0, 0.7)}  # points of F1 ahead, and share of the words per second, at least


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--texts", type=int, default=1000, help="abstracts of which the speed is measured")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if not CORPUS.is_dir():
        print(f"skipped: {CORPUS} is not here")
        return 0
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    splits = {name: read_split(name) for name in ("train", "develop", "test")}
    with tempfile.TemporaryDirectory() as folder:
        pipeline = train_pipeline(splits, Path(folder), options.steps)
    ways: dict[str, Callable[[Sequence[str]], Iterator[list[Span]]]] = {SPACY: partial(find_with_spacy, pipeline)}
    for name in LIMITS:
        ways[name] = partial(find_with_linnet, linnet.load(name, threads=1))
    f1 = {name: strict_f1(splits["test"], way) for name, way in ways.items()}
    texts = list(islice(read_abstracts(), options.texts))
    rate = dict.fromkeys(ways, 0.0)
    n_words = sum(count_words(text) for text in texts)
    for _ in range(options.rounds):
        for name, way in ways.items():
            started = time.perf_counter()
            for _found in way(texts):
                pass
            rate[name] = max(rate[name], n_words / (time.perf_counter() - started))
    for name in ways:
        print(f"{name:12} strict F1 {100 * f1[name]:.1f}, {rate[name]:,.0f} words/s")
    falls_short = False
    for name, (least_ahead, least_share) in LIMITS.items():
        ahead, share = 100 * (f1[name] - f1[SPACY]), rate[name] / rate[SPACY]
        print(
            f"{name} is ahead by {ahead:.1f} points (at least {least_ahead}), "
            f"at {share:.2f} of spaCy's speed (at least {least_share})"
        )
        falls_short |= ahead < least_ahead or share < least_share
    return int(falls_short)


def read_split(name: str) -> list[Document]:
    """Return the documents of a split, every mention a disease."""
    found = formats.get("pubtator").read(CORPUS / f"NCBI{name}set_corpus.txt", ReadOptions(repair=True), Notes())
    return [
        Document(each.id, each.text, tuple(Span(span.start, span.end, LABEL) for span in each.spans)) for each in found
    ]


def train_pipeline(splits: dict[str, list[Document]], folder: Path, steps: int) -> Any:  # Any: a spaCy pipeline
    """Return the pipeline with the best F1 on devel."""
    config = init_config(lang="en", pipeline=["ner"], optimize="efficiency")
    for name, split in (("train", "train"), ("dev", "develop")):
        DocBin(docs=[to_spacy(each) for each in splits[split]]).to_disk(folder / f"{name}.spacy")
        config["paths"][name] = str(folder / f"{name}.spacy")
    config["training"]["max_steps"] = steps
    run = folder / "run"
    run.mkdir()
    train(init_nlp(config), run, stdout=sys.stderr)
    return spacy.load(run / "model-best")


def to_spacy(document: Document) -> Any:  # Any: a spaCy document
    """Return the text in spaCy's words with the mentions whose ends are those of words."""
    doc = spacy.blank("en").make_doc(document.text)
    spans = (doc.char_span(span.start, span.end, label=span.label) for span in document.spans)
    doc.ents = spacy.util.filter_spans([span for span in spans if span is not None])
    return doc


def find_with_spacy(pipeline: Any, texts: Iterable[str]) -> Iterator[list[Span]]:
    for doc in pipeline.pipe(texts):
        yield [Span(each.start_char, each.end_char, each.label_) for each in doc.ents]


def find_with_linnet(model: Any, texts: Iterable[str]) -> Iterator[list[Span]]:
    for document in model.annotate(texts):
        yield list(document.spans)


def strict_f1(gold: Sequence[Document], way: Callable[[Sequence[str]], Iterator[list[Span]]]) -> float:
    """Return the F1 of mentions with both ends right."""
    n_right = n_found = 0
    for document, spans in zip(gold, way([each.text for each in gold]), strict=True):
        found = {(span.start, span.end) for span in spans if span.label == LABEL}
        n_found += len(found)
        n_right += len(found & {(span.start, span.end) for span in document.spans})
    return 2 * n_right / (n_found + sum(len(each.spans) for each in gold))


def read_abstracts() -> Iterator[str]:
    """Yield titles and abstracts of PubMed."""
    with gzip.open(DATA / "text" / "pubmed-abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield f"{record['title']} {record['abstract']}"


def count_words(text: str) -> int:
    return sum(len(sentence.tokens) for sentence in with_sentences(Document("", text)))


if __name__ == "__main__":
    sys.exit(main())
