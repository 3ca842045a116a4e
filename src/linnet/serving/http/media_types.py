"""Media types of formats: what a request's `Content-Type` and `Accept` mean."""

from collections.abc import Iterator
from importlib.util import find_spec

from linnet.contracts import formats, readable_formats, writable_formats
from linnet.extras import install_command
from linnet.serving.http.refusals import Refusal

__all__ = [
    "AUTO",
    "JSON",
    "JSON_LINES",
    "TEXT",
    "answer_format",
    "describe_format",
    "media_type_of",
    "readable_names",
    "request_format",
    "writable_names",
]

JSON, TEXT, LINES, AUTO = "json", "text", "lines", "auto"  # besides the registered formats
MEDIA_TYPES = {  # the first of a format is what answers have
    JSON: ("application/json",),
    TEXT: ("text/plain",),
    "jsonl": ("application/x-ndjson", "application/jsonl", "application/jsonlines"),
    "pubtator": ("text/x-pubtator", "application/x-pubtator"),
    "bioc-json": ("application/bioc+json", "application/x-bioc+json"),
    "bioc-xml": (
        "application/bioc+xml",
        "application/x-bioc+xml",
        "application/xml",
        "text/xml",
    ),  # the only XML answer
    "pubannotation": ("application/x-pubannotation+json",),
    "label-studio": ("application/x-label-studio+json",),
    "doccano": ("application/x-doccano+jsonl",),
    "conll": ("text/x-conll", "text/tab-separated-values"),
    "jats": ("application/jats+xml", "application/x-jats+xml"),
    "pubmed-xml": ("application/x-pubmed+xml",),
    "csv": ("text/csv",),
    "parquet": ("application/vnd.apache.parquet",),
}
NEEDED = {"parquet": "pyarrow"}  # packages of formats, which may be missing
JSON_LINES = "jsonl"
SUFFIXES = {JSON: ".json", TEXT: ".txt", LINES: ".txt"}
BY_CONTENT = ("application/xml", "text/xml", "application/octet-stream", "")  # what these hold is detected
PLAIN = "text/plain; charset=utf-8"


def readable_names() -> list[str]:
    """Return the names that `?from=` takes; a format that is a folder cannot be sent."""
    names = [name for name in readable_formats() if name != "brat"]
    return [JSON, TEXT, LINES, *names]


def writable_names() -> list[str]:
    """Return the names that `?to=` takes; not a folder, nor a format whose package is missing."""
    files = [name for name in writable_formats() if formats.get(name).suffixes]
    return [JSON, *(name for name in files if _missing_package(name) is None)]


def media_type_of(name: str) -> str:
    """Return the media type of an answer."""
    return MEDIA_TYPES.get(name, (PLAIN,))[0]


def describe_format(name: str) -> dict[str, str | bool]:
    """Return what clients may know of a format."""
    suffixes = (SUFFIXES[name],) if name in SUFFIXES else formats.get(name).suffixes
    return {
        "name": name,
        "media_type": media_type_of(name),
        "suffix": suffixes[0] if suffixes else "",
        "read": name in readable_names(),
        "write": name in writable_names(),
    }


def request_format(content_type: str, wanted: str | None) -> str:
    """Return the format of a body: what `?from=` names, or what its media type means; `auto` where its content decides.

    Raises:
        Refusal: for an unknown name (400) or media type (415).
    """
    if wanted is not None:
        return _check_name(wanted.lower(), readable_names(), "from")
    kind = content_type.partition(";")[0].strip().lower()
    if kind in BY_CONTENT:
        return AUTO
    for name, types in MEDIA_TYPES.items():
        if kind in types:
            return name
    raise Refusal(
        415,
        f"the content type {kind!r} is not known",
        "send `Content-Type: text/plain` for a text, `application/json`, or name the format with `?from=`",
        where="header Content-Type",
    )


def answer_format(accept: str, wanted: str | None, default: str) -> str:
    """Return the format of the answer: what `?to=` names, what `Accept` prefers, or else the default.

    Raises:
        Refusal: for an unknown name or a missing package (400), or if nothing that is accepted can be written (406).
    """
    if wanted is not None:
        if package := _missing_package(wanted.lower()):
            remedy = f"where the service runs: {install_command(package)}"
            raise Refusal(400, f"{wanted.lower()} needs {package}", remedy, where="parameter to")
        return _check_name(wanted.lower(), writable_names(), "to")
    if not accept.strip():
        return default
    for kind in _accepted(accept):
        if kind in ("*/*", "application/*") or kind in MEDIA_TYPES.get(default, (PLAIN.partition(";")[0],)):
            return default
        for name, types in MEDIA_TYPES.items():
            if kind in types and name in writable_names():
                return name
    raise Refusal(
        406,
        f"no answer can be given as {accept[:100]!r}",
        f"leave `Accept` out, or name the format with `?to=`: {', '.join(writable_names())}",
        where="header Accept",
    )


def _missing_package(name: str) -> str | None:
    """Return the package that a format needs, if it is not installed."""
    package = NEEDED.get(name)
    return package if package and find_spec(package) is None else None


def _check_name(name: str, known: list[str], parameter: str) -> str:
    if name not in known:
        raise Refusal(
            400,
            f"there is no format called {name[:60]!r} here",
            f"choose one of {', '.join(known)}",
            where=f"parameter {parameter}",
        )
    return name


def _accepted(accept: str) -> Iterator[str]:
    """Yield the media types of an `Accept` header, the most wanted first."""
    ranked = []
    for number, each in enumerate(filter(None, (part.strip() for part in accept.split(",")))):
        kind, *parameters = (part.strip().lower() for part in each.split(";"))
        weight = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        try:
            quality = float(weight)
        except ValueError:
            quality = 0.0
        if quality > 0:
            ranked.append((-quality, number, kind))
    yield from (kind for _, _, kind in sorted(ranked))
