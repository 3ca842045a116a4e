"""The service starts where it may, says why it cannot, and finishes its work when it is told to stop."""

import http.client
import json
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import uvicorn

from linnet.errors import BadSetting
from linnet.serving.http.server import access_problem, describe_access, open_socket, serve, serve_review
from linnet.serving.review.opening import open_review
from tests.serving.http.services import settings
from tests.serving.http.test_reviewing import write_documents

PROGRAM = """
import sys
import linnet.serving.http.served_models as served_models
from linnet.serving.http.server import serve
from tests.serving.http.services import Finder, served, settings
served_models.open_models = lambda *_, **__: {"finder": served(Finder(seconds=0.5), "finder")}
serve(settings(port=0), lambda sentence: print(sentence, flush=True))
print("ended", flush=True)
"""


@pytest.mark.long
def test_a_running_request_is_finished_when_the_service_is_told_to_stop() -> None:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        address = process.stdout.readline().split()[0].removeprefix("http://")
        with ThreadPoolExecutor(1) as pool:
            asking = pool.submit(ask, address, "POST", "/annotate", '{"text": "In Bonn"}')
            while not asking.done() and 'waiting_characters{model="finder"} 8' not in ask(address, "GET", "/metrics"):
                pass
            process.send_signal(signal.SIGTERM)
            answer = asking.result(20)
        rest = process.stdout.read()
        code = process.wait(20)
    finally:
        process.kill()
        process.communicate()

    assert [span["text"] for span in json.loads(answer)["documents"][0]["spans"]] == ["In", "Bonn"]
    assert (rest, code) == ("ended\n", 0)


def ask(address: str, method: str, path: str, body: str | None = None) -> str:
    with closing(http.client.HTTPConnection(address, timeout=20)) as connection:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        return connection.getresponse().read().decode()


def test_a_port_in_use_is_said() -> None:
    with closing(open_socket("127.0.0.1", 0)) as taken:
        taken.listen()
        with pytest.raises(BadSetting, match=f"port {taken.getsockname()[1]} is in use"):
            serve(settings(port=taken.getsockname()[1]), print)


@pytest.mark.parametrize(("number", "named"), [(1, "1 document"), (2, "2 documents")])
def test_a_review_says_how_many_documents_it_has_and_has_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, named: str
) -> None:
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    chosen = write_documents(tmp_path, [{"id": str(at), "text": "Bonn"} for at in range(number)], port=0)
    with open_review(chosen) as opened:
        for at in range(number):
            opened.review.decide(at, [], 0)
    said: list[str] = []

    serve_review(chosen, said.append)

    assert f" has the review of {named};" in said[0]
    assert f"out.jsonl: {named}; train on it with:" in said[1]


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(BadSetting, match="is no address of this machine"):
        open_socket("192.0.2.1", 0)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.0.5", "::"])
def test_other_machines_need_a_token(host: str) -> None:
    problem = access_problem(settings(host=host))

    assert problem is not None
    assert "there is no token" in problem.problem
    assert access_problem(settings(host=host, token="long-enough")) is None


def test_a_token_must_be_printable() -> None:
    assert access_problem(settings(token="with\nline break")) is not None


@pytest.mark.parametrize("origin", ["*", "a.org", "https://a.org/", "https://a.org/page", "https://A.org", ""])
def test_what_is_no_origin_is_refused(origin: str) -> None:
    problem = access_problem(settings(cors=("https://b.org", origin)))

    assert problem is not None
    assert f"--cors {origin}" in problem.problem
    assert access_problem(settings(cors=("https://a.org", "http://localhost:8080", "null-x://id"))) is None


@pytest.mark.parametrize("host", ["http://a.org", "a.org:8000", "a.org/page", ""])
def test_what_is_no_name_of_a_host_is_refused(host: str) -> None:
    problem = access_problem(settings(allowed_hosts=("b.org", host)))

    assert problem is not None
    assert f"--allow-host {host}" in problem.problem
    assert access_problem(settings(allowed_hosts=("a.org", "host.docker.internal", "::1", "10.0.0.1"))) is None


def test_names_of_the_service() -> None:
    assert "localhost" in describe_access(settings()).hosts
    assert "*" not in describe_access(settings()).hosts
    assert "*" in describe_access(settings(host="0.0.0.0", token="long-enough")).hosts
    named = describe_access(settings(host="0.0.0.0", token="long-enough", allowed_hosts=("A.example",)))
    assert "*" not in named.hosts
    assert "a.example" in named.hosts


def test_ipv6_is_possible() -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    try:
        listener = open_socket("::1", 0)
    except BadSetting:
        pytest.skip("this machine has no IPv6 address")
    with closing(listener):
        assert listener.family == socket.AF_INET6
