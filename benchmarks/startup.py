"""How much longer do the first answers of the command line take than importing what it is built on?"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

MOST = 3.0  # times the import of typer and rich
ROUNDS = 7
LINNET = str(Path(sys.executable).with_name("linnet"))
BASE = "import typer, rich"
COMMANDS = {
    BASE: [sys.executable, "-c", BASE],
    "linnet --help": [LINNET, "--help"],
    "linnet list formats": [LINNET, "list", "formats"],
}


def main() -> int:
    best = dict.fromkeys(COMMANDS, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        environment = with_compiled_modules(Path(folder))
        for _ in range(1 + ROUNDS):  # the first round compiles, as installing a wheel does
            for name, command in COMMANDS.items():
                best[name] = min(best[name], processor_seconds(command, environment))
    ratios = {name: seconds / best[BASE] for name, seconds in best.items()}
    for name, seconds in best.items():
        print(f"{name:20} {1000 * seconds:6.0f} ms  {ratios[name]:.2f} x (at most {MOST:g})")
    return int(max(ratios.values()) > MOST)


def processor_seconds(command: list[str], environment: dict[str, str]) -> float:
    """Return the processor time of a command, which does not count the time that other programs take."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    process.returncode = 0  # known already: nothing is left to wait for
    return used.ru_utime + used.ru_stime


def with_compiled_modules(folder: Path) -> dict[str, str]:
    """Return the environment with compiled modules kept in a folder, also where they are usually not written."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return environment | {"PYTHONPYCACHEPREFIX": str(folder)}


if __name__ == "__main__":
    sys.exit(main())
