"""How often is the right concept the first candidate, or among the first five, without any training?

    python benchmarks/linking.py             # the devel splits, on which everything was chosen
    python benchmarks/linking.py --test      # the test splits
    python benchmarks/linking.py --thresholds    # precision and recall of links on devel, by the lowest score
    python benchmarks/linking.py --speed     # mentions a second, beside a plain scipy product in the same run
    python benchmarks/linking.py --annotation    # what linking adds to the time of annotation

Speed is of distinct mentions, in seconds of processor time on one core (`OMP_NUM_THREADS=1`).

What linking adds: `linnet annotate` with the embedded int8 model on 6,000 abstracts of PubMed, one thread, without and
with `--link`; processor time of the whole command. Linkers are trained on BC5CDR, one for diseases and one for
chemicals. The limit is for one linker with the mentions that it was trained for (`--link Disease=...`), and for a
vocabulary that links all mentions without training. Without a limit: both linkers together, and the linker of diseases
with the mentions of all types, which it was not made for.

Gold mentions of NCBI-disease (MEDIC), BC5CDR-disease (MEDIC and MeSH, merged) and BC5CDR-chemical (MeSH, tree D and
supplementary records). A mention counts as found if the candidate's identifiers and the gold ones have one in common
(any-match); mentions without an identifier (-1) do not count. Abbreviations are resolved as the document defines them.
Exits with 1 if recall on test, speed, time or memory falls short of what is promised.
"""

import argparse
import gzip
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

import linnet
from linnet.documents.abbreviations import long_forms
from linnet.documents.concepts import concepts_of
from linnet.formats.reading import read_documents
from linnet.tasks.linking.candidates import Candidate, CandidateFinder
from linnet.tasks.linking.linker import is_tie
from linnet.tasks.linking.mentions import expand_abbreviations, find_candidates
from linnet.tasks.linking.vocabularies.building import build_vocabulary
from linnet.tasks.linking.vocabularies.filters import parse_filters
from linnet.tasks.linking.vocabularies.ngrams import codes_of
from linnet.tasks.linking.vocabularies.normalisation import normalise
from linnet.tasks.linking.vocabularies.retrieval import Index
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary, open_vocabulary

SHARED = Path(os.environ.get("LINNET_SHARED", Path(__file__).resolve().parents[2] / "shared")) / "data"
VOCAB, CORPORA = SHARED / "vocab", SHARED / "linking"
MEDIC = VOCAB / "MEDIC" / "medic_06Jul2012.txt"
MESH = [VOCAB / "MeSH" / f"mesh_{name}label_mappings.tsv" for name in ("id_", "supp_id_")]
SOURCES: dict[str, tuple[Sequence[Path], list[str]]] = {
    "medic": ([MEDIC], []),
    "medic and mesh": ([MEDIC, MESH[0]], ["tree=C,F03"]),
    "mesh chemicals": (MESH, ["tree=D"]),
    "mesh": (MESH, []),
}
THRESHOLDS = (0.0, 0.6, 0.7, 0.75, 0.8, 0.9, 0.97)  # lowest scores of a link
N_QUERIES = 1_000
N_PLAIN = 250
N_BEST = 20
MOST_SECONDS_TO_OPEN = 1.0
MOST_MEGABYTES = 500.0
N_ABSTRACTS = 6_000  # a small job is slower: each mention is searched once, and later ones are often known
MOST_ADDED = 15.0  # percent of the time of annotation


@dataclass(frozen=True)
class Task:
    """A corpus with its vocabulary, and the recall on test or the mentions a second that it must reach."""

    name: str
    vocabulary: str
    files: dict[str, str]  # by split
    label: str | None
    wanted: float


NCBI = {"devel": "ncbi-disease/NCBIdevelopset_corpus.txt", "test": "ncbi-disease/NCBItestset_corpus.txt"}
BC5CDR = {"devel": "bc5cdr/CDR_DevelopmentSet.PubTator.txt", "test": "bc5cdr/CDR_TestSet.PubTator.txt"}
TASKS = (
    Task("NCBI-disease", "medic", NCBI, None, 76.0),
    Task("BC5CDR-disease", "medic and mesh", BC5CDR, "Disease", 81.0),
    Task("BC5CDR-chemical", "mesh chemicals", BC5CDR, "Chemical", 86.0),
)
SPEED_TASKS = (
    Task("75,000 names", "medic", BC5CDR, "Disease", 1_000),
    Task("784,000 names", "mesh", BC5CDR, "Chemical", 400),
)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--test", action="store_true")
    options.add_argument("--thresholds", action="store_true")
    options.add_argument("--speed", action="store_true")
    options.add_argument("--annotation", action="store_true")
    given = options.parse_args()
    if not VOCAB.is_dir():
        print(f"skipped: {VOCAB} is not here")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        if given.annotation:
            falls_short = [measure_annotation(Path(folder))]
        elif given.thresholds:
            falls_short = [print_thresholds(task, Path(folder) / task.vocabulary) for task in TASKS]
        elif given.speed:
            falls_short = [measure_speed(task, Path(folder) / task.vocabulary) for task in SPEED_TASKS]
        else:
            falls_short = [measure_recall(task, Path(folder) / task.vocabulary, given.test) for task in TASKS]
    return int(any(falls_short))


