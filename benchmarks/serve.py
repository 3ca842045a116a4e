"""How fast is `linnet serve`, does its memory stay flat, and what do broken clients do to it? On this machine alone.

    .venv/bin/python benchmarks/serve.py [--texts 1500] [--rounds 3] [--probes 100] [--requests 20000]
        [--faults 1000]

The service runs the embedded model on one thread; the texts are sentences of the embedded corpus in random order, as
many as an abstract has. `linnet annotate` does the same texts in turn with 32 clients that send one text after the
other, the best round of each counts; what it takes for one text, its start, is left out. Processor time is shown
beside, which other programs on the machine change less. Then the latency of one text, alone and beside the 32 clients;
memory after 1,000 and after all requests; and clients that leave, send what is no request, or too much of it: after
them the service must be as before, and nothing of their texts may be in what it has printed.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

LINNET = [sys.executable, "-m", "linnet"]
N_CLIENTS = 32
LEAST_SHARE, MOST_READY, MOST_MEMORY, MOST_GROWTH = 0.85, 3.0, 700, 25  # of annotate's words; seconds; MB; MB
SECRET = "Zyxomycin"  # in the texts of broken clients
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
    parser.add_argument("--texts", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--probes", type=int, default=100, help="requests of the test of latency")
    parser.add_argument("--requests", type=int, default=20_000, help="of the test of memory")
    parser.add_argument("--faults", type=int, default=1000, help="broken clients")
    options = parser.parse_args()
    generator = random.Random(1)
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
    best = {"annotate": (float("inf"), 0.0), "serve": (float("inf"), 0.0)}
    for _ in range(rounds):
        start = annotate(texts[:1], folder)
        whole = annotate(texts, folder)
        best["annotate"] = min(best["annotate"], (whole[0] - start[0], whole[1] - start[1]))
        began, used = time.monotonic(), server.processor_seconds()
        asyncio.run(ask_all(server.port, texts))
        best["serve"] = min(best["serve"], (time.monotonic() - began, server.processor_seconds() - used))
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
    return [f"{100 * share:.0f} % of annotate's words per second"] if share < LEAST_SHARE else []


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
    async def measure() -> list[float]:
        found = []
        for text in texts[:n_probes]:
            began = time.monotonic()
            await ask_once(server.port, text)
            found.append(time.monotonic() - began)
        return found

    async def beside_load() -> list[float]:
        load = asyncio.ensure_future(ask_all(server.port, list(texts) * 20))
        await asyncio.sleep(0.5)
        found = await measure()
        load.cancel()
        await asyncio.gather(load, return_exceptions=True)
        return found

    for name, seconds in (("alone", asyncio.run(measure())), ("beside 32 clients", asyncio.run(beside_load()))):
        ordered = sorted(seconds)
        middle, late = ordered[len(ordered) // 2], ordered[int(0.99 * len(ordered))]
        print(f"one text {name}: p50 {1000 * middle:.0f} ms, p99 {1000 * late:.0f} ms", flush=True)
    return []


def memory(server: Server, texts: Sequence[str], n_requests: int) -> list[str]:
    """Ask with the first sentences of texts, which are quick; the longest ones have been asked before."""
    sentences = [f"{n} {texts[n % len(texts)].partition('. ')[0]}." for n in range(n_requests)]
    asyncio.run(ask_all(server.port, sentences[:1000]))
    before = server.memory()
    asyncio.run(ask_all(server.port, sentences[1000:]))
    after = server.memory()
    print(f"memory: {before:.0f} MB after 1,000 requests, {after:.0f} MB after {n_requests:,}", flush=True)
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


async def ask_all(port: int, texts: Sequence[str], n_clients: int = N_CLIENTS) -> None:
    """Ask for all texts, each client one after the other over its own connection."""
    left = iter(texts)

    async def work() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            for text in left:
                status, _ = await exchange(reader, writer, text)
                assert status == 200, status
        finally:
            writer.close()

    await asyncio.gather(*(work() for _ in range(n_clients)))


async def ask_once(port: int, text: str) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        return await exchange(reader, writer, text)
    finally:
        writer.close()


async def exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, text: str) -> tuple[int, bytes]:
    """Send a text and return status and body of the answer."""
    writer.write(request_of(text))
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    body = await reader.readexactly(int(head.partition("content-length: ")[2].split()[0]))
    return int(head.split()[1]), body


def request_of(text: str, *, length: int | None = None) -> bytes:
    body = json.dumps({"text": text}).encode()
    head = f"Host: localhost\r\nContent-Type: application/json\r\nContent-Length: {length or len(body)}"
    return f"POST /annotate HTTP/1.1\r\n{head}\r\n\r\n".encode() + body


def read_metrics(port: int) -> str:
    async def read() -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        content = await reader.read()
        writer.close()
        return content.decode()

    return asyncio.run(read())


async def break_connections(port: int, number: int, generator: random.Random) -> None:
    """Connect so many times, and leave, lie or talk nonsense."""
    text = f"{SECRET} reduces fever in mice. " * 200
    whole = request_of(text)
    kinds: list[Callable[[], tuple[bytes, bool]]] = [
        lambda: (whole[: generator.randrange(len(whole))], False),  # leaves within the request
        lambda: (whole, False),  # leaves while it is answered
        lambda: (request_of(text, length=30_000_000), True),  # too large, as announced
        lambda: (whole.replace(b'{"text"', b'{"text" ' + SECRET.encode()), True),  # no JSON
        lambda: (whole.replace(b"reduces", b"\xff\xfe"), True),  # no UTF-8
        lambda: (generator.randbytes(2000) + SECRET.encode(), True),  # no HTTP
        lambda: (whole.replace(b"application/json", b"application/x-ndjson"), True),  # another format
        lambda: (b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", True),
    ]

    async def one() -> None:
        content, is_read = generator.choice(kinds)()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(content)
            await asyncio.wait_for(reader.read(100) if is_read else asyncio.sleep(generator.random() / 100), 20)
            writer.transport.abort()
        except (OSError, TimeoutError):
            return

    async def client(n: int) -> None:
        for _ in range(n):
            await one()

    await asyncio.gather(*(client(number // 8) for _ in range(8)))


if __name__ == "__main__":
    sys.exit(main())
