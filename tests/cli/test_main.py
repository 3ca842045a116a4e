"""How does the command behave among other programs: pipes, full disks, interrupts, odd encodings?"""

import inspect
import json
import os
import pty
import signal
import subprocess
import sys
from errno import EACCES, EMFILE, ENOSPC
from pathlib import Path

import pytest

from linnet.cli.interrupts import GOING_ON
from linnet.cli.main import app, main
from tests.cli.running import LINNET, environment, run_process, write

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")

# tests that run in the background inherit that interrupts are ignored, and so would the command
HEEDING_INTERRUPTS = [
    sys.executable,
    "-c",
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])",
]


def test_json_is_alone_on_standard_output() -> None:
    done = run_process("stats", "demo", "--json")

    assert done.code == 0
    assert json.loads(done.out)["format"] == "jsonl"


def test_bad_file_ends_the_process_with_code_two_and_no_traceback(tmp_path: Path) -> None:
    source = write(tmp_path / "in.tsv", "a\tO\nb\n")

    done = run_process("convert", source, tmp_path / "out.jsonl")

    assert done.code == 2
    assert done.err.startswith(f"linnet: {source}:2: found one column, 'b'")
    assert "Traceback" not in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["in.tsv"]


@pytest.mark.long
@pytest.mark.parametrize("arguments", [["stats", "demo"], ["stats", "demo", "--json"], ["--help"]], ids=" ".join)
def test_reader_that_leaves_early_is_no_reason_to_complain(arguments: list[str]) -> None:
    reading_end, writing_end = os.pipe()
    os.close(reading_end)

    done = subprocess.run(
        [LINNET, *arguments], stdout=writing_end, stderr=subprocess.PIPE, text=True, check=False, env=environment()
    )
    os.close(writing_end)

    assert done.stderr == ""
    assert done.returncode in (0, 1)


@needs_full
@pytest.mark.parametrize("arguments", [["stats", "demo"], ["stats", "demo", "--json"], ["--help"]], ids=" ".join)
def test_full_disk_behind_standard_output_is_said(arguments: list[str]) -> None:
    with FULL.open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [LINNET, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment()
        )

    assert done.returncode == 2
    assert done.stderr.startswith("linnet: standard output: cannot be written")
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "code", "message"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_interrupt_ends_quietly_and_leaves_nothing(tmp_path: Path, number: int, code: int, message: str) -> None:
    pipe, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    os.mkfifo(pipe)  # a source that never ends: the command waits for more when the interrupt arrives

    command = [*HEEDING_INTERRUPTS, LINNET, "convert", str(pipe), str(target), "--from", "jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as run:
        try:
            source = open_when_read(pipe, run)
            os.write(source, b'{"id": "d1", "text": "a"}\n')
            run.send_signal(number)
            out, err = run.communicate(timeout=60)
            os.close(source)
        finally:
            run.kill()  # what did not end by itself must not be waited for

    assert (run.returncode, out, err) == (code, "", f"linnet: {message}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["compare", "grid.toml"], "linnet: interrupted; give the same command again: finished runs are kept"),
        (["train", "--data", "demo"], "linnet: interrupted; give the same command again with `--resume`"),
        (["stats", "demo"], "linnet: interrupted\n"),
    ],
)
def test_an_interrupted_command_says_how_it_goes_on(
    words: list[str], advice: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.argv", ["linnet", *words])
    monkeypatch.setattr("linnet.cli.main.app", interrupt)

    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == 130
    assert capsys.readouterr().err.startswith(advice)


def test_commands_that_can_be_resumed_are_known() -> None:
    commands = {each.callback.__name__: each.callback for each in app.registered_commands if each.callback}
    resumable = {name for name, each in commands.items() if "resume" in inspect.signature(each).parameters}

    assert resumable == GOING_ON.keys() - {"compare"}


def test_output_that_knows_no_accents_gets_json_escapes(tmp_path: Path) -> None:
    source = write(tmp_path / "train.tsv", "a\tB-Ménière\n")

    done = run_process("stats", source, "--json", variables={"PYTHONIOENCODING": "ascii"})

    assert json.loads(done.out)["splits"]["train"]["labels"] == {"Ménière": 1}


@pytest.mark.long
def test_closed_standard_output_is_not_missed() -> None:
    done = subprocess.run(f"{LINNET} stats demo >&-", shell=True, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "arguments", [["stats", "demo"], ["weights", "demo", "--scheme", "welt"], ["list", "formats"]], ids=" ".join
)
def test_narrow_terminal_cuts_nothing_off(arguments: list[str]) -> None:
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [LINNET, *arguments],
        stdout=terminal,
        stderr=subprocess.DEVNULL,
        env=environment({"COLUMNS": "80", "TERM": "xterm"}),
    ) as run:
        os.close(terminal)
        printed = read_all(controller)
    os.close(controller)

    assert run.returncode == 0
    assert "…" not in printed
    lines = [line for line in printed.splitlines() if "\x1b" not in line]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (MemoryError(), "there is not enough memory"),
        (OSError(EMFILE, "Too many open files"), "too many files are open"),
        (OSError(EMFILE, "Too many open files", "a.txt"), "a.txt: too many files are open"),
        (OSError(ENOSPC, "No space left on device", "a.txt"), "a.txt: there is no space left"),
        (RuntimeError("can't start new thread"), "there is not enough memory"),
    ],
)
def test_a_shortage_of_the_machine_is_a_message(
    error: Exception, problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        end_with(error, monkeypatch)

    assert end.value.code == 2
    assert capsys.readouterr().err.startswith(f"linnet: {problem}")


@pytest.mark.parametrize("error", [OSError(EACCES, "Permission denied", "a.txt"), KeyError("a")])
def test_a_bug_keeps_its_traceback(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(type(error)):
        end_with(error, monkeypatch)


def end_with(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command that raises this error."""

    def fail(prog_name: str) -> None:
        raise error

    monkeypatch.setattr("linnet.cli.main.app", fail)
    main()


def open_when_read(pipe: Path, reader: subprocess.Popen[str]) -> int:
    """Open a named pipe as soon as the program has begun to read it; a program that ended never will."""
    while reader.poll() is None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads yet
            continue
    raise AssertionError(reader.communicate())


def read_all(controller: int) -> str:
    """Return what is printed on a terminal until the program ends."""
    pieces: list[bytes] = []
    try:
        while piece := os.read(controller, 65536):
            pieces.append(piece)
    except OSError:  # how a terminal says that nobody writes any more
        pass
    return b"".join(pieces).decode()
