"""A corpus is split by document, in every format, without a document lost, doubled or changed."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from linnet import read_corpus, read_documents
from linnet.contracts import WriteOptions, formats
from linnet.documents.document import Document, Span
from linnet.errors import BadFile, BadSetting, WouldLose
from linnet.splitting.split import split_path


def documents(number: int = 20) -> list[Document]:
    texts = [f"case{n} had ataxia{n} and took drug{n} on day{n}" for n in range(number)]
    return [
        Document(f"d{n}", text, spans=(Span(text.index("ataxia"), text.index(" and"), "Disease"),))
        for n, text in enumerate(texts)
    ]


def written(path: Path, rows: list[Document], format: str = "jsonl") -> Path:
    formats.get(format).write(rows, path, WriteOptions())
    return path


@pytest.mark.parametrize(("format", "name"), [("jsonl", "a.jsonl"), ("pubtator", "a.pubtator"), ("brat", "folder")])
def test_all_documents_are_in_exactly_one_part_as_they_were(tmp_path: Path, format: str, name: str) -> None:
    source = written(tmp_path / name, documents(), format)

    done = split_path(source, tmp_path / "out", shares=(0.5, 0.25, 0.25))

    corpus = read_corpus(tmp_path / "out")
    assert list(corpus.splits) == ["train", "devel", "test"]
    parts = {name: list(split) for name, split in corpus.splits.items()}
    assert {name: len(rows) for name, rows in parts.items()} == {"train": 10, "devel": 5, "test": 5}
    assert done.parts["train"] == {"documents": 10, "Disease": 10}
    by_id = {document.id: document for document in read_documents(source)}
    found = [document for rows in parts.values() for document in rows]
    assert Counter(document.id for document in found) == Counter(list(by_id))
    assert all(document.spans == by_id[document.id].spans for document in found)


def test_near_duplicates_stand_in_one_part(tmp_path: Path) -> None:
    twins = [Document(f"t{n}", documents()[n].text + ".") for n in range(6)]
    source = written(tmp_path / "a.jsonl", [*documents(), *twins])

    done = split_path(source, tmp_path / "out")

    part_of = {document.id: name for name, split in read_corpus(tmp_path / "out").splits.items() for document in split}
    assert all(part_of[f"t{n}"] == part_of[f"d{n}"] for n in range(6))
    assert done.together == 6


def test_what_the_new_format_cannot_hold_is_lost_only_on_request(tmp_path: Path) -> None:
    related = [replace(each, infons={"journal": "x"}) for each in documents()]
    source = written(tmp_path / "a.jsonl", related)

    with pytest.raises(WouldLose, match="infons"):
        split_path(source, tmp_path / "out", target_format="conll")
    assert not (tmp_path / "out").exists()

    done = split_path(source, tmp_path / "out", target_format="conll", is_lossy=True)

    assert sum(done.lost.values()) >= 20


def test_two_shares_are_train_and_test(tmp_path: Path) -> None:
    split_path(written(tmp_path / "a.jsonl", documents()), tmp_path / "out", shares=(0.8, 0.2))

    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["test.jsonl", "train.jsonl"]


def test_percentages_are_shares(tmp_path: Path) -> None:
    source = written(tmp_path / "a.jsonl", documents())

    done = split_path(source, tmp_path / "percent", shares=(70, 15, 15))

    assert done.parts == split_path(source, tmp_path / "fractions", shares=(0.7, 0.15, 0.15)).parts
    for name in ("train", "devel", "test"):
        files = [tmp_path / folder / f"{name}.jsonl" for folder in ("percent", "fractions")]
        assert files[0].read_bytes() == files[1].read_bytes()


def test_rows_of_a_table_are_split_with_their_labels(tmp_path: Path) -> None:
    rows = [f"gene{n} causes illness{n}\t{'yes' if n % 2 else 'no'}\n" for n in range(20)]
    (tmp_path / "a.tsv").write_text("".join(rows), encoding="utf-8")

    done = split_path(tmp_path / "a.tsv", tmp_path / "out", shares=(0.6, 0.2, 0.2), as_rows=True)

    content = "".join((tmp_path / "out" / f"{name}.tsv").read_text() for name in ("train", "devel", "test"))
    assert sorted(content.splitlines(keepends=True)) == sorted(rows)
    assert done.parts["test"] == {"documents": 4, "no": 2, "yes": 2}


def test_sentences_without_documents_are_warned_of(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("".join(f"word{n}\tB-X\nhere\tO\n\n" for n in range(9)), encoding="utf-8")

    done = split_path(tmp_path / "a.tsv", tmp_path / "out")

    assert "every document is one sentence" in done.warnings[0]


@pytest.mark.parametrize(
    "shares", [(1.0,), (100,), (0.5, 0.6), (70, 15, 16), (120, -20), (0.5, 0.5, 0.0), (0.25,) * 4, (float("nan"), 0.5)]
)
def test_shares_that_split_nothing_are_refused(tmp_path: Path, shares: tuple[float, ...]) -> None:
    source = written(tmp_path / "a.jsonl", documents())

    with pytest.raises(BadSetting, match="shares"):
        split_path(source, tmp_path / "out", shares=shares)
    assert not (tmp_path / "out").exists()


def test_too_few_documents_and_an_existing_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="2 documents that differ"):
        split_path(written(tmp_path / "a.jsonl", documents(2)), tmp_path / "out")
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    with pytest.raises(BadFile):
        split_path(written(tmp_path / "b.jsonl", documents()), tmp_path / "there")


def test_an_older_split_is_replaced_on_request_and_nothing_else(tmp_path: Path) -> None:
    source = written(tmp_path / "a.jsonl", documents())
    split_path(source, tmp_path / "out")
    with pytest.raises(BadFile, match="exists already"):
        split_path(source, tmp_path / "out")

    done = split_path(source, tmp_path / "out", shares=(0.5, 0.5), overwrite=True)

    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["test.jsonl", "train.jsonl"]
    assert done.parts["test"]["documents"] == 10
    (tmp_path / "out" / "notes.txt").touch()
    with pytest.raises(BadFile, match=r"notes\.txt"):
        split_path(source, tmp_path / "out", overwrite=True)


def test_a_corpus_that_is_split_already_is_refused_with_the_option_that_splits_it_anew(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"several files[\s\S]*`--join-splits`"):
        split_path("demo", tmp_path / "out")


@pytest.mark.parametrize("format", ["jsonl", "brat"])
def test_the_splits_of_a_corpus_are_joined_and_split_anew(tmp_path: Path, format: str) -> None:
    parts = {"train": documents()[:12], "devel": documents()[12:16], "test": documents()[16:]}
    for name, rows in {**parts, "train_dev": documents()[:16]}.items():
        written(tmp_path / "in" / f"{name}{'.jsonl' if format == 'jsonl' else ''}", rows, format)

    done = split_path(tmp_path / "in", tmp_path / "out", shares=(0.5, 0.5), join_splits=True)

    found = [document for split in read_corpus(tmp_path / "out").splits.values() for document in split]
    assert sorted(document.id for document in found) == sorted(document.id for document in documents())
    assert {name: part["documents"] for name, part in done.parts.items()} == {"train": 10, "test": 10}


def test_tables_of_splits_are_joined_where_they_are_written_alike(tmp_path: Path) -> None:
    rows = [f"gene{n} causes illness{n}\t{'yes' if n % 2 else 'no'}\n" for n in range(20)]
    for name, content in {"train": rows[:15], "test": rows[15:]}.items():
        (tmp_path / f"{name}.tsv").write_text("text\tlabel\n" + "".join(content), encoding="utf-8")

    split_path(tmp_path, tmp_path / "out", shares=(0.5, 0.5), as_rows=True, join_splits=True)

    train, test = ((tmp_path / "out" / f"{name}.tsv").read_text().splitlines(True) for name in ("train", "test"))
    assert train[0] == test[0] == "text\tlabel\n"
    assert sorted([*train[1:], *test[1:]]) == sorted(rows)

    (tmp_path / "test.tsv").write_text("label\ttext\nno\tnothing was found\n", encoding="utf-8")
    with pytest.raises(BadFile, match=r"test.tsv: is not written as .*train.tsv is"):
        split_path(tmp_path, tmp_path / "other", as_rows=True, join_splits=True)


def test_one_file_has_no_splits_to_join(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"in one piece[\s\S]*leave `--join-splits` out"):
        split_path(written(tmp_path / "a.jsonl", documents()), tmp_path / "out", join_splits=True)
