"""A killed job is resumed where it was, ends with the same bytes, and must be the same job."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linnet.annotation import blocks
from linnet.annotation.annotate import annotate_path
from linnet.annotation.output import Output
from linnet.annotation.work import Work
from linnet.errors import BadFile, BadSetting
from tests import tiny
from tests.export.exported import exported

pytestmark = pytest.mark.long

TEXTS = [" ".join(word for word, _ in row) for row in tiny.sentences(11, 5)]
KILLED = ((1, ".jsonl"), (2, ".jsonl"), (4, ".jsonl"), (1, ".xml"), (4, ".xml"))  # after so many blocks
# jobs with blocks of two documents that kill themselves after so many of them; all are forks of one process
PROGRAM = """
import json, os, signal, sys
from linnet.annotation import blocks
from linnet.annotation.annotate import annotate_path
from linnet.tasks.ner.predictor import load
blocks.MOST_DOCUMENTS = 2
model, jobs = sys.argv[1], json.loads(sys.argv[2])
load(model)  # imports what every job needs
def annotate(source, output, last):
    n_done = 0
    def watch(number):
        nonlocal n_done
        n_done += 1
        if n_done == last:
            os.kill(os.getpid(), signal.SIGKILL)
    annotate_path(source, model=model, output=output, watcher=watch)
def run(job):
    child = os.fork()
    if not child:
        try:
            annotate(*job)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(json.dumps([run(job) for job in jobs]))
"""


@pytest.fixture
def source(tmp_path: Path, small_blocks: None) -> Path:
    return write_source(tmp_path)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 2)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, str], tuple[Path, Path]]:
    """The input and the output of jobs that were killed, by the number of their blocks and the output's suffix."""
    folders = {job: tmp_path_factory.mktemp("killed") for job in KILLED}
    paths = {job: (write_source(folder), folder / f"out{job[1]}") for job, folder in folders.items()}
    jobs = [(*map(str, paths[job]), job[0]) for job in KILLED]
    command = [sys.executable, "-c", PROGRAM, str(exported()), json.dumps(jobs)]  # does not import torch
    variables = os.environ | {"TOKENIZERS_PARALLELISM": "false"}  # its threads would not survive a fork
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=variables)
    assert done.stdout.split("\n")[-2:] == [json.dumps([-signal.SIGKILL] * len(KILLED)), ""], done.stderr
    return paths


def write_source(folder: Path) -> Path:
    path = folder / "in.jsonl"
    lines = [json.dumps({"id": str(number), "text": text}) for number, text in enumerate(TEXTS)]
    path.write_text("\n".join([*lines[:4], "broken", *lines[4:]]) + "\n", encoding="utf-8")
    return path


def interrupted(source: Path, output: Path, **settings: Any) -> None:
    """Begin a job that is stopped when its second block is kept."""
    told: list[int] = []

    def interrupt(number: int) -> None:
        told.append(number)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        annotate_path(source, **{"model": tiny.trained(), "output": output, **settings}, watcher=interrupt)
    assert len(Work.beside(output).numbers()) >= 2


