"""How files are opened, and written so that nothing is left half written."""

import gzip
import io
import stat
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
import zstandard

from linnet.errors import BadFile, BadSetting, MissingExtra
from linnet.storage.compression import unpacked_name
from linnet.storage.files import (
    STANDARD_INPUT,
    cache_folder,
    check_overwrite,
    check_text,
    new_binary_file,
    new_file,
    new_folder,
    open_bytes,
    open_text,
    read_lines,
    read_text,
    without_line_end,
    writing,
)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_only_lf_and_crlf_end_a_line(tmp_path: Path) -> None:
    content = "a\u2028b\u0085c\x0bd\x0ce\x1cf\rg\r\nh\n\ni"

    found = list(read_lines(written(tmp_path / "x", content.encode())))

    assert found == [(1, "a\u2028b\u0085c\x0bd\x0ce\x1cf\rg"), (2, "h"), (3, ""), (4, "i")]


@pytest.mark.parametrize(
    ("line", "expected"), [("a\n", "a"), ("a\r\n", "a"), ("a", "a"), ("a\r", "a\r"), ("\n", ""), ("a\n\n", "a\n")]
)
def test_a_line_loses_only_its_own_end(line: str, expected: str) -> None:
    assert without_line_end(line) == expected


def test_a_byte_order_mark_is_not_text(tmp_path: Path) -> None:
    path = written(tmp_path / "x", b"\xef\xbb\xbfone\ntwo")

    assert list(read_lines(path)) == [(1, "one"), (2, "two")]
    assert read_text(path) == "one\ntwo"


def test_a_text_is_read_as_it_stands(tmp_path: Path) -> None:
    assert read_text(written(tmp_path / "x", "a\r\nb\rc😀\u0301".encode())) == "a\r\nb\rc😀\u0301"


@pytest.mark.parametrize("content", [b"one\ntwo\xff\n", b"one\n\xe4\xf6", b"a\ncut \xf0\x9f\x98"])
def test_bytes_that_are_not_utf8_are_reported_with_their_line(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path / "x", content)

    with pytest.raises(BadFile, match="not UTF-8") as caught:
        list(read_lines(path))

    assert caught.value.problem.startswith(f"{path}:2:")
    assert "iconv" in caught.value.remedy


def test_a_bad_byte_far_behind_the_first_buffer_has_the_right_line(tmp_path: Path) -> None:
    path = written(tmp_path / "x", b"good line\n" * 30_000 + b"bad \xff line\n")

    with pytest.raises(BadFile, match=r"x:30001:"):
        read_text(path)


def test_a_nul_is_refused_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path / "x", b"one\ntw\0o\n")

    with pytest.raises(BadFile, match=r"x:2: found a NUL"):
        list(read_lines(path))
    with pytest.raises(BadFile, match=r"x:2: found a NUL"):
        read_text(path)


def test_a_nul_in_a_text_of_one_line_needs_no_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"^document 'd': found a NUL"):
        check_text("a\0b", "document 'd'")


@pytest.mark.parametrize("name", ["missing", "."])
def test_what_cannot_be_opened_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadFile, match="cannot be read"), open_text(tmp_path / name):
        pass


def test_a_new_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "x.txt"

    with new_file(path) as file:
        file.write("one\ntwo\u2028\n")
        assert not path.exists()

    assert path.read_bytes() == "one\ntwo\u2028\n".encode()
    assert [entry.name for entry in path.parent.iterdir()] == ["x.txt"]


def test_a_file_that_fails_leaves_nothing_behind_and_the_old_one_untouched(tmp_path: Path) -> None:
    path = written(tmp_path / "x.txt", b"old")

    with pytest.raises(ZeroDivisionError), new_file(path) as file:
        file.write(f"new{1 / 0}")

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_lone_surrogate_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="surrogates"), new_file(tmp_path / "x") as file:
        file.write("a\ud800b")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["file/x", "folder", "n" * 300])
