"""A grid on Ray whose first run loses its worker once: python -m tests.comparison.ray_scenario FOLDER.

A process of its own, because Ray opens connections and warns of its plans, which tests do not allow.
"""

import json
import os
import sys
from pathlib import Path

from linnet.comparison import ray_runner
from linnet.comparison.runner import SilentGridWatcher
from tests.comparison import fake_workers
from tests.comparison.fake_runs import planned
from tests.comparison.fake_workers import FINE, KILLED

__all__: list[str] = []


def main() -> None:
    os.chdir(sys.argv[1])
    ray_runner._make_run = fake_workers.lost_once
    runs = [planned(Path("runs") / label, label=label) for label in (KILLED, FINE)]  # paths hold where we are
    entries = ray_runner.run_on_ray(runs, address="local", threads=1, watcher=SilentGridWatcher())
    sys.stdout.write(json.dumps([vars(entry) for entry in entries]))


if __name__ == "__main__":
    main()
