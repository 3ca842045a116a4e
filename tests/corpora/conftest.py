"""A tiny table instead of the package's, a cache of its own, and a server on this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from linnet.corpora import download, table
from tests.corpora.tiny_table import TABLE, Server, serving


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("LINNET_CACHE", str(folder))
    return folder


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> Iterator[Path]:
    path = tmp_path / "table.toml"
    path.write_text(TABLE, encoding="utf-8")
    monkeypatch.setattr(table, "TABLE", str(path))
    table.known_corpora.cache_clear()
    yield cache
    table.known_corpora.cache_clear()


@pytest.fixture
def server(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(download, "PAUSE", 0.0)
    monkeypatch.setattr(download, "TIMEOUT", 0.5)
    monkeypatch.setenv("no_proxy", "*")
    with serving() as found:
        monkeypatch.setenv("LINNET_CORPORA_MIRROR", found.address)
        yield found
