"""`linnet evaluate`: scores that can be computed again, and a page to look at the errors."""

import json
import shutil
from pathlib import Path

import pytest

from linnet.training.run import open_run
from tests import tiny
from tests.cli.running import run


def test_json_has_the_scores_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), "--json")

    assert (done.code, done.err) == (0, "")
    scores = json.loads(done.out)
    metrics = open_run(tiny.trained()).metrics
    assert {key: metrics[key] for key in scores} == scores
    assert {"strict", "conll", "exact", "partial", "type", "fair", "weighted_fair", "tokens"} <= set(scores)


def test_the_predictions_file_is_scored_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "predictions.tsv"
    evaluated = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), "--predictions", path, "--json")

    scored = run(capsys, "score", tiny.corpus() / "test.tsv", path, "--json")
    perfect = run(capsys, "score", tiny.corpus() / "test.tsv", path, "--tag-column", 2, "--json")

    strict = json.loads(evaluated.out)["strict"]
    assert json.loads(scored.out)["strict"]["micro"] == strict["micro"]
    assert json.loads(scored.out)["strict"]["labels"] == strict["labels"]
    assert json.loads(perfect.out)["strict"]["micro"]["f1"] == 1  # the second column is gold


def test_the_page_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), "--split", "devel", "--report", tmp_path / "page")
    file = run(capsys, "evaluate", tiny.trained(), tiny.corpus() / "devel.tsv", "--report", tmp_path / "other")

    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert done.code == file.code == 0
    assert f"{tmp_path / 'page' / 'index.html'}: open it in a browser" in done.out
    assert "trained on tiny-corpus, devel" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "trained on devel.tsv" in (tmp_path / "other" / "index.html").read_text(encoding="utf-8")


def test_a_model_of_others_is_evaluated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        shutil.copy(tiny.trained() / name, tmp_path)

    theirs = run(capsys, "evaluate", tmp_path, tiny.corpus(), "--json")
    ours = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), "--decoding", "argmax", "--json")

    assert theirs.code == 0
    assert json.loads(theirs.out) == json.loads(ours.out)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--split", "nonsense"), "has no split 'nonsense'"),
        (("--decoding", "greedy"), "no decoding called 'greedy'"),
        (("--resample", "words"), "words"),
    ],
)
def test_wrong_options_are_refused(capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str) -> None:
    done = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), *options)

    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_model_that_does_not_fit_the_corpus_is_refused_by_its_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test.tsv").write_text("p53\tB-Gene\n\n", encoding="utf-8")

    done = run(capsys, "evaluate", tiny.trained(), tmp_path)

    assert done.code == 2
    assert "labels that the model does not know: Gene" in done.err
    assert "the model knows Chemical, Disease" in done.err


def test_a_folder_that_is_no_model_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "evaluate", tiny.corpus(), tiny.corpus())

    assert done.code == 2
    assert "is no model folder" in done.err
