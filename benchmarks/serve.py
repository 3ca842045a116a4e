"""How fast is `linnet serve`, does its memory stay flat, and what do broken clients do to it? On this machine alone.

    .venv/bin/python benchmarks/serve.py [--texts 1200] [--rounds 3] [--probes 100] [--requests 20000]
        [--faults 1000]

The service runs the embedded model on one thread; the texts are sentences of the embedded corpus in random order, as
many as an abstract has. `linnet annotate` does the same texts in turn with 32 clients that send one text after the
other, the best round of each counts; what it takes for one text, its start, is left out. Processor time is shown
beside, which other programs on the machine change less. The mentions must be the same. Then the latency of one text
and of one sentence, alone and beside the 32 clients; memory after 1,000, 5,000 and all requests; and clients that
leave, send what is no request, or too much of it: after them the service must be as before, and nothing of their texts
may be in what it has printed. It exits with 1 where a limit is missed. All of it takes a quarter of an hour on two free
cores.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

from serve_clients import N_CLIENTS, SECRET, ask_all, ask_once, break_connections, read_metrics

LINNET = [sys.executable, "-m", "linnet"]
LEAST_SHARE, MOST_READY, MOST_MEMORY, MOST_GROWTH = 0.85, 3.0, 700, 25  # of annotate's words; seconds; MB; MB
MEMORY_AT = (1000, 5000)  # requests, and at the end
TICKS, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Server:
    """A running service."""

    process: int
    port: int
    output: Path
    seconds_to_ready: float

    def memory(self) -> float:
        """Return the resident memory in MB."""
        return int(Path(f"/proc/{self.process}/statm").read_text().split()[1]) * PAGE / 1e6

    def processor_seconds(self) -> float:
        """Return the processor time so far."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=1200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--probes", type=int, default=100, help="requests of the test of latency")
    parser.add_argument("--requests", type=int, default=20_000, help="of the test of memory")
    parser.add_argument("--faults", type=int, default=1000, help="broken clients")
    options = parser.parse_args()
    generator, began = random.Random(1), time.monotonic()
    texts = make_texts(options.texts, generator)
    with tempfile.TemporaryDirectory() as name, running(Path(name)) as server:
        print(f"ready after {server.seconds_to_ready:.2f} s, {server.memory():.0f} MB", flush=True)
        short = [
            *(["ready too late"] if server.seconds_to_ready > MOST_READY else []),
            *speed(server, texts, Path(name), options.rounds),
            *latency(server, texts, options.probes),
            *memory(server, texts, options.requests),
            *faults(server, options.faults, generator),
        ]
    print(f"all of it took {(time.monotonic() - began) / 60:.1f} minutes")
    for problem in short:
        print(f"falls short: {problem}")
    return int(bool(short))


def make_texts(number: int, generator: random.Random) -> list[str]:
    """Return texts of ten sentences each. A number in each sentence makes it new: equal ones are computed once."""
    folder = files("linnet").joinpath("demo")
    lines = [line for part in ("train", "devel", "test") for line in folder.joinpath(f"{part}.jsonl").open("rb")]
    sentences = [each for line in lines for each in json.loads(line)["text"].replace("\n", ". ").split(". ") if each]
    return [
        " ".join(f"{sentence} ({10 * at + place})." for place, sentence in enumerate(generator.sample(sentences, 10)))
        for at in range(number)
    ]


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    """Yield the service with the embedded model; its output goes to a file."""
    output = folder / "output.txt"
    started = time.monotonic()
    with output.open("wb") as file:
        process = subprocess.Popen([*LINNET, "serve", "--port", "0", "--threads", "1"], stdout=file, stderr=file)
    try:
        while b" serves " not in output.read_bytes():
            assert process.poll() is None, output.read_text()
            time.sleep(0.01)
        port = int(output.read_text().split()[0].rpartition(":")[2])
        server = Server(process.pid, port, output, time.monotonic() - started)
        status, _ = asyncio.run(ask_once(port, "In Bonn"))
        assert status == 200
        yield server
    finally:
        process.terminate()
        process.wait(60)


def speed(server: Server, texts: Sequence[str], folder: Path, rounds: int) -> list[str]:
    n_words = sum(len(text.split()) for text in texts)
    asyncio.run(ask_all(server.port, texts[:200]))  # warm
    best = {"annotate": (float("inf"), float("inf")), "serve": (float("inf"), float("inf"))}
    answers: list[bytes] = []
    for _ in range(rounds):
        start = annotate(texts[:1], folder)
        whole = annotate(texts, folder)
        best["annotate"] = _least(best["annotate"], (whole[0] - start[0], whole[1] - start[1]))
        began, used = time.monotonic(), server.processor_seconds()
        answers = asyncio.run(ask_all(server.port, texts))
        best["serve"] = _least(best["serve"], (time.monotonic() - began, server.processor_seconds() - used))
    for name, (seconds, processor) in best.items():
        print(
            f"{name:9} {n_words / seconds:9,.0f} words/s, {n_words / processor:9,.0f} words per second of a processor"
        )
    share = best["annotate"][0] / best["serve"][0]
    of_processor = best["annotate"][1] / best["serve"][1]
    wanted = f"at least {100 * LEAST_SHARE:.0f}"
    print(
        f"serve has {100 * share:.0f} % of annotate ({wanted}), by processor time {100 * of_processor:.0f} %",
        flush=True,
    )
    n_other = sum(spans_of(answer) != spans for answer, spans in zip(answers, annotated(folder), strict=True))
    print(f"mentions of {len(answers):,} answers: {n_other:,} differ from those of annotate")
    return [
        *([f"{100 * share:.1f} % of annotate's words per second"] if share < LEAST_SHARE else []),
        *([f"{n_other:,} answers differ from annotate's"] if n_other else []),
    ]


