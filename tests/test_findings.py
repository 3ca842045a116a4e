"""The findings: their tables are those of the kept runs, and the scripts beside them work."""

import importlib.util
import json
import re
from pathlib import Path
from statistics import mean, stdev
from types import ModuleType

import pytest

from linnet.comparison.kept.archive import Archive, KeptRun, read_archive, write_archive
from linnet.comparison.kept.runs import keep_runs
from linnet.metrics.mentions.scores import score
from linnet.tasks.ner.evaluation import read_predictions
from linnet.tasks.ner.kept import restore_predictions
from linnet.tasks.ner.settings import NerSettings
from tests.comparison.fake_runs import WEIGHTINGS, finish, make_grid

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "findings"
PAGES = sorted(FOLDER.glob("*.md"))
KEPT = sorted(FOLDER.glob("*-runs.json.gz"))
INTERVAL = re.compile(r"[+-]\d+\.\d\d \([+-]\d+\.\d\d to [+-]\d+\.\d\d\)")
CHECKED = (  # a page, and the finding whose kept runs it is about
    ("findings/domain-pretraining.md", "domain-pretraining"),
    ("pretraining.md", "domain-pretraining"),
    ("findings/class-weighting.md", "class-weighting"),
    ("findings/general-transfer.md", "general-transfer"),
)


