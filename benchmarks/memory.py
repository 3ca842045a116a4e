"""How much memory does converting a 300 MB PubTator file take, and how much does each document of a long job add?

    .venv/bin/python benchmarks/memory.py [--sizes 200000 2000000 20000000] [--jobs convert annotate failures]

The second part converts and annotates files of tiny documents, and files of lines that are no documents. The embedded
model annotates; texts that are the same are predicted once in a block, and nothing is synced to the disk, so that
millions of documents take minutes. Each job is a process of its own, whose peak is compared with the peak of the same
job on the smallest file; the difference by the number of documents is what one document adds. The smallest file has
50,000 documents, so that all buffers are full.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

MEGABYTE = 1_000_000
FILE_SIZE = 300 * MEGABYTE
MOST = 300 * MEGABYTE
LINNET = str(Path(sys.executable).with_name("linnet"))
LINKING = Path(__file__).resolve().parents[2] / "shared" / "data" / "linking"
SMALLEST = 50_000  # documents
LARGE = 1_000_000
MOST_BY_DOCUMENT = 10  # bytes
JOBS = {
    "convert": '{"id": "doc-%d", "text": "No ataxia."}\n',
    "annotate": '{"id":"%d","text":"a"}\n',
    "failures": "no document %d\n",
}  # with a line of the input
ONE_DOCUMENT = '{"id":"first","text":"a"}\n'  # an input in which nothing is a document is refused
PROGRAM = """
import resource, sys, time
from pathlib import Path

from linnet.storage import durable

durable.sync = lambda path: None
job, source, target = sys.argv[1:]
if job == "convert":
    from linnet.formats.conversion import convert_path

    convert_path(Path(source), Path(target))
else:
    from linnet.annotation.annotate import annotate_path

    n_done, shown, started = 0, time.monotonic(), time.monotonic()

    def show(number):
        global n_done, shown
        n_done += number
        if time.monotonic() > shown + 60:
            shown = time.monotonic()
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
            print(f"  {n_done:,} done after {shown - started:.0f} s, peak {peak:.0f} MB", file=sys.stderr, flush=True)

    annotate_path(source, output=target, source_format="jsonl", threads=1, watcher=show)
print(1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
SOURCES = (LINKING / "biored" / "Train.PubTator", LINKING / "bc5cdr" / "CDR_TrainingSet.PubTator.txt")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[200_000, 2_000_000], help="documents of long jobs")
    parser.add_argument("--jobs", nargs="+", choices=list(JOBS), default=list(JOBS))
    options = parser.parse_args()
    is_too_much = convert_big_file() if "convert" in options.jobs else 0
    return max(is_too_much, measure_growth(options.jobs, options.sizes))


def convert_big_file() -> int:
    """Convert a file of real documents; return 1 if that takes too much memory."""
    if not all(source.is_file() for source in SOURCES):
        print(f"skipped: {' and '.join(map(str, SOURCES))} are not here")
        return 0
    with tempfile.TemporaryDirectory() as name:
        source, target = Path(name) / "big.PubTator", Path(name) / "big.jsonl"
        n_documents = write_big_file(source)
        print(f"{source.stat().st_size / MEGABYTE:.0f} MB, {n_documents:,} documents")
        start = time.perf_counter()
        command = [LINNET, "convert", str(source), str(target), "--from", "pubtator", "--to", "jsonl"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        seconds = time.perf_counter() - start
        n_lines = sum(1 for _ in target.open("rb"))
    if n_lines != n_documents:
        print(f"{n_lines:,} documents arrived:\n{done.stdout}{done.stderr}")
        return 1
    peak = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    rate = FILE_SIZE / MEGABYTE / seconds
    print(f"converted to jsonl in {seconds:.0f} s ({rate:.1f} MB/s)")
    print(f"peak memory {peak / MEGABYTE:.0f} MB (at most {MOST / MEGABYTE:.0f} MB)")
    return int(peak > MOST)


def measure_growth(jobs: list[str], sizes: list[int]) -> int:
    """Print what a document adds to the peak of each job; return 1 if that is too much."""
    print(f"{'job':9} {'documents':>11} {'peak MB':>8} {'bytes a document':>17} {'seconds':>8}", flush=True)
    is_too_much = False
    for job in jobs:
        base, _ = measure(job, SMALLEST)
        print(f"{job:9} {SMALLEST:11,} {base / MEGABYTE:8.1f}", flush=True)
        for size in sizes:
            peak, seconds = measure(job, size)
            growth = (peak - base) / (size - SMALLEST)
            is_too_much |= growth > MOST_BY_DOCUMENT
            print(f"{job:9} {size:11,} {peak / MEGABYTE:8.1f} {growth:17.2f} {seconds:8.0f}", flush=True)
    print(f"at most {MOST_BY_DOCUMENT} bytes a document")
    return int(is_too_much)


def measure(job: str, size: int) -> tuple[int, float]:
    """Return the peak memory in bytes of a job on so many documents, and its seconds; medians for small files.

    The peak of one job differs by some 0.3 MB from run to run: 2 bytes for each of 150,000 documents.
    """
    runs = [run(job, size) for _ in range(1 if size >= LARGE else 5)]
    peaks, seconds = zip(*runs, strict=True)
    return int(statistics.median(peaks)), statistics.median(seconds)


def run(job: str, size: int) -> tuple[int, float]:
    """Run a job on so many documents."""
    with tempfile.TemporaryDirectory() as name:
        source, target = Path(name) / "in.jsonl", Path(name) / "out.jsonl"
        with source.open("w", encoding="ascii") as file:
            file.write(ONE_DOCUMENT if job == "failures" else "")
            file.writelines(JOBS[job] % number for number in range(size))
        command = [sys.executable, "-c", PROGRAM, job, str(source), str(target)]
        start = time.perf_counter()
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        seconds = time.perf_counter() - start
        written = target if job != "failures" else target.with_name("errors.jsonl")
        with written.open("rb") as lines:
            assert sum(1 for _ in lines) == size
    return int(done.stdout), seconds


def write_big_file(path: Path) -> int:
    """Repeat the real documents under fresh ids until the file is big enough; return how many there are."""
    documents = [document for source in SOURCES for document in documents_in(source)]
    n_documents = n_bytes = 0
    with path.open("wb") as file:
        while n_bytes < FILE_SIZE:
            old, rows = documents[n_documents % len(documents)]
            n_documents += 1
            n_bytes += file.write(with_id(rows, old, b"%d" % (10_000_000 + n_documents)))
    return n_documents


def documents_in(source: Path) -> Iterator[tuple[bytes, bytes]]:
    """Yield each document's id and its lines."""
    for block in source.read_bytes().replace(b"\r\n", b"\n").split(b"\n\n"):
        if block.strip():
            yield block.lstrip().split(b"|", 1)[0], block.strip(b"\n")


def with_id(rows: bytes, old: bytes, new: bytes) -> bytes:
    """Return the document under another id, which begins each of its lines."""
    renamed = [new + row[len(old) :] if row.startswith(old) else row for row in rows.split(b"\n")]
    return b"\n".join(renamed) + b"\n\n"


if __name__ == "__main__":
    sys.exit(main())
