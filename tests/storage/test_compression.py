"""Compressed files are read and written like others."""

import gzip
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
import zstandard

from linnet.errors import BadFile, MissingExtra
from linnet.storage.compression import unpacked_name
from linnet.storage.files import new_file, open_bytes, read_lines, read_text

PACK = {".gz": gzip.compress, ".zst": zstandard.ZstdCompressor(write_checksum=True).compress}
ANY_CODEC = pytest.mark.parametrize("suffix", PACK)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@ANY_CODEC
@pytest.mark.parametrize("name", ["x.txt", "x"])
def test_compressed_files_are_read_as_what_they_hold_whatever_their_name(
    tmp_path: Path, name: str, suffix: str
) -> None:
    path = written(tmp_path / name, PACK[suffix]("\ufeffone\r\nzwölf😀\n".encode()))

    assert list(read_lines(path)) == [(1, "one"), (2, "zwölf😀")]
    assert read_text(path) == "one\r\nzwölf😀\n"


@pytest.mark.parametrize("name", ["x.gz", "x.zst"])
def test_a_file_that_is_not_compressed_is_read_whatever_its_name(tmp_path: Path, name: str) -> None:
    assert read_text(written(tmp_path / name, b"one\n")) == "one\n"


@ANY_CODEC
def test_several_compressed_pieces_are_one_text(tmp_path: Path, suffix: str) -> None:
    pack = PACK[suffix]
    path = written(tmp_path / "x", pack(b"one\n") + pack(b"") + pack(b"two\n") + b"\0" * 20)

    assert read_text(path) == "one\ntwo\n"


def test_a_zstd_file_may_begin_with_a_frame_to_skip(tmp_path: Path) -> None:
    skipped = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"12345"  # magic number, size, content (RFC 8878)

    assert read_text(written(tmp_path / "x", skipped + PACK[".zst"](b"one\n"))) == "one\n"


@ANY_CODEC
def test_the_lines_before_the_cut_are_given_and_the_error_says_how_much_was_read(tmp_path: Path, suffix: str) -> None:
    lines = [f"{number * 7919 % 100_003}\n" for number in range(50_000)]
    whole = PACK[suffix]("".join(lines).encode())
    path = written(tmp_path / f"x{suffix}", whole[: len(whole) // 2])
    found: list[str] = []

    with pytest.raises(BadFile) as caught:
        found.extend(line for _, line in read_lines(path))

    n_read = int(caught.value.problem.split(" after ")[1].split()[0].replace(",", ""))
    given = "".join(f"{line}\n" for line in found)
    assert len(found) > 10_000
    assert given == "".join(lines[: len(found)])
    assert len(given) <= n_read <= len(given) + 6  # all but the line that is cut
    assert caught.value.problem.startswith(f"{path}: the {'gzip' if suffix == '.gz' else 'zstd'} file is cut off")
    assert "fetch or copy the file again" in caught.value.remedy


@ANY_CODEC
def test_a_compressed_file_cut_anywhere_is_refused(tmp_path: Path, suffix: str) -> None:
    whole = PACK[suffix](b"one two three four five\n" * 5)

    for size in range(4, len(whole)):
        with pytest.raises(BadFile, match="is cut off"):
            read_text(written(tmp_path / "x", whole[:size]))


@ANY_CODEC
def test_damage_inside_a_compressed_file_is_found(tmp_path: Path, suffix: str) -> None:
    whole = bytearray(PACK[suffix](b"one two three four five\n"))
    whole[-5] ^= 1  # in the checksum, or in what it is of

    with pytest.raises(BadFile, match="is damaged"):
        read_text(written(tmp_path / "x", bytes(whole)))


def test_what_follows_a_compressed_file_is_not_passed_over(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"gzip file is damaged .* after 4 bytes"):
        read_text(written(tmp_path / "x", gzip.compress(b"one\n") + b"two\n"))


@ANY_CODEC
def test_problems_are_placed_in_the_unpacked_text(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(BadFile, match=r"x:30001: this is not UTF-8"):
        read_text(written(tmp_path / "x", PACK[suffix](b"good line\n" * 30_000 + b"bad \xff line\n")))
    with pytest.raises(BadFile, match=r"x:2: found a NUL"):
        read_text(written(tmp_path / "x", PACK[suffix](b"one\ntw\0o\n")))


@ANY_CODEC
def test_a_name_says_whether_a_new_file_is_compressed(tmp_path: Path, suffix: str) -> None:
    with new_file(tmp_path / f"x.txt{suffix}") as file:
        file.write("one\ntwo\u2028\n" * 1000)

    assert read_text(tmp_path / f"x.txt{suffix}") == "one\ntwo\u2028\n" * 1000
    assert (tmp_path / f"x.txt{suffix}").stat().st_size < 200
    assert [entry.name for entry in tmp_path.iterdir()] == [f"x.txt{suffix}"]


@ANY_CODEC
def test_the_same_text_gives_the_same_bytes_without_name_and_time(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = []
    for number in (1, 2):
        monkeypatch.setattr(time, "time", lambda number=number: 1e9 * number)
        path = tmp_path / f"{number}.txt{suffix}"
        with new_file(path) as file:
            file.writelines(["one\n"] * number + ["one\n"] * (3 - number))
        contents.append(path.read_bytes())

    assert contents[0] == contents[1]
    assert b".txt" not in contents[0]


@ANY_CODEC
def test_a_compressed_file_that_fails_leaves_nothing_behind(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(ZeroDivisionError), new_file(tmp_path / f"x{suffix}") as file:
        file.write(f"new{1 / 0}")
    with pytest.raises(BadFile, match="surrogates"), new_file(tmp_path / f"x{suffix}") as file:
        file.write("a\ud800b")

    assert list(tmp_path.iterdir()) == []


def test_a_suffix_of_compression_is_no_part_of_the_name() -> None:
    names = ["a.jsonl.gz", "a.jsonl.ZST", "a.jsonl", "a.gz", "a"]

    assert [unpacked_name(Path(name)).name for name in names] == ["a.jsonl", "a.jsonl", "a.jsonl", "a", "a"]


def test_without_zstandard_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "x.txt.zst", PACK[".zst"](b"one\n"))
    monkeypatch.setitem(sys.modules, "zstandard", None)

    with pytest.raises(MissingExtra, match="zstd files need zstandard") as caught:
        read_text(path)
    with pytest.raises(MissingExtra), new_file(tmp_path / "new.zst"):
        pass

    assert "[zstd]'" in caught.value.remedy
    assert list(tmp_path.iterdir()) == [path]


def test_a_small_file_that_unpacks_to_much_is_read_in_little_memory(tmp_path: Path) -> None:
    path = written(tmp_path / "x", gzip.compress(b"a" * 50_000_000))  # 50 kB
    tracemalloc.start()

    with open_bytes(path) as file:
        n_bytes = sum(len(chunk) for chunk in iter(lambda: file.read1(1 << 16), b""))

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_bytes == 50_000_000
    assert peak < 20_000_000