def measure_recall(task: Task, folder: Path, is_test: bool) -> bool:
    """Print the recall of a task, and return whether it falls short on test."""
    finder = CandidateFinder(build(task.vocabulary, folder))
    split = "test" if is_test else "devel"
    n_mentions = n_first = n_five = 0
    known: dict[str, list[list[Candidate]]] = {}
    for text, gold in read_mentions(CORPORA / task.files[split], task.label):
        if text not in known:
            known[text] = find_candidates(finder, text)
        right = {finder.vocabulary.find(identifier) for identifier in gold} - {None}
        n_mentions += 1
        n_first += any(candidate.concept in right for candidate in known[text][0][:1])
        n_five += any(candidate.concept in right for part in known[text] for candidate in part)
    at_1, at_5 = 100 * n_first / n_mentions, 100 * n_five / n_mentions
    print(f"  {task.name}, {split}: recall@1 {at_1:.1f}, recall@5 {at_5:.1f} of {n_mentions:,} mentions", flush=True)
    return is_test and at_1 < task.wanted


def print_thresholds(task: Task, folder: Path) -> bool:
    """Print precision and recall of the links of gold mentions on devel; there is nothing to fall short of."""
    finder = CandidateFinder(build(task.vocabulary, folder))
    best: list[tuple[float, bool]] = []
    for text, gold in read_mentions(CORPORA / task.files["devel"], task.label):
        right = {finder.vocabulary.find(identifier) for identifier in gold} - {None}
        found = find_candidates(finder, text, 2)[0]
        best.append((found[0].score, found[0].concept in right) if found and not is_tie(found) else (0.0, False))
    for least in THRESHOLDS:
        linked = [is_right for score, is_right in best if score > 0 and score >= least]
        precision, recall = 100 * sum(linked) / len(linked), 100 * sum(linked) / len(best)
        print(f"  {task.name}, scores from {least}: precision {precision:.1f}, recall {recall:.1f}", flush=True)
    return False


def measure_speed(task: Task, folder: Path) -> bool:
    """Print times and memory, and return whether one of them falls short."""
    vocabulary = build(task.vocabulary, folder)
    start = time.process_time()
    finder = CandidateFinder(open_vocabulary(folder))
    opened = time.process_time() - start
    mentions = list(dict.fromkeys(text for text, _ in read_mentions(CORPORA / task.files["devel"], task.label)))
    random.Random(0).shuffle(mentions)
    queries = mentions[:N_QUERIES]
    speeds = {top: speed_of(partial(finder.search, top=top), queries) for top in (1, 5)}
    memory = peak_memory(folder, queries)
    plain = plain_speed(vocabulary, queries[:N_PLAIN])
    for top, speed in speeds.items():
        print(f"  top {top}: {speed:,.0f} mentions/s, {speed / plain:.1f} times a plain product ({plain:,.0f}/s)")
    print(f"  opened in {opened:.2f} s of processor time; {memory:,.0f} MB while searching", flush=True)
    return speeds[5] < task.wanted or opened > MOST_SECONDS_TO_OPEN or memory > MOST_MEGABYTES


def measure_annotation(folder: Path) -> bool:
    """Print what linking adds to the time of annotation, and return whether it is too much."""
    corpus, texts = folder / "bc5cdr", folder / "texts.jsonl"
    corpus.mkdir()
    for split, name in {"train": "Training", "devel": "Development"}.items():
        (corpus / f"{split}.txt").symlink_to(CORPORA / "bc5cdr" / f"CDR_{name}Set.PubTator.txt")
    linkers = {label: folder / label for label in ("Disease", "Chemical")}
    vocabularies = {"Disease": "medic and mesh", "Chemical": "mesh chemicals"}
    for label, linker in linkers.items():
        place = folder / vocabularies[label]
        build(vocabularies[label], place)
        linnet.train(
            task="linking", data=str(corpus), vocabulary=str(place), label=label, repair=True, output=str(linker)
        )
    with gzip.open(SHARED / "text" / "pubmed-abstracts.jsonl.gz", "rt") as lines:
        texts.write_text("".join(islice(lines, N_ABSTRACTS)))
    plain = seconds_to_annotate(texts)
    falls_short = False
    diseases, chemicals = (f"{label}={linker}" for label, linker in linkers.items())
    for name, given, is_limited in (
        ("trained, diseases", [diseases], True),
        ("trained, chemicals", [chemicals], True),
        ("trained, diseases and chemicals by a linker each", [diseases, chemicals], False),
        ("without training, mentions of all types", [str(folder / vocabularies["Disease"])], True),
        ("trained on diseases, mentions of all types", [str(linkers["Disease"])], False),
    ):
        links = [word for each in given for word in ("--link", each)]
        added = 100 * (seconds_to_annotate(texts, *links) / plain - 1)
        limit = f" (at most {MOST_ADDED:.0f})" if is_limited else ""
        print(f"  {name}: adds {added:.1f} %{limit} to {plain:.1f} s of processor time", flush=True)
        falls_short |= is_limited and added > MOST_ADDED
    return falls_short


