"""Predictions are kept without words, and come back with the words of the corpus or with a sign for each."""

import json
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.ner.evaluation import read_predictions
from linnet.tasks.ner.kept import NO_WORD, keep_predictions, restore_predictions
from linnet.tasks.ner.settings import NerSettings

TEST = "cystic\tB-X\nfibrosis\tI-X\n\nno\tO\nataxia\tB-X\n\nnone\tO\n"
PREDICTED = (
    "-DOCSTART- a\tO\tO\n\ncystic\tB-X\tB-X\nfibrosis\tI-X\tO\n\nno\tO\tB-Y\nataxia\tB-X\tB-X\n\n"
    "-DOCSTART- b\tO\tO\n\nnone\tO\tO\n\n"
)


def write_run(folder: Path, predictions: str = PREDICTED) -> Path:
    folder.mkdir()
    (folder / "predictions-test.tsv").write_text(predictions, encoding="utf-8")
    return folder


def settings(data: Path) -> NerSettings:
    return NerSettings(data=str(data), output="run")


def write_corpus(folder: Path, test: str = TEST) -> Path:
    folder.mkdir()
    for name in ("train", "devel", "test"):
        (folder / f"{name}.tsv").write_text(test, encoding="utf-8")
    return folder


def restored(folder: Path, data: Path, run: Path) -> tuple[bool, str]:
    shared, own = keep_predictions(run)
    folder.mkdir()
    has_words = restore_predictions([(folder, own)], shared, settings(data))
    return has_words, (folder / "predictions-test.tsv").read_text(encoding="utf-8")


def test_nothing_that_is_kept_has_a_word_of_the_corpus(tmp_path: Path) -> None:
    kept = json.dumps(keep_predictions(write_run(tmp_path / "run")))

    assert not [word for word in ("cystic", "fibrosis", "ataxia", "none") if f'"{word}"' in kept or f" {word}" in kept]


def test_with_the_corpus_the_predictions_come_back_with_its_words(tmp_path: Path) -> None:
    run, corpus = write_run(tmp_path / "run"), write_corpus(tmp_path / "corpus")

    has_words, found = restored(tmp_path / "again", corpus, run)

    assert has_words
    assert found == PREDICTED.replace("DOCSTART- a", "DOCSTART- document 1").replace("- b", "- document 2")


def test_without_the_corpus_the_same_units_are_scored(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run")

    has_words, found = restored(tmp_path / "again", tmp_path / "missing", run)

    assert not has_words
    assert "ataxia" not in found
    assert found.count(f"{NO_WORD}\t") == 5
    assert read_predictions(tmp_path / "again" / "predictions-test.tsv") == read_predictions(
        run / "predictions-test.tsv"
    )


def test_sentences_without_documents_come_back_without_documents(tmp_path: Path) -> None:
    marks = iter(("test-1", "test-2", "test-3"))
    rows = "".join(f"-DOCSTART- {next(marks)}\tO\tO\n\nx\tB-X\t{tag}\n\n" for tag in ("B-X", "O", "B-X"))
    run = write_run(tmp_path / "run", rows)

    shared, _ = keep_predictions(run)
    restored(tmp_path / "again", tmp_path / "missing", run)

    units = [read_predictions(folder / "predictions-test.tsv") for folder in (run, tmp_path / "again")]
    assert shared["documents"] is None
    assert units[0] == units[1]


def test_gold_mentions_that_tags_cannot_hold_come_back(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run")
    nested = '[0, [[0, 1, "X", []], [0, 2, "X", []]]]\n'
    (run / "predictions-test.gold.jsonl").write_text(nested, encoding="utf-8")

    restored(tmp_path / "again", tmp_path / "missing", run)

    assert (tmp_path / "again" / "predictions-test.gold.jsonl").read_text(encoding="utf-8") == nested


@pytest.mark.parametrize("test", [TEST.replace("ataxia\tB-X", "ataxia\tO"), TEST + "\nmore\tO\n", "none\tO\n\n" + TEST])
def test_another_corpus_under_the_same_name_is_refused(tmp_path: Path, test: str) -> None:
    run, corpus = write_run(tmp_path / "run"), write_corpus(tmp_path / "corpus", test)

    with pytest.raises(BadFile, match="other sentences or tags than the kept runs"):
        restored(tmp_path / "again", corpus, run)


def test_a_run_without_test_predictions_cannot_be_kept(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"predictions-test\.tsv: there is no such file"):
        keep_predictions(tmp_path)
