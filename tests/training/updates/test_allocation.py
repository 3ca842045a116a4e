"""Memory that is freed stays with the process, where the C library can be told so."""

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource
from linnet.training.updates.allocation import keep_freed_memory

if {keeps}:
    assert keep_freed_memory()
for number in range(6):
    if number == 1:  # the first block is asked for anyway
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    block = b"x" * 80_000_000  # numpy would ask for huge pages
    del block
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries are left as they are")
def test_a_large_block_is_asked_for_once() -> None:
    asked, kept = (_page_faults(keeps=keeps) for keeps in (False, True))

    assert asked > 1000  # five blocks of 80 MB
    assert kept < asked / 10


def _page_faults(*, keeps: bool) -> int:
    program = PROGRAM.format(keeps=keeps)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return int(done.stdout)
