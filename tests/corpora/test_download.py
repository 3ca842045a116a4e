"""Download of one file over HTTP; `test_getting` has the downloads of whole corpora."""

from pathlib import Path

import pytest

from linnet.corpora.download import HOST, address_of, download, mirror
from linnet.corpora.table import CorpusFile, find_known
from linnet.errors import BadFile, BadSetting
from tests.corpora.tiny_table import COMMIT, TRAIN, Server

Progress = list[tuple[str, int, int | None]]


def fetch(server: Server, target: Path, *, n_bytes: int | None = len(TRAIN)) -> Progress:
    file = CorpusFile("train.tsv", path="data/tiny/train.tsv", bytes=n_bytes)
    seen: Progress = []
    address = address_of(find_known("tiny"), file, mirror())
    download(address, target, file, lambda each, received, total: seen.append((each.name, received, total)))
    return seen


def test_a_file_is_written_and_its_progress_reported(server: Server, tmp_path: Path) -> None:
    seen = fetch(server, tmp_path / "train.tsv")

    assert (tmp_path / "train.tsv").read_bytes() == TRAIN
    assert seen[-1] == ("train.tsv", len(TRAIN), len(TRAIN))


@pytest.mark.parametrize("fault", ["503", "429", "cut", "stall"])
def test_a_temporary_failure_is_followed_by_another_attempt(fault: str, server: Server, tmp_path: Path) -> None:
    server.fail("train.tsv", fault)

    fetch(server, tmp_path / "train.tsv")

    assert (tmp_path / "train.tsv").read_bytes() == TRAIN
    assert sum(server.requests.values()) == 2


def test_after_three_attempts_the_error_says_what_failed(server: Server, tmp_path: Path) -> None:
    server.fail("train.tsv", "503", "cut", "503")

    with pytest.raises(BadFile, match=r"cannot be fetched: the server answers 503 .*; tried 3 times"):
        fetch(server, tmp_path / "train.tsv")


def test_a_file_that_is_not_there_is_tried_once(server: Server, tmp_path: Path) -> None:
    server.fail("train.tsv", "404")

    with pytest.raises(BadFile, match="the server answers 404"):
        fetch(server, tmp_path / "train.tsv")

    assert sum(server.requests.values()) == 1


def test_a_larger_file_than_expected_is_not_read_to_its_end(server: Server, tmp_path: Path) -> None:
    seen = fetch(server, tmp_path / "train.tsv", n_bytes=10)

    assert seen == []
    assert (tmp_path / "train.tsv").read_bytes() == b""  # whose digest will be refused


def test_an_address_is_quoted_and_has_the_pinned_commit(tiny: Path) -> None:
    file = CorpusFile("a b.tsv", path="data/a b#1.tsv")

    assert address_of(find_known("tiny"), file) == f"{HOST}/owner/name/{COMMIT}/data/a%20b%231.tsv"


def test_a_mirror_replaces_the_start_of_all_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LINNET_CORPORA_MIRROR", raising=False)
    assert mirror() == HOST

    monkeypatch.setenv("LINNET_CORPORA_MIRROR", "https://mirror.example.org/corpora/")
    assert mirror() == "https://mirror.example.org/corpora"

    monkeypatch.setenv("LINNET_CORPORA_MIRROR", "mirror.example.org")
    with pytest.raises(BadSetting, match="expected an address"):
        mirror()
