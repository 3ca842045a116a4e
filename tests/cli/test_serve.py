"""`linnet serve`: options become settings, and problems are said before anything runs."""

from pathlib import Path
from typing import Any

import pytest

from linnet.serving.http import server
from linnet.settings.serving import ServeSettings
from tests.cli.running import run


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[ServeSettings]:
    """The settings that a service would have run with."""
    found: list[ServeSettings] = []

    def serve(settings: ServeSettings, announce: Any) -> None:
        announce("warning: careful")
        announce("http://127.0.0.1:8000 serves m")
        found.append(settings)

    monkeypatch.setattr(server, "serve", serve)
    return found


def test_options_become_settings(
    taken: list[ServeSettings], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "token").write_text("a-long-secret\n")

    done = run(
        capsys, "serve", "--model", "a=x", "--model", "y", "--port", 0, "--token-file", tmp_path / "token",
        "--cors", "https://a.org", "--allow-host", "b.org", "--max-documents", 5, "--min-score", 0.5,
        "--min-score", "Gene=0.7",
    )  # fmt: skip

    assert (done.code, done.out, done.err) == (0, "http://127.0.0.1:8000 serves m\n", "warning: careful\n")
    (settings,) = taken
    assert (settings.models, settings.port, settings.token) == (("a=x", "y"), 0, "a-long-secret")
    assert (settings.cors, settings.allowed_hosts, settings.max_documents) == (("https://a.org",), ("b.org",), 5)
    assert settings.min_score == {"*": 0.5, "Gene": 0.7}


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--token", "a-long-secret", "--token-file", "x"), "both --token and --token-file"),
        (("--token-file", "nowhere"), "nowhere: cannot be read"),
        (("--token", "short"), "--token: the token has fewer than 8 characters"),
        (("--seconds", "0"), "seconds"),
        (("--min-score", "Gene=2"), "confidence is from 0 to 1, found Gene=2"),
    ],
)
def test_wrong_options_are_refused(
    options: tuple[str, ...], problem: str, taken: list[ServeSettings], capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, "serve", "--model", "m", *options)

    assert done.code == 2
    assert problem in done.err
    assert not taken


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--host", "0.0.0.0"), "there is no token"),
        (("--port", "0"), "nowhere"),
        (("--link", "v", "--port", "0"), "nowhere"),
    ],
)
def test_what_cannot_start_says_why(options: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "serve", "--model", "nowhere/at/all", *options)

    assert done.code == 2
    assert problem in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("content", ["", "s3cr3t\n"])
def test_a_token_in_a_file_that_is_too_short_is_refused_and_not_shown(
    content: str, taken: list[ServeSettings], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "token").write_text(content)

    done = run(capsys, "serve", "--token-file", tmp_path / "token")

    assert done.code == 2
    assert str(tmp_path / "token") in done.err
    assert "s3cr3t" not in done.err + done.out
    assert not taken
