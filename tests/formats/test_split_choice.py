"""Which file of a split is read where a folder has several, and what is left aside."""

from dataclasses import replace
from pathlib import Path

import pytest

from linnet.contracts import Notes, WriteOptions, formats
from linnet.documents.document import Document, Passage, Span
from linnet.errors import BadFile, BadSetting
from linnet.formats.corpus import read_corpus, split_paths
from linnet.formats.split_choice import split_of_name

# as the preprocessing script of BioBERT and WeLT leaves a folder: tabs become spaces (.txt.tmp), then long sentences
# are broken and words of control characters dropped (.txt), and the tags are listed (labels.txt)
TSV = "Lung\tB\ncancer\tI\n.\tO\n\nNo\tO\n\x96\tO\ncause\tO\n"
SPACED = TSV.replace("\t", " ")
TXT = "Lung B\n\ncancer I\n. O\n\nNo O\ncause O\n"
SPLITS = ("train", "devel", "test", "train_dev")


def test_the_name_of_a_split_is_found_in_the_name_of_a_file() -> None:
    names = ("valid.tsv", "NCBIdevelopset_corpus.txt", "eng.testb", "traindev", "abstracts.txt")

    assert [split_of_name(name) for name in names] == ["devel", "devel", "test", "train_dev", None]


def preprocessed(folder: Path) -> Path:
    folder.mkdir()
    for split in SPLITS:
        (folder / f"{split}.tsv").write_text(TSV, encoding="utf-8")
        (folder / f"{split}.txt.tmp").write_text(SPACED, encoding="utf-8")
        (folder / f"{split}.txt").write_text(TXT, encoding="utf-8")
    (folder / "labels.txt").write_text("B\nI\nO\n", encoding="utf-8")
    return folder


def test_a_preprocessed_folder_is_read_from_the_files_with_whole_sentences(tmp_path: Path) -> None:
    corpus = read_corpus(preprocessed(tmp_path / "NCBI-disease"))

    assert list(corpus.splits) == ["train", "devel", "test", "train_dev"]
    assert {split.path.suffix for split in corpus.splits.values()} == {".tsv"}
    assert corpus.train.counts == {"O": 4, "B-NCBI-disease": 1, "I-NCBI-disease": 1}
    assert sorted(corpus.notes.counts.values()) == [4, 5]  # four .txt; four .txt.tmp and labels.txt
    assert any("train.txt, and train.tsv is read" in note for note in corpus.notes.sentences())


def test_what_training_leaves_in_the_folder_is_no_split(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    for name in ("NCBI_train.tsv", "NCBI_test.tsv", "cached_train_dev_BertTokenizer_128", "cached_test.lock"):
        (folder / name).write_text(TSV, encoding="utf-8")

    corpus = read_corpus(folder)

    assert list(corpus.splits) == ["train", "test"]
    assert sum(corpus.notes.counts.values()) == 2


def test_files_that_differ_are_refused_with_the_way_out(tmp_path: Path) -> None:
    folder = preprocessed(tmp_path / "c")
    (folder / "devel.txt").write_text(TXT.replace("cause O", "cause B"), encoding="utf-8")

    with pytest.raises(BadFile) as caught:
        read_corpus(folder)

    assert (
        "two files for the split 'devel', devel.tsv and devel.txt, and they differ: 'cause' O" in caught.value.problem
    )
    assert 'files = { devel = "devel.tsv", ... }' in caught.value.remedy
    assert "--format" not in caught.value.remedy  # both have the same


def test_a_format_that_all_splits_have_is_preferred(tmp_path: Path) -> None:
    document = Document("1", "Lung cancer.", (Span(0, 11, "X"),))
    for name, format in (("Train.PubTator", "pubtator"), ("Dev.PubTator", "pubtator"), ("Dev.BioC.XML", "bioc-xml")):
        formats.get(format).write([_with_passages(document)], tmp_path / name, WriteOptions())

    corpus = read_corpus(tmp_path)

    assert corpus.format == "pubtator"
    assert [split.path.name for split in corpus.splits.values()] == ["Train.PubTator", "Dev.PubTator"]


def test_what_holds_most_is_read_first(tmp_path: Path) -> None:
    document = Document("train-1", "Lung cancer", (Span(0, 11, "X"),))
    formats.get("jsonl").write([document], tmp_path / "train.jsonl", WriteOptions())
    (tmp_path / "train.tsv").write_text("Lung\tB-X\ncancer\tI-X\n", encoding="utf-8")

    assert read_corpus(tmp_path).train.path.name == "train.jsonl"


def test_a_file_in_no_known_format_is_left_aside_only_beside_another_one(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("This text has no tags.\n", encoding="utf-8")
    with pytest.raises(BadFile, match="in no format that Linnet knows"):
        read_corpus(tmp_path)
    (tmp_path / "train.tsv").write_text(TSV, encoding="utf-8")

    corpus = read_corpus(tmp_path)

    assert corpus.train.path.name == "train.tsv"
    assert list(corpus.notes.first_place.values()) == [str(tmp_path / "train.txt")]


def test_files_are_named_by_split(tmp_path: Path) -> None:
    folder = preprocessed(tmp_path / "c")

    corpus = read_corpus(folder, files={"train": "train_dev.txt", "dev": "test.tsv"})

    assert {name: split.path.name for name, split in corpus.splits.items()} == {
        "train": "train_dev.txt",
        "devel": "test.tsv",
    }
    assert not corpus.notes.counts


@pytest.mark.parametrize(
    ("files", "error", "message"),
    [
        ({"train": "missing.tsv"}, BadFile, "missing.tsv: there is no such file"),
        ({"tran": "train.tsv"}, BadSetting, "`files` has a split 'tran'"),
        ({"dev": "devel.tsv", "devel": "devel.txt"}, BadSetting, "`files` has the split devel twice"),
        ({}, BadFile, "`files` names no file"),
    ],
)
def test_files_that_cannot_be_meant_are_refused(
    tmp_path: Path, files: dict[str, str], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        read_corpus(preprocessed(tmp_path / "c"), files=files)


def test_tables_of_texts_are_not_compared_but_the_setting_is_named(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("a\tb\n", encoding="utf-8")
    (tmp_path / "labels.txt").write_text("b\n", encoding="utf-8")
    notes = Notes()
    assert split_paths(tmp_path, None, notes) == {"train": tmp_path / "train.tsv"}
    assert sum(notes.counts.values()) == 1
    (tmp_path / "train.csv").write_text("a,b\n", encoding="utf-8")

    with pytest.raises(BadFile, match=r"train\.csv and train\.tsv") as caught:
        split_paths(tmp_path, None)

    assert 'text.files.train = ["train.csv"]' in caught.value.remedy


def _with_passages(document: Document) -> Document:
    passages = (Passage(0, 5, {"type": "title"}), Passage(5, 12, {"type": "abstract"}))
    return replace(document, text="Lung\ncancer.", passages=passages)
