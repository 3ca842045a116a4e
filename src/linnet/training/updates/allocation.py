"""Keeps the memory that an update gives back, so that the next one need not ask the system for it again.

A network asks for large blocks of memory at every update and gives them back. The C library of most Linux systems
(glibc) returns such blocks to the system at once, which clears each page when it is asked for again.
"""

import ctypes

__all__ = ["keep_freed_memory"]

TRIM_THRESHOLD, MOST_MAPPED_BLOCKS = -1, -4  # M_TRIM_THRESHOLD and M_MMAP_MAX of malloc.h
NEVER = 2**31 - 1


def keep_freed_memory() -> bool:
    """Let this process keep what it frees until it ends; return False where the C library cannot be told so."""
    try:
        library = ctypes.CDLL(None)
        library.gnu_get_libc_version  # noqa: B018  # other libraries may know `mallopt` and other numbers
        return bool(library.mallopt(MOST_MAPPED_BLOCKS, 0) and library.mallopt(TRIM_THRESHOLD, NEVER))
    except (OSError, AttributeError, TypeError):  # TypeError: Windows has no handle of the process itself
        return False