def seconds_to_annotate(texts: Path, *more: str) -> float:
    """Return the processor time of a whole `linnet annotate`."""
    fields = ("--id-field", "pmid", "--text-field", "title", "--text-field", "abstract")
    output = str(texts.with_name("found.jsonl"))
    command = [sys.executable, "-m", "linnet", "annotate", str(texts), "--output", output, "--overwrite"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command, "--threads", "1", *fields, *more], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def build(name: str, folder: Path) -> Vocabulary:
    sources, filters = SOURCES[name]
    start = time.process_time()
    build_vocabulary(sources, folder, filters=parse_filters(filters), overwrite=True)
    seconds = time.process_time() - start
    vocabulary = open_vocabulary(folder)
    print(f"{name}: {vocabulary.n_names:,} names built in {seconds:.1f} s of processor time", flush=True)
    return vocabulary


def read_mentions(path: Path, label: str | None) -> Iterator[tuple[str, list[str]]]:
    """Yield the text of each mention that has an identifier, abbreviations resolved, and its identifiers."""
    for document in read_documents(path):
        resolved = long_forms(document.text)
        for span, text in document.mentions():
            identifiers = concepts_of(span)
            if identifiers and label in (None, span.label):
                yield expand_abbreviations(text, resolved), identifiers


def speed_of(search: Callable[[str], object], queries: Sequence[str]) -> float:
    for text in queries[:20]:
        search(text)
    start = time.process_time()
    for text in queries:
        search(text)
    return len(queries) / (time.process_time() - start)


def plain_speed(vocabulary: Vocabulary, queries: Sequence[str]) -> float:
    """Return how many mentions a second a product of sparse matrices answers, the same n-grams and weights given."""
    index = vocabulary.index
    weights = np.sqrt(index.gram_weight.astype(np.float64))
    values = weights[index.rank_grams] / np.repeat(np.sqrt(index.rank_length), np.diff(index.rank_start))
    shape = (len(index.rank_row), len(index.gram_code))
    names = csr_array((values, index.rank_grams.astype(np.int32), index.rank_start), shape=shape).T.tocsr()
    start = time.process_time()
    grams = [grams_of(index, text) for text in queries]
    rows = np.concatenate([[0], np.cumsum([len(each) for each in grams])])
    columns = np.concatenate(grams)
    product = csr_array((weights[columns], columns, rows), shape=(len(queries), shape[1])) @ names
    for first, last in pairwise(product.indptr.tolist()):
        scores = product.data[first:last]
        if len(scores) > N_BEST:
            np.argsort(-scores[np.argpartition(-scores, N_BEST)[:N_BEST]])
    return len(queries) / (time.process_time() - start)


def grams_of(index: Index, text: str) -> npt.NDArray[np.int64]:
    codes = codes_of(normalise(text), index.alphabet)
    places = np.minimum(np.searchsorted(index.gram_code, codes), len(index.gram_code) - 1)
    return np.asarray(places[index.gram_code[places] == codes])


def peak_memory(folder: Path, queries: Sequence[str]) -> float:
    """Return the largest memory of a fresh process that searches, in megabytes."""
    program = (
        "import json, re, sys\n"
        "from linnet.tasks.linking.candidates import CandidateFinder\n"
        "from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary\n"
        "finder = CandidateFinder(open_vocabulary(sys.argv[1]))\n"
        "for text in json.load(sys.stdin): finder.search(text)\n"
        "status = open('/proc/self/status').read()\n"
        "print(int(re.search('VmHWM: *[^0-9]*([0-9]+)', status).group(1)) / 1e3)\n"
    )
    command = [sys.executable, "-c", program, str(folder)]
    done = subprocess.run(command, input=json.dumps(queries), capture_output=True, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
