"""The commands about whole texts: train, evaluate, predict and find-lr, and one message for what cannot work."""

import json
import shutil
from pathlib import Path

import pytest

from linnet.contracts import WriteOptions, formats
from linnet.formats.reading import read_documents
from tests import text_corpora, tiny
from tests.cli.running import run

QUICK = ("--epochs", 1, "--batch-size", 8, "--max-length", 64, "--learning-rate", 0.003)


def quick(kind: str) -> tuple[object, ...]:
    task = text_corpora.TASK_OF.get(kind, kind)
    return ("--task", task, "--data", text_corpora.corpus(kind), "--encoder", tiny.encoder(), *QUICK)


def split(kind: str, name: str = "test") -> Path:
    (found,) = text_corpora.corpus(kind).glob(f"{name}.*")
    return found


def test_train_prints_the_scores_and_names_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "train", *quick("several"), "--output", tmp_path / "run")

    assert done.code == 0
    assert "test split, best epoch 1" in done.out
    assert "document micro f1 *" in done.out
    assert "scores in percent" in done.out
    assert f"{tmp_path / 'run'}: model" in " ".join(done.out.split())
    assert "texts of train without a label: 6" in " ".join(done.err.split())
    assert (tmp_path / "run" / "predictions-test.jsonl").is_file()


def test_train_prints_metrics_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "train", *quick("inference"), "--output", tmp_path / "run", "--json")

    found = json.loads(done.out)
    assert (found["task"], found["metric"], found["split"]) == ("inference", "accuracy", "test")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--scheme", "wellt"), "did you mean 'welt'?"),
        (("--loss", "crf"), "learns how words follow words"),
        (("--task", "clasification"), "did you mean 'classification'?"),
        (("--set", "selection.metric=strict"), "no score called 'strict' here"),
        (("--set", "text.pooling=max"), "text.pooling"),
        (("--format", "conll"), "does not know the setting format"),
    ],
)
def test_train_refuses_what_cannot_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[object, ...], message: str
) -> None:
    done = run(capsys, "train", *quick("classification"), "--output", tmp_path / "run", *options)

    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not (tmp_path / "run").exists()


def test_evaluate_prints_a_table_of_scores_and_labels(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "evaluate", text_corpora.trained("classification"), text_corpora.corpus("classification"))

    assert done.code == 0
    assert "macro f1 *" in done.out
    assert "by label" in done.out
    assert "unchanged" in done.out


def test_evaluate_shows_correlations_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    folder = text_corpora.trained("similarity")

    done = run(capsys, "evaluate", folder, text_corpora.corpus("similarity"))

    value = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["scores"]["pearson"]["value"]
    assert "percent" not in done.out
    assert f"{value:.3f}" in done.out


def test_evaluate_writes_a_page_predictions_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(
        capsys, "evaluate", text_corpora.trained("yesno"), text_corpora.corpus("yesno"), "--json", "--split", "devel",
        "--report", tmp_path / "page", "--predictions", tmp_path / "said.jsonl",
    )  # fmt: skip

    found = json.loads(done.out)
    assert (done.code, found["task"], found["metric"], found["examples"]) == (0, "answering", "accuracy", 8)
    assert (found["corpus"], found["split"]) == (str(text_corpora.corpus("yesno")), "devel")
    assert set(found["scores"]["accuracy"]) == {"value", "low", "high", "n", "unit", "units", "n_units"}
    assert len((tmp_path / "said.jsonl").read_text(encoding="utf-8").splitlines()) == 8
    assert (tmp_path / "page").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--split", "dev2"), "has no split 'dev2'"),
        (("--map", "a=b"), "does not know --map"),
        (("--decoding", "valid", "--resample", "documents"), "does not know --decoding, --resample"),
    ],
)
def test_evaluate_refuses_what_says_nothing_about_texts(
    capsys: pytest.CaptureFixture[str], options: tuple[object, ...], message: str
) -> None:
    done = run(capsys, "evaluate", text_corpora.trained("yesno"), text_corpora.corpus("yesno"), *options)

    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_the_page_names_the_split_that_was_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, corpus = text_corpora.trained("yesno"), text_corpora.corpus("yesno")
    shutil.copy(split("yesno"), tmp_path / "mine.tsv")

    run(capsys, "evaluate", model, corpus, "--split", "dev", "--report", tmp_path / "devel")
    run(capsys, "evaluate", model, tmp_path / "mine.tsv", "--report", tmp_path / "file")

    devel, file = ((tmp_path / name / "index.html").read_text(encoding="utf-8") for name in ("devel", "file"))
    assert "trained-yesno on texts-yesno, devel" in devel
    assert '["split","devel"]' in devel
    assert '"trained-yesno on mine.tsv"' in file
    assert '["split"' not in file


@pytest.mark.parametrize(("name", "code"), [("test.tsv", 2), ("mine.tsv", 0)])
def test_evaluate_refuses_another_split_than_a_file_is_named_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, code: int
) -> None:
    shutil.copy(split("yesno"), tmp_path / name)

    done = run(capsys, "evaluate", text_corpora.trained("yesno"), tmp_path / name, "--split", "devel")

    assert done.code == code
    assert ("test.tsv is the test split by its name, not 'devel'" in " ".join(done.err.split())) is bool(code)