def script(name: str) -> ModuleType:
    """Return the script of this name as a module."""
    found = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def kept_run(seed: int, choice: str, f1: float) -> KeptRun:
    files = {"metrics.json": json.dumps({"strict": {"micro": {"f1": f1}}})}
    return KeptRun({"data": "ncbi-disease"}, {"pretraining": choice}, seed, {}, "x", {"changes": []}, files)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Return a file of three kept runs."""
    runs = [kept_run(1, "none", 0.8), kept_run(2, "none", 0.82), kept_run(1, "30 minutes", 0.7)]
    write_archive(tmp_path / "kept.json.gz", Archive({"x": {}}, runs))
    return tmp_path / "kept.json.gz"


def write_pretraining(folder: Path) -> Path:
    folder.mkdir()
    rows = [{"step": 1, "loss": 9.0}, *({"step": step, "perplexity": 100.0 / (step + 1)} for step in (0, 50, 99))]
    (folder / "history.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "metrics.json").write_text('{"perplexity": 1.0}', encoding="utf-8")
    (folder / "pretraining.json").write_text('{"encoder": "minilm"}', encoding="utf-8")
    return folder


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_tables_of_a_page_are_those_of_its_kept_runs(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert script("rescore").rescore(text) == text


@pytest.mark.parametrize(("page", "name"), CHECKED)
def test_every_difference_in_the_text_of_a_page_is_in_the_tables_of_the_finding(page: str, name: str) -> None:
    block = script("rescore").BLOCK
    finding = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    text = (FOLDER.parent / page).read_text(encoding="utf-8")
    tables = "".join(match[0] for match in block.finditer(finding))
    prose = re.sub(r"\s+", " ", block.sub("", text)).replace("points (", "(")

    found = set(INTERVAL.findall(prose))

    assert found
    assert found <= set(INTERVAL.findall(tables.replace("points ", "")))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_kept_runs_have_scores_and_no_words(path: Path) -> None:
    archive = read_archive(path)

    assert archive.runs
    for run in archive.runs:
        assert 0 <= json.loads(run.files["metrics.json"])["strict"]["micro"]["f1"] <= 1
        assert set(run.predicted) == {"tags", "changes"}
        assert set(archive.gold[run.gold]) == {"sentences", "documents", "tags", "gold", "unheld"}
    assert not {"words", "text", "texts"} & set(json.dumps(archive.gold).split('"'))


def test_a_page_gets_the_tables_of_its_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    axes = f"[axes]\nseed = [1, 2, 3]\n{WEIGHTINGS}"
    grid = make_grid(tmp_path, axes, recipe={"data": "no-corpus"})
    for run in grid.runs:
        finish(run, wrong=range(8 if run.choice == grid.baseline else 2 + run.seed))
    keep_runs(grid, tmp_path / "kept.json.gz")
    rescore = script("rescore")
    monkeypatch.setattr(rescore, "ROOT", tmp_path)
    monkeypatch.setattr(rescore, "FOLDER", tmp_path)
    marks = "Before.\n\n<!-- rescored: weighting.toml kept.json.gz{} -->\nold\n<!-- end of rescored -->\n\nAfter.\n"

    own, other = (rescore.rescore(marks.format(against)) for against in ("", " against welt"))

    assert own.startswith("Before.\n\n<!-- rescored")
    assert own.endswith("<!-- end of rescored -->\n\nAfter.\n")
    assert "\nold\n" not in own
    assert "All 9 runs of `weighting.toml`. Strict F1 on test." in own
    assert "| none | 60.00 ± 0.00 |  |" in own
    assert "| welt | 80.00 ± 5.00 | " in own
    assert "+20.00 (" in own
    assert "-20.00 (" in other
    assert rescore.rescore(own) == own


def test_a_grid_with_few_seeds_has_no_tables_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = make_grid(tmp_path, recipe={"data": "no-corpus"})
    finish(grid.runs[0])
    keep_runs(grid, tmp_path / "kept.json.gz")
    rescore = script("rescore")
    monkeypatch.setattr(rescore, "ROOT", tmp_path)
    monkeypatch.setattr(rescore, "FOLDER", tmp_path)

    found = rescore.block("weighting.toml", "kept.json.gz", None)

    assert found.startswith("1 of 6 runs of `weighting.toml` are finished.")
    assert "|" not in found


def test_pretrainings_are_kept_beside_runs_and_stay_there(kept: Path) -> None:
    keep = script("keep_pretrainings").keep
    keep(kept, write_pretraining(kept.parent / "first"))
    keep(kept, write_pretraining(kept.parent / "second"))

    found = read_archive(kept)

    assert list(found.more["pretrainings"]) == ["first", "second"]
    assert found.more["pretrainings"]["first"]["perplexity"] == [[0, 100.0], [50, 100 / 51], [99, 1.0]]
    assert len(found.runs) == 3


def test_the_curve_is_drawn_from_what_was_kept(kept: Path) -> None:
    script("keep_pretrainings").keep(kept, write_pretraining(kept.parent / "pretrain-minilm-pmc-30"))
    curve = script("domain_pretraining_curve")

    curve.main(kept, kept.parent / "curve.png")

    assert curve.scores(read_archive(kept), "ncbi-disease") == {0: [80.0, 82.0], 30: [70.0]}
    assert (kept.parent / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_the_kept_runs_about_pretraining_are_whole_and_on_the_page() -> None:
    page = (FOLDER / "domain-pretraining.md").read_text(encoding="utf-8")
    for name, n_runs in (("domain-pretraining", 24), ("pretraining-start", 12)):
        archive = read_archive(FOLDER / f"{name}-runs.json.gz")
        found: dict[tuple[str, ...], list[float]] = {}
        for run in archive.runs:
            f1 = 100 * json.loads(run.files["metrics.json"])["strict"]["micro"]["f1"]
            found.setdefault((*run.place.values(), *run.choice.values()), []).append(f1)

        assert len(archive.runs) == n_runs
        for f1s in found.values():
            assert f"{mean(f1s):.2f} ± {stdev(f1s):.2f}" in page
    for each in archive.more["pretrainings"].values():
        assert f"{each['metrics']['perplexity']:.1f} |" in page


def test_the_weighting_study_is_whole_and_its_curves_are_drawn(tmp_path: Path) -> None:
    study = script("weighting_study_curves")
    page = (FOLDER / "class-weighting.md").read_text(encoding="utf-8")
    kept = read_archive(FOLDER / "weighting-study-runs.json.gz")

    study.main(FOLDER / "weighting-study-runs.json.gz", tmp_path / "curves.png")

    for corpus in study.CORPORA:
        for weighting in study.COLOURS:
            found = study.curves(kept, corpus, weighting)
            assert [len(curve) for curve in found] == [12] * 10  # ten seeds, twelve epochs
            assert all(curve == sorted(curve) for curve in found)
            assert _precision_and_recall(kept, corpus, weighting) in page
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_what_the_page_says_of_the_first_epochs_on_linnaeus_is_so() -> None:
    study = script("weighting_study_curves")
    kept = read_archive(FOLDER / "weighting-study-runs.json.gz")
    curves = {weighting: study.curves(kept, "linnaeus", weighting) for weighting in study.COLOURS}
    weighted = [curve for weighting, found in curves.items() if weighting != "none" for curve in found]

    n_empty = [sum(curve[epoch] == 0 for curve in curves["none"]) for epoch in range(3)]
    means = [round(mean(curve[-1] for curve in found), 1) for found in curves.values()]

    assert n_empty == [10, 1, 0]
    assert (len(weighted), sum(curve[0] == 0 for curve in weighted)) == (30, 1)
    assert (means[0], min(means[1:]), max(means[1:])) == (89.5, 90.4, 92.6)


def _precision_and_recall(kept: Archive, corpus: str, weighting: str) -> str:
    """Return the means over the seeds as the page has them."""
    runs = [run for run in kept.runs if (run.place["data"], run.choice["weighting"]) == (corpus, weighting)]
    micros = [json.loads(run.files["metrics.json"])["strict"]["micro"] for run in runs]
    return ", ".join(f"{100 * mean(micro[name] for micro in micros):.1f}" for name in ("precision", "recall"))


def test_a_page_gets_the_pictures_that_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = make_grid(tmp_path, f"[axes]\nseed = [1, 2, 3]\n{WEIGHTINGS}", recipe={"data": "no-corpus"})
    for run in grid.runs:
        finish(run, wrong=range(8 if run.choice == grid.baseline else 2 + run.seed))
    keep_runs(grid, tmp_path / "x-runs.json.gz")
    rescore = script("rescore")
    monkeypatch.setattr(rescore, "ROOT", tmp_path)
    monkeypatch.setattr(rescore, "FOLDER", tmp_path)
    page = tmp_path / "page.md"
    tables = "<!-- rescored: weighting.toml x-runs.json.gz -->\n<!-- end of rescored -->\n"

    page.write_text(tables, encoding="utf-8")
    without = list(rescore.draw_pictures(page))
    page.write_text(f"{tables}\n![Differences](x-forest.png)\n", encoding="utf-8")
    drawn = list(rescore.draw_pictures(page))

    assert (without, drawn) == ([], [tmp_path / "x-forest.png"])
    assert drawn[0].read_bytes().startswith(b"\x89PNG")
    assert sorted(path.suffix for path in tmp_path.glob("x-forest.*")) == [".png"]


def test_the_transfer_grid_is_whole_and_its_page_has_its_means_on_devel() -> None:
    page = (FOLDER / "general-transfer.md").read_text(encoding="utf-8")
    runs = read_archive(FOLDER / "general-transfer-runs.json.gz").runs
    after_five: dict[tuple[str, str], list[float]] = {}
    n_not_back = 0
    for run in runs:
        devel = [100 * json.loads(row)["devel_f1"] for row in run.epochs]
        after_five.setdefault((run.place["train_sentences"], run.choice["transfer"]), []).append(devel[4])
        n_not_back += run.choice["transfer"] != "single-task" and max(devel[5:]) < devel[4]

    assert len(runs) == 36
    assert f"in {n_not_back} of 27 runs" in page
    for choice in ("single-task", "wnut2017", "conll2003", "bc5cdr-disease"):
        row = " | ".join(f"{mean(after_five[size, choice]):.1f}" for size in ("250", "500", "1000"))
        assert f" | {row} |\n" in page


@pytest.mark.parametrize("corpus", ["ncbi-disease", "bc5cdr-chem"])
def test_intervals_of_a_kept_run_are_over_documents_and_those_over_sentences_too_narrow(
    corpus: str, tmp_path: Path
) -> None:
    """Issue 23: for other runs on these corpora sentences gave intervals that were 1.50 and 1.81 times too narrow."""
    archive = read_archive(FOLDER / "domain-pretraining-runs.json.gz")
    run = next(each for each in archive.runs if each.place["data"] == corpus and each.choice["pretraining"] == "none")
    settings = NerSettings(data="no-corpus", output="run")
    restore_predictions([(tmp_path, run.predicted)], archive.gold[run.gold], settings)
    units = read_predictions(tmp_path / "predictions-test.tsv")

    usual, over_sentences = (
        score(units, names=["strict"], resample=resample, n_resamples=4000).matching("strict").micro
        for resample in (None, "sentences")
    )

    assert usual.units == "documents"
    widths = [(each.f1_high or 0) - (each.f1_low or 0) for each in (usual, over_sentences)]
    assert widths[0] > 1.4 * widths[1]
