"""How files are opened, and written so that nothing is left half written."""

import gzip
import io
import stat
import sys
from pathlib import Path

import pytest

from linnet.errors import BadFile, BadSetting
from linnet.storage.files import (
    STANDARD_INPUT,
    cache_folder,
    check_overwrite,
    check_text,
    new_binary_file,
    new_file,
    new_folder,
    open_text,
    read_lines,
    read_text,
    resolve_path,
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


def test_a_name_that_is_too_long_gets_a_remedy_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="File name too long") as caught, writing(tmp_path / "out"):
        (tmp_path / ("n" * 300)).touch()

    assert caught.value.remedy == "give a shorter name"


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


def test_bytes_can_be_written_as_safely_as_text(tmp_path: Path) -> None:
    with new_binary_file(tmp_path / "x.gz") as file:
        file.write(b"\0one")
        assert not (tmp_path / "x.gz").exists()

    assert (tmp_path / "x.gz").read_bytes() == b"\0one"


def test_standard_input_is_read_and_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b"one\ntwo", gzip.compress(b"one\ntwo")):
        source = io.TextIOWrapper(io.BytesIO(content))
        monkeypatch.setattr(sys, "stdin", source)

        assert list(read_lines(STANDARD_INPUT)) == [(1, "one"), (2, "two")]
        assert not source.buffer.closed


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


@pytest.mark.parametrize(("target", "source"), [("loop", "a"), ("a", "loop")])
def test_circular_links_are_refused_as_source_and_target(tmp_path: Path, target: str, source: str) -> None:
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(BadFile, match="loop: cannot be accessed"):
        check_overwrite(
            tmp_path / target,
            source=tmp_path / source,
            is_older=False,
            overwrite=True,
            what="encoder",
            original="checkpoint",
        )


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


def test_circular_links_are_refused_where_a_path_is_resolved(tmp_path: Path) -> None:  # issue 27
    (tmp_path / "loop").symlink_to("loop")

    assert resolve_path(tmp_path / "a" / ".." / "b") == tmp_path.resolve() / "b"
    with pytest.raises(BadFile, match="loop: cannot be accessed"):
        resolve_path(tmp_path / "loop")
