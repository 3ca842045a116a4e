"""The tree: a test file for every module, no crowded folder, first lines that name a purpose, and a true guide."""

import re
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent / "src" / "linnet"
MOST_FILES = 20  # in a folder, without `__init__.py`
MOST_LOOSE = 5  # modules beside the packages
STATION = re.compile(r"^\| \d+ \| (.*?) \|", re.M)


def modules() -> list[Path]:
    return [path.relative_to(ROOT) for path in ROOT.rglob("*.py") if path.name != "__init__.py"]


def test_every_module_has_a_test_file() -> None:
    missing = [str(path) for path in modules() if not (TESTS / path.parent / f"test_{path.name}").is_file()]

    assert not missing


def test_no_folder_is_crowded_and_few_modules_are_loose() -> None:
    counts = Counter(path.parent for path in modules())

    assert counts[Path()] <= MOST_LOOSE
    assert not {str(folder): number for folder, number in counts.items() if number > MOST_FILES}


def test_no_module_opens_with_a_question() -> None:
    first = {path: (ROOT / path).read_text(encoding="utf-8").split("\n", 1)[0] for path in modules()}

    assert not [str(path) for path, line in first.items() if "?" in line]


def test_the_stations_of_the_walks_are_modules() -> None:
    guide = (TESTS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = [name for cell in STATION.findall(guide) for name in re.findall(r"`([\w/]+(?:\.py|/))`", cell)]

    assert len(named) > 25
    assert not [name for name in named if not (ROOT / name).exists()]
