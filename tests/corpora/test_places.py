"""A corpus is found by its name wherever a corpus can be named."""

from pathlib import Path

import pytest

import linnet
from linnet.comparison.corpora import read_grid_corpora
from linnet.comparison.grid import load_grid
from linnet.contracts import tasks
from linnet.corpora.places import known_place
from linnet.errors import BadFile
from linnet.formats.corpus import corpus_place, read_corpus
from linnet.pretraining.text.evaluation_corpora import read_evaluation_corpus
from linnet.pretraining.text.sources import text_place
from linnet.tasks.ner.corpora.sources import read_sources
from linnet.tasks.ner.settings import NerSettings
from linnet.tasks.relations.settings import RelationSettings
from linnet.tasks.texts.folds import find_folds
from linnet.tasks.texts.reading.sources import read_text_source
from linnet.tasks.texts.settings import with_section
from linnet.tasks.texts.task import TextTask
from tests.corpora.tiny_table import fill


def test_a_name_stands_for_the_folder_in_the_cache(tiny: Path) -> None:
    folder = fill(tiny, "tiny")

    corpus = read_corpus("tiny")

    assert (corpus.name, corpus.train.path) == ("tiny", folder / "train.tsv")
    assert corpus_place("tiny/test.tsv") == folder / "test.tsv"


def test_what_lies_here_under_the_name_comes_first(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tiny, "tiny")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny").mkdir()

    assert corpus_place("tiny") == Path("tiny")


def test_a_corpus_that_is_not_here_is_not_fetched_but_explained(tiny: Path) -> None:
    with pytest.raises(BadFile, match="not in the cache") as refused:
        read_corpus("tiny")

    assert "`linnet corpus get tiny`" in refused.value.remedy
    assert not tiny.exists()


def test_a_corpus_that_wants_a_signature_is_explained_where_it_is_named(tiny: Path) -> None:
    with pytest.raises(BadFile) as refused:
        corpus_place("tiny-signed")

    assert "Apply at https://example.org" in refused.value.remedy


def test_an_incomplete_copy_is_refused_with_what_is_missing(tiny: Path) -> None:
    (fill(tiny, "tiny") / "devel.tsv").unlink()

    with pytest.raises(BadFile, match=r"missing devel\.tsv"):
        corpus_place("tiny")


def test_a_file_that_the_corpus_does_not_have_is_refused(tiny: Path) -> None:
    fill(tiny, "tiny")

    for path in ("tiny/all.tsv", "tiny/train/deeper"):
        with pytest.raises(BadFile, match=rf"^{path}: the corpus 'tiny' has no such file") as refused:
            corpus_place(path)
        assert refused.value.remedy == (
            "take the whole corpus, tiny, or one of tiny/devel.tsv, tiny/test.tsv, tiny/train.tsv"
        )


@pytest.mark.parametrize("path", ["", ".", "..", "other/tiny", "/tiny", "tiny/../secret", "x" * 5000])
def test_other_paths_are_left_as_they_are(tiny: Path, path: str) -> None:
    assert known_place(path) is None


def test_training_reads_a_corpus_by_its_name(tiny: Path) -> None:
    fill(tiny, "tiny")

    (source,), problems = read_sources(NerSettings(data="tiny", output="runs/x"))

    assert not problems
    assert source.name == "tiny"


def test_texts_and_folds_are_read_by_name(tiny: Path) -> None:
    fill(tiny, "tiny-pairs")
    fill(tiny, "tiny-folds")
    task = tasks.get("relations")
    assert isinstance(task, TextTask)
    settings = with_section(RelationSettings)(data="tiny-pairs", task="relations", output="runs/x")

    texts = read_text_source(settings, task)
    text = RelationSettings(folds=True, fold_overlap=100)
    folds = find_folds(task, settings.model_copy(update={"data": "tiny-folds", "text": text}))

    assert (texts.name, len(texts.training)) == ("tiny-pairs", 3)
    assert list(folds.settings_by_fold) == ["1", "2"]
    assert corpus_place("tiny-folds/2").is_dir()


@pytest.mark.parametrize(("name", "task", "metric"), [("tiny", "ner", "strict"), ("tiny-pairs", "relations", "f1")])
def test_a_grid_finds_its_corpora_by_name(tiny: Path, tmp_path: Path, name: str, task: str, metric: str) -> None:
    fill(tiny, name)
    path = tmp_path / "grid.toml"
    path.write_text(
        f'output = "{tmp_path}/out"\nmetric = "{metric}"\nbaseline = {{ weighting = "none" }}\n\n'
        f'[recipe]\ndata = "{name}"\ntask = "{task}"\n\n[axes]\nseed = [1]\n\n'
        '[axes.weighting]\nnone = { scheme = "none" }\nwelt = { scheme = "welt" }\n',
        encoding="utf-8",
    )

    found = read_grid_corpora(load_grid(path))

    assert set(found[name].fingerprints) == {"train", "devel", "test"}


def test_pretraining_leaves_out_a_corpus_by_name_and_may_learn_from_one(tiny: Path) -> None:
    folder = fill(tiny, "tiny")
    fill(tiny, "tiny-pairs")

    assert len(read_evaluation_corpus("tiny:test").documents) == 1
    assert len(read_evaluation_corpus("tiny-pairs:test").documents) == 1
    assert text_place("tiny/train.tsv") == folder / "train.tsv"


def test_the_python_interface_knows_the_names(tiny: Path) -> None:
    fill(tiny, "tiny")

    assert linnet.read_corpus("tiny").test.counts["B-Disease"] == 1


def test_files_of_a_corpus_are_scored_by_name(tiny: Path) -> None:
    fill(tiny, "tiny")

    scores = linnet.score("tiny/test.tsv", "tiny/test.tsv")

    assert scores.matching("strict").micro.f1 == 1


def test_a_corpus_about_texts_says_its_task_where_mentions_are_wanted() -> None:
    with pytest.raises(BadFile, match="this corpus is for the task 'relations'") as refused:
        read_corpus("gad")

    assert "linnet train --task relations --data gad" in refused.value.remedy
