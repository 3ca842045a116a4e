"""How fast is a training beside two other busy programs, and what does waiting without spinning cost on a free machine?

Two threads of one training wait for each other thousands of times a second. Where they spin while they wait, each takes
the other's turn on a machine that has other work. `linnet` therefore sets OMP_WAIT_POLICY=PASSIVE unless the user names
another policy. Sub-words per second of one epoch on the embedded corpus, by policy, alone and beside two neighbours.
Exits with 1 where waiting passively is not twice as fast beside neighbours, or costs more than 10 % without them.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LINNET = str(Path(sys.executable).with_name("linnet"))
POLICIES = ("ACTIVE", "PASSIVE")
MOST_SECONDS = 900


def main() -> int:
    print(f"{len(os.sched_getaffinity(0))} processors")
    rates = {}
    for n_neighbours in (0, 2):
        with neighbours(n_neighbours):
            for policy in POLICIES:
                rates[n_neighbours, policy] = rate(policy)
                print(
                    f"{n_neighbours} neighbours, {policy:7}: {rates[n_neighbours, policy]:7,.0f} tokens/s", flush=True
                )
    gain = rates[2, "PASSIVE"] / rates[2, "ACTIVE"]
    cost = 1 - rates[0, "PASSIVE"] / rates[0, "ACTIVE"]
    print(f"beside neighbours {gain:.1f} x as fast (at least 2), alone {100 * cost:.1f} % slower (at most 10)")
    return int(gain < 2 or cost > 0.1)


@contextmanager
def neighbours(number: int) -> Iterator[None]:
    """Keep so many processors busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


def rate(policy: str) -> float:
    """Return the sub-words per second of a short training."""
    with tempfile.TemporaryDirectory() as name:
        command = [LINNET, "train", "--data", "demo", "--output", f"{name}/run", "--epochs", "1", "--threads", "2"]
        process = subprocess.run(
            [*command, "--json"],
            env={**os.environ, "OMP_WAIT_POLICY": policy},
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            check=True,
        )
    return float(json.loads(process.stdout)["tokens_per_second"])


if __name__ == "__main__":
    sys.exit(main())
