"""Explains errors that come from a shortage: of memory, of open files, of space on the disk.

Libraries report a shortage in their own ways: as `MemoryError`, as `OSError`, or as another error with the words of the
system in its message.
"""

import os
from collections.abc import Iterator
from errno import EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM, ENOSPC

from linnet.errors import LinnetError

__all__ = ["explain_shortage"]

MEMORY = (
    "there is not enough memory",
    "free memory or raise its limit (`ulimit -v`), or give smaller inputs or batches",
)
FILES = ("too many files are open at the same time", "raise the limit, e.g. `ulimit -n 1024`, and try again")
SPACE = ("there is no space left, or a file is larger than allowed", "check the space left, quotas and `ulimit -f`")
BY_NUMBER = {ENOMEM: MEMORY, EMFILE: FILES, ENFILE: FILES, ENOSPC: SPACE, EDQUOT: SPACE, EFBIG: SPACE}
WORDS = {
    **{os.strerror(number): shortage for number, shortage in BY_NUMBER.items()},
    "can't allocate memory": MEMORY,  # of torch
    "bad_alloc": MEMORY,  # of libraries in C++
    "bad allocation": MEMORY,
    "failed to map segment": MEMORY,  # of a library that is loaded
    "can't start new thread": MEMORY,
}


def explain_shortage(error: BaseException) -> LinnetError | None:
    """Return the error for the user if this one, or one that it came from, is due to a shortage; else None."""
    for each in _chain(error):
        found = _find_shortage(each)
        if found is not None:
            problem, remedy = found
            name = getattr(each, "filename", None)
            return LinnetError(f"{name}: {problem}" if isinstance(name, str) else problem, remedy)
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _find_shortage(error: BaseException) -> tuple[str, str] | None:
    if isinstance(error, MemoryError):
        return MEMORY
    if isinstance(error, OSError) and error.errno is not None:
        return BY_NUMBER.get(error.errno)
    text = str(error)
    return next((shortage for words, shortage in WORDS.items() if words in text), None)
