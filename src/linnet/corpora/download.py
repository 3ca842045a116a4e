"""Download of one file over HTTP: with a time-out, again after a passing fault, never silently cut off.

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
LARGEST = 1 << 30  # bytes of a file whose size the table does not know
PASSING = (408, 425, 429, 500, 502, 503, 504)  # what a server says that may work a moment later

Progress = Callable[[CorpusFile, int, int | None], None]  # the file, bytes that are here, bytes of the whole


class _PassingFault(Exception):
    """A fault that may be gone at the next attempt."""


def mirror() -> str:
    """Return the start of all addresses.

    Raises:
        BadSetting: where the variable that replaces it holds no address.
    """
    base = os.environ.get(MIRROR, "") or HOST
    if not base.startswith(("https://", "http://")):
        raise BadSetting(f"{MIRROR} is {base!r}, expected an address", "e.g. https://mirror.example.org/corpora")
    return base.rstrip("/")


def address_of(corpus: KnownCorpus, file: CorpusFile, base: str = HOST) -> str:
    """Return the address of a file at the pinned commit."""
    return f"{base}/{corpus.repository}/{corpus.commit}/{quote(file.path)}"


def download(address: str, target: Path, file: CorpusFile, progress: Progress) -> None:
    """Write what an address holds to a file; its content is not yet checked.

    Raises:
        BadFile: where it cannot be had, after several attempts where that may help.
        OSError: where it cannot be written.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _attempt(address, target, file, progress)
        except _PassingFault as fault:
            if attempt == ATTEMPTS:
                raise _refused(address, f"{fault}; tried {ATTEMPTS} times") from None
            time.sleep(PAUSE * attempt)
        else:
            return


def _attempt(address: str, target: Path, file: CorpusFile, progress: Progress) -> None:
    request = Request(address, headers={"User-Agent": f"linnet/{__version__}"})
    try:
        response = urlopen(request, timeout=TIMEOUT)
    except HTTPError as error:
        error.close()
        told = f"the server answers {error.code} {error.reason}"
        if error.code in PASSING:
            raise _PassingFault(told) from None
        raise _refused(address, told) from None
    except (OSError, HTTPException) as error:  # URLError is an OSError
        raise _PassingFault(_no_connection(error)) from None
    with response, target.open("wb") as output:
        _copy(response, output.write, file, progress)


def _copy(response: HTTPResponse, write: Callable[[bytes], object], file: CorpusFile, progress: Progress) -> None:
    told = response.headers.get("Content-Length", "")
    expected = int(told) if told.isdecimal() else file.bytes
    received = 0
    for chunk in _chunks(response):
        received += len(chunk)
        if received > (file.bytes or LARGEST):  # another file: its digest would not fit either
            break
        write(chunk)
        progress(file, received, expected)
    if expected is not None and received < expected:
        raise _PassingFault(f"cut off after {received:,} of {expected:,} bytes")


def _chunks(response: HTTPResponse) -> Iterator[bytes]:
    """Yield what the network brings; its faults are told from those of the disk."""
    while True:
        try:
            chunk = response.read(CHUNK)
        except (OSError, HTTPException) as error:
            raise _PassingFault(f"the connection broke ({_reason(error)})") from None
        if not chunk:
            return
        yield chunk


def _no_connection(error: OSError | HTTPException) -> str:
    return f"no connection ({_reason(error.reason if isinstance(error, URLError) else error)})"


def _reason(error: object) -> str:
    return str(error) or type(error).__name__


def _refused(address: str, why: str) -> BadFile:
    return BadFile(f"{address}: cannot be fetched: {why}", "check the network")
