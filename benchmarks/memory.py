"""How much memory does converting a 300 MB PubTator file take?"""

import resource
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
SOURCES = (LINKING / "biored" / "Train.PubTator", LINKING / "bc5cdr" / "CDR_TrainingSet.PubTator.txt")


def main() -> int:
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