def ids(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(("n_blocks", "suffix"), [each for each in KILLED if each != (2, ".jsonl")])
def test_a_killed_job_ends_with_the_bytes_of_an_uninterrupted_one(
    killed: dict[tuple[int, str], tuple[Path, Path]], suffix: str, n_blocks: int, tmp_path: Path
) -> None:
    source, output = killed[n_blocks, suffix]
    whole = tmp_path / f"whole{suffix}"
    expected = annotate_path(source, model=exported(), output=whole)

    assert not output.exists()
    assert len(list(Work.beside(output).folder.glob("block-*"))) >= n_blocks
    done = annotate_path(source, model=exported(), output=output, resume=True)

    assert output.read_bytes() == whole.read_bytes()
    assert not Work.beside(output).folder.exists()
    assert (done.documents, done.mentions, done.tokens, done.failures) == (
        *(expected.documents, expected.mentions, expected.tokens, 1),
    )


@pytest.mark.usefixtures("small_blocks")
def test_an_interrupted_job_is_neither_replaced_nor_mixed_with_another(
    killed: dict[tuple[int, str], tuple[Path, Path]],
) -> None:
    source, output = killed[2, ".jsonl"]

    with pytest.raises(BadFile, match="a job for this output was interrupted"):
        annotate_path(source, model=exported(), output=output)
    with pytest.raises(BadFile, match="from was '', is 'jsonl'"):
        annotate_path(source, model=exported(), output=output, source_format="jsonl", resume=True)
    with pytest.raises(BadSetting, match="exclude each other"):
        annotate_path(source, model=exported(), output=output, resume=True, overwrite=True)

    done = annotate_path(source, model=exported(), output=output, overwrite=True)
    assert done.documents == len(TEXTS)


def test_an_output_that_is_there_is_refused(tmp_path: Path, source: Path) -> None:
    (tmp_path / "out.jsonl").write_text("precious", encoding="utf-8")

    with pytest.raises(BadFile, match="is there already"):
        annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl")

    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == "precious"


def test_what_came_before_a_broken_file_is_kept_and_the_mended_one_goes_on(tmp_path: Path, source: Path) -> None:
    document = "<document><id>{}</id><passage><offset>0</offset><text>{}</text></passage></document>"
    documents = [document.format(number, text) for number, text in enumerate(TEXTS)]
    broken = f"<collection>{''.join(documents[:7])}<document><id>"
    path = tmp_path / "in.xml"
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(BadFile, match=r"in\.xml") as refused:
        annotate_path(path, model=tiny.trained(), output=tmp_path / "out.jsonl")
    assert "go on with `--resume`" in refused.value.remedy

    path.write_text(f"<collection>{''.join(documents)}</collection>", encoding="utf-8")
    resumed = annotate_path(path, model=tiny.trained(), output=tmp_path / "out.jsonl", resume=True)
    annotate_path(path, model=tiny.trained(), output=tmp_path / "whole.jsonl")

    assert resumed.documents == len(TEXTS)
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


NEW = json.dumps({"id": "new", "text": TEXTS[0]})


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda lines: [NEW, *lines], "block 0, which now begins with document 'new'"),
        (lambda lines: lines[2:], "block 0, which now begins with document '2'"),
        (lambda lines: [lines[0], lines[1].replace(TEXTS[1], "other"), *lines[2:]], "begins with document '0'"),
        (lambda lines: lines[:2], "it ends before block 1"),
    ],
)
def test_a_job_is_not_resumed_with_another_input(
    tmp_path: Path, source: Path, change: Callable[[list[str]], list[str]], problem: str
) -> None:
    lines, output = source.read_text(encoding="utf-8").splitlines(), tmp_path / "out.jsonl"
    interrupted(source, output)

    source.write_text("\n".join(change(lines)) + "\n", encoding="utf-8")
    with pytest.raises(BadFile, match=f"the input has changed: .*{problem}") as refused:
        annotate_path(source, model=tiny.trained(), output=output, resume=True)
    assert "start again with `--overwrite`" in refused.value.remedy
    assert not output.exists()

    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    annotate_path(source, model=tiny.trained(), output=output, resume=True)
    assert ids(output) == [str(number) for number in range(len(TEXTS))]


def test_an_output_without_one_of_its_blocks_is_not_written(tmp_path: Path) -> None:
    work = Work(tmp_path)
    work.path(0).touch()
    work.path(2).touch()

    with pytest.raises(BadFile, match="block 1 is missing"):
        work.check_complete(3)


def test_a_job_that_was_begun_to_replace_an_output_is_resumed(tmp_path: Path, source: Path) -> None:
    output = tmp_path / "out.jsonl"
    output.write_text("old", encoding="utf-8")

    interrupted(source, output, overwrite=True)
    assert output.read_text(encoding="utf-8") == "old"
    annotate_path(source, model=tiny.trained(), output=output, resume=True)

    assert len(ids(output)) == len(TEXTS)


@pytest.mark.parametrize("shard", [None, 4])
def test_a_job_whose_output_has_its_name_already_is_ended_by_resuming_it(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch, shard: int | None
) -> None:
    def stopped(_: Work) -> None:
        raise KeyboardInterrupt

    settings: dict[str, Any] = {"model": tiny.trained(), "output": tmp_path / "out.jsonl", "shard": shard}
    with monkeypatch.context() as patched:
        patched.setattr(Work, "remove", stopped)
        with pytest.raises(KeyboardInterrupt):
            annotate_path(source, **settings)

    done = annotate_path(source, **settings, resume=True)

    assert (done.documents, done.failures) == (len(TEXTS), 1)
    assert not Work.beside(tmp_path / "out.jsonl").folder.exists()
    with pytest.raises(BadFile, match="is there already, and there is no interrupted job"):
        annotate_path(source, **settings, resume=True)


