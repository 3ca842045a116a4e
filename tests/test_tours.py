"""The tours: each can be walked as it stands, in an empty folder, with what comes with the package."""

import shlex
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.cli.running import environment
from tests.test_docs import FENCE, ROOT, Block, blocks, run_block

TOURS = ROOT / "docs" / "tours"
WAITING = ("linnet serve", "linnet review", "curl ")  # services wait for requests
SETTING_UP = ("make demo", "source ")
TRAINING = "linnet train"
REVIEW = "linnet review "


def lines_of(tour: str, folder: Path = TOURS) -> list[str]:
    """Return the lines of all blocks for a shell, without those of services and of the set-up."""
    found = FENCE.finditer((folder / f"{tour}.md").read_text(encoding="utf-8"))
    lines = [line.strip() for each in found if each["language"] == "bash" for line in each["content"].splitlines()]
    return [line for line in lines if not line.startswith((*WAITING, *SETTING_UP))]


def walk(lines: list[str], folder: Path) -> str:
    return run_block(Block("a tour", "", "bash", "\n".join(lines)), folder)


@pytest.mark.long
def test_the_tour_of_the_bioinformatician_leads_to_its_training(tmp_path: Path) -> None:
    lines = lines_of("bioinformatician")
    at = next((number for number, line in enumerate(lines) if line.startswith(TRAINING)), len(lines))

    walk(lines[:at], tmp_path)

    assert len(lines[:at]) > 5  # the page was read
    assert not [name for name in ("found/part-00002.jsonl", "first.jsonl") if not (tmp_path / name).is_file()]


@pytest.mark.long
def test_the_tour_of_the_curator_leads_to_its_end(tmp_path: Path) -> None:
    steps = [block for block in blocks() if block.page == "curator.md"]

    for block in steps:
        lines = block.content.splitlines()
        run_block(block._replace(content="\n".join(line for line in lines if not line.startswith(REVIEW))), tmp_path)
        for line in lines:
            if line.startswith(REVIEW):
                begin_review(line, tmp_path)

    assert (tmp_path / "errors" / "mistakes.tsv").is_file()
    assert (tmp_path / "side-by-side" / "index.html").is_file()


def begin_review(line: str, folder: Path) -> None:
    """Begin a review, decide on its first document, and end it."""
    words = [sys.executable, "-m", *shlex.split(line), "--port", "0"]
    with subprocess.Popen(
        words, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as review:
        assert review.stdout
        assert review.stderr
        listening = review.stdout.readline()
        assert "has the review of" in listening, review.stderr.read()
        decision = urllib.request.Request(f"{listening.split()[0]}/review/0", b'{"version": 0, "spans": []}')
        with urllib.request.urlopen(decision) as answer:
            assert answer.status == 200
        review.send_signal(signal.SIGINT)
        assert "1 document; train" in review.stdout.read()


@pytest.mark.slow
@pytest.mark.parametrize("tour", ["bioinformatician", "engineer"])
def test_a_tour_with_training_leads_to_its_end(tour: str, tmp_path: Path) -> None:
    printed = walk(lines_of(tour), tmp_path)

    assert "mentions" in printed
    assert [*tmp_path.glob("models/*/model.onnx")]


@pytest.mark.slow
def test_the_five_minutes_lead_to_their_end(tmp_path: Path) -> None:
    for name in ("docs", "recipes"):  # of the clone that the page begins in
        (tmp_path / name).symlink_to(ROOT / name)

    walk(lines_of("five-minutes", ROOT / "docs"), tmp_path)

    made = ("case.jsonl", "page/index.html", "case-first.jsonl", "found/part-00000.jsonl", "sample.xml")
    assert not [name for name in made if not (tmp_path / name).is_file()]
    assert [*tmp_path.glob("runs/grid-small/*.html")]
