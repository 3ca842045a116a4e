"""The same job on Ray: the same annotations, whatever happens to the workers, the job or the input."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from linnet.annotation import blocks, ray_job
from linnet.annotation.annotate import annotate_path
from linnet.annotation.blocks import Block
from linnet.annotation.pipeline import annotate_block
from linnet.annotation.work import Work
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.settings.annotation import AnnotateSettings
from linnet.tasks.ner.predictor import Predictor, load
from tests import tiny
from tests.cli.running import environment, run_process

ROOT = Path(__file__).parents[2]
SAME_MODULES = {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}  # for the workers of Ray as well
TEXTS = [" ".join(word for word, _ in row) for row in tiny.sentences(11, 5)]  # six blocks of at most two


def lines() -> list[str]:
    return [json.dumps({"id": str(number), "text": text}) for number, text in enumerate(TEXTS)]


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 2)
    path = tmp_path / "in.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
    return path


@pytest.fixture
def work(tmp_path: Path) -> Work:
    found = Work(tmp_path / "out.jsonl.work")
    found.folder.mkdir()
    found.begin({}, resume=False)
    return found


def block(number: int) -> Block:
    return Block(number, [Document(f"{number}-{n}", text) for n, text in enumerate(TEXTS[:2])])


def annotator(work: Work, **changes: Any) -> ray_job._Annotator:
    settings: dict[str, Any] = {"source": "in.jsonl", "output": "out.jsonl", "model": str(tiny.trained()), **changes}
    return ray_job._Annotator(AnnotateSettings(**settings), str(work.folder))


def command(scenario: str, source: object, output: Path) -> list[str]:
    return [
        sys.executable,
        "-m",
        "tests.annotation.ray_scenario",
        scenario,
        str(source),
        str(tiny.trained()),
        str(output),
    ]


def play(scenario: str, source: Path, output: Path, *, code: int = 0) -> tuple[list[int], dict[str, Any]]:
    """Return what the watcher was told of each block, and how it ended, with the processes that were killed."""
    done = subprocess.run(
        command(scenario, source, output), capture_output=True, text=True, check=False, cwd=ROOT,
        env=environment(SAME_MODULES),
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    last = {} if code else rows.pop()
    killed = [row["killed"] for row in rows if "killed" in row]
    return [row["documents"] for row in rows if "documents" in row], {**last, "killed": killed}


def expected(source: Path) -> bytes:
    """Return what the job gives without Ray."""
    output = source.with_name("whole.jsonl")
    annotate_path(source, model=tiny.trained(), output=output)
    return output.read_bytes()


def test_blocks_are_handed_over_and_found_as_they_come(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    handed_over = ray_job._hand_over_blocks(map(block, range(4)), work, frozenset({1}))
    naps: list[int] = []

    def nap(_: float) -> None:
        naps.append(next(handed_over, -1))

    monkeypatch.setattr("time.sleep", nap)

    found = [int(row["number"][0]) for row in ray_job._wait_for_blocks({}, str(work.folder), frozenset({1}))]

    assert found == [0, 2, 3]
    assert naps == [0, 2, 3, -1]
    assert work.n_handed_over == 4


def test_the_task_that_finds_blocks_finds_the_same_ones_again_when_some_are_done(work: Work) -> None:
    list(ray_job._hand_over_blocks(map(block, range(3)), work, frozenset()))
    work.keep(annotate_block(work.take_over(1)[0], load(tiny.trained()), is_strict=False))
    work.take_back(1)

    found = [int(row["number"][0]) for row in ray_job._wait_for_blocks({}, str(work.folder), frozenset())]

    assert found == [0, 1, 2]


def test_a_broken_input_is_raised_behind_the_blocks_before_it(work: Work) -> None:
    def broken() -> Iterator[Block]:
        yield block(0)
        raise BadFile("in.xml: breaks off", "fetch it again")

    handed_over = ray_job._hand_over_blocks(broken(), work, frozenset())

    assert next(handed_over) == 0
    with pytest.raises(BadFile, match="breaks off"):
        next(handed_over)
    assert work.n_handed_over == 1


def test_a_worker_does_a_block_once_and_says_how_many_documents_it_has(work: Work) -> None:
    work.hand_over(block(0))

    first = annotator(work)({"number": 0})
    kept = work.path(0).stat().st_mtime_ns
    second = annotator(work)({"number": 0})

    assert first == second == {"number": 0, "documents": 2, "problem": "", "remedy": ""}
    assert work.path(0).stat().st_mtime_ns == kept
    assert work.read(0).documents == annotate_block(block(0), load(tiny.trained()), is_strict=False).documents


def test_a_worker_loads_the_model_once(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    def counted(settings: AnnotateSettings) -> Predictor:
        loaded.append(settings.model)
        return load(settings.model, threads=settings.threads)

    monkeypatch.setattr(ray_job, "load_annotator", counted)
    worker = annotator(work)
    for number in range(3):
        work.hand_over(block(number))
        worker({"number": number})

    assert loaded == [str(tiny.trained())]
    assert work.numbers() == [0, 1, 2]


def test_a_block_that_costs_one_worker_after_another_stops_the_job(work: Work) -> None:
    work.hand_over(block(0))
    for _ in range(ray_job.MOST_TRIES):
        work.take_over(0)

    row = annotator(work)({"number": 0})

    assert "4 workers were lost" in row["problem"]
    assert "'0-0' to '0-1'" in row["problem"]
    assert "--resume" in row["remedy"]


def test_strictly_a_document_that_breaks_the_model_is_said_in_the_row(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("too much")

    monkeypatch.setattr(Predictor, "prepare", broken)
    work.hand_over(block(0))

    row = annotator(work, strict=True)({"number": 0})

    assert "document '0-0': RuntimeError: too much" in row["problem"]
    assert not work.is_done(0)


def test_what_is_wrong_with_the_model_is_said_in_the_row(work: Work) -> None:
    work.hand_over(block(0))

    row = annotator(work, engine="onnx")({"number": 0})

    assert "the engine onnx needs an exported model" in row["problem"]
    assert row["documents"] == 0


def test_ray_is_not_started_where_nothing_is_left_to_do(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(_: str) -> None:
        raise AssertionError("nothing to do")

    monkeypatch.setattr(ray_job, "connect_to_ray", connect)
    source.write_text("\n", encoding="utf-8")
    output = source.with_name("out.jsonl")

    done = annotate_path(source, model=tiny.trained(), output=output, source_format="jsonl", ray="local")

    assert done.documents == 0


def test_a_problem_of_a_worker_is_raised_as_ours(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def rows(*_: object) -> Iterator[dict[str, Any]]:
        yield {"number": 0, "documents": 2, "problem": "", "remedy": ""}
        yield {"number": 1, "documents": 0, "problem": "the model is broken", "remedy": "train it again"}

    monkeypatch.setattr(ray_job, "_annotate_on_actors", rows)
    told: list[int] = []

    with pytest.raises(LinnetError, match="the model is broken") as caught:
        annotate_path(
            source, model=tiny.trained(), output=source.with_name("out.jsonl"), ray="local", watcher=told.append
        )

    assert caught.value.remedy == "train it again"
    assert told == [2]


def test_an_address_where_no_cluster_answers_leaves_nothing_behind(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(address: str) -> None:
        raise BadSetting(f"--ray {address}: no Ray cluster answers there", "start one")

    monkeypatch.setattr(ray_job, "connect_to_ray", connect)
    before = sorted(source.parent.iterdir())

    with pytest.raises(BadSetting, match="no Ray cluster answers"):
        annotate_path(source, model=tiny.trained(), output=source.with_name("out.jsonl"), ray="127.0.0.1:1")

    assert sorted(source.parent.iterdir()) == before


def test_a_model_that_is_broken_is_refused_before_ray_is_started(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_job, "connect_to_ray", lambda _: pytest.fail("the model was not looked at"))
    before = sorted(source.parent.iterdir())

    with pytest.raises(BadSetting, match="the engine onnx needs an exported model"):
        annotate_path(source, model=tiny.trained(), output=source.with_name("out.jsonl"), ray="local", engine="onnx")

    assert sorted(source.parent.iterdir()) == before


@pytest.mark.parametrize("first_on_ray", [True, False])
def test_a_job_may_be_begun_on_ray_and_resumed_without_it_or_the_other_way_round(
    source: Path, monkeypatch: pytest.MonkeyPatch, first_on_ray: bool
) -> None:
    output = source.with_name("out.jsonl")
    monkeypatch.setattr(ray_job, "_annotate_on_actors", rows_without_ray)
    told: list[int] = []

    def interrupt(_: int) -> None:
        told.append(1)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        annotate_path(
            source, model=tiny.trained(), output=output, ray="local" if first_on_ray else None, watcher=interrupt
        )
    assert 2 <= len(Work.beside(output).numbers()) < 6
    annotate_path(source, model=tiny.trained(), output=output, ray=None if first_on_ray else "local", resume=True)

    assert output.read_bytes() == expected(source)


def rows_without_ray(settings: AnnotateSettings, work: Work, done_before: frozenset[int]) -> Iterator[dict[str, Any]]:
    worker = annotator(work)
    for row in ray_job._wait_for_blocks({}, str(work.folder), done_before):
        yield worker({"number": row["number"][0]})


@pytest.mark.slow
def test_from_the_command_line_ray_gives_the_bytes_of_a_job_without_it(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    path = tmp_path / "in.jsonl"
    rows = [json.dumps({"id": str(number), "text": TEXTS[number % len(TEXTS)]}) for number in range(1100)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")  # three blocks

    done = run_process(
        "annotate", path, "--model", tiny.trained(), "--output", tmp_path / "out.jsonl", "--ray", "local", "--json",
        variables=SAME_MODULES,
    )  # fmt: skip

    assert done.code == 0, done.err
    assert json.loads(done.out)["documents"] == 1100  # nothing else is printed there
    assert (tmp_path / "out.jsonl").read_bytes() == expected(path)
    assert not (tmp_path / "out.jsonl.work").exists()


@pytest.mark.slow
def test_the_block_of_a_killed_worker_is_run_again(tmp_path: Path, source: Path) -> None:
    pytest.importorskip("ray")

    told, done = play("worker killed", source, tmp_path / "out.jsonl")

    assert (tmp_path / "out.jsonl").read_bytes() == expected(source)
    assert sorted(told) == [1, 2, 2, 2, 2, 2]  # each block once
    assert done["documents"] == len(TEXTS)
    assert len(done["killed"]) == 1


@pytest.mark.slow
def test_a_block_that_kills_every_worker_does_not_keep_the_job_for_ever(tmp_path: Path, source: Path) -> None:
    pytest.importorskip("ray")

    told, done = play("worker lost again and again", source, tmp_path / "out.jsonl")

    assert "workers were lost, one after another, with the documents '4' to '5'" in done["problem"]
    assert not (tmp_path / "out.jsonl").exists()
    assert len(told) < 6


@pytest.mark.slow
def test_a_killed_job_is_resumed_on_ray(tmp_path: Path, source: Path) -> None:
    pytest.importorskip("ray")
    output = tmp_path / "out.jsonl"

    play("driver killed", source, output, code=-signal.SIGKILL)
    n_done = len(Work.beside(output).numbers())
    told, done = play("resumed", source, output)

    assert output.read_bytes() == expected(source)
    assert n_done >= 2
    assert len(told) <= 6 - n_done  # the workers may have finished one more before they noticed
    assert done["documents"] == len(TEXTS)


@pytest.mark.slow
def test_the_first_blocks_are_done_while_the_input_is_still_being_read(tmp_path: Path, source: Path) -> None:
    pytest.importorskip("ray")
    rows = lines()
    process = subprocess.Popen(
        command("streamed", "-", tmp_path / "out.jsonl"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment(SAME_MODULES),
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None

    process.stdin.write("".join(f"{row}\n" for row in rows[:4]))
    process.stdin.flush()
    first = json.loads(process.stdout.readline())  # the input is not closed yet
    rest, problems = process.communicate("".join(f"{row}\n" for row in rows[4:]))

    assert process.returncode == 0, problems
    assert first == {"documents": 2}
    assert json.loads(rest.splitlines()[-1])["documents"] == len(TEXTS)
    assert (tmp_path / "out.jsonl").read_bytes() == expected(source)


@pytest.mark.slow
def test_what_came_before_a_broken_file_is_done_on_ray_too(tmp_path: Path, source: Path) -> None:
    pytest.importorskip("ray")
    document = "<document><id>{}</id><passage><offset>0</offset><text>{}</text></passage></document>"
    path = tmp_path / "in.xml"
    whole = [document.format(number, text) for number, text in enumerate(TEXTS[:5])]
    path.write_text(f"<collection>{''.join(whole)}<document><id>", encoding="utf-8")

    told, done = play("broken", path, tmp_path / "out.jsonl")

    assert "in.xml" in done["problem"]
    assert "go on with `--resume`" in done["remedy"]
    assert told == [2, 2]
    assert Work.beside(tmp_path / "out.jsonl").numbers() == [0, 1]
