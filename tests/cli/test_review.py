"""`linnet review`: options become settings, and problems are said before anything runs."""

from pathlib import Path
from typing import Any

import pytest

from linnet.serving.http import server
from linnet.settings.review import ReviewSettings
from tests.cli.running import run


def test_options_become_settings(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    taken: list[ReviewSettings] = []

    def serve_review(settings: ReviewSettings, announce: Any) -> None:
        taken.append(settings)
        announce("http://127.0.0.1:8000 has the review")

    monkeypatch.setattr(server, "serve_review", serve_review)

    done = run(
        capsys, "review", "in.jsonl", "--output", "out.jsonl", "--model", "m", "--link", "Gene=v",
        "--beside", "p.jsonl", "--labels", "Gene, Cell", "--least-confident-first", "--replace", "--port", 0,
    )  # fmt: skip

    assert (done.code, done.out) == (0, "http://127.0.0.1:8000 has the review\n")
    assert taken == [
        ReviewSettings(
            source="in.jsonl",
            output="out.jsonl",
            model="m",
            replace=True,
            beside="p.jsonl",
            link=("Gene=v",),
            labels=("Gene", "Cell"),
            least_confident_first=True,
            port=0,
        )
    ]


def test_missing_documents_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "review", tmp_path / "nowhere", "--output", tmp_path / "out.jsonl", "--port", 0)

    assert done.code == 2
    assert "there is no such file or folder" in done.err
    assert list(tmp_path.iterdir()) == []
