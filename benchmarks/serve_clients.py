"""Clients of the server for `serve.py`: those that ask for one text after the other, and those that are broken."""

import asyncio
import json
import random
from collections.abc import Callable, Sequence

N_CLIENTS = 32
SECRET = "Zyxomycin"  # in the texts of broken clients


async def ask_all(port: int, texts: Sequence[str], n_clients: int = N_CLIENTS) -> list[bytes]:
    """Return the answers for all texts; each client asks for one after the other over its own connection."""
    left = enumerate(texts)
    answers = [b""] * len(texts)

    async def work() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            for number, text in left:
                status, answers[number] = await exchange(reader, writer, text)
                assert status == 200, status
        finally:
            writer.close()

    await asyncio.gather(*(work() for _ in range(n_clients)))
    return answers


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

    left = iter(range(number))

    async def client() -> None:
        for _ in left:
            await one()

    await asyncio.gather(*(client() for _ in range(8)))
