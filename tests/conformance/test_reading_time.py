"""Times of detection and reading, which grow with the size of a file and not with its square (issue 27)."""

import time
from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions, formats, readable_formats
from linnet.errors import LinnetError
from linnet.formats.reading import HEAD_BYTES

BYTES = 1_000_000
SECONDS = 3.0  # of CPU time; an expression that goes back over blanks takes more than ten
BLANKS = (" ", "\t", "\n", " \n", "\r\n", "\t ", "\n\t", "\xa0", "\u2028")
SIGNS = ("|", ",", '"', "<", "[", "{", "a", "\\", "(", "1", '[{"', "<a>", "1\t", "a|")
ENDS = ("", "a", "|", "\ta", "a|t|b", "1\t2\t3\t4\n")


@pytest.mark.parametrize("name", readable_formats())
@pytest.mark.parametrize("unit", [*BLANKS, *SIGNS])
def test_detection_takes_no_time(name: str, unit: str) -> None:
    known = formats.get(name)
    started = time.process_time()

    for end in ENDS:
        known.recognises(Path("file.txt"), unit * (HEAD_BYTES // len(unit.encode())) + end)

    assert time.process_time() - started < SECONDS


@pytest.mark.long
@pytest.mark.parametrize("name", readable_formats())
@pytest.mark.parametrize("unit", BLANKS[:4])
def test_reading_of_blanks_takes_no_time(tmp_path: Path, name: str, unit: str) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes((unit * (BYTES // len(unit.encode())) + "a\n").encode())
    started = time.process_time()

    with pytest.raises(LinnetError):
        for _ in formats.get(name).read(path, ReadOptions(), Notes()):
            pass

    assert time.process_time() - started < SECONDS