def test_the_folder_of_a_job_is_held_until_its_output_is_in_place(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out.jsonl"
    put_in_place = Output.put_in_place
    refused: list[str] = []

    def disturbed(self: Output, *arguments: Any) -> None:
        for flag in ("resume", "overwrite"):
            settings: dict[str, Any] = {"model": tiny.trained(), flag: True}
            with pytest.raises(BadFile, match="another process is at work") as caught:
                annotate_path(source, output=output, **settings)
            refused.append(caught.value.problem)
        put_in_place(self, *arguments)

    monkeypatch.setattr(Output, "put_in_place", disturbed)
    annotate_path(source, model=tiny.trained(), output=output)

    assert len(refused) == 2
    assert len(ids(output)) == len(TEXTS)


@pytest.mark.parametrize("name", ["tokenizer.json", "linnet.json", "config.json"])
def test_a_job_is_not_resumed_with_another_model_of_the_same_weights(tmp_path: Path, source: Path, name: str) -> None:
    model = tmp_path / "model"
    shutil.copytree(tiny.trained(), model)
    interrupted(source, tmp_path / "out.jsonl", model=model)
    with (model / name).open("a", encoding="utf-8") as file:
        file.write(" ")

    with pytest.raises(BadFile, match=f"{name} of the model was"):
        annotate_path(source, model=model, output=tmp_path / "out.jsonl", resume=True)


def test_blocks_of_a_job_that_nobody_knows_are_not_taken_over(tmp_path: Path, source: Path) -> None:
    output = tmp_path / "out.jsonl"
    interrupted(source, output)
    (Work.beside(output).folder / "job.json").unlink()
    source.write_text(NEW, encoding="utf-8")

    annotate_path(source, model=tiny.trained(), output=output, resume=True)

    assert ids(output) == ["new"]
    assert not Work.beside(output).folder.exists()


def test_the_word_of_what_job_it_was_goes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    removed: list[str] = []
    unlink = Path.unlink

    def noted(self: Path, missing_ok: bool = False) -> None:
        removed.append(self.name)
        unlink(self, missing_ok)

    work = Work(tmp_path / "out.work")
    for name in ("job.json", "block-0000000.jsonl", "tries-0000000", ".block-0000001.jsonl.7.part", "notes.txt"):
        work.folder.mkdir(exist_ok=True)
        (work.folder / name).touch()
    work.new_stage()
    monkeypatch.setattr(Path, "unlink", noted)

    work.remove()

    assert removed[-1] == "job.json"
    assert [each.name for each in work.folder.iterdir()] == ["notes.txt"]  # not ours


@pytest.mark.parametrize("content", ["{", "[]"])
def test_a_broken_description_of_the_job_is_refused(tmp_path: Path, source: Path, content: str) -> None:
    work = Work.beside(tmp_path / "out.jsonl")
    work.folder.mkdir()
    (work.folder / "job.json").write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match=r"job\.json: this"):
        annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl", resume=True)


def test_an_output_inside_the_input_folder_is_resumed(tmp_path: Path, source: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    source.rename(folder / "in.jsonl")
    output = folder / "out.jsonl"
    interrupted(folder, output)

    annotate_path(folder, model=tiny.trained(), output=output, resume=True)
    annotate_path(folder, model=tiny.trained(), output=output, overwrite=True)

    assert len(ids(output)) == len(TEXTS)
    assert sorted(each.name for each in folder.iterdir()) == ["errors.jsonl", "in.jsonl", "out.jsonl"]


def make_folder(folder: Path) -> Path:
    """Return a folder with five files of two documents, of which the third is no text."""
    folder.mkdir()
    for number, name in enumerate("abcde"):
        rows = [json.dumps({"id": f"{name}{line}", "text": TEXTS[2 * number + line]}) for line in range(2)]
        (folder / f"{name}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "c.jsonl").write_text("broken\n", encoding="utf-8")
    return folder


@pytest.mark.usefixtures("small_blocks")
def test_a_job_that_stopped_at_a_broken_file_goes_on_without_it(tmp_path: Path) -> None:
    """Issue 22: the job was refused because the folder has one file less."""
    folder, output = make_folder(tmp_path / "in"), tmp_path / "out.jsonl"
    with pytest.raises(BadFile, match="broken JSON"):
        annotate_path(folder, model=tiny.trained(), output=output, strict=True)

    (folder / "c.jsonl").unlink()
    done = annotate_path(folder, model=tiny.trained(), output=output, strict=True, resume=True)

    assert ids(output) == [f"{name}{line}" for name in "abde" for line in range(2)]
    assert any(f"{folder / 'c.jsonl'} is gone since the job was begun" in note for note in done.notes)


@pytest.mark.usefixtures("small_blocks")
def test_a_file_whose_documents_are_done_is_named_where_it_is_gone(tmp_path: Path) -> None:
    folder, output = make_folder(tmp_path / "in"), tmp_path / "out.jsonl"
    interrupted(folder, output)

    (folder / "a.jsonl").unlink()
    with pytest.raises(BadFile, match=r"the input has changed.*a\.jsonl is gone since the job was begun") as refused:
        annotate_path(folder, model=tiny.trained(), output=output, resume=True)

    assert "put the folder back as it was" in refused.value.remedy


def test_a_job_that_is_interrupted_before_its_first_block_leaves_nothing_behind(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Work, "keep", interrupt)
        with pytest.raises(KeyboardInterrupt):
            annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl")

    assert [each.name for each in tmp_path.iterdir()] == ["in.jsonl"]


def test_a_job_that_was_killed_before_its_first_block_needs_no_resuming(tmp_path: Path, source: Path) -> None:
    work = Work.beside(tmp_path / "out.jsonl")
    work.folder.mkdir()
    (work.folder / "job.json").write_text("{}", encoding="utf-8")

    annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl")

    assert not work.folder.exists()


def test_a_job_that_was_killed_in_its_first_block_says_that_nothing_was_kept(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out.jsonl"
    with monkeypatch.context() as patched:
        patched.setattr(Work, "keep", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        patched.setattr(Work, "remove", lambda _: None)  # as after a signal that no process can catch
        with pytest.raises(KeyboardInterrupt):
            annotate_path(source, model=tiny.trained(), output=output)

    done = annotate_path(source, model=tiny.trained(), output=output, resume=True)

    assert done.notes[-1] == (
        "the interrupted job had not finished a block (512 documents, or 300,000 characters), so nothing was kept of it"
    )