def _least(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return min(one[0], other[0]), min(one[1], other[1])


def spans_of(answer: bytes) -> list[object]:
    (document,) = json.loads(answer)["documents"]
    return list(document["spans"])


def annotated(folder: Path) -> Iterator[list[object]]:
    """Yield the mentions of each text that `linnet annotate` has found."""
    with (folder / "out.jsonl").open("rb") as file:
        for line in file:
            yield json.loads(line).get("spans", [])


def annotate(texts: Sequence[str], folder: Path) -> tuple[float, float]:
    """Return the seconds, and those of a processor, of `linnet annotate`."""
    source, output = folder / "in.jsonl", folder / "out.jsonl"
    source.write_text("".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(texts)))
    command = [*LINNET, "annotate", str(source), "--output", str(output), "--threads", "1", "--overwrite", "--json"]
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    assert status == 0, command
    return time.monotonic() - started, used.ru_utime + used.ru_stime


def latency(server: Server, texts: Sequence[str], n_probes: int) -> list[str]:
    async def measure(probes: Sequence[str]) -> list[float]:
        found = []
        for text in probes:
            began = time.monotonic()
            await ask_once(server.port, text)
            found.append(time.monotonic() - began)
        return found

    async def beside_load(probes: Sequence[str]) -> list[float]:
        load = asyncio.ensure_future(ask_all(server.port, list(texts) * 20))
        await asyncio.sleep(0.5)
        found = await measure(probes)
        assert not load.done(), "the load ended before the probes"
        load.cancel()
        await asyncio.gather(load, return_exceptions=True)
        return found

    for name, probes in (("text", texts[:n_probes]), ("sentence", first_sentences(texts[:n_probes]))):
        alone, beside = sorted(asyncio.run(measure(probes))), sorted(asyncio.run(beside_load(probes)))
        (half, late), (loaded_half, loaded_late) = (
            (each[len(each) // 2], percentile_99(each)) for each in (alone, beside)
        )
        print(f"one {name} alone: p50 {1000 * half:.0f} ms, p99 {1000 * late:.0f} ms")
        print(
            f"one {name} beside {N_CLIENTS} clients: p50 {1000 * loaded_half:.0f} ms, p99 {1000 * loaded_late:.0f} ms; "
            f"{loaded_half / half:.1f} and {loaded_late / late:.1f} times as long",
            flush=True,
        )
    return []


def percentile_99(ascending: Sequence[float]) -> float:
    return ascending[min(len(ascending) - 1, int(0.99 * len(ascending)))]


def first_sentences(texts: Sequence[str]) -> list[str]:
    return [f"{number} {text.partition('. ')[0]}." for number, text in enumerate(texts)]


def memory(server: Server, texts: Sequence[str], n_requests: int) -> list[str]:
    """Ask with the first sentences of texts, which are quick; the longest ones have been asked before."""
    sentences = first_sentences([texts[number % len(texts)] for number in range(n_requests)])
    ends = [*(end for end in MEMORY_AT if end < n_requests), n_requests]
    found = []
    for start, end in pairwise((0, *ends)):
        asyncio.run(ask_all(server.port, sentences[start:end]))
        found.append(server.memory())
        print(f"memory: {found[-1]:.0f} MB after {end:,} requests", flush=True)
    before, after = found[0], found[-1]
    return [
        *([f"{after - before:.0f} MB more after {n_requests:,} requests"] if after - before > MOST_GROWTH else []),
        *([f"{after:.0f} MB (at most {MOST_MEMORY})"] if after > MOST_MEMORY else []),
    ]


def faults(server: Server, number: int, generator: random.Random) -> list[str]:
    before = server.memory()
    asyncio.run(break_connections(server.port, number, generator))
    deadline = time.monotonic() + 60
    while 'linnet_waiting_characters{model="bio"} 0' not in read_metrics(server.port) and time.monotonic() < deadline:
        time.sleep(0.1)
    status, content = asyncio.run(ask_once(server.port, "Aspirin"))
    after, printed = server.memory(), server.output.read_text(errors="replace")
    print(f"memory: {after:.0f} MB after {number:,} broken clients, {len(printed.splitlines())} lines printed")
    return [
        *(["it does not answer after broken clients"] if status != 200 or b"Chemical" not in content else []),
        *([f"{after - before:.0f} MB more after broken clients"] if after - before > 2 * MOST_GROWTH else []),
        *(["it has printed a text"] if SECRET in printed else []),
        *(["work of clients that left still waits"] if time.monotonic() > deadline else []),
    ]


if __name__ == "__main__":
    sys.exit(main())
