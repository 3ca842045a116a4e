"""A page of a running service, which may not complain or ask for anything elsewhere."""

from collections.abc import Iterator

import pytest

from linnet.serving.http.application import build_application
from linnet.serving.http.guarding import Access
from linnet.serving.http.linking import SharedLinker
from linnet.serving.http.service import Service
from tests.browser import Browser, Page
from tests.serving.http.page_actions import Lister, Scripted
from tests.serving.http.running import running
from tests.serving.http.services import Judge, served, settings


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a service with a model of each kind and a linker, whose answers are known."""
    models = {"finder": served(Scripted(), "finder"), "judge": served(Judge(), "judge")}
    service = Service(settings(), models, SharedLinker(Lister, ["letters"]))
    with running(build_application(service, Access(hosts=["*"]))) as found:
        yield found


@pytest.fixture
def page(address: str, browser: Browser) -> Iterator[Page]:
    opened = browser.open(f"{address}/")
    yield opened
    complaints, requests = opened.complaints(), opened.requests()
    opened.close()
    assert complaints == []
    assert [each for each in requests if not each.startswith((address, "blob:", "data:"))] == []
