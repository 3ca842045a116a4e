from linnet.serving.http.openapi import describe_api
from tools.site.reference.http_api import http_page


def test_every_route_is_listed() -> None:
    page = http_page()

    assert "| `POST /annotate` | Find mentions" in page
    assert callable(describe_api)
