"""Outcomes of finished taggers, read from their saved predictions."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from linnet.contracts import Outcomes
from linnet.errors import BadFile
from linnet.tasks.ner.kept import NO_WORD
from linnet.tasks.ner.outcomes import read_outcomes
from linnet.tasks.ner.settings import NerSettings
from linnet.training.run_folder import open_run
from tests import tiny


def outcomes(folders: Sequence[Path], *, n_resamples: int = 1, split: str = "test", **given: object) -> Outcomes:
    settings = NerSettings.model_validate({"data": "x", "output": "x", **given})
    runs = [(folder, settings) for folder in folders]
    return read_outcomes(runs, metric="strict", n_resamples=n_resamples, seed=0, split=split)


def copy_predictions(folder: Path, *, without_first: bool = False) -> Path:
    folder.mkdir()
    sentences = (tiny.trained() / "predictions-test.tsv").read_text(encoding="utf-8").split("\n\n")
    n_left_out = 2 if without_first else 0  # its document line, and its words
    (folder / "predictions-test.tsv").write_text("\n\n".join(sentences[n_left_out:]), encoding="utf-8")
    return folder


def test_the_score_is_that_of_the_run() -> None:
    found = outcomes([tiny.trained()], n_resamples=5)

    (run,) = found.runs
    micro = open_run(tiny.trained()).metrics["strict"]["micro"]
    assert run.score == pytest.approx(micro["f1"])
    assert run.beside == pytest.approx({"precision": micro["precision"], "recall": micro["recall"]})
    assert found.n_units == len(found.words) == len(found.gold) == len(run.right) == 8


def test_runs_are_resampled_on_the_same_sentences(tmp_path: Path) -> None:
    twin = copy_predictions(tmp_path / "twin")

    found = outcomes([tiny.trained(), twin], n_resamples=7)

    first, second = found.resample()
    assert len(first) == 7
    assert first.tolist() == second.tolist()


def test_a_run_without_predictions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"predictions-test\.tsv"):
        outcomes([tmp_path], n_resamples=1)


def test_runs_on_other_sentences_are_refused(tmp_path: Path) -> None:
    other = copy_predictions(tmp_path / "other", without_first=True)

    with pytest.raises(BadFile):
        outcomes([tiny.trained(), other], n_resamples=1)


SENTENCE = "{word}\tB-X\tB-X\n\n"


def write_run(folder: Path, documents: Sequence[str] = (), words: Sequence[str] = "abcd", split: str = "test") -> Path:
    """Write predictions for four sentences, each with the mark of its document where there are any."""
    folder.mkdir(exist_ok=True)
    marks = [f"-DOCSTART- {name}\tO\tO\n\n" for name in documents] or [""] * 4
    rows = [mark + SENTENCE.format(word=word) for mark, word in zip(marks, words, strict=True)]
    (folder / f"predictions-{split}.tsv").write_text("".join(rows), encoding="utf-8")
    return folder


def write_file(path: Path, content: str) -> dict[str, str]:
    path.write_text(content, encoding="utf-8")
    return {"test": str(path), "devel": str(path)}


def units_of(found: Outcomes) -> tuple[str, int]:
    return found.units, found.n_units


def test_a_file_of_documents_holds_for_runs_that_were_made_without_it(tmp_path: Path) -> None:
    run, files = write_run(tmp_path / "run"), write_file(tmp_path / "ids", "1\n1\n2\n3\n")

    assert units_of(outcomes([run])) == ("sentences", 4)
    assert units_of(outcomes([run], documents=files)) == ("documents", 3)


def test_the_file_comes_before_the_documents_of_the_predictions(tmp_path: Path) -> None:
    run, files = write_run(tmp_path / "run", ["1", "2", "3", "4"]), write_file(tmp_path / "ids", "1\n1\n2\n2\n")

    assert units_of(outcomes([run])) == ("documents", 4)
    assert units_of(outcomes([run], documents=files)) == ("documents", 2)


def test_without_the_file_the_documents_of_the_predictions_count(tmp_path: Path) -> None:
    gone = {"test": str(tmp_path / "gone")}
    known, unknown = write_run(tmp_path / "known", ["1", "2", "3", "4"]), write_run(tmp_path / "unknown")

    assert units_of(outcomes([unknown, known], documents=gone)) == ("documents", 4)
    with pytest.raises(BadFile, match="gone: there is no such file"):
        outcomes([unknown], documents=gone)


def test_a_file_for_other_sentences_is_refused(tmp_path: Path) -> None:
    run, files = write_run(tmp_path / "run", ["1", "2", "3", "4"]), write_file(tmp_path / "ids", "1\n1\n")

    with pytest.raises(BadFile, match="has 2 lines for 4 sentences"):
        outcomes([run], documents=files)


def test_texts_cannot_be_searched_for_sentences_without_words(tmp_path: Path) -> None:
    texts = write_file(tmp_path / "texts", "1|t|a b\n1|a|c d\n\n")
    ids = write_file(tmp_path / "ids", "1\n1\n1\n2\n")
    known = write_run(tmp_path / "known", ["1", "2", "3", "4"], words=[NO_WORD] * 4)
    unknown = write_run(tmp_path / "unknown", words=[NO_WORD] * 4)

    assert units_of(outcomes([known], documents=texts)) == ("documents", 4)
    assert units_of(outcomes([unknown], documents=ids)) == ("documents", 2)
    with pytest.raises(BadFile, match="texts: has texts, but the words of the sentences are not here"):
        outcomes([unknown], documents=texts)


def test_runs_that_were_scored_in_other_documents_are_refused(tmp_path: Path) -> None:
    first, second = write_run(tmp_path / "a", ["1", "2", "3", "4"]), write_run(tmp_path / "b")
    (second / "predictions-test.tsv").write_text(
        "-DOCSTART- 1\tO\tO\n\n" + "".join(SENTENCE.format(word=word) for word in "abcd"), encoding="utf-8"
    )
    files = write_file(tmp_path / "ids", "1\n1\n2\n2\n")

    with pytest.raises(BadFile, match=f"{second}: has other documents than {first}"):
        outcomes([first, second])
    assert units_of(outcomes([first, second], documents=files)) == ("documents", 2)


@pytest.mark.parametrize(("sampled", "units"), [({}, ("documents", 2)), ({"devel_sentences": 4}, ("sentences", 4))])
def test_a_sample_of_devel_has_other_sentences_than_the_file(
    tmp_path: Path, sampled: Mapping[str, int], units: tuple[str, int]
) -> None:
    run, files = write_run(tmp_path / "run", split="devel"), write_file(tmp_path / "ids", "1\n1\n2\n2\n")

    assert units_of(outcomes([run], split="devel", documents=files, **sampled)) == units
