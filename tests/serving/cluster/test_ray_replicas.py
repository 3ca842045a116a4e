"""Replicas on Ray Serve answer, and a request whose replica is killed is answered by another one."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from linnet.errors import MissingExtra
from linnet.serving.cluster import ray_replicas
from linnet.serving.cluster.ray_replicas import start_replicas
from tests.serving.http.services import settings

ROOT = Path(__file__).parents[3]
PROGRAM = """
from linnet.serving.http import server
from linnet.settings.serving import ServeSettings
server.serve(ServeSettings(port=0, ray="local", replicas=2), lambda sentence: print(sentence, flush=True))
print("ended", flush=True)
"""
TEXT = "Aspirin reduces fever in mice with BRCA1 mutations. " * 20


def test_ray_serve_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_replicas, "find_spec", lambda _: None)

    with pytest.raises(MissingExtra, match="needs Ray Serve"), start_replicas(settings(ray="local")):
        pass


def ask(address: str) -> int:
    with closing(http.client.HTTPConnection(address, timeout=60)) as connection:
        connection.request("POST", "/annotate", json.dumps({"text": TEXT}), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        found = json.load(answer)
        return len(found["documents"][0]["spans"]) if answer.status == 200 else -answer.status


def replicas_of(process: int) -> list[int]:
    """Return the processes of replicas, by what Ray calls them."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name = (folder / "cmdline").read_bytes()
            started_by = (folder / "environ").read_bytes()
        except OSError:
            continue
        if (
            name.startswith(b"ray::")
            and b"ServeReplica:linnet" in name
            and f"LINNET_TEST={process}".encode() in started_by
        ):
            found.append(int(folder.name))
    return found


@pytest.mark.slow
@pytest.mark.skipif(find_spec("ray") is None or find_spec("fastapi") is None, reason="Ray Serve is not installed")
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_requests_of_a_killed_replica_are_answered_by_another() -> None:
    path = os.pathsep.join([str(ROOT), str(ROOT / "src"), *sys.path])
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "LINNET_TEST": str(os.getpid())},
    )
    try:
        assert process.stdout
        line = process.stdout.readline()
        address = line.split()[0].removeprefix("http://")
        expected = ask(address)
        killed = 0
        with ThreadPoolExecutor(8) as pool:
            asking = [pool.submit(ask, address) for _ in range(60)]
            while not all(each.done() for each in asking):
                if killed < 2 and sum(each.done() for each in asking) > 15 * (killed + 1):
                    alive = replicas_of(os.getpid())
                    if len(alive) == 2:
                        os.kill(alive[0], signal.SIGKILL)
                        killed += 1
                time.sleep(0.02)
            answers = [each.result() for each in asking]
        process.send_signal(signal.SIGTERM)
        rest = process.stdout.read()
        code = process.wait(300)
    finally:
        process.kill()
        process.communicate()

    assert expected > 0
    assert killed >= 1
    assert answers == [expected] * len(answers)
    assert (rest.splitlines()[-1:], code) == (["ended"], 0)