def test_a_name_that_cannot_be_written_is_refused(tmp_path: Path, name: str) -> None:
    written(tmp_path / "file", b"")
    (tmp_path / "folder" / "inside").mkdir(parents=True)

    with pytest.raises(BadFile, match=r"cannot be (?:written|replaced)"), new_file(tmp_path / name) as file:
        file.write("x")

    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "folder"]


def test_what_the_system_has_against_writing_is_said_with_the_place(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(BadFile, match=r"out: cannot be written \(File exists\)"), writing(tmp_path / "out"):
        (tmp_path / "file").mkdir()


def test_a_new_folder_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "out"

    with new_folder(path) as folder:
        (folder / "x").write_text("x")
        assert not path.exists()

    assert [entry.name for entry in path.iterdir()] == ["x"]
    assert [entry.name for entry in path.parent.iterdir()] == ["out"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o755


def test_a_folder_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), new_folder(tmp_path / "out") as folder:
        (folder / f"x{(folder / 'y').write_text('y') / 0}").mkdir()

    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()

    with new_folder(tmp_path / "out") as folder:
        (folder / "x").write_text("x")

    assert (tmp_path / "out" / "x").is_file()


def test_a_folder_with_something_in_it_is_not_overwritten_unless_asked(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "old").write_text("old")

    with pytest.raises(BadFile, match="not empty"), new_folder(out):
        pass
    assert (out / "old").is_file()

    with new_folder(out, overwrite=True) as folder:
        (folder / "new").write_text("new")
    assert [entry.name for entry in out.iterdir()] == ["new"]


def test_a_file_does_not_become_a_folder(tmp_path: Path) -> None:
    written(tmp_path / "out", b"precious")

    with pytest.raises(BadFile), new_folder(tmp_path / "out", overwrite=True):
        pass

    assert (tmp_path / "out").read_bytes() == b"precious"


PACK = {".gz": gzip.compress, ".zst": zstandard.ZstdCompressor(write_checksum=True).compress}
ANY_PACKING = pytest.mark.parametrize("suffix", PACK)


@ANY_PACKING
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


@ANY_PACKING
def test_several_compressed_pieces_are_one_text(tmp_path: Path, suffix: str) -> None:
    pack = PACK[suffix]
    path = written(tmp_path / "x", pack(b"one\n") + pack(b"") + pack(b"two\n") + b"\0" * 20)

    assert read_text(path) == "one\ntwo\n"


def test_a_zstd_file_may_begin_with_a_frame_to_skip(tmp_path: Path) -> None:
    skipped = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"12345"  # magic number, size, content (RFC 8878)

    assert read_text(written(tmp_path / "x", skipped + PACK[".zst"](b"one\n"))) == "one\n"


@ANY_PACKING
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


@ANY_PACKING
def test_a_compressed_file_cut_anywhere_is_refused(tmp_path: Path, suffix: str) -> None:
    whole = PACK[suffix](b"one two three four five\n" * 5)

    for size in range(4, len(whole)):
        with pytest.raises(BadFile, match="is cut off"):
            read_text(written(tmp_path / "x", whole[:size]))


@ANY_PACKING
def test_damage_inside_a_compressed_file_is_found(tmp_path: Path, suffix: str) -> None:
    whole = bytearray(PACK[suffix](b"one two three four five\n"))
    whole[-5] ^= 1  # in the checksum, or in what it is of

    with pytest.raises(BadFile, match="is damaged"):
        read_text(written(tmp_path / "x", bytes(whole)))


def test_what_follows_a_compressed_file_is_not_passed_over(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"gzip file is damaged .* after 4 bytes"):
        read_text(written(tmp_path / "x", gzip.compress(b"one\n") + b"two\n"))


@ANY_PACKING
def test_problems_are_placed_in_the_unpacked_text(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(BadFile, match=r"x:30001: this is not UTF-8"):
        read_text(written(tmp_path / "x", PACK[suffix](b"good line\n" * 30_000 + b"bad \xff line\n")))
    with pytest.raises(BadFile, match=r"x:2: found a NUL"):
        read_text(written(tmp_path / "x", PACK[suffix](b"one\ntw\0o\n")))


@ANY_PACKING
def test_a_name_says_whether_a_new_file_is_compressed(tmp_path: Path, suffix: str) -> None:
    with new_file(tmp_path / f"x.txt{suffix}") as file:
        file.write("one\ntwo\u2028\n" * 1000)

    assert read_text(tmp_path / f"x.txt{suffix}") == "one\ntwo\u2028\n" * 1000
    assert (tmp_path / f"x.txt{suffix}").stat().st_size < 200
    assert [entry.name for entry in tmp_path.iterdir()] == [f"x.txt{suffix}"]


@ANY_PACKING
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


@ANY_PACKING
def test_a_compressed_file_that_fails_leaves_nothing_behind(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(ZeroDivisionError), new_file(tmp_path / f"x{suffix}") as file:
        file.write(f"new{1 / 0}")
    with pytest.raises(BadFile, match="surrogates"), new_file(tmp_path / f"x{suffix}") as file:
        file.write("a\ud800b")

    assert list(tmp_path.iterdir()) == []


def test_bytes_can_be_written_as_safely_as_text(tmp_path: Path) -> None:
    with new_binary_file(tmp_path / "x.gz") as file:
        file.write(b"\0one")
        assert not (tmp_path / "x.gz").exists()

    assert (tmp_path / "x.gz").read_bytes() == b"\0one"


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

    assert "linnet[zstd]" in caught.value.remedy
    assert list(tmp_path.iterdir()) == [path]


def test_standard_input_is_read_and_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b"one\ntwo", gzip.compress(b"one\ntwo")):
        source = io.TextIOWrapper(io.BytesIO(content))
        monkeypatch.setattr(sys, "stdin", source)

        assert list(read_lines(STANDARD_INPUT)) == [(1, "one"), (2, "two")]
        assert not source.buffer.closed


def test_a_small_file_that_unpacks_to_much_is_read_in_little_memory(tmp_path: Path) -> None:
    path = written(tmp_path / "x", gzip.compress(b"a" * 50_000_000))  # 50 kB
    tracemalloc.start()

    with open_bytes(path) as file:
        n_bytes = sum(len(chunk) for chunk in iter(lambda: file.read1(1 << 16), b""))

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_bytes == 50_000_000
    assert peak < 20_000_000


def test_a_file_is_not_replaced_by_a_folder(tmp_path: Path) -> None:
    (tmp_path / "result").touch()

    with pytest.raises(BadFile, match="result: is a file"), new_folder(tmp_path / "result", overwrite=True):
        pass


def test_an_older_result_names_the_way_to_replace_it(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="exists already, an older export") as refused:
        check_overwrite(
            tmp_path / "a", source=tmp_path, is_older=True, overwrite=False, what="export", original="model"
        )
    assert "--overwrite" in refused.value.remedy


@pytest.mark.parametrize(
    ("own", "shared", "expected"),
    [
        ("/a/cache", "/b", Path("/a/cache")),
        ("", "/b", Path("/b/linnet")),
        ("", "relative", Path("/home/somebody/.cache/linnet")),
        ("", "", Path("/home/somebody/.cache/linnet")),
        ("here", "/b", Path.cwd() / "here"),
    ],
)
def test_the_cache_is_where_the_variables_say(
    own: str, shared: str, expected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("LINNET_CACHE", own)
    monkeypatch.setenv("XDG_CACHE_HOME", shared)

    assert cache_folder() == expected


def test_without_a_home_the_cache_must_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.delenv("LINNET_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)

    with pytest.raises(BadSetting) as refused:
        cache_folder()

    assert "LINNET_CACHE" in refused.value.remedy
