"""The parts of one output are read as one file, by everything that reads documents."""

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


def test_an_id_in_two_parts_is_refused_where_ids_must_differ(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"part-{number:05d}.jsonl").write_text('{"id": "1", "text": "Pain"}\n', encoding="utf-8")

    with pytest.raises(LinnetError, match="1"):
        convert_path(tmp_path, tmp_path.with_name("out.jsonl"))
