"""A review describes its own routes, and answers as it describes them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from linnet.serving.http import application
from linnet.serving.http.application import build_application
from linnet.serving.http.guarding import Access
from linnet.serving.http.review_api import describe_review_routes
from linnet.serving.http.reviewing import ReviewRoutes
from linnet.serving.http.service import Service
from linnet.serving.review.opening import open_review
from tests.serving.http.services import client_of, make_service, settings
from tests.serving.http.test_reviewing import write_documents


@pytest.fixture
def routes(tmp_path: Path) -> Iterator[ReviewRoutes]:
    with open_review(write_documents(tmp_path)) as opened:
        yield ReviewRoutes(opened, settings())


@pytest.fixture
def client(routes: ReviewRoutes) -> Iterator[TestClient]:
    app = build_application(Service(settings(), {}), Access(), routes)
    with TestClient(app, base_url="http://localhost") as found:
        yield found


def test_a_review_describes_its_routes_and_only_a_review(client: TestClient, routes: ReviewRoutes) -> None:
    handlers = {"get": application._build_review_pages(routes), "post": application._build_review_verbs(routes)}
    expected = {(path.replace(":int", ""), method) for method, paths in handlers.items() for path in paths}

    described = client.get("/openapi.json").json()
    with client_of(make_service()) as other:
        without = other.get("/openapi.json").json()["paths"]

    own = {path: each for path, each in described["paths"].items() if path not in without}
    assert {(path, method) for path, each in own.items() for method in each if method != "parameters"} == expected
    assert set(described["paths"]) == {*without, *own}
    for part in json.dumps(own).split("#/components/schemas/")[1:]:
        assert part.split('"')[0] in described["components"]["schemas"]


def test_answers_have_the_fields_that_are_described(client: TestClient) -> None:
    paths = describe_review_routes()

    def fields(path: str, method: str) -> set[str]:
        found: dict[str, object] = paths[path][method]["responses"]["200"]["content"]["application/json"]["schema"]
        assert isinstance(found["properties"], dict)
        return set(found["properties"])

    decided = client.post("/review/0", json={"version": 0, "spans": []}).json()
    progress = client.get("/review").json()

    assert set(progress) == fields("/review", "get")
    assert set(decided) == fields("/review/{number}", "post")
    assert set(client.get("/review/0").json()) == fields("/review/{number}", "get") - {"beside"}
    assert set(client.get("/review/documents").json()) == fields("/review/documents", "get")
    assert set(client.post("/review/output").json()) == fields("/review/output", "post")
    schema = paths["/review"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert set(progress["agreement"]) == set(schema["properties"]["agreement"]["properties"])


def test_statuses_of_refusals_are_described(client: TestClient) -> None:
    described = describe_review_routes()["/review/{number}"]["post"]["responses"]
    wrong = [("/review/9", 0, []), ("/review/0", "0", []), ("/review/0", 5, []), ("/review/0", 0, [{"start": 0}])]

    found = [client.post(path, json={"version": version, "spans": spans}) for path, version, spans in wrong]

    assert [answer.status_code for answer in found] == [404, 400, 409, 422]
    assert {str(answer.status_code) for answer in found} <= set(described)
