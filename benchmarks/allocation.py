"""How much faster is a training that keeps the memory which each update frees, and how much more does it hold?

    .venv/bin/python benchmarks/allocation.py [--rounds 3] [--precision auto]

Each training has its own process: one epoch of MiniLM on the embedded corpus, one thread. The two ways take turns, and
the best round of each counts. Exits with 1 where keeping it is slower, or holds more than half as much again.
"""

import argparse
import json
import subprocess
import sys
import tempfile

MOST_MEMORY = 1.5
PROGRAM = """
import json, resource, sys
from linnet.training import trainer
from linnet.training.job import SilentWatcher
from linnet.training.options import read_recipe
from linnet.training.train import train

way, output, precision = sys.argv[1:]
if way == "returned":
    trainer.keep_freed_memory = lambda: False
given = {"optimiser.precision": precision}
settings = read_recipe(None, data="demo", encoder="minilm", output=output, epochs=1, threads=1, **given)
train(settings, watcher=SilentWatcher())
metrics = json.load(open(f"{output}/metrics.json"))
print(json.dumps([metrics["tokens_per_second"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6]))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--precision", default="auto")
    options = parser.parse_args()
    found: dict[str, list[tuple[float, float]]] = {"returned": [], "kept": []}
    for _ in range(options.rounds):
        for way in found:
            found[way].append(measure(way, options.precision))
    rates, peaks = ({way: max(each[n] for each in rows) for way, rows in found.items()} for n in (0, 1))
    for way in found:
        print(f"memory {way:8}: {rates[way]:7,.0f} sub-words/s, at most {peaks[way]:.2f} GB")
    gain, more = rates["kept"] / rates["returned"], peaks["kept"] / peaks["returned"]
    print(f"{gain:.2f} times as fast (at least 1), {more:.2f} times the memory (at most {MOST_MEMORY})")
    return int(gain < 1 or more > MOST_MEMORY)


def measure(way: str, precision: str) -> tuple[float, float]:
    """Return the sub-words per second of a short training, and the gigabytes that it held at most."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-c", PROGRAM, way, f"{name}/run", precision]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    rate, peak = json.loads(done.stdout.splitlines()[-1])
    return float(rate), float(peak)


if __name__ == "__main__":
    sys.exit(main())
