"""What an output may replace, what is recorded beside it, and what shows before the first document is read."""

import errno
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from linnet.annotation.annotate import annotate_path
from linnet.annotation.blocks import Failure
from linnet.annotation.output import Output
from linnet.annotation.work import Work
from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.formats.jsonl import JSONLines
from tests import tiny

TEXT = "cystic fibrosis was treated with folic acid ."
NO_MODEL = "no model"  # what is refused with it was refused before the model was looked at


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return three documents and a line that is none."""
    path = tmp_path / "in.jsonl"
    rows = [json.dumps({"id": str(number), "text": TEXT}) for number in range(3)]
    path.write_text("\n".join([*rows, "broken"]) + "\n", encoding="utf-8")
    return path


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def jsonl(path: Path) -> Output:
    return Output(path, formats.get("jsonl"))


def put(output: Output, stage: Path, *failures: Failure) -> None:
    """Let an output without documents take its place."""
    stage.mkdir(exist_ok=True)
    output.try_out(stage)
    output.put_in_place(stage, failures)


def errors_beside(path: Path) -> list[dict[str, str]]:
    content = path.with_name("errors.jsonl").read_bytes()
    return [json.loads(line) for line in content.split(b"\n")[:-1]]


def test_a_folder_with_something_else_in_it_is_not_replaced(tmp_path: Path, source: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "part-00000.jsonl").touch()
    (precious / "thesis.doc").touch()

    with pytest.raises(BadFile, match=r"holds thesis\.doc"):
        annotate_path(source, model=NO_MODEL, output=precious, shard=5, overwrite=True)

    assert names(precious) == ["part-00000.jsonl", "thesis.doc"]
    assert names(tmp_path) == ["in.jsonl", "precious"]


@pytest.mark.parametrize(
    ("inside", "output"),
    [("in.jsonl", "in.jsonl"), ("out/part-0.jsonl", "out"), ("out.work/block-0000000.jsonl", "out")],
)
def test_an_output_that_is_or_holds_the_input_is_refused(tmp_path: Path, inside: str, output: str) -> None:
    path = tmp_path / inside
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"id": "1", "text": TEXT}), encoding="utf-8")
    shard = None if output == inside else 5

    with pytest.raises(BadFile, match="it is or holds the input"):
        annotate_path(path, model=NO_MODEL, output=tmp_path / output, shard=shard, overwrite=True)

    assert path.is_file()


def test_an_input_that_is_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop.txt").symlink_to("loop.txt")

    with pytest.raises(BadFile, match=r"loop\.txt: cannot be accessed"):
        annotate_path(tmp_path / "loop.txt", model=NO_MODEL, output=tmp_path / "out.jsonl")


def test_shards_replace_earlier_shards(tmp_path: Path, source: Path) -> None:
    output = tmp_path / "out"
    annotate_path(source, model=tiny.trained(), output=output, shard=1)
    assert names(output) == ["errors.jsonl", *(f"part-0000{number}.jsonl" for number in range(3))]

    annotate_path(source, model=tiny.trained(), output=output, shard=2, overwrite=True)

    assert names(output) == ["errors.jsonl", "part-00000.jsonl", "part-00001.jsonl"]
    assert names(tmp_path) == ["in.jsonl", "out"]


def test_the_documents_of_a_shard_are_written_as_they_come(tmp_path: Path) -> None:
    n_read, n_read_at_write = 0, list[int]()

    def documents() -> Iterator[Document]:
        nonlocal n_read
        for number in range(5):
            n_read += 1
            yield Document(str(number), "text")

    class Noting(JSONLines):
        def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
            n_read_at_write.append(n_read)
            super().write(documents, path, options)

    Output(tmp_path / "out", Noting(), shard=2).write(documents(), tmp_path, WriteOptions())

    assert n_read_at_write == [1, 3, 5]
    assert [len(part.read_bytes().splitlines()) for part in sorted((tmp_path / "out").iterdir())] == [2, 2, 1]


def test_a_brat_folder_is_replaced_unless_it_holds_something_else(tmp_path: Path, source: Path) -> None:
    output = tmp_path / "out"
    annotate_path(source, model=tiny.trained(), output=output, target_format="brat")
    source.write_text(json.dumps({"id": "new", "text": TEXT}), encoding="utf-8")

    annotate_path(source, model=tiny.trained(), output=output, target_format="brat", overwrite=True)
    assert names(output) == ["new.ann", "new.txt"]

    (output / "lonely.txt").touch()
    with pytest.raises(BadFile, match=r"holds lonely\.txt"):
        annotate_path(source, model=NO_MODEL, output=output, target_format="brat", overwrite=True)


@pytest.mark.parametrize(
    ("output", "settings", "problem"),
    [
        (".", {"target_format": "brat"}, "no name for an output"),
        ("/", {"target_format": "jsonl"}, "no name for an output"),
        ("..", {"shard": 2}, "no name for an output"),
        ("folder", {"target_format": "jsonl"}, "folder: is not a file"),
        ("file", {"shard": 2}, "file: is not a folder"),
        ("file", {"target_format": "brat"}, "file: is not a folder"),
        ("link", {"shard": 2}, "link: is not a folder"),
        ("errors.jsonl", {}, "where failures are recorded"),
        ("out.parquet.gz", {}, "parquet files are compressed inside"),
        (f"{'x' * 250}.jsonl", {}, "cannot be written"),
    ],
)
def test_what_is_wrong_with_the_output_shows_before_the_work(
    tmp_path: Path,
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
    output: str,
    settings: dict[str, Any],
    problem: str,
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "model").mkdir()  # of which nothing but a digest is asked
    (tmp_path / "model" / "linnet.json").touch()
    monkeypatch.chdir(tmp_path)
    before = names(tmp_path)

    with pytest.raises(LinnetError, match=problem):
        annotate_path(source, model="model", output=output, overwrite=True, **settings)

    assert names(tmp_path) == before


def test_a_folder_where_failures_are_recorded_is_refused(tmp_path: Path, source: Path) -> None:
    (tmp_path / "errors.jsonl").mkdir()

    with pytest.raises(BadFile, match=r"errors\.jsonl: is not a file"):
        annotate_path(source, model=NO_MODEL, output=tmp_path / "out.jsonl")


def test_what_shards_cannot_hold_is_said_as_of_one_file(tmp_path: Path, source: Path) -> None:
    whole = annotate_path(source, model=tiny.trained(), output=tmp_path / "whole.pubtator")
    shards = annotate_path(source, model=tiny.trained(), output=tmp_path / "s", shard=1, target_format="pubtator")

    assert "pubtator cannot hold scores: 6 left out" in shards.notes
    assert shards.notes == whole.notes


def test_failures_of_an_earlier_job_are_forgotten_and_those_of_neighbours_kept(tmp_path: Path) -> None:
    first, second = jsonl(tmp_path / "first.jsonl"), jsonl(tmp_path / "second.jsonl")
    put(first, tmp_path / "stage", Failure("1", "broken"))
    put(second, tmp_path / "stage", Failure("2", "broken too"))

    put(first, tmp_path / "stage")
    assert errors_beside(first.path) == [{"output": "second.jsonl", "document": "2", "reason": "broken too"}]

    put(second, tmp_path / "stage")
    assert not first.errors.exists()


@pytest.mark.parametrize("character", ["\u2028", "\x85", "\ud800"])
def test_failures_with_odd_characters_are_recorded_on_one_line_each(tmp_path: Path, character: str) -> None:
    first, second = jsonl(tmp_path / "first.jsonl"), jsonl(tmp_path / "second.jsonl")
    put(first, tmp_path / "stage", Failure(f"a{character}b", "broken"))

    put(second, tmp_path / "stage", Failure("2", "broken"))

    assert [row["document"] for row in errors_beside(first.path)] == [f"a{character}b", "2"]


def test_what_somebody_else_wrote_into_the_file_of_failures_is_kept(tmp_path: Path) -> None:
    foreign = b'2024-01-01 disk warm\n\n\xff\xfe\n["output"]\n' + b"[" * 100_000
    (tmp_path / "errors.jsonl").write_bytes(foreign)
    output = jsonl(tmp_path / "out.jsonl")

    put(output, tmp_path / "stage", Failure("1", "broken"))
    row = b'{"output": "out.jsonl", "document": "1", "reason": "broken"}\n'
    assert output.errors.read_bytes() == foreign + b"\n" + row

    put(output, tmp_path / "stage")
    assert output.errors.read_bytes() == foreign + b"\n"


def test_until_it_is_complete_nothing_of_the_output_stands_beside_it(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[list[str]] = []
    write = Output.write

    def seen(self: Output, *arguments: object) -> object:
        lost = write(self, *arguments)  # type: ignore[arg-type]
        found.append(names(tmp_path))
        return lost

    monkeypatch.setattr(Output, "write", seen)

    annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl")

    assert found == [["in.jsonl", "out.jsonl.work"]] * 2  # tried, then written
    assert names(tmp_path) == ["errors.jsonl", "in.jsonl", "out.jsonl"]


def test_failures_are_recorded_before_the_output_takes_its_name(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out.jsonl"
    replace = Path.replace

    def stopped(self: Path, target: Path) -> Path:
        if target == output:
            raise KeyboardInterrupt
        return replace(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", stopped)
        with pytest.raises(KeyboardInterrupt):
            annotate_path(source, model=tiny.trained(), output=output)
    assert [row["document"] for row in errors_beside(output)] == ["in:4"]

    done = annotate_path(source, model=tiny.trained(), output=output, resume=True)
    assert (done.documents, done.failures, len(errors_beside(output))) == (3, 1, 1)
    assert names(tmp_path) == ["errors.jsonl", "in.jsonl", "out.jsonl"]


def test_a_full_disk_at_the_end_costs_nothing_that_was_done(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("linnet.formats.jsonl.document_to_json", full)  # as the output's writer knows it
        with pytest.raises(BadFile, match="No space left") as refused:
            annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl")
    assert "go on with `--resume`" in refused.value.remedy

    told: list[int] = []
    annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl", resume=True, watcher=told.append)
    assert told == []
    assert len(list(formats.get("jsonl").read(tmp_path / "out.jsonl", ReadOptions(), Notes()))) == 3


@pytest.mark.parametrize("is_file", [True, False])
def test_what_a_user_calls_like_the_folder_of_a_job_is_left_alone(tmp_path: Path, source: Path, is_file: bool) -> None:
    work = Work.beside(tmp_path / "out.jsonl").folder
    if is_file:
        work.write_text("mine", encoding="utf-8")
    else:
        work.mkdir()
        (work / "notes.txt").write_text("mine", encoding="utf-8")

    for flag in ("strict", "overwrite", "resume"):
        settings: dict[str, Any] = {"model": NO_MODEL, flag: True}
        with pytest.raises(BadFile, match="is no folder" if is_file else r"holds notes\.txt"):
            annotate_path(source, output=tmp_path / "out.jsonl", **settings)

    assert (work if is_file else work / "notes.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("file", "content"), [("tokenizer.json", "{}"), ("linnet.json", "{}"), ("model.safetensors", "")]
)
def test_a_model_that_is_broken_leaves_nothing_behind(tmp_path: Path, source: Path, file: str, content: str) -> None:
    model = tmp_path / "model"
    model.mkdir()
    for path in tiny.trained().iterdir():
        if path.is_file():
            (model / path.name).write_bytes(path.read_bytes())
    (model / file).write_text(content, encoding="utf-8")
    before = names(tmp_path)

    with pytest.raises(LinnetError, match="model"):
        annotate_path(source, model=model, output=tmp_path / "deep" / "out.jsonl")

    assert names(tmp_path) == before


def test_settings_that_exclude_each_other_are_refused(tmp_path: Path, source: Path) -> None:
    with pytest.raises(BadSetting, match="brat is a folder itself"):
        annotate_path(source, model=NO_MODEL, output=tmp_path / "out", target_format="brat", shard=2)
