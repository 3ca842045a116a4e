"""Jobs on Ray in which something happens: python -m tests.annotation.ray_scenario SCENARIO SOURCE MODEL OUTPUT.

A process of its own, because Ray opens connections and warns of its plans, which tests do not allow. Prints one line of
JSON for each block that the watcher was told of, for a worker that was killed, and about the end.
"""

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from linnet.annotation import blocks, ray_job
from linnet.annotation.annotate import annotate_path
from linnet.errors import LinnetError
from tests.annotation.ray_workers import Dying, Waiting, fifo

__all__: list[str] = []


def kill_the_waiting(folder: Path) -> None:
    process = int(fifo(folder).read_text(encoding="utf-8"))
    os.kill(process, signal.SIGKILL)
    say(killed=process)


def say(**what: Any) -> None:
    sys.__stdout__.write(json.dumps(what) + "\n")  # type: ignore[union-attr]  # it is there
    sys.__stdout__.flush()  # type: ignore[union-attr]


def main() -> None:
    scenario, source, model, output = sys.argv[1:]
    blocks.MOST_DOCUMENTS = 2
    folder = Path(f"{output}.work").absolute()
    options: dict[str, Any] = {"workers": 2}
    n_told = 0

    def told(number: int) -> None:
        nonlocal n_told
        n_told += 1
        say(documents=number)
        if scenario == "driver killed" and n_told == 2:
            os.kill(os.getpid(), signal.SIGKILL)

    if scenario == "worker killed":
        os.mkfifo(fifo(folder))
        threading.Thread(target=kill_the_waiting, args=(folder,), daemon=True).start()
        ray_job._Annotator = Waiting  # type: ignore[misc]
    elif scenario == "worker lost again and again":
        ray_job._Annotator = Dying  # type: ignore[misc]
    elif scenario == "resumed":
        options["resume"] = True
    elif scenario == "streamed":
        options["source_format"] = "jsonl"
    try:
        done = annotate_path(source, model=model, output=output, ray="local", watcher=told, **options)
        say(**done.as_dict())
    except LinnetError as error:
        say(problem=error.problem, remedy=error.remedy)


if __name__ == "__main__":
    main()
