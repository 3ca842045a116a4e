"""A package outside of `linnet` announces a format, which is then read, written, converted and scored like any other.

The format is the example of docs/extending.md. `test_formats.py` checks that it keeps what every format must keep.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import linnet
from linnet.contracts import Notes, ReadOptions, formats
from linnet.documents.document import Document, Span
from linnet.errors import BadFile
from tests.cli.running import run
from tests.conformance.plugins import FORMAT, install_format

LINE = "d1\tA woman with [[Disease:breast cancer]] took [[Chemical:tamoxifen]].\n"
DOCUMENT = Document(
    "d1", "A woman with breast cancer took tamoxifen.", (Span(13, 26, "Disease"), Span(32, 41, "Chemical"))
)


@pytest.fixture(autouse=True, scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A package that announces the format."""
    with install_format(tmp_path_factory.mktemp("site")):
        yield


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder of splits in the format."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    for split in ("train", "devel", "test"):
        (folder / f"{split}.brackets").write_text(LINE, encoding="utf-8")
    return folder


def test_a_corpus_is_read_from_its_splits(corpus: Path) -> None:
    found = linnet.read_corpus(corpus)

    assert (found.format, list(found.splits)) == (FORMAT, ["train", "devel", "test"])
    assert list(found.test.documents) == [DOCUMENT]


def test_documents_are_converted_both_ways(corpus: Path, tmp_path: Path) -> None:
    linnet.convert(corpus / "test.brackets", tmp_path / "d.jsonl")
    linnet.convert(tmp_path / "d.jsonl", tmp_path / "d.brackets")

    assert list(linnet.read_documents(tmp_path / "d.jsonl")) == [DOCUMENT]
    assert (tmp_path / "d.brackets").read_text(encoding="utf-8") == LINE


def test_the_commands_know_the_format(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = corpus / "test.brackets"

    assert "brackets an id, a tab" in " ".join(run(capsys, "list", "formats").out.split())
    assert "corpus (brackets, iob2)" in run(capsys, "stats", corpus).out
    assert '"f1": 1.0' in run(capsys, "score", gold, gold, "--json").out


@pytest.mark.parametrize("line", ["d1", "d1\tA [[fever]]", "d1\tA [[Disease:fever"])
def test_a_line_that_cannot_be_read_is_refused_with_its_place(line: str, tmp_path: Path) -> None:
    path = tmp_path / "d.brackets"
    path.write_text(f"{LINE}{line}\n", encoding="utf-8")

    with pytest.raises(BadFile, match=rf"{path}:2: found .*"):
        list(formats.get(FORMAT).read(path, ReadOptions(), Notes()))
