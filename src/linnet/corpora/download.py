"""Download of one file over HTTP, with a time-out and with retries after temporary failures.

`LINNET_CORPORA_MIRROR` replaces the start of all addresses, `https://raw.githubusercontent.com`; a mirror keeps the
rest: `OWNER/REPOSITORY/COMMIT/PATH`.
"""

import os
import time
from collections.abc import Callable, Iterator
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from linnet import __version__
from linnet.corpora.table import CorpusFile, KnownCorpus
from linnet.errors import BadFile, BadSetting

__all__ = ["Progress", "address_of", "download", "mirror"]

HOST = "https://raw.githubusercontent.com"
MIRROR = "LINNET_CORPORA_MIRROR"
ATTEMPTS = 3
PAUSE = 1.0  # seconds before the second attempt, twice as long before the third
TIMEOUT = 30.0  # seconds without a byte
CHUNK = 1 << 16
LARGEST = 1 << 30  # bytes, for files whose size is not in the table
TEMPORARY = (408, 425, 429, 500, 502, 503, 504)  # status codes after which another attempt may succeed

Progress = Callable[[CorpusFile, int, int | None], None]  # the file, bytes received, bytes in total


class _TemporaryFailure(Exception):
    """A failure after which another attempt may succeed."""


def mirror() -> str:
    """Return the start of all addresses.

    Raises:
        BadSetting: if `LINNET_CORPORA_MIRROR` is not an address.
    """
    base = os.environ.get(MIRROR, "") or HOST
    if not base.startswith(("https://", "http://")):
        raise BadSetting(f"{MIRROR} is {base!r}, expected an address", "e.g. https://mirror.example.org/corpora")
    return base.rstrip("/")


def address_of(corpus: KnownCorpus, file: CorpusFile, base: str = HOST) -> str:
    """Return the address of a file at the pinned commit."""
    return f"{base}/{corpus.repository}/{corpus.commit}/{quote(file.path)}"


def download(address: str, target: Path, file: CorpusFile, progress: Progress) -> None:
    """Download a file; its content is not checked here.

    Raises:
        BadFile: if it cannot be downloaded, after several attempts if the failures are temporary.
        OSError: if it cannot be written.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _download_once(address, target, file, progress)
        except _TemporaryFailure as fault:
            if attempt == ATTEMPTS:
                raise _download_error(address, f"{fault}; tried {ATTEMPTS} times") from None
            time.sleep(PAUSE * attempt)
        else:
            return


def _download_once(address: str, target: Path, file: CorpusFile, progress: Progress) -> None:
    request = Request(address, headers={"User-Agent": f"linnet/{__version__}"})
    try:
        response = urlopen(request, timeout=TIMEOUT)
    except HTTPError as error:
        error.close()
        answer = f"the server answers {error.code} {error.reason}"
        if error.code in TEMPORARY:
            raise _TemporaryFailure(answer) from None
        raise _download_error(address, answer) from None
    except (OSError, HTTPException) as error:  # URLError is an OSError
        raise _TemporaryFailure(_describe_failure(error)) from None
    with response, target.open("wb") as output:
        _copy(response, output.write, file, progress)


def _copy(response: HTTPResponse, write: Callable[[bytes], object], file: CorpusFile, progress: Progress) -> None:
    length = response.headers.get("Content-Length", "")
    expected = int(length) if length.isdecimal() else file.bytes
    received = 0
    for chunk in _read_chunks(response):
        received += len(chunk)
        if received > (file.bytes or LARGEST):  # another file, whose digest will differ
            break
        write(chunk)
        progress(file, received, expected)
    if expected is not None and received < expected:
        raise _TemporaryFailure(f"cut off after {received:,} of {expected:,} bytes")


def _read_chunks(response: HTTPResponse) -> Iterator[bytes]:
    """Yield the content; failures of the network are kept apart from those of the disk."""
    while True:
        try:
            chunk = response.read(CHUNK)
        except (OSError, HTTPException) as error:
            raise _TemporaryFailure(f"the connection broke ({_reason(error)})") from None
        if not chunk:
            return
        yield chunk


def _describe_failure(error: OSError | HTTPException) -> str:
    return f"no connection ({_reason(error.reason if isinstance(error, URLError) else error)})"


def _reason(error: object) -> str:
    return str(error) or type(error).__name__


def _download_error(address: str, why: str) -> BadFile:
    return BadFile(f"{address}: cannot be fetched: {why}", "check the network")
