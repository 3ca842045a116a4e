"""How large is each extra in a fresh environment, and how long does installing it take?

    python benchmarks/install.py                      the core alone
    python benchmarks/install.py train ray            the core and these extras, each in an environment of its own
    python benchmarks/install.py all                  every extra but `dev`

Sizes are what the environment grows by (compiled modules included), in millions of bytes. The times depend on the
network and on what pip has in its cache. Exits with 1 if the core without its embedded models takes more than 400 MB,
or holds what only training needs. torch comes from where pip is told to look; `--torch-index` names another index, such
as PyTorch's for CPUs.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_CORE = 400  # MB, without the embedded models
MODELS = ROOT / "src" / "linnet" / "embedded"
NOT_IN_CORE = ("torch", "transformers", "matplotlib", "accelerate")
CORE = "core"


def main() -> int:
    chosen = arguments()
    known = extras()
    names = [CORE, *known] if chosen.extras == ["all"] else [CORE, *chosen.extras]
    unknown = set(names) - {CORE, *known}
    if unknown:
        print(f"there is no extra {', '.join(sorted(unknown))}; known: {', '.join(known)}")
        return 2
    print(f"{'extra':12} {'MB':>8} {'seconds':>8} {'packages':>9}  torch")
    is_light = True
    for name in dict.fromkeys(names):
        with tempfile.TemporaryDirectory() as folder:
            grown, seconds, packages = install(Path(folder), name, chosen.torch_index)
        print(f"{name:12} {grown:8,.0f} {seconds:8.0f} {len(packages):9}  {packages.get('torch', '')}", flush=True)
        if name == CORE:
            is_light = grown - n_bytes(MODELS) / 1e6 <= MOST_CORE and not packages.keys() & set(NOT_IN_CORE)
    return int(not is_light)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("extras", nargs="*")
    parser.add_argument("--torch-index", help="address of an index that torch alone is looked for in besides")
    return parser.parse_args()


def extras() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [name for name in project["optional-dependencies"] if name != "dev"]


def install(folder: Path, extra: str, torch_index: str | None) -> tuple[float, float, dict[str, str]]:
    """Return the MB that an environment grows by, the seconds that takes, and the packages with their versions."""
    venv.create(folder, with_pip=True)
    before = n_bytes(folder)
    start = time.perf_counter()
    if torch_index and extra != CORE:
        pip(folder, "install", "--no-deps", "--extra-index-url", torch_index, "torch")
    pip(folder, "install", str(ROOT) if extra == CORE else f"{ROOT}[{extra}]")
    seconds = time.perf_counter() - start
    lines = pip(folder, "list", "--format=freeze").split()
    packages = dict(line.split("==", 1) for line in lines if "==" in line)
    return (n_bytes(folder) - before) / 1e6, seconds, packages


def pip(folder: Path, command: str, *options: str) -> str:
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    constraints = ("--quiet", "-c", str(ROOT / "constraints.txt")) if command == "install" else ()
    words = [str(python), "-m", "pip", command, "--disable-pip-version-check", *constraints, *options]
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE).stdout


def n_bytes(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


if __name__ == "__main__":
    sys.exit(main())
