"""A table of tiny corpora, and a server that has their files and the faults of real ones."""

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"
TRAIN = b"Cystic\tB-Disease\nfibrosis\tI-Disease\nis\tO\nrare\tO\n\nNo\tO\nmention\tO\n\n"
TEST = b"Gout\tB-Disease\nhurts\tO\n\n"
MARKED = b"@GENE$ causes @DISEASE$ .\t1\n@GENE$ and @DISEASE$ .\t0\n@DISEASE$ without @GENE$ .\t0\n"
MARKED_TEST = b"index\tsentence\tlabel\n0\t@GENE$ in @DISEASE$ .\t1\n"
PUBTATOR = (
    b"7|t|Aspirin and gout\n7|a|Aspirin helps.\n"
    b"7\t0\t7\tAspirin\tChemicalEntity\tD001241\n"
    b"7\t12\t16\tgout\tDiseaseOrPhenotypicFeature\tD006073\n"
    b"7\t17\t24\tAspirin\tChemicalEntity\tD001241\n"
    b"7\tNegative_Correlation\tD001241\tD006073\tNovel\n\n"
)
CHEMICALS = (
    b"7|t|Aspirin and gout\n7|a|Aspirin helps.\n"
    b"7\t0\t7\tAspirin\tChemicalEntity\tD001241\n"
    b"7\t17\t24\tAspirin\tChemicalEntity\tD001241\n\n"
)


def entry(name: str, task: str, files: dict[str, bytes], more: str = "", *, repository: bool = True) -> str:
    """Return the section of a corpus whose files are at their own names in a repository."""
    rows = [
        {
            "name": each,
            **({"path": f"data/{name}/{each}"} if repository else {}),
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        for each, content in files.items()
    ]
    listed = ", ".join("{ " + ", ".join(f"{key} = {json.dumps(row[key])}" for key in row) + " }" for row in rows)
    where = f'repository = "owner/name"\ncommit = "{COMMIT}"\n' if repository else ""
    head = f'[{name}]\nwhat = "a tiny corpus"\ntask = "{task}"\nlicence = "CC0 1.0"\ncitation = "Nobody (2020)"\n'
    return f"{head}{where}{more}files = [{listed}]\n"


def blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


FILES = {"tiny": {"train.tsv": TRAIN, "devel.tsv": TRAIN, "test.tsv": TEST}, "tiny-red": {"train.PubTator": PUBTATOR}}
FILES["tiny-folds"] = {f"{fold}/{name}.tsv": content for fold in (1, 2) for name, content in
                       (("train", MARKED), ("test", MARKED_TEST.replace(b" in ", b" in %d " % fold)))}  # fmt: skip
FILES["tiny-pairs"] = {"train.tsv": MARKED, "dev.tsv": MARKED, "test.tsv": MARKED_TEST}
SPLITS = """[tiny.splits]
train = { sentences = 2, mentions = 1 }
devel = { sentences = 2, mentions = 1 }
test = { sentences = 1, mentions = 1 }
"""
EXAMPLES = 'holds = "examples"\n'
HAND = (
    '[tiny-signed]\nwhat = "signed for"\ntask = "inference"\nlicence = "a signature"\ncitation = "Nobody (2020)"\n'
    'holds = "examples"\nby_hand = "Apply at https://example.org and put train.tsv into {folder}."\n'
)
TABLE = "\n".join(
    [
        entry("tiny", "ner", FILES["tiny"]) + SPLITS,
        entry("tiny-red", "ner", FILES["tiny-red"]),
        entry("tiny-red-chem", "ner", {"train.PubTator": CHEMICALS},
              'derived_from = "tiny-red"\nkeep_labels = ["ChemicalEntity"]\n', repository=False),
        entry("tiny-folds", "relations", FILES["tiny-folds"], EXAMPLES),
        entry("tiny-pairs", "relations", FILES["tiny-pairs"], EXAMPLES),
        HAND,
    ]
)  # fmt: skip


class Server(ThreadingHTTPServer):
    """Serves the files of the tiny corpora; `faults` says by path, once for each request, what goes wrong."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.content = {
            f"/owner/name/{COMMIT}/data/{corpus}/{name}": content
            for corpus, files in FILES.items()
            for name, content in files.items()
        }
        self.faults: dict[str, list[str]] = {}
        self.requests: Counter[str] = Counter()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def fail(self, name: str, *faults: str) -> None:
        """Let the next requests for the file of `tiny` end in these faults."""
        self.faults[f"/owner/name/{COMMIT}/data/tiny/{name}"] = list(faults)


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.requests[self.path] += 1
        waiting = self.server.faults.get(self.path, [])
        fault = waiting.pop(0) if waiting else ""
        content = self.server.content.get(self.path.removeprefix("/moved"))
        if content is None or fault.isdecimal():
            self.send_error(int(fault or 404))
            return
        if fault == "redirect":
            self.send_response(302)
            self.send_header("Location", f"/moved{self.path}")
            self.end_headers()
            return
        if fault == "stall":
            time.sleep(1.0)
        if fault == "wrong":
            content = content.replace(b"O\n", b"0\n")
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if fault == "cut" else content)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def fill(cache: Path, name: str) -> Path:
    """Put a corpus into a cache by hand."""
    folder = cache / "corpora" / name
    for file, content in FILES[name].items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(content)
    return folder
