"""How far a job is: the share of the input's bytes that were read, also within a single file."""

import gzip
from pathlib import Path

import pytest

from linnet.annotation.annotate import annotate_path
from linnet.storage.files import open_text, watching_bytes
from tests import tiny

LINE = '{"id": "%d", "text": "ataxia was treated with aspirin and it was no cure for the mice in this trial ."}\n'


def write(path: Path, n_documents: int) -> Path:
    path.write_text("".join(LINE % number for number in range(n_documents)), encoding="utf-8")
    return path


def test_a_single_file_tells_which_share_of_it_is_read(tmp_path: Path) -> None:
    shares: list[float] = []

    annotate_path(
        write(tmp_path / "in.jsonl", 1500),
        model=tiny.trained(),
        output=tmp_path / "out.jsonl",
        input_watcher=shares.append,
    )

    assert len(shares) > 1
    assert shares == sorted(shares)
    assert 0 < shares[0] < 1
    assert shares[-1] == 1.0


class Watcher:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.n_found = self.n_kept = self.total = 0
        self.reached: list[float] = []

    def begin(self, total: int) -> None:
        self.total = total

    def find(self, number: int) -> None:
        self.n_found += number

    def keep(self, number: int) -> None:
        self.n_kept += number

    def reach(self, number: float) -> None:
        self.reached.append(number)


def test_progress_is_told_within_a_block_and_a_resumed_job_tells_what_it_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linnet.annotation.blocks.MOST_DOCUMENTS", 2)
    monkeypatch.setattr("linnet.tasks.ner.predictor.MOST_WINDOWS", 1)
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(LINE.replace("aspirin", f"drug{n}") % n for n in range(6)), encoding="utf-8")
    seen: list[int] = []

    def interrupt(number: int) -> None:
        seen.append(number)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        annotate_path(source, model=tiny.trained(), output=output, watcher=interrupt)
    watcher = Watcher()
    done = annotate_path(source, model=tiny.trained(), output=output, resume=True, progress=watcher)

    assert watcher.n_found == 6
    assert watcher.n_kept == done.kept_documents == 6 - watcher.reached[-1]
    assert 0 < watcher.reached[0] < 2  # within the first block
    assert done.tokens == 6 * 17
    assert done.tokens_per_second * done.seconds == pytest.approx(17 * (6 - done.kept_documents))


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_bytes_are_counted_as_they_stand_on_disk(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"text.txt{suffix}"
    content = b"one line\n" * 50_000
    path.write_bytes(gzip.compress(content) if suffix else content)
    counted: list[int] = []

    with watching_bytes(counted.append), open_text(path) as file:
        n_characters = len(file.read())

    assert n_characters == len(content)
    assert sum(counted) == path.stat().st_size


def test_files_that_nobody_watches_are_not_counted(tmp_path: Path) -> None:
    counted: list[int] = []
    with watching_bytes(counted.append):
        pass

    with open_text(write(tmp_path / "in.jsonl", 3)) as file:
        file.read()

    assert counted == []
