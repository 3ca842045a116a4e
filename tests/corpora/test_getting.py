"""A corpus arrives whole and checked, or not at all."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import linnet
from linnet.corpora import download, table
from linnet.corpora.getting import get_corpus
from linnet.corpora.table import CorpusFile
from linnet.errors import BadFile, BadSetting, UnknownName
from tests.corpora.tiny_table import CHEMICALS, FILES, TRAIN, Server, blob_id, fill


def leftovers(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.rglob("*") if path.is_file() or ".part" in path.name)


def test_a_corpus_is_fetched_into_the_cache_under_its_name(server: Server, tiny: Path) -> None:
    told: list[tuple[str, int, int | None]] = []

    got = get_corpus("tiny", progress=lambda file, received, whole: told.append((file.name, received, whole)))

    assert (got.folder, got.is_new) == (tiny / "corpora" / "tiny", True)
    assert {path.name: path.read_bytes() for path in got.folder.iterdir()} == FILES["tiny"]
    assert told[-1] == ("test.tsv", len(FILES["tiny"]["test.tsv"]), len(FILES["tiny"]["test.tsv"]))
    assert got.folder.stat().st_mode & 0o777 == 0o755


def test_what_is_there_is_not_fetched_again(server: Server, tiny: Path) -> None:
    get_corpus("tiny")
    before = server.requests.total()

    again = get_corpus("tiny")

    assert not again.is_new
    assert server.requests.total() == before


def test_a_redirect_is_followed(server: Server, tiny: Path) -> None:
    server.fail("train.tsv", "redirect")

    assert (get_corpus("tiny").folder / "train.tsv").read_bytes() == TRAIN


@pytest.mark.long
@pytest.mark.parametrize("fault", ["cut", "503", "stall"])
def test_a_passing_fault_is_tried_again(server: Server, tiny: Path, fault: str) -> None:
    server.fail("devel.tsv", fault, fault)

    assert (get_corpus("tiny").folder / "devel.tsv").read_bytes() == TRAIN


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("cut", r"cut off after \d+ of \d+ bytes; tried 3 times"),
        ("503", "answers 503 .*; tried 3 times"),
        ("404", "answers 404 Not Found$"),
        ("wrong", "devel.tsv is not the file that Linnet knows: .* bytes, SHA-256 [0-9a-f]{64}, expected SHA-256"),
    ],
)
def test_what_does_not_arrive_whole_leaves_nothing_behind(server: Server, tiny: Path, fault: str, told: str) -> None:
    server.fail("devel.tsv", *[fault] * 3)

    with pytest.raises(BadFile) as refused:
        get_corpus("tiny")

    assert re.search(told, refused.value.problem)
    assert leftovers(tiny) == []
    assert not (tiny / "corpora" / "tiny").exists()


def test_the_message_says_how_to_bring_the_files_by_hand(server: Server, tiny: Path) -> None:
    server.fail("train.tsv", "404")

    with pytest.raises(BadFile) as refused:
        get_corpus("tiny")

    remedy = refused.value.remedy
    assert "https://raw.githubusercontent.com/owner/name/0123456789abcdef0123456789abcdef01234567/data/tiny/" in remedy
    assert f"as {tiny / 'corpora' / 'tiny' / 'test.tsv'}" in remedy
    assert "`linnet corpus check tiny`" in remedy


def test_without_a_network_the_message_says_so(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "PAUSE", 0.0)
    monkeypatch.setenv("no_proxy", "*")

    with pytest.raises(BadFile, match=r"no connection .*; tried 3 times") as refused:  # tests have none
        get_corpus("tiny")

    assert "bring the files by hand" in refused.value.remedy
    assert leftovers(tiny) == []


def test_files_that_were_brought_by_hand_count(tiny: Path) -> None:
    folder = fill(tiny, "tiny")

    assert get_corpus("tiny").folder == folder


def test_a_damaged_copy_in_the_cache_is_made_anew(server: Server, tiny: Path) -> None:
    folder = fill(tiny, "tiny")
    (folder / "train.tsv").write_bytes(b"damaged")

    assert get_corpus("tiny").is_new
    assert (folder / "train.tsv").read_bytes() == TRAIN
    assert leftovers(tiny) == ["devel.tsv", "test.tsv", "train.tsv"]


def test_a_folder_with_other_files_is_not_replaced(server: Server, tiny: Path) -> None:
    folder = fill(tiny, "tiny")
    (folder / "train.tsv").write_bytes(b"damaged")
    (folder / "notes.txt").write_bytes(b"mine")

    with pytest.raises(BadFile, match=r"holds notes\.txt"):
        get_corpus("tiny")

    assert (folder / "notes.txt").read_bytes() == b"mine"


def test_a_folder_can_be_named_and_is_filled_from_the_cache(tiny: Path, tmp_path: Path) -> None:
    fill(tiny, "tiny")

    got = get_corpus("tiny", tmp_path / "mine")

    assert {path.name: path.read_bytes() for path in got.folder.iterdir()} == FILES["tiny"]


def test_a_named_folder_that_holds_something_is_left_as_it_is(server: Server, tiny: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "train.tsv").write_bytes(b"mine")

    with pytest.raises(BadFile, match="so it is not replaced"):
        get_corpus("tiny", mine)

    assert (mine / "train.tsv").read_bytes() == b"mine"


def test_a_part_of_a_corpus_is_made_from_it_and_needs_no_network_then(tiny: Path) -> None:
    fill(tiny, "tiny-red")

    got = get_corpus("tiny-red-chem")

    assert (got.folder / "train.PubTator").read_bytes() == CHEMICALS


def test_a_corpus_that_wants_a_signature_is_explained(tiny: Path) -> None:
    with pytest.raises(BadFile, match="a signature") as refused:
        get_corpus("tiny-signed")

    assert str(tiny / "corpora" / "tiny-signed") in refused.value.remedy


def test_a_misspelt_name_is_refused_with_the_nearest(tiny: Path) -> None:
    with pytest.raises(UnknownName) as refused:
        get_corpus("tinny")

    assert "did you mean 'tiny'?" in refused.value.remedy


def test_a_full_disk_is_told_and_leaves_nothing(server: Server, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full, a file that is always full")
    opened = Path.open

    def full(self: Path, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        is_target = "w" in mode and self.name == "devel.tsv"
        return opened(Path("/dev/full") if is_target else self, mode, *arguments, **options)

    monkeypatch.setattr(Path, "open", full)

    with pytest.raises(BadFile, match="No space left on device") as refused:
        get_corpus("tiny")

    assert "LINNET_CACHE" in refused.value.remedy
    assert leftovers(tiny) == []


def test_a_cache_that_cannot_be_written_is_told(
    server: Server, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path / "file"))

    with pytest.raises(BadFile, match="cannot be written"):
        get_corpus("tiny")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_cache_without_permission_is_told(server: Server, tiny: Path) -> None:
    tiny.mkdir()
    tiny.chmod(0o500)
    try:
        with pytest.raises(BadFile, match="Permission denied"):
            get_corpus("tiny")
    finally:
        tiny.chmod(0o700)


def test_an_interrupted_download_leaves_nothing(server: Server, tiny: Path) -> None:
    def interrupt(file: CorpusFile, received: int, whole: int | None) -> None:
        if file.name == "test.tsv":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        get_corpus("tiny", progress=interrupt)

    assert leftovers(tiny) == []


def test_several_processes_may_fetch_the_same_corpus_at_once(server: Server, tiny: Path) -> None:
    program = (
        "import sys; from linnet.corpora import table; table.TABLE = sys.argv[1]\n"
        "from linnet.corpora.getting import get_corpus\n"
        "print(get_corpus('tiny').folder)\n"
    )
    variables = {**os.environ, "PYTHONPATH": str(Path(linnet.__file__).parents[1])}
    for name in ("train.tsv", "devel.tsv"):
        server.fail(name, *["redirect"] * 4)

    running = [
        subprocess.Popen([sys.executable, "-c", program, table.TABLE], env=variables, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    printed = [process.communicate()[0].strip() for process in running]

    assert [process.returncode for process in running] == [0] * 4
    assert set(printed) == {str(tiny / "corpora" / "tiny")}
    assert leftovers(tiny) == ["devel.tsv", "test.tsv", "train.tsv"]


def test_another_process_that_was_faster_keeps_its_copy(server: Server, tiny: Path) -> None:
    def be_faster(file: CorpusFile, received: int, whole: int | None) -> None:
        fill(tiny, "tiny")

    get_corpus("tiny", progress=be_faster)

    assert leftovers(tiny) == ["devel.tsv", "test.tsv", "train.tsv"]


def test_a_file_can_be_known_by_gits_id(server: Server, tiny: Path) -> None:
    path = Path(table.TABLE)
    text = path.read_text(encoding="utf-8")
    digest = json.dumps(next(iter(table.known_corpora()["tiny"].files)).sha256)
    known_by_git = text.replace(f'"bytes" = {len(TRAIN)}, ', "").replace(
        f"sha256 = {digest}", f'git_blob = "{blob_id(TRAIN)}"'
    )
    path.write_text(known_by_git, encoding="utf-8")
    table.known_corpora.cache_clear()

    assert get_corpus("tiny").is_new
    server.fail("train.tsv", "wrong")
    (tiny / "corpora" / "tiny" / "train.tsv").unlink()
    with pytest.raises(BadFile, match=f"expected git's id {blob_id(TRAIN)}"):
        get_corpus("tiny")


def test_a_mirror_must_be_an_address(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_CORPORA_MIRROR", "ftp.example.org")

    with pytest.raises(BadSetting, match="expected an address"):
        get_corpus("tiny")