def test_evaluate_scores_a_folder_of_documents_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents = read_documents(split("relations"))
    formats.get("brat").write(documents, tmp_path / "gold", WriteOptions())

    folder = run(capsys, "evaluate", text_corpora.trained("relations"), tmp_path / "gold", "--json")
    file = run(capsys, "evaluate", text_corpora.trained("relations"), split("relations"), "--json")

    assert folder.code == 0
    assert json.loads(folder.out)["scores"] == json.loads(file.out)["scores"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a\tnew\n", "test.tsv:1: the model does not know the label 'new'"),
        ("a\n", "test.tsv:1: the test split does not say what is right"),
    ],
)
def test_evaluate_refuses_texts_that_cannot_be_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str, message: str
) -> None:
    (tmp_path / "test.tsv").write_text(rows, encoding="utf-8")

    done = run(capsys, "evaluate", text_corpora.trained("classification"), tmp_path / "test.tsv")

    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize("command", ["evaluate", "predict"])
def test_a_file_of_which_nothing_is_left_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / "test.tsv").write_text("premise\thypothesis\tlabel\na\tb\t-\n", encoding="utf-8")
    options = ("--output", tmp_path / "out.tsv") if command == "predict" else ()

    done = run(capsys, command, text_corpora.trained("inference"), tmp_path / "test.tsv", *options)

    assert (done.code, done.out) == (2, "")
    assert "the test split has no example that the task can use" in " ".join(done.err.split())


def test_predict_says_how_much_it_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, output = text_corpora.trained("yesno"), tmp_path / "out.tsv"

    done = run(capsys, "predict", model, split("yesno"), "--output", output)
    as_json = run(capsys, "predict", model, split("yesno"), "--output", output, "--overwrite", "--json")

    assert "8 answers about 8 texts" in " ".join(done.out.split())
    assert json.loads(as_json.out)["answers"] == 8
    assert output.read_text(encoding="utf-8").startswith("id\tpredicted\tscore\n")


def test_predict_takes_its_arguments_as_annotate_does_and_in_the_old_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, source = text_corpora.trained("yesno"), split("yesno")

    new = run(capsys, "predict", source, "--model", model, "--output", tmp_path / "new.tsv", "--json")
    old = run(capsys, "predict", model, source, "--output", tmp_path / "old.tsv", "--json")

    assert (new.code, old.code) == (0, 0)
    assert (tmp_path / "new.tsv").read_bytes() == (tmp_path / "old.tsv").read_bytes()
    assert "deprecated" not in new.err
    assert (
        f"note: `linnet predict MODEL INPUT` is deprecated; write `linnet predict {source} --model {model}`" in old.err
    )
    assert json.loads(old.out)["answers"] == 8  # and nothing else there


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["a.tsv"], "no model is given"),
        (["a.tsv", "b.tsv", "--model", "m"], "expected one input, found a.tsv, b.tsv"),
        (["m", "a.tsv", "b.tsv"], "expected one input, found m, a.tsv, b.tsv"),
    ],
)
def test_predict_says_what_is_missing_or_too_much(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    done = run(capsys, "predict", *arguments, "--output", tmp_path / "out.tsv")

    assert (done.code, done.out) == (2, "")
    assert problem in done.err


def test_predict_writes_answers_in_the_form_of_bioasq(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--model", text_corpora.trained("yesno"), "--to", "BioASQ")

    done = run(capsys, "predict", split("yesno"), *options, "--output", tmp_path / "answers.txt", "--json")

    assert done.code == 0
    questions = json.loads((tmp_path / "answers.txt").read_text(encoding="utf-8"))["questions"]
    assert {question["exact_answer"] for question in questions} <= {"yes", "no"}


def test_predict_refuses_an_output_that_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out.tsv").write_text("mine", encoding="utf-8")

    done = run(capsys, "predict", text_corpora.trained("yesno"), split("yesno"), "--output", tmp_path / "out.tsv")

    assert (done.code, done.out) == (2, "")
    assert "is there already" in done.err
    assert "--overwrite" in done.err


def test_models_of_another_kind_are_sent_to_the_command_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts, words, output = text_corpora.trained("yesno"), tiny.trained(), tmp_path / "out.jsonl"

    predicted = run(capsys, "predict", words, split("yesno"), "--output", output)
    annotated = run(capsys, "annotate", tiny.corpus() / "test.tsv", "--model", texts, "--output", output)

    assert (predicted.code, annotated.code) == (2, 2)
    assert "linnet annotate" in predicted.err
    assert "linnet predict" in annotated.err
    assert not output.exists()


def test_find_lr_knows_the_task(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(
        capsys, "find-lr", "--task", "classification", "--data", text_corpora.corpus("classification"), "--encoder",
        tiny.encoder(), "--steps", 6, "--set", "window.max_length=64", "--json",
    )  # fmt: skip

    assert done.code == 0
    assert 1e-6 <= json.loads(done.out)["suggestion"] < 1e-1
