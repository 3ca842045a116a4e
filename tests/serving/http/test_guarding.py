"""Only who may uses the service, and every answer tells browsers to be careful."""

from base64 import b64encode

import pytest

from linnet.serving.http.guarding import Access, is_loopback
from tests.serving.http.services import client_of, make_service

TOKEN = "a-long-secret"
SECRET = Access(token=TOKEN)


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (f"Bearer {TOKEN}", 200),
        (f"bearer {TOKEN}", 200),
        (f"Token {TOKEN}", 200),
        ("Basic " + b64encode(f"user:{TOKEN}".encode()).decode(), 200),  # as Label Studio sends it
        ("Basic %%%", 401),
        ("Bearer wrong", 401),
        (f"Digest {TOKEN}", 401),
        ("", 401),
    ],
)
def test_the_token_is_checked(given: str, status: int) -> None:
    with client_of(make_service(), SECRET) as client:
        answer = client.get("/models", headers={"authorization": given} if given else {})

    assert answer.status_code == status
    if status == 401:
        assert answer.json()["error"]["where"] == "header Authorization"
        assert answer.headers["www-authenticate"] == "Bearer"
        assert TOKEN not in answer.text


def test_whether_the_service_lives_is_told_to_everybody() -> None:
    with client_of(make_service(), SECRET) as client:
        assert client.get("/health").status_code == client.get("/ready").status_code == 200
        assert client.get("/metrics").status_code == 401


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost:8000", 200), ("127.0.0.1", 200), ("[::1]:8000", 200), ("evil.example", 403), ("", 403)],
)
def test_the_host_is_checked(host: str, status: int) -> None:
    with client_of(make_service()) as client:
        assert client.get("/models", headers={"host": host}).status_code == status


def test_a_refusal_names_the_option_that_allows_more() -> None:
    with client_of(make_service()) as client:
        host = client.get("/models", headers={"host": "evil.example"}).json()["error"]
        origin = client.get("/models", headers={"origin": "https://a.org"}).json()["error"]

    assert "--allow-host" in host["remedy"]
    assert "--cors" in origin["remedy"]


def test_other_hosts_can_be_named() -> None:
    with client_of(make_service(), Access(hosts=("linnet.example",))) as client:
        assert client.get("/models", headers={"host": "Linnet.Example:80"}).status_code == 200
    with client_of(make_service(), Access(hosts=("*",))) as client:
        assert client.get("/models", headers={"host": "anything"}).status_code == 200


def test_pages_of_other_origins_are_refused_unless_they_are_named() -> None:
    page = {"origin": "https://page.example"}
    with client_of(make_service()) as client:
        assert client.post("/annotate", json={"text": "a"}, headers=page).status_code == 403
        own = client.get("/models", headers={"origin": "http://localhost"})
        assert own.status_code == 200
        assert "access-control-allow-origin" not in own.headers
    with client_of(make_service(), Access(origins=("https://page.example",), token=TOKEN)) as client:
        asked = {**page, "access-control-request-method": "POST", "access-control-request-headers": "content-type"}
        assert client.options("/annotate", headers=asked).status_code == 200
        answer = client.get("/models", headers={**page, "authorization": f"Bearer {TOKEN}"})
        assert answer.headers["access-control-allow-origin"] == "https://page.example"
        refused = client.get("/models", headers={"origin": "https://other.example"})
        assert (refused.status_code, "access-control-allow-origin" in refused.headers) == (403, False)


def test_a_page_that_may_ask_can_read_why_it_is_refused() -> None:
    page = {"origin": "https://page.example"}
    with client_of(make_service(), Access(origins=("https://page.example",), token=TOKEN)) as client:
        answer = client.get("/models", headers=page)

    assert answer.status_code == 401
    assert (answer.headers["access-control-allow-origin"], answer.headers["vary"]) == (page["origin"], "Origin")


def test_every_answer_has_security_headers() -> None:
    with client_of(make_service()) as client:
        answers = [client.get("/models"), client.get("/nowhere"), client.post("/annotate", content=b"")]

    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


def test_addresses_of_this_machine_are_known() -> None:
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.1.2.3", "::1")))
    assert not any(map(is_loopback, ("0.0.0.0", "192.168.1.2", "example.org")))


@pytest.mark.parametrize("asked", [{"headers": {"x": "a" * 20_000}}, {"params": {"labels": "a" * 20_000}}])
def test_long_headers_and_addresses_are_refused(asked: dict[str, dict[str, str]]) -> None:
    with client_of(make_service()) as client:
        answer = client.get("/models", **asked)  # type: ignore[arg-type]

    assert answer.status_code == 431
    assert answer.json()["error"]["where"] == "headers"
