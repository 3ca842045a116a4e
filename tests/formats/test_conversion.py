"""How a whole path is carried to another format."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from linnet.contracts import Format, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document, Link, Span
from linnet.errors import BadFile, BadSetting, LinnetError, UnknownName, WouldLose
from linnet.formats.conversion import check_target, convert_path
from linnet.formats.corpus import read_corpus
from linnet.formats.reading import read_documents
from linnet.formats.relabelling import parse_label_change

ROWS = b"Lung\tB-X\ncancer\tI-X\n.\tO\n\nFever\tB-X\n\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name in ("train.tsv", "dev.tsv", "test.tsv"):
        (folder / name).write_bytes(ROWS)
    return folder


def files_in(place: Path) -> dict[str, bytes]:
    """Return the content of a file, or of all files in a folder."""
    paths = [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]
    return {str(path.relative_to(place.parent)): path.read_bytes() for path in paths}


def test_a_file_becomes_a_file(tmp_path: Path, corpus: Path) -> None:
    done = convert_path(corpus / "train.tsv", tmp_path / "train.jsonl")

    assert (done.n_documents, done.n_mentions) == (2, 2)
    assert list(read_documents(tmp_path / "train.jsonl")) == list(read_documents(corpus / "train.tsv"))


def test_there_and_back_gives_the_same_bytes(tmp_path: Path, corpus: Path) -> None:
    convert_path(corpus / "train.tsv", tmp_path / "train.jsonl")
    convert_path(tmp_path / "train.jsonl", tmp_path / "train.tsv")

    assert (tmp_path / "train.tsv").read_bytes() == ROWS


def test_a_corpus_becomes_a_folder_with_the_same_splits(tmp_path: Path, corpus: Path) -> None:
    done = convert_path(corpus, tmp_path / "out", target_format="jsonl")

    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["devel.jsonl", "test.jsonl", "train.jsonl"]
    assert (done.n_documents, done.n_mentions) == (6, 6)
    assert read_corpus(tmp_path / "out").train.documents == read_corpus(corpus).train.documents


def test_a_corpus_becomes_folders_of_brat_files_and_comes_back(tmp_path: Path, corpus: Path) -> None:
    convert_path(corpus, tmp_path / "brat", target_format="brat")
    convert_path(tmp_path / "brat", tmp_path / "back", target_format="conll")

    assert (tmp_path / "back" / "train.tsv").read_bytes() == ROWS


def test_a_brat_folder_is_one_input(tmp_path: Path, corpus: Path) -> None:
    convert_path(corpus / "train.tsv", tmp_path / "brat", target_format="brat")

    done = convert_path(tmp_path / "brat", tmp_path / "x.jsonl")

    assert done.n_documents == 2


def test_the_tagging_of_the_output_can_be_chosen(tmp_path: Path, corpus: Path) -> None:
    convert_path(corpus / "train.tsv", tmp_path / "train.tsv", write_options=WriteOptions(tagging="bilou"))

    assert (tmp_path / "train.tsv").read_bytes() == b"Lung\tB-X\ncancer\tL-X\n.\tO\n\nFever\tU-X\n\n"


def test_a_file_may_be_converted_in_place(corpus: Path) -> None:
    convert_path(
        corpus / "train.tsv", corpus / "train.tsv", write_options=WriteOptions(tagging="iobes"), overwrite=True
    )

    assert b"S-X" in (corpus / "train.tsv").read_bytes()


@pytest.mark.parametrize("source", ["train.tsv", ""])
@pytest.mark.parametrize("to", ["jsonl", "brat"])
def test_an_existing_output_is_replaced_only_on_request(tmp_path: Path, corpus: Path, source: str, to: str) -> None:
    target = tmp_path / ("out.jsonl" if source and to == "jsonl" else "out")
    convert_path(corpus / source, target, target_format=to)
    before = files_in(target)
    (corpus / "train.tsv").write_bytes(b"Gout\tB-Y\n\n")

    with pytest.raises(BadFile, match=r"exists already") as refused:
        convert_path(corpus / source, target, target_format=to)
    assert "--overwrite" in refused.value.remedy
    assert files_in(target) == before

    convert_path(corpus / source, target, target_format=to, overwrite=True)
    assert any(b"Gout" in content for content in files_in(target).values())
    assert sum(b"Lung" in content for content in files_in(target).values()) < sum(
        b"Lung" in each for each in before.values()
    )
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("foreign", ["thesis.tex", "train.docx", "sub/train.jsonl", "train/a.txt"])
@pytest.mark.parametrize(("source", "to"), [("train.tsv", "brat"), ("", "jsonl"), ("", "brat")])
def test_a_folder_with_anything_but_an_older_conversion_is_never_replaced(
    tmp_path: Path, corpus: Path, foreign: str, source: str, to: str
) -> None:
    convert_path(corpus / source, tmp_path / "out", target_format=to)
    (tmp_path / "out" / foreign).parent.mkdir(exist_ok=True)
    (tmp_path / "out" / foreign).write_bytes(b"precious")

    with pytest.raises(BadFile, match=f"out: holds {foreign.split('/')[0]}.*not replaced"):
        convert_path(corpus / source, tmp_path / "out", target_format=to, overwrite=True)

    assert (tmp_path / "out" / foreign).read_bytes() == b"precious"


def test_a_folder_does_not_replace_its_own_input(tmp_path: Path, corpus: Path) -> None:
    for target in (corpus, tmp_path):
        with pytest.raises(BadFile, match="is or holds the input"):
            convert_path(corpus, target, target_format="jsonl", overwrite=True)

    assert (corpus / "train.tsv").is_file()


def test_a_conversion_that_fails_leaves_the_old_folder(tmp_path: Path, corpus: Path) -> None:
    convert_path(corpus, tmp_path / "out", target_format="brat")
    before = files_in(tmp_path / "out")
    (corpus / "train.tsv").write_bytes(b"broken\n")

    with pytest.raises(BadFile):
        convert_path(corpus, tmp_path / "out", target_format="brat", overwrite=True)

    assert files_in(tmp_path / "out") == before


def test_a_loss_in_any_split_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    linked = Document("1", "x", (Span(0, 1, "X", links=(Link("D1"),)),))
    formats.get("jsonl").write([Document("1", "x")], folder / "train.jsonl", WriteOptions())
    formats.get("jsonl").write([linked], folder / "test.jsonl", WriteOptions())

    with pytest.raises(WouldLose, match="concept ids: 1"):
        convert_path(folder, tmp_path / "out", target_format="conll")
    assert list(tmp_path.iterdir()) == [folder]

    done = convert_path(folder, tmp_path / "out", target_format="conll", is_lossy=True)
    assert done.lost == {"concept ids": 1}


def test_repairs_of_all_splits_are_counted_once(tmp_path: Path, corpus: Path) -> None:
    for name in ("train.tsv", "dev.tsv"):
        (corpus / name).write_bytes(ROWS + b"a\tO\nb\tI-X\n")

    done = convert_path(corpus, tmp_path / "out", target_format="jsonl", options=ReadOptions(repair=True))

    assert list(done.notes.counts.values()) == [2]


@pytest.mark.parametrize(
    ("source", "target", "error"),
    [
        ("corpus", "full", BadFile),
        ("corpus/train.tsv", "full", LinnetError),
        ("missing.tsv", "x.jsonl", BadFile),
        ("corpus/train.tsv", "x.unknown", LinnetError),
        ("corpus/train.tsv", "corpus/train.tsv/x.jsonl", BadFile),
    ],
)
def test_what_cannot_be_done_is_refused(
    tmp_path: Path, corpus: Path, source: str, target: str, error: type[LinnetError]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "precious").write_text("x")
    to = "jsonl" if target == "full" else None

    with pytest.raises(error):
        convert_path(tmp_path / source, tmp_path / target, target_format=to)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "full"]
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["precious"]


def test_a_folder_is_no_place_for_a_file(tmp_path: Path, corpus: Path) -> None:
    (tmp_path / "out").mkdir()

    with pytest.raises(BadSetting, match="name a file"):
        convert_path(corpus / "train.tsv", tmp_path / "out", target_format="jsonl")


def test_paths_may_be_strings(tmp_path: Path) -> None:
    source = tmp_path / "d.jsonl"
    source.write_text('{"id": "1", "text": "fever"}\n', encoding="utf-8")

    done = convert_path(str(source), str(tmp_path / "d.xml"))

    assert done.n_documents == 1


def test_ids_are_checked_once_where_the_reader_checks_them(
    tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 27: the reader and the writer each kept all ids."""
    jsonl, given = formats.get("jsonl"), list[WriteOptions]()
    write = type(jsonl).write

    def note_options(self: Format, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        given.append(options)
        write(self, documents, path, options)

    monkeypatch.setattr(type(jsonl), "write", note_options)

    convert_path(corpus / "train.tsv", tmp_path / "train.jsonl")
    convert_path(tmp_path / "train.jsonl", tmp_path / "again.jsonl")

    assert [options.are_ids_unique for options in given] == [False, True]


def test_what_a_reader_does_not_check_is_refused_by_the_writer(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"Fever\tB-X\n\n-DOCSTART- a-1\tO\n\nFever\tB-X\n\n")

    with pytest.raises(BadFile, match="two documents are called 'a-1'"):
        convert_path(tmp_path / "a.tsv", tmp_path / "a.jsonl")


def test_an_id_that_pubtator_does_not_allow_never_becomes_that_of_another(tmp_path: Path) -> None:
    documents = [Document(name, "Fever") for name in ("1", "a_b", "a|b", "a\tb", "2")]
    formats.get("jsonl").write(documents, tmp_path / "a.jsonl", WriteOptions())

    convert_path(tmp_path / "a.jsonl", tmp_path / "a.pubtator", is_lossy=True)

    assert [found.id for found in read_documents(tmp_path / "a.pubtator")] == ["1", "a_b", "a_b_2", "a_b_3", "2"]


def test_a_limit_converts_the_first_documents_of_a_file_and_of_each_split(tmp_path: Path) -> None:
    documents = [Document(str(number), "Fever") for number in range(5)]
    (tmp_path / "corpus").mkdir()
    for name in ("train", "test"):
        formats.get("jsonl").write(documents, tmp_path / "corpus" / f"{name}.jsonl", WriteOptions())

    done = convert_path(tmp_path / "corpus" / "test.jsonl", tmp_path / "out.pubtator", limit=2)
    both = convert_path(tmp_path / "corpus", tmp_path / "out", target_format="jsonl", limit=3)

    assert [found.id for found in read_documents(tmp_path / "out.pubtator")] == ["0", "1"]
    assert (done.n_documents, both.n_documents) == (2, 6)
    assert (done.documents_by_split, both.documents_by_split) == ({}, {"train": 3, "test": 3})
    assert both.as_dict()["splits"] == {"train": 3, "test": 3}
    assert "splits" not in done.as_dict()


def test_a_circular_link_is_refused_as_input_of_a_folder_that_is_there(tmp_path: Path) -> None:  # issue 27
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "train.jsonl").touch()

    with pytest.raises(BadFile, match="loop: cannot be accessed"):
        check_target(tmp_path / "old", tmp_path / "loop", is_entry_ours=lambda _: True, overwrite=True)


