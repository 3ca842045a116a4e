"""A review that is killed at random moments loses no decision that it has confirmed."""

import http.client
import json
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

N_KILLS = 100
N_DOCUMENTS = 20


def write_documents(path: Path) -> None:
    lines = [json.dumps({"id": f"d{number}", "text": f"In Bonn {number}"}) for number in range(N_DOCUMENTS)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def start(folder: Path) -> tuple["subprocess.Popen[str]", str]:
    command = ["review", str(folder / "in.jsonl"), "--output", str(folder / "out.jsonl"), "--port", "0"]
    process = subprocess.Popen([sys.executable, "-m", "linnet", *command], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    line = process.stdout.readline()
    assert line.startswith("http://"), line
    return process, line.split()[0].removeprefix("http://")


class Curator:
    """Decides on documents as fast as the review answers, and remembers what was confirmed."""

    def __init__(self, seed: int) -> None:
        self.generator = random.Random(seed)
        self.confirmed: dict[int, tuple[int, int]] = {}  # version and end of the mention, by document
        self.n_confirmed = 0

    def work(self, address: str) -> None:
        """Decide until the review is gone."""
        try:
            with closing(http.client.HTTPConnection(address, timeout=60)) as connection:
                while True:
                    self._decide(connection, self.generator.randrange(N_DOCUMENTS))
        except (OSError, http.client.HTTPException):
            return

    def _decide(self, connection: http.client.HTTPConnection, number: int) -> None:
        found = ask(connection, "GET", f"/review/{number}")
        version, end = found["version"], self.generator.randrange(1, 8)
        before, last = self.confirmed.get(number, (0, 0))
        assert version >= before
        if version == before and version:
            assert [span["end"] for span in found["document"]["spans"]] == [last]
        decision = {"version": version, "spans": [{"start": 0, "end": end, "label": "X"}]}
        answer = ask(connection, "POST", f"/review/{number}", json.dumps(decision))
        self.confirmed[number] = (answer["version"], end)
        self.n_confirmed += 1


def ask(connection: http.client.HTTPConnection, method: str, path: str, body: str | None = None) -> Any:
    connection.request(method, path, body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    content = answer.read()
    assert answer.status == 200, content
    return json.loads(content)


@pytest.mark.slow
def test_no_decision_is_lost_when_the_review_is_killed_at_random_moments(tmp_path: Path) -> None:
    write_documents(tmp_path / "in.jsonl")
    curator, generator = Curator(1), random.Random(2)

    for _ in range(N_KILLS):
        process, address = start(tmp_path)
        thread = threading.Thread(target=curator.work, args=[address])
        wanted = curator.n_confirmed + generator.randrange(1, 10)
        thread.start()
        while curator.n_confirmed < wanted and thread.is_alive():
            time.sleep(0.001)
        time.sleep(generator.random() / 50)  # so that it is anywhere within a decision
        process.send_signal(signal.SIGKILL)
        process.communicate()
        thread.join()

    assert curator.n_confirmed > N_KILLS
    process, address = start(tmp_path)
    with closing(http.client.HTTPConnection(address, timeout=60)) as connection:
        kept = {number: ask(connection, "GET", f"/review/{number}") for number in curator.confirmed}
    process.terminate()
    process.communicate()
    for number, (version, end) in curator.confirmed.items():
        assert kept[number]["version"] >= version
        if kept[number]["version"] == version:  # a later one was kept, and killed before it was confirmed
            assert [span["end"] for span in kept[number]["document"]["spans"]] == [end]
