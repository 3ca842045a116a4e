"""Files of a corpus are compared with the table."""

import hashlib
from pathlib import Path

import pytest

from linnet.corpora.digests import FileState, file_states, is_whole, state_of
from linnet.corpora.table import CorpusFile, find_known
from linnet.errors import BadFile
from tests.corpora.tiny_table import TEST, blob_id, fill

SHA256 = hashlib.sha256(TEST).hexdigest()


@pytest.mark.parametrize(
    ("expected", "is_same"),
    [
        (CorpusFile("test.tsv", sha256=SHA256), True),
        (CorpusFile("test.tsv", git_blob=blob_id(TEST)), True),
        (CorpusFile("test.tsv", sha256="0" * 64), False),
        (CorpusFile("test.tsv", git_blob="0" * 40), False),
        (CorpusFile("test.tsv", sha256="0" * 64, git_blob=blob_id(TEST)), False),  # SHA-256 comes first
    ],
)
def test_a_file_is_known_by_sha256_or_by_gits_id(expected: CorpusFile, is_same: bool, tmp_path: Path) -> None:
    (tmp_path / "test.tsv").write_bytes(TEST)

    assert state_of(tmp_path / "test.tsv", expected) == FileState(SHA256, is_same)


def test_a_missing_file_has_no_digest(tmp_path: Path) -> None:
    assert state_of(tmp_path / "test.tsv", CorpusFile("test.tsv", sha256=SHA256)) == FileState(None, False)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "test.tsv").write_bytes(TEST)
    monkeypatch.setattr(Path, "open", fail)

    with pytest.raises(BadFile, match=r"test\.tsv: cannot be read \(Permission denied\)"):
        state_of(tmp_path / "test.tsv", CorpusFile("test.tsv", sha256=SHA256))


def test_a_corpus_is_whole_if_all_its_files_are(tiny: Path) -> None:
    corpus, folder = find_known("tiny"), fill(tiny, "tiny")
    assert is_whole(corpus, folder)

    (folder / "devel.tsv").write_bytes(b"damaged")

    assert not is_whole(corpus, folder)
    states = file_states(corpus, folder)
    assert {name: state.ok for name, state in states.items()} == {
        "train.tsv": True,
        "devel.tsv": False,
        "test.tsv": True,
    }
