"""The scripts beside the findings: what a grid said is kept without weights and words, and can be judged again."""

import importlib.util
import json
from pathlib import Path
from statistics import mean, stdev
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "findings"
TEST = "-DOCSTART-\tO\n\ncystic\tB\nfibrosis\tI\n\nno\tO\ndisease\tB\n"
PREDICTED = (
    "-DOCSTART- test-1\tO\tO\n\ncystic\tB\tB-Disease\nfibrosis\tI\tI-Disease\n\n"
    "-DOCSTART- test-2\tO\tO\n\nno\tO\tO\ndisease\tB\tO\n\n"
)
EPOCH = '{"epoch": 1, "devel_f1": 0.5}\n'
NAMES = ("ncbi-disease--seed-1--none--0a", "ncbi-disease--seed-2--none--0b", "ncbi-disease--seed-1--30-minutes--0c")


def script(name: str) -> ModuleType:
    """Return the script of this name as a module."""
    found = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def write_run(folder: Path, f1: float) -> None:
    folder.mkdir(parents=True)
    files = {
        "linnet.json": "{}",
        "config.json": '{"labels": 3}',
        "recipe.toml": 'data = "corpora/ncbi-disease"\n',
        "metrics.json": json.dumps({"strict": {"micro": {"f1": f1}}}),
        "predictions-test.tsv": PREDICTED,
        "history.jsonl": '{"step": 1, "loss": 2.0}\n' + EPOCH,
    }
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")


def write_pretraining(folder: Path) -> None:
    folder.mkdir(parents=True)
    rows = [{"step": 1, "loss": 9.0}, *({"step": step, "perplexity": 100.0 / (step + 1)} for step in (0, 50, 99))]
    (folder / "history.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "metrics.json").write_text('{"perplexity": 1.0}', encoding="utf-8")
    (folder / "pretraining.json").write_text('{"encoder": "minilm"}', encoding="utf-8")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that is kept of a small grid and of one pretraining."""
    monkeypatch.chdir(tmp_path)
    corpus = tmp_path / "corpora" / "ncbi-disease"
    corpus.mkdir(parents=True)
    (corpus / "test.tsv").write_text(TEST, encoding="utf-8")
    grid = tmp_path / "grid"
    for name, f1 in zip(NAMES, (0.8, 0.82, 0.7), strict=True):
        write_run(grid / "runs" / name, f1)
    (grid / "runs" / "begun").mkdir()
    for name in ("log.jsonl", "data.json"):
        (grid / name).write_text("{}\n", encoding="utf-8")
    write_pretraining(tmp_path / "pretrain-minilm-pmc-30")
    script("keep_runs").keep(tmp_path / "kept.json.gz", grid, tmp_path / "pretrain-minilm-pmc-30")
    return tmp_path / "kept.json.gz"


def content_of(kept: Path) -> dict[str, Any]:
    found: dict[str, Any] = script("keep_runs").read_kept(kept)
    return found


def test_runs_that_were_kept_are_made_again_byte_for_byte(kept: Path) -> None:
    script("keep_runs").restore(kept, kept.parent / "again")

    for name in NAMES:
        old, new = (kept.parent / grid / "runs" / name for grid in ("grid", "again"))
        assert (new / "history.jsonl").read_text(encoding="utf-8") == EPOCH
        for path in set(old.iterdir()) - {old / "history.jsonl"}:
            assert (new / path.name).read_bytes() == path.read_bytes()
    assert not (kept.parent / "again" / "runs" / "begun").exists()


def test_no_word_of_a_corpus_is_kept(kept: Path) -> None:
    assert "fibrosis" not in json.dumps(content_of(kept))


def test_what_is_kept_already_stays_where_more_is_added(kept: Path) -> None:
    write_run(kept.parent / "other" / "runs" / "ncbi-disease--seed-3--none--0d", 0.9)
    for name in ("log.jsonl", "data.json"):
        (kept.parent / "other" / name).write_text("{}\n", encoding="utf-8")

    script("keep_runs").keep(kept, kept.parent / "other")

    assert list(content_of(kept)["runs"]) == sorted([*NAMES, "ncbi-disease--seed-3--none--0d"])
    assert list(content_of(kept)["pretrainings"]) == ["pretrain-minilm-pmc-30"]


@pytest.mark.parametrize(("content", "n_words"), [("cystic\tB\n", 1), (2 * f"{TEST}\n", 8)])
def test_another_corpus_than_was_predicted_is_refused(kept: Path, content: str, n_words: int) -> None:
    (kept.parent / "corpora" / "ncbi-disease" / "test.tsv").write_text(content, encoding="utf-8")

    with pytest.raises(SystemExit, match=f"has {n_words} words, and 4 were predicted"):
        script("keep_runs").restore(kept, kept.parent / "again")


def test_the_curve_is_drawn_from_what_was_kept(kept: Path) -> None:
    curve = script("domain_pretraining_curve")

    curve.main(kept, kept.parent / "curve.png")

    assert curve.scores(content_of(kept), "ncbi-disease") == {0: [80.0, 82.0], 30: [70.0]}
    assert (kept.parent / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_the_kept_runs_of_the_finding_are_whole() -> None:
    content = content_of(FOLDER / "domain-pretraining-runs.json.gz")
    curve = script("domain_pretraining_curve")

    by_corpus = {corpus: curve.scores(content, corpus) for corpus in curve.CORPORA}

    assert len(content["runs"]) == 24
    assert [{minutes: len(f1s) for minutes, f1s in scores.items()} for scores in by_corpus.values()] == [
        {0: 3, 30: 3, 60: 3, 120: 3},
        {0: 3, 30: 3, 60: 3, 120: 3},
    ]
    assert all(0 < f1 < 100 for scores in by_corpus.values() for each in scores.values() for f1 in each)


def test_the_kept_runs_about_the_start_of_pretraining_are_whole() -> None:
    content = content_of(FOLDER / "pretraining-start-runs.json.gz")

    found: dict[str, list[float]] = {}
    for name, run in content["runs"].items():
        start = name.split("--")[2]
        found.setdefault(start, []).append(100 * json.loads(run["files"]["metrics.json"])["strict"]["micro"]["f1"])

    page = (FOLDER / "domain-pretraining.md").read_text(encoding="utf-8")
    assert {start: len(f1s) for start, f1s in found.items()} == {
        "as-it-is": 3, "head-first": 3, "lower-rate": 3, "none": 3,
    }  # fmt: skip
    for f1s in found.values():
        assert f"{mean(f1s):.2f} ± {stdev(f1s):.2f}" in page
    for each in content["pretrainings"].values():
        assert f"{each['metrics']['perplexity']:.1f} |" in page
