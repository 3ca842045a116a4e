"""The parts of one output are read as one file, by everything that reads documents."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from linnet import read_corpus, read_documents
from linnet.annotation.annotate import annotate_path
from linnet.contracts import Notes, ReadOptions, formats
from linnet.errors import LinnetError
from linnet.formats.conversion import convert_path
from linnet.formats.inputs.failures import ERRORS
from linnet.formats.inputs.parts import parts_of, read_whole
from linnet.splitting.split import split_path
from tests import tiny


@pytest.fixture(scope="module", params=["jsonl", "conll", "pubtator"])
def parts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parts") / "out"
    annotate_path(tiny.corpus() / "test.tsv", model=tiny.trained(), output=folder, target_format=request.param, shard=3)
    return folder


def test_the_parts_are_found_in_order_without_what_lies_beside_them(parts: Path) -> None:
    (parts / ERRORS).write_text("{}\n", encoding="utf-8")

    found = parts_of(parts)

    assert len(found) > 2
    assert [path.name.split(".")[0] for path in found] == [f"part-{number:05d}" for number in range(len(found))]
    (parts / ERRORS).unlink()


def test_a_folder_with_another_file_is_no_folder_of_parts(tmp_path: Path) -> None:
    assert parts_of(tmp_path) == parts_of(tmp_path / "nothing") == []
    (tmp_path / "part-00000.jsonl").write_text("", encoding="utf-8")
    assert [path.name for path in parts_of(tmp_path)] == ["part-00000.jsonl"]
    (tmp_path / "train.tsv").write_text("", encoding="utf-8")
    assert parts_of(tmp_path) == []


def test_all_readers_give_the_documents_of_all_parts(parts: Path, tmp_path: Path) -> None:
    kind = next(formats.get(name) for name in ("jsonl", "conll", "pubtator") if name in formats_of(parts))
    each = [document for path in parts_of(parts) for document in kind.read(path, ReadOptions(), Notes())]

    corpus = read_corpus(parts)
    assert list(read_documents(parts)) == list(read_whole(kind, parts, ReadOptions(), Notes())) == each
    assert list(corpus.splits) == ["all"]
    assert [document.text for document in corpus.split("all")] == [document.text for document in each]
    assert convert_path(parts, tmp_path / "whole.jsonl", is_lossy=True).n_documents == len(each)
    assert [document.text for document in read_documents(tmp_path / "whole.jsonl")] == [every.text for every in each]
    done = split_path(parts, tmp_path / "splits", shares=(0.5, 0.5), seed=1)
    assert sum(len(list(read_documents(path))) for path in done.target.iterdir()) == len(each)


def formats_of(parts: Path) -> set[str]:
    return {read_corpus(parts).format}


def write_parts(folder: Path, ids: Mapping[str, str]) -> Path:
    """Write parts with these numbers, each with a document of this id."""
    for number, name in ids.items():
        (folder / f"part-{number}.jsonl").write_text(f'{{"id": "{name}", "text": "Pain"}}\n', encoding="utf-8")
    return folder


def test_an_id_in_two_parts_is_refused_by_all_readers(tmp_path: Path) -> None:
    folder = write_parts(tmp_path, {"00000": "1", "00001": "1"})

    for read in (lambda: list(read_documents(folder)), lambda: convert_path(folder, tmp_path / "../o.jsonl")):
        with pytest.raises(LinnetError, match=r"part-00001\.jsonl: two documents are called '1'"):
            read()


def test_a_folder_that_lacks_a_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LinnetError, match="part-00001 is missing, so the folder is not whole"):
        parts_of(write_parts(tmp_path, {"00000": "1", "00002": "3"}))


def test_two_parts_with_one_number_are_refused(tmp_path: Path) -> None:
    write_parts(tmp_path, {"00000": "1"})
    (tmp_path / "part-00000.txt").write_text("Pain\n", encoding="utf-8")

    with pytest.raises(LinnetError, match="another file has the same number"):
        parts_of(tmp_path)


def test_parts_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    folder = write_parts(tmp_path, {"00002": "2", "000001": "1", "00000": "0"})

    assert [path.name[5:-6] for path in parts_of(folder)] == ["00000", "000001", "00002"]
