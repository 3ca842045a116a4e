"""Takes requests apart: the body within its limits, the parameters, and whether the client still waits."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request

from linnet.documents.document import Document
from linnet.errors import LinnetError
from linnet.serving.http.batching import Batcher, Job, QueueFull
from linnet.serving.http.linking import MOST_CANDIDATES
from linnet.serving.http.refusals import Refusal, refusal_of
from linnet.settings.serving import ServeSettings

__all__ = [
    "ANNOTATING",
    "CONVERTING",
    "LINKING",
    "Gone",
    "Options",
    "UntilGone",
    "check_compression",
    "check_size",
    "compute",
    "limits_of",
    "parse_options",
    "read_content",
    "run",
    "texts_of",
    "wait_until_gone",
]

T = TypeVar("T")
UntilGone = Callable[[], Awaitable[None]]  # waits until the client of a request does not wait any more
CONVERTING = ("from", "to", "name", "offsets")  # the parameters of routes
LINKING = (*CONVERTING, "candidates")
ANNOTATING = ("model", "link", "min_score", "labels", *LINKING)
MOST_NAME = 200  # characters
ON, OFF = ("true", "1", "yes"), ("false", "0", "no", "none", "")
COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # gzip and zstd
SMALL = 10_000  # bytes or characters; to read and write JSON of that size takes no longer than to change threads twice


class Gone(Exception):
    """The client does not wait for the answer any more."""


@dataclass(frozen=True)
class Options:
    """The parameters of a request."""

    model: str | None = None
    source: str | None = None  # format of the body
    to: str | None = None
    name: str = ""  # of the file that the client has read
    is_linked: bool | None = None  # as the service thinks fit if None
    n_candidates: int = 0
    min_score: float | None = None
    labels: tuple[str, ...] = ()
    is_utf16: bool = False


def limits_of(settings: ServeSettings) -> dict[str, float]:
    """Return the limits of a request, as answers state them."""
    return {
        "body_bytes": int(settings.max_body_mb * 1_000_000),
        "documents": settings.max_documents,
        "characters": settings.max_characters,
        "seconds": settings.seconds,
    }


def parse_options(given: Mapping[str, str], known: Collection[str]) -> Options:
    """Return the parameters, or refuse an unknown one, one that is given twice, and a wrong value."""
    _refuse_repeated(given)
    for name in given:
        if name not in known:
            raise Refusal(
                400,
                f"there is no parameter {name[:60]!r} here",
                f"choose from {', '.join(sorted(known)) or 'none'}",
                where=f"parameter {name[:60]}",
            )
    offsets = given.get("offsets", "characters")
    if offsets not in ("characters", "utf16"):
        raise Refusal(400, f"offsets are {offsets[:60]!r}", "choose characters or utf16", where="parameter offsets")
    return Options(
        model=given.get("model"),
        source=given.get("from"),
        to=given.get("to"),
        name=given.get("name", "").replace("\\", "/").rpartition("/")[2][:MOST_NAME],
        is_linked=_parse_switch(given.get("link"), "link"),
        n_candidates=_parse_candidates(given.get("candidates", "0")),
        min_score=_parse_score(given.get("min_score")),
        labels=tuple(filter(None, (label.strip() for label in given.get("labels", "").split(",")))),
        is_utf16=offsets == "utf16",
    )


def _refuse_repeated(given: Mapping[str, str]) -> None:
    names = [name for name, _ in given.multi_items()] if isinstance(given, QueryParams) else []
    for name in given:
        if names.count(name) > 1:
            raise Refusal(
                400,
                f"the parameter {name[:60]!r} is given {names.count(name)} times",
                "give it once; several labels are one value: labels=A,B",
                where=f"parameter {name[:60]}",
            )


def _parse_switch(given: str | None, name: str) -> bool | None:
    if given is None:
        return None
    if given.lower() not in ON + OFF:
        raise Refusal(400, f"{name} is {given[:60]!r}", "give true or false", where=f"parameter {name}")
    return given.lower() in ON


def _parse_candidates(given: str) -> int:
    if not (given.isascii() and given.isdigit() and len(given) < 4 and int(given) <= MOST_CANDIDATES):
        raise Refusal(
            400,
            f"candidates are {given[:60]!r}",
            f"give a number from 0 to {MOST_CANDIDATES}",
            where="parameter candidates",
        )
    return int(given)


def _parse_score(given: str | None) -> float | None:
    if given is None:
        return None
    try:
        score = float(given)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 1:
        raise Refusal(400, f"min_score is {given[:60]!r}", "give a number from 0 to 1", where="parameter min_score")
    return score


async def read_content(request: Request, settings: ServeSettings) -> bytes:
    """Return the body, or refuse one that is too large (413), too slow (408) or compressed (415).

    Raises:
        Refusal: before more than the limit is in memory.
        Gone: if the client does not send all of it.
    """
    limits = limits_of(settings)
    most = int(limits["body_bytes"])
    announced = request.headers.get("content-length", "0")
    if not announced.isascii() or not announced.isdigit() or int(announced) > most:
        raise _too_large("the body", limits)
    content = bytearray()
    try:
        async with asyncio.timeout(settings.body_seconds):
            async for chunk in request.stream():
                content += chunk
                if len(content) > most:
                    raise _too_large("the body", limits)
    except TimeoutError:
        raise Refusal(
            408,
            f"the body did not arrive within {settings.body_seconds:g} s",
            "send it faster, or send less",
            where="body",
        ) from None
    except ClientDisconnect:
        raise Gone from None
    check_compression(content, request)
    return bytes(content)


def check_compression(content: bytes | bytearray, request: Request) -> None:
    """Refuse a body that begins as compressed ones do, or is said to be compressed."""
    if content.startswith(COMPRESSED) or request.headers.get("content-encoding", "identity") != "identity":
        raise Refusal(415, "the body is compressed", "send it as it is", where="body")


def check_size(texts: Sequence[str], settings: ServeSettings) -> None:
    """Refuse more documents or characters than one request may have."""
    limits = limits_of(settings)
    if len(texts) > limits["documents"]:
        raise _too_large(f"{len(texts):,} documents in one request", limits)
    if (size := sum(map(len, texts))) > limits["characters"]:
        raise _too_large(f"{size:,} characters in one request", limits)


def _too_large(what: str, limits: Mapping[str, float]) -> Refusal:
    listed = f"{limits['body_bytes']:,} bytes, {limits['documents']:,} documents, {limits['characters']:,} characters"
    return Refusal(
        413, f"{what}: more than is taken", f"send less at a time: at most {listed}", where="body", limits=limits
    )


async def compute(
    items: Sequence[Any],
    batcher: "Batcher[Any, Any]",
    until_gone: UntilGone,
    settings: ServeSettings,
) -> list[Any]:
    """Return the results of a model, in turn with other requests; stop when nobody waits for them.

    Args:
        items: documents or texts.
        batcher: of the model.
        until_gone: waits until the client does not wait any more.
        settings: with the time limit.

    Raises:
        Refusal: if the queue is full (503), it takes too long (504), or the model refuses an item (422).
        Gone: if the client does not wait any more.
    """
    try:
        job: Job[Any, Any] = batcher.submit(items)
    except QueueFull as full:
        raise Refusal(
            503,
            "too many requests wait already",
            f"try again in {full.retry_after} s",
            headers={"retry-after": str(full.retry_after)},
            limits={"waiting_characters": settings.max_waiting},
        ) from None
    future = asyncio.wrap_future(job.future)
    gone: asyncio.Future[None] = asyncio.ensure_future(until_gone())
    try:
        waited: set[asyncio.Future[Any]] = {future, gone}
        done, _ = await asyncio.wait(waited, timeout=settings.seconds, return_when=asyncio.FIRST_COMPLETED)
        if future in done:
            return future.result()
        if gone in done:
            raise Gone
        raise Refusal(
            504, f"no answer within {settings.seconds:g} s", "send less at a time", limits=limits_of(settings)
        )
    except LinnetError as error:
        raise refusal_of(error, where="documents") from None
    finally:
        if not job.future.done():
            job.cancel()
            future.cancel()
        gone.cancel()


async def run(function: Callable[..., T], *given: Any, size: int, **options: Any) -> T:
    """Return what a function makes of this much; it runs in a thread if that is not small, so that others go on."""
    if size <= SMALL:
        return function(*given, **options)
    return await run_in_threadpool(function, *given, **options)


async def wait_until_gone(request: Request) -> None:
    """Return when the client of a request, whose body is read, does not wait any more."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def texts_of(documents: Sequence[Document]) -> list[str]:
    """Return the texts of documents."""
    return [document.text for document in documents]
