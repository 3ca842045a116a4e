"""A journal keeps what was confirmed, whatever happens to the process that writes it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.serving.review.journal import open_journal

SUBJECT = {"documents": "abc"}
WRITER = """
import sys
from pathlib import Path
from linnet.serving.review.journal import open_journal
with open_journal(Path(sys.argv[1]), {"documents": "abc"}) as journal:
    for number in range(10**9):
        journal.append({"number": number, "more": "x" * 5000})
        print(number, flush=True)
"""


def entries(path: Path) -> list[dict[str, object]]:
    with open_journal(path, SUBJECT) as journal:
        return journal.entries


def test_entries_come_back(tmp_path: Path) -> None:
    with open_journal(tmp_path / "a.journal", SUBJECT) as journal:
        journal.append({"text": "Ataxie, é"})
        journal.append({"text": "b"})

    assert entries(tmp_path / "a.journal") == [{"text": "Ataxie, é"}, {"text": "b"}]


def test_the_name_of_a_new_journal_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[Path] = []
    monkeypatch.setattr("linnet.serving.review.journal.sync", synced.append)

    for _ in range(2):
        entries(tmp_path / "a.journal")

    assert synced == [tmp_path]


def test_a_line_that_was_not_finished_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with open_journal(path, SUBJECT) as journal:
        journal.append({"n": 1})
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"n": 2')

    assert entries(path) == [{"n": 1}]
    assert path.read_bytes() == whole


def test_no_confirmed_entry_is_lost_when_the_writer_is_killed(tmp_path: Path) -> None:
    path, confirmed = tmp_path / "a.journal", -1
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            seen = [int(writer.stdout.readline()) for _ in range(20)]
            os.kill(writer.pid, signal.SIGKILL)
            seen += [int(line) for line in writer.stdout if line.endswith("\n")]
        confirmed += len(seen)
        assert len(entries(path)) >= confirmed + 1


def test_a_full_disk_leaves_nothing_of_an_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.journal"
    write = os.write

    def full(descriptor: int, content: bytes) -> int:
        if len(content) > 100:
            write(descriptor, content[:50])
            raise OSError(28, "No space left on device")
        return write(descriptor, content)

    with open_journal(path, SUBJECT) as journal:
        journal.append({"n": 1})
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space"):
            journal.append({"n": "x" * 200})
        journal.append({"n": 2})
    monkeypatch.undo()

    assert entries(path) == [{"n": 1}, {"n": 2}]


def test_two_processes_cannot_have_it_open(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with (
        open_journal(path, SUBJECT),
        pytest.raises(BadFile, match="another process has this review open"),
        open_journal(path, SUBJECT),
    ):
        pass


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            json.dumps({"review": 1, "documents": "xyz"}) + '\n{"document": "1"}',
            r"a review of other documents \(xyz, now abc\)",
        ),
        (json.dumps({"other": 1}), "expected the head of a review"),
        ('{"review": 1, "documents": "abc"}\n{"n"', r"a\.journal:2: this is not a line of a journal"),
        ('{"review": 1, "documents": "abc"}\n[]', r"a\.journal:2: .*expected an object"),
    ],
)
def test_another_journal_and_a_broken_one_are_refused(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "a.journal"
    path.write_text(content + "\n", encoding="utf-8")

    with pytest.raises(BadFile, match=problem), open_journal(path, SUBJECT):
        pass


def test_a_review_without_a_decision_may_become_another(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with open_journal(path, {"documents": "old"}):
        pass

    with open_journal(path, {"documents": "new"}) as journal:
        journal.append({"document": "1"})

    with open_journal(path, {"documents": "new"}) as journal:
        assert journal.entries == [{"document": "1"}]


def test_a_line_that_is_no_journal_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_text('{"mine": 1}\n', encoding="utf-8")

    with pytest.raises(BadFile, match="expected the head of a review"), open_journal(path, {"documents": "new"}):
        pass

    assert path.read_text(encoding="utf-8") == '{"mine": 1}\n'
