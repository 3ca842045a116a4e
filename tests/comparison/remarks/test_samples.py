"""Notes about devel samples of single sentences."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from linnet.comparison.comparing import plan
from linnet.comparison.corpora import read_grid_corpora
from linnet.comparison.remarks.samples import note_samples_of_sentences, refuse_large_samples
from linnet.corpora.documents import DocumentSentences
from linnet.errors import BadSetting
from linnet.formats import sentence_documents
from tests import tiny
from tests.comparison.fake_runs import finish, make_grid

LISTED = {"data": str(tiny.corpus()), "devel_sentences": 2}  # files of sentences


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the devel split of the tiny corpus, of 8 sentences, on the list of known documents."""

    def find(sentences: Iterable[str]) -> tuple[DocumentSentences, ...]:
        number = len(list(sentences))
        return (DocumentSentences("1", 5), DocumentSentences("2", 3)) if number == 8 else ()

    monkeypatch.setattr(sentence_documents, "documents_of_sentences", find)


def notes_of(folder: Path, **recipe: object) -> list[str]:
    grid = make_grid(folder, recipe=recipe)
    return note_samples_of_sentences(grid.runs, read_grid_corpora(grid))


@pytest.mark.usefixtures("listed")
def test_a_devel_sample_of_sentences_is_noted_once_where_a_list_knows_the_documents(tmp_path: Path) -> None:
    (note,) = notes_of(tmp_path, **LISTED)

    name = tiny.corpus().name
    assert note.startswith(f"`devel_sentences` draws single sentences, though the documents are known ({name}): ")
    assert "set `sample_documents = true`" in note


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize(
    "recipe",
    [
        LISTED | {"sample_documents": True},
        LISTED | {"devel_sentences": 8},  # all of them
        {"data": LISTED["data"], "train_sentences": 5},  # training sentences are never scored
        {"data": "demo", "devel_sentences": 10},  # its files have documents, which the sample keeps
    ],
)
def test_other_samples_are_not_noted(tmp_path: Path, recipe: dict[str, object]) -> None:
    assert not notes_of(tmp_path, **recipe)


@pytest.mark.usefixtures("listed")
def test_a_sample_keeps_the_documents_of_a_file_beside_the_corpus(tmp_path: Path) -> None:
    (tmp_path / "devel.ids").write_text("1\n" * 5 + "2\n" * 3, encoding="utf-8")

    assert not notes_of(tmp_path, **LISTED, documents={"devel": str(tmp_path / "devel.ids")})
    assert notes_of(tmp_path, **LISTED, documents={"test": str(tmp_path / "devel.ids")})


def test_a_sample_of_files_of_unknown_documents_is_not_noted(tmp_path: Path) -> None:
    assert not notes_of(tmp_path, **LISTED)


@pytest.mark.usefixtures("listed")
def test_the_plan_has_the_note_until_the_runs_are_finished(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, recipe=LISTED)
    before = plan(grid, workers=1).notes
    for run in grid.runs:
        finish(run)

    assert sum("draws single sentences" in note for note in before) == 1
    assert not note_samples_of_sentences(grid.runs, read_grid_corpora(grid))


@pytest.mark.parametrize(
    ("recipe", "problem"),
    [
        ({"devel_sentences": 200}, "devel_sentences is 200, the split devel of demo has 141"),
        ({"train_sentences": 5000}, "train_sentences is 5,000, the split train of demo has 423"),
    ],
)
def test_a_sample_that_is_too_large_is_refused_before_any_run(
    tmp_path: Path, recipe: dict[str, object], problem: str
) -> None:
    grid = make_grid(tmp_path, recipe={"data": "demo", **recipe})

    with pytest.raises(BadSetting, match=problem):
        plan(grid, workers=1)


def test_samples_as_large_as_the_split_and_runs_that_are_finished_are_not_refused(tmp_path: Path) -> None:
    whole = make_grid(tmp_path, recipe={"data": "demo", "devel_sentences": 141})
    refuse_large_samples(whole.runs, read_grid_corpora(whole))
    large = make_grid(tmp_path, recipe={"data": "demo", "devel_sentences": 200})
    for run in large.runs:
        finish(run)

    refuse_large_samples(large.runs, read_grid_corpora(large))