def test_with_a_limit_a_label_of_later_documents_is_counted_as_none(tmp_path: Path) -> None:
    first = Document("1", "Lung cancer", (Span(0, 11, "Disease"),))
    second = Document("2", "Lung tumours", (Span(0, 12, "Composite"),))
    source = tmp_path / "in.jsonl"
    formats.get("jsonl").write([first, second], source, WriteOptions())
    change = parse_label_change(["Disease,Composite,Class"], ["Composite=Disease"])

    done = convert_path(source, tmp_path / "out.jsonl", labels=change, limit=1)

    assert list(read_documents(tmp_path / "out.jsonl")) == [first]
    assert done.labels is not None
    assert done.labels.sentences() == [
        "mentions of Class in these documents: 0",
        "mentions of Composite renamed to Disease: 0",
    ]
    assert done.labels.as_dict()["renamed"] == {"Composite=Disease": 0}
    with pytest.raises(BadSetting, match="there is no label 'Class'"):
        convert_path(source, tmp_path / "all.jsonl", labels=change)


def test_a_misspelt_format_of_the_output_is_answered_with_those_that_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(UnknownName) as refused:
        convert_path("demo", tmp_path / "out", target_format="pubtatr")

    assert "did you mean 'pubtator'?" in refused.value.remedy
    assert not {"jats", "pubmed-xml"} & set(refused.value.remedy.replace(",", " ").split())
