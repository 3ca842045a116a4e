"""What holds for every test: the same random examples each time, no network, and one browser for all pages."""

import gc
import ipaddress
import os
import socket
from collections.abc import Generator, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings

from linnet.reports.figures import save
from tests.browser import Browser, OpenPage, Page, require_chromium
from tests.once import COMMON_FOLDER
from tests.shared_data import SHARED

LONGEST = (  # names of test files, the longest first, so that no process is left alone with one
    *("test_resume.py", "test_transfer.py", "test_compare.py", "test_docs.py", "test_plugin_task.py", "test_run.py"),
    *("test_families.py", "test_results.py", "test_extras.py", "test_formats.py", "test_hierarchical.py"),
    *("test_predictor.py", "test_runner.py", "test_network.py", "test_spacy_component.py", "test_tasks.py"),
    *("test_plots.py", "test_train.py", "test_exporting.py", "test_trainer.py", "test_shared_corpora.py"),
)

settings.register_profile("linnet", deadline=None, max_examples=60, derandomize=True, database=None)
settings.load_profile("linnet")


def pytest_configure(config: pytest.Config) -> None:
    """Give the processes of this test run a common folder, for `tests.once`."""
    if COMMON_FOLDER not in os.environ:
        place = TemporaryDirectory(prefix="linnet-tests-")
        os.environ[COMMON_FOLDER] = place.name
        config.add_cleanup(place.cleanup)
        config.add_cleanup(partial(os.environ.__delitem__, COMMON_FOLDER))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, mark tests of pages, and skip what has no corpora."""
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))
    for item in items:
        if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
            item.add_marker(pytest.mark.browser)
    if not (SHARED / "data").is_dir():
        for item in items:
            if item.get_closest_marker("corpora"):
                item.add_marker(pytest.mark.skip(reason=f"the corpora in {SHARED} are not here"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Import all tests without looking for garbage, and never look for it among what they import."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def without_network() -> Iterator[None]:
    """Refuse every connection that would leave this machine; processes on it may talk to each other."""
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and not _is_here(address[0]):
            raise PermissionError(f"a test tried to reach {address[0]!r}; tests use no network")
        connect(self, address)  # type: ignore[arg-type]  # whatever the caller gave

    def guarded_look_up(host: object, *args: object, **options: object) -> object:
        if not _is_here(host):
            raise PermissionError(f"a test tried to look up {host!r}; tests use no network")
        return look_up(host, *args, **options)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect)
        patch.setattr(socket, "getaddrinfo", guarded_look_up)
        yield


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests away from what the user has in the cache, and the cache free of theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINNET_CACHE", str(tmp_path_factory.mktemp("linnet-cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def without_syncing() -> Iterator[None]:
    """Do not wait for the disk: files of tests need not survive a power cut, and thousands of them are written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(os, "sync", lambda: None, raising=False)
        yield


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The pictures that are saved in a test, to see what was drawn."""
    saved: list[Any] = []

    def keep(figure: Any, path: Path, **_: Any) -> None:
        saved.append(figure)
        save(figure, path)

    for module in ("linnet.reports.plots", "linnet.comparison.plots"):
        monkeypatch.setattr(import_module(module), "save", keep)
    return saved


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Headless Chromium. Where there is none, tests are skipped, or fail if LINNET_NEEDS_BROWSER is set."""
    browser = Browser(require_chromium(), tmp_path_factory.mktemp("browser"))
    yield browser
    browser.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Open pages; none of them may complain, or ask for anything but itself."""
    opened: list[tuple[str, Page]] = []

    def open_one(folder: Path, address: str = "", *, width: int = 1300, scheme: str = "light") -> Page:
        file = (folder / "index.html").as_uri()
        opened.append((file, browser.open(f"{file}{address}", width=width, scheme=scheme)))
        return opened[-1][1]

    yield open_one
    found = [(page.complaints(), set(page.requests()) - {file, "data:,"}) for file, page in opened]
    for _, page in opened:
        page.close()
    assert found == [([], set())] * len(opened)


def _is_here(host: object) -> bool:
    if host in (None, "", "localhost", b"localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return host == socket.gethostname()
