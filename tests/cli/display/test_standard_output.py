"""`-` as an output is standard output, never a file of this name."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from linnet.annotation.work import Work
from linnet.errors import BadSetting
from linnet.storage.files import new_file
from tests import text_corpora, tiny
from tests.cli.running import run, write

TEXT = "ataxia was treated with folic acid ."


@pytest.fixture(autouse=True)
def nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test runs in a folder of its own, where nothing may appear."""
    monkeypatch.chdir(write(tmp_path / "here" / "in.txt", TEXT).parent)
    yield
    assert [path.name for path in Path().iterdir()] == ["in.txt"]


def test_annotated_documents_are_printed_as_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "annotate", "in.txt", "--model", tiny.trained(), "--output", "-")

    assert done.code == 0
    assert json.loads(done.out)["text"] == TEXT
    assert done.err.startswith("note: standard output: 1 document, 2 mentions")


def test_predictions_are_printed_in_the_form_that_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    source, model = text_corpora.corpus("yesno") / "test.tsv", text_corpora.trained("yesno")

    done = run(capsys, "predict", source, "--model", model, "--output", "-", "--to", "tsv")

    assert done.code == 0
    assert done.out.splitlines()[0].count("\t") > 0


def test_a_converted_file_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    file = tiny.corpus() / "test.tsv"

    lines = run(capsys, "convert", file, "-")
    rows = run(capsys, "convert", file, "-", "--to", "conll")

    assert [lines.code, rows.code] == [0, 0]
    assert all(json.loads(line)["text"] for line in lines.out.splitlines())
    assert "\tB-" in rows.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("convert", tiny.corpus(), "-"), "becomes a folder"),
        (("convert", tiny.corpus() / "test.tsv", "-", "--to", "brat"), "brat is a folder"),
        (("convert", tiny.corpus() / "test.tsv", "-", "--json"), "--json: does not go with `-`"),
        (("annotate", "in.txt", "--model", "x", "--output", "-", "--resume"), "--resume: does not go with `-`"),
    ],
)
def test_what_cannot_be_printed_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[object, ...], message: str
) -> None:
    done = run(capsys, *arguments)

    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_other_writers_refuse_it() -> None:
    with pytest.raises(BadSetting, match="standard output"), new_file(Path("-")):
        pass
    with pytest.raises(BadSetting, match="standard output"):
        Work.beside(Path("-"))
