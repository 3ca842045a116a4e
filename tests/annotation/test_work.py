"""The working folder of a job keeps finished blocks, refuses another job, and is removed in the end."""

from pathlib import Path

import pytest

from linnet.annotation.blocks import Block, Failure
from linnet.annotation.done_blocks import DoneBlock
from linnet.annotation.work import Work, check_options
from linnet.documents.document import Document, Span
from linnet.errors import BadFile, BadSetting

JOB = {"input": "in.jsonl", "model": "abc"}


def done_block(number: int, digest: str = "digest") -> DoneBlock:
    document = Document(str(number), "ataxia \N{DNA DOUBLE HELIX}").with_spans((Span(0, 6, "Disease", score=0.5),))
    failures = [Failure("broken", "half of a character: \ud800")]
    return DoneBlock(number=number, documents=[document], failures=failures, n_words=2, digest=digest)


def begun(folder: Path) -> Work:
    folder.mkdir(exist_ok=True)
    work = Work(folder)
    work.begin(JOB, resume=False)
    return work


def test_the_folder_stands_beside_the_output(tmp_path: Path) -> None:
    assert Work.beside(tmp_path / "out.jsonl").folder == tmp_path / "out.jsonl.work"


def test_finished_blocks_are_read_back_in_order(tmp_path: Path) -> None:
    work = begun(tmp_path)

    for number in (2, 0, 1):
        work.keep(done_block(number))

    assert work.numbers() == [0, 1, 2]
    assert list(work.blocks()) == [done_block(0), done_block(1), done_block(2)]
    assert list(work.failures()) == done_block(0).failures * 3
    assert work.is_done(2)
    assert not work.is_done(3)


def test_a_block_whose_input_has_changed_is_refused(tmp_path: Path) -> None:
    work = begun(tmp_path)
    work.keep(done_block(0))

    work.check_input(Block(0, [Document("a", "text")], digest="digest"))
    work.check_input(Block(1, [Document("a", "text")], digest="another, but not annotated yet"))
    with pytest.raises(BadFile, match="the input has changed: block 0, which now begins with document 'a'"):
        work.check_input(Block(0, [Document("a", "text")], digest="another"))


def test_all_blocks_of_the_input_and_no_others_must_be_finished(tmp_path: Path) -> None:
    work = begun(tmp_path)
    for number in (0, 2):
        work.keep(done_block(number))

    with pytest.raises(BadFile, match="block 1 is missing"):
        work.check_complete(3)
    with pytest.raises(BadFile, match="it ends before block 2"):
        work.check_complete(2)


def test_a_job_with_other_settings_is_not_resumed(tmp_path: Path) -> None:
    work = begun(tmp_path)

    work.check_same(JOB)
    with pytest.raises(BadFile, match="model was 'abc', is 'xyz'"):
        work.check_same({**JOB, "model": "xyz"})


def test_resuming_keeps_finished_blocks_and_starting_again_removes_them(tmp_path: Path) -> None:
    work = begun(tmp_path)
    work.keep(done_block(0))

    work.begin(JOB, resume=True)
    assert work.numbers() == [0]

    work.begin(JOB, resume=False)
    assert work.numbers() == []


@pytest.mark.parametrize(
    ("exists", "is_begun", "resume", "overwrite", "problem"),
    [
        (False, False, False, False, None),
        (False, False, True, False, None),
        (True, False, False, False, r"is there already\n"),
        (True, False, True, False, "is there already, and there is no interrupted job"),
        (True, False, False, True, None),
        (False, True, False, False, "a job for this output was interrupted"),
        (False, True, True, False, None),
        (True, True, True, False, None),
        (True, True, False, True, None),
    ],
)
def test_an_output_or_a_job_is_replaced_only_on_request(
    tmp_path: Path, exists: bool, is_begun: bool, resume: bool, overwrite: bool, problem: str | None
) -> None:
    output = tmp_path / "out.jsonl"
    work = begun(tmp_path / "out.jsonl.work") if is_begun else Work.beside(output)
    if is_begun:
        work.keep(done_block(0))
    if exists:
        output.touch()

    if problem is None:
        work.check_free(output, resume=resume, overwrite=overwrite)
    else:
        with pytest.raises(BadFile, match=problem):
            work.check_free(output, resume=resume, overwrite=overwrite)


def test_a_job_is_resumed_or_replaced_not_both() -> None:
    check_options(resume=True, overwrite=False)
    check_options(resume=False, overwrite=True)
    with pytest.raises(BadSetting, match="exclude each other"):
        check_options(resume=True, overwrite=True)


def test_a_folder_without_a_job_is_removed_with_the_folders_made_for_it(tmp_path: Path) -> None:
    work = Work(tmp_path / "new" / "out.work")

    with work.lock():
        assert work.folder.is_dir()

    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_somebody_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()

    with pytest.raises(BadFile, match=r"holds thesis\.tex"), Work(tmp_path).lock():
        pass

    assert (tmp_path / "thesis.tex").exists()


def test_blocks_are_handed_over_taken_over_and_taken_back(tmp_path: Path) -> None:
    work = begun(tmp_path)
    block = Block(0, [Document("a", "text")], [Failure("b", "not UTF-8")], "digest")

    work.hand_over(block)
    assert work.is_handed_over(0)
    assert work.take_over(0) == (block, 1)
    assert work.take_over(0) == (block, 2)  # by another worker, when the first was lost

    assert work.n_handed_over is None
    work.end_hand_over(1)
    assert work.n_handed_over == 1

    work.take_back(0)
    assert not work.is_handed_over(0)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"\xff\n",
        b"[]\n",
        b"7\n",
        b"[" * 100_000,
        b'{"words": 2}\n',
        b'{"words": "2", "input": "digest", "failures": []}\n',
        b'{"words": 2, "input": "digest", "failures": [{"id": "a"}]}\n',
        b'{"words": 2, "input": "digest", "failures": [{"document": 1, "reason": "a"}]}\n',
    ],
)
def test_a_block_with_a_damaged_first_line_is_refused(tmp_path: Path, damage: bytes) -> None:
    work = begun(tmp_path)
    work.keep(done_block(0))
    work.path(0).write_bytes(damage)

    for read in (
        lambda: work.read(0),
        lambda: list(work.failures()),
        lambda: work.check_input(Block(0, digest="digest")),
    ):
        with pytest.raises(BadFile, match=r"block-0000000\.jsonl: is not as it was written") as bad:
            read()
        assert "remove this file and go on with `--resume`" in bad.value.remedy


@pytest.mark.parametrize("content", ["[" * 100_000, "{"])
def test_a_damaged_description_of_a_job_is_refused(tmp_path: Path, content: str) -> None:
    work = begun(tmp_path)
    (tmp_path / "job.json").write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match="this is not JSON"):
        work.check_same(JOB)


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_an_output_without_a_name_is_refused(name: str) -> None:  # found by the campaign: a traceback
    with pytest.raises(BadSetting, match="has no name"):
        Work.beside(Path(name))
