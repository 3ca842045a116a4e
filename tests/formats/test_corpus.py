"""What a corpus on disk is."""

from pathlib import Path

import pytest

from linnet.contracts import ReadOptions, WriteOptions, formats
from linnet.documents.document import Document, Span
from linnet.errors import BadFile, UnknownName
from linnet.formats.corpus import choose_split, read_corpus

ROWS = b"Lung\tB-X\ncancer\tI-X\n.\tO\n\n"


def corpus_of(folder: Path, *names: str, content: bytes = ROWS) -> Path:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_bytes(content)
    return folder


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["train.tsv", "devel.tsv", "test.tsv"], ["train", "devel", "test"]),
        (["test.tsv", "dev.txt", "train.conll"], ["train", "devel", "test"]),
        (["train.tsv", "valid.tsv"], ["train", "devel"]),
        (["Training.tsv", "validation.tsv", "TEST.tsv"], ["train", "devel", "test"]),
        (["train.tsv", "train_dev.tsv", "devel.tsv"], ["train", "devel", "train_dev"]),
        (["eng.train", "eng.testa", "eng.testb"], ["train", "devel", "test"]),
        (["CDR_TrainingSet.txt", "CDR_DevelopmentSet.txt", "CDR_TestSet.txt"], ["train", "devel", "test"]),
        (
            ["NCBItrainset_corpus.txt", "NCBIdevelopset_corpus.txt", "NCBItestset_corpus.txt"],
            ["train", "devel", "test"],
        ),
        (["wnut17train.conll", "emerging.dev.conll", "emerging.test.conll"], ["train", "devel", "test"]),
        (["train.tsv", "README.md", "LICENSE", "PROVENANCE.md", ".hidden_test.tsv"], ["train"]),
        (["train.tsv", "other-training-notes.tsv"], ["train"]),
    ],
)
def test_files_are_found_by_the_names_of_splits(tmp_path: Path, names: list[str], expected: list[str]) -> None:
    corpus = read_corpus(corpus_of(tmp_path / "c", *names))

    assert list(corpus.splits) == expected
    assert (corpus.name, corpus.format, corpus.tagging) == ("c", "conll", "iob2")


def test_a_single_file_is_a_corpus(tmp_path: Path) -> None:
    corpus_of(tmp_path / "c", "dev.tsv", "everything.tsv")

    assert list(read_corpus(tmp_path / "c" / "dev.tsv").splits) == ["devel"]
    assert list(read_corpus(tmp_path / "c" / "everything.tsv").splits) == ["all"]


def test_corpora_and_splits_are_shown_in_one_line(tmp_path: Path) -> None:
    corpus = read_corpus(corpus_of(tmp_path / "c", "train.tsv", "test.tsv"))

    assert repr(corpus) == "<Corpus c: train, test; conll>"
    assert repr(corpus.test) == f"<Split test: {tmp_path / 'c' / 'test.tsv'}, conll>"


def test_splits_are_found_by_any_of_their_names(tmp_path: Path) -> None:
    corpus = read_corpus(corpus_of(tmp_path / "c", "train.tsv", "dev.tsv", "test.tsv"))

    assert corpus.split("validation") is corpus.split("dev") is corpus.devel
    assert (corpus.train.name, corpus.test.name) == ("train", "test")


def test_a_split_that_is_missing_is_named(tmp_path: Path) -> None:
    corpus = read_corpus(corpus_of(tmp_path / "c", "train.tsv"))

    with pytest.raises(UnknownName, match="corpus 'c' has no split 'test'") as caught:
        corpus.split("test")

    assert caught.value.remedy == "it has train"


def test_a_single_file_without_a_splits_name_says_how_splits_are_made(tmp_path: Path) -> None:
    corpus = read_corpus(corpus_of(tmp_path / "c", "everything.tsv") / "everything.tsv")

    with pytest.raises(UnknownName, match="corpus 'everything' has no split 'train'") as caught:
        corpus.split("train")

    assert "`linnet split IN OUT` makes train, devel and test" in caught.value.remedy


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ([], "the folder is empty"),
        (["README.md"], "the folder is empty"),
        (["a.tsv", "b.tsv"], "no file is named after a split; found a.tsv, b.tsv"),
        (["labels.txt", "train.txt.tmp"], "no file is named after a split; found labels.txt, train.txt.tmp"),
    ],
)
def test_a_folder_that_is_no_corpus_is_refused(tmp_path: Path, names: list[str], problem: str) -> None:
    folder = corpus_of(tmp_path / "c", *names)

    with pytest.raises(BadFile) as caught:
        read_corpus(folder)

    assert caught.value.problem.startswith(f"{folder}: ")
    assert problem in caught.value.problem
    assert caught.value.remedy


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such file or folder"):
        read_corpus(tmp_path / "missing")


