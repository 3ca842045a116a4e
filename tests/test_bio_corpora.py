"""The script that prepares the corpora of the embedded model learns from no document that is scored."""

import gzip
import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "recipes" / "bio" / "prepare.py"
TYPES = ("Disease", "Chemical", "Gene", "Species", "CellLine", "Variant")


@pytest.fixture(scope="module")
def prepare() -> ModuleType:
    found = importlib.util.spec_from_file_location("prepare", SCRIPT)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def pubtator(number: int, label: str, extra: str) -> str:
    """Return a document with one mention of the label and one of another."""
    return f"{number}|t|Aspirin {number} in mice.\n{number}|a|\n{number}\t0\t7\tAspirin\t{label}\t-\n{extra}\n"


def write_published_files(folder: Path, prepare: ModuleType) -> None:
    """Write every corpus in its own layout; all of them have the document 1 in one of their splits."""
    for source in prepare.SOURCES:
        for split, name in source.files.items():
            first = {"train": 1, "devel": 200, "test": 100}[split]
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.suffix == ".tsv":
                place.write_text("mice\tB-Species\nran\tO\n\n" + "no\tO\n\n" * 1600, encoding="utf-8")
                continue
            labels = sorted(source.labels)
            numbers = [*range(first, first + 90), 1] if (source.name, split) == ("bc5cdr", "test") else None
            rows = [
                pubtator(number, labels[number % len(labels)], f"{number}\t11\t13\tin\tFamilyName\t-\n")
                for number in dict.fromkeys(numbers or range(first, first + 90))
            ]
            place.write_text("\n".join(rows), encoding="utf-8")


def write_abstracts(path: Path) -> None:
    """Write abstracts without annotations: one that is scored, an old one, one without a year, and a new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    years = {"1": 2020, "7001": 1975, "7002": None, "7003": 2020}
    rows = [{"pmid": pmid, "title": "A", "abstract": "B.", "year": year} for pmid, year in years.items()]
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def read(path: Path) -> dict[str, set[str]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["id"]: {span["label"] for span in row.get("spans", ())} for row in rows}


def test_no_scored_document_is_learned_from_and_labels_have_common_names(
    tmp_path: Path, prepare: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    write_published_files(tmp_path / "published", prepare)
    write_abstracts(tmp_path / "published" / prepare.ABSTRACTS)

    prepare.prepare(tmp_path / "published", tmp_path / "out")

    splits = {(path.parent.name, path.stem): read(path) for path in (tmp_path / "out").glob("*/*.jsonl")}
    scored = {each for (_, split), found in splits.items() if split != "train" for each in found}
    learned = {each for (_, split), found in splits.items() if split == "train" for each in found}
    assert "1" in scored  # of the test split of BC5CDR, and of all training splits
    assert not scored & learned
    assert {label for found in splits.values() for each in found.values() for label in each} == set(TYPES)
    assert len(splits["linnaeus", "train"]) < 1600  # most sentences without a mention are left out
    assert set(read(tmp_path / "out" / "abstracts.jsonl")) == {"7003"}
    assert "removed from train" in capsys.readouterr().out
