"""The description of the routes is complete, and the file in the repository has not drifted."""

import json
import re
from pathlib import Path

import pytest

from linnet.serving.http import media_types
from linnet.serving.http.openapi import describe_api
from tests.serving.http.services import client_of, make_service

KEPT = Path(__file__).parents[3] / "docs" / "openapi.json"


def test_the_file_in_the_repository_is_what_the_service_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_types, "NEEDED", {})  # the file is about a service with all extras
    with client_of(make_service()) as client:
        answer = client.get("/openapi.json").json()

    assert json.loads(KEPT.read_text(encoding="utf-8")) == answer == json.loads(json.dumps(describe_api()))


def test_every_route_is_described_and_nothing_else() -> None:
    paths = describe_api()["paths"]

    with client_of(make_service()) as client:
        for path, methods in paths.items():
            for method in ("get", "post"):
                status = client.request(method.upper(), path).status_code
                assert (status == 405) == (method not in methods), (method, path, status)


def test_the_docs_have_every_route() -> None:
    table = (KEPT.parent / "serving.md").read_text(encoding="utf-8").partition("| route |")[2].partition("\n\n")[0]

    assert set(re.findall(r"`(?:GET |POST )?(/[^`]*)`", table)) >= set(describe_api()["paths"]) - {"/"}


def test_references_lead_somewhere() -> None:
    text = json.dumps(describe_api())
    schemas = describe_api()["components"]["schemas"]

    found = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert found == set(schemas)