def test_a_format_chooses_among_two_files_for_a_split(tmp_path: Path) -> None:
    folder = corpus_of(tmp_path / "c", "train.tsv")
    formats.get("jsonl").write([Document("1", "x")], folder / "train.jsonl", WriteOptions())

    assert read_corpus(folder, format="jsonl").train.path.name == "train.jsonl"
    assert read_corpus(folder, format="conll").train.path.name == "train.tsv"


def test_folders_of_brat_files_are_splits(tmp_path: Path) -> None:
    for name in ("train", "test"):
        formats.get("brat").write([Document("1", "x", (Span(0, 1, "X"),))], tmp_path / "c" / name, WriteOptions())

    corpus = read_corpus(tmp_path / "c")

    assert (corpus.format, list(corpus.splits)) == ("brat", ["train", "test"])
    assert [document.text for document in corpus.train] == ["x"]
    assert read_corpus(tmp_path / "c" / "train").train.documents == corpus.train.documents


def test_the_tagging_is_found_from_all_splits_together(tmp_path: Path) -> None:
    folder = corpus_of(tmp_path / "c", "train.tsv", content=b"a\tI-X\nb\tB-X\n\n")
    corpus_of(folder, "test.tsv", content=b"a\tI-X\n\n")

    corpus = read_corpus(folder)

    assert corpus.tagging == "iob1"
    assert corpus.train.counts == {"I-X": 1, "B-X": 1}
    assert corpus.test.counts == {"I-X": 1}


def test_counts_are_of_tags_by_name(tmp_path: Path) -> None:
    corpus = read_corpus(corpus_of(tmp_path / "c", "train.tsv", content=ROWS * 3))

    assert corpus.train.counts == {"B-X": 3, "I-X": 3, "O": 3}


def test_bare_tags_are_labelled_with_the_name_of_the_corpus_in_every_split(tmp_path: Path) -> None:
    folder = corpus_of(tmp_path / "disease", "train.tsv", "test.tsv", content=b"a\tB\nb\tI\n")

    assert read_corpus(folder).test.counts == {"B-disease": 1, "I-disease": 1}
    assert read_corpus(folder, options=ReadOptions(label="X")).train.counts == {"B-X": 1, "I-X": 1}


def test_reading_again_gives_the_same_and_documents_are_kept(tmp_path: Path) -> None:
    split = read_corpus(corpus_of(tmp_path / "c", "train.tsv")).train

    assert tuple(split) == tuple(split) == split.documents
    assert split.documents is split.documents


def test_the_fingerprint_changes_with_the_bytes(tmp_path: Path) -> None:
    folder = corpus_of(tmp_path / "c", "train.tsv")
    before = read_corpus(folder).train.fingerprint

    assert read_corpus(folder).train.fingerprint == before
    corpus_of(folder, "train.tsv", content=ROWS + b"more\tO\n")
    assert read_corpus(folder).train.fingerprint != before


def test_demo_is_the_corpus_that_comes_with_linnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    corpus = read_corpus("demo")

    assert (corpus.name, corpus.format, list(corpus.splits)) == ("demo", "jsonl", ["train", "devel", "test"])


def test_a_folder_called_demo_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus_of(tmp_path / "demo", "train.tsv")
    monkeypatch.chdir(tmp_path)

    assert read_corpus("demo").format == "conll"


def test_a_misspelt_format_of_a_folder_is_answered_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("word\tO\n", encoding="utf-8")

    with pytest.raises(UnknownName, match="did you mean 'conll'"):
        read_corpus(tmp_path, format="conl")


def test_a_file_of_any_name_may_be_any_split_that_there_is(tmp_path: Path) -> None:
    (tmp_path / "gold.tsv").write_text("x\tO\n", encoding="utf-8")

    assert choose_split(["all"], "dev", tmp_path / "gold.tsv") == "all"
    with pytest.raises(UnknownName, match="there is no split called 'nope'"):
        choose_split(["all"], "nope", tmp_path / "gold.tsv")
