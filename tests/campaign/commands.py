"""Nonsense command lines: each ends with a documented exit code, never with a traceback, and leaves no stray files."""

import os
import random
import re
import resource
import shutil
import signal
import socket
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.campaign.driving import Case, Step, drive, list_names
from tests.campaign.forks import Outcome
from tests.campaign.results import Campaign, Defect, Tally, rng_of
from tests.campaign.workshop import Workshop

__all__ = ["make_case", "make_line", "repeat", "run"]

PART = "commands"
SECONDS = 30.0
LONG = frozenset({"train", "pretrain", "compare", "find-lr", "demo", "export", "evaluate"})  # may use all their time
SERVERS = frozenset({"serve", "review"})  # run until somebody stops them
SERVING = "http://127.0.0.1:"  # what they print once they serve
SERVER_SECONDS = 10.0
SHORT_SECONDS = 6  # of CPU time: for long commands but one in WHOLE, whose options are checked long before
WHOLE = 10
LEFT_OUT = frozenset({"--ray", "--help", "--install-completion", "--show-completion"})  # a cluster; not ours
CUT = (None, -signal.SIGKILL, -signal.SIGXCPU)  # by the clock or by the limit of CPU time
MEMORY = 12 << 30
NUMBERS = (
    "0",
    "1",
    "2",
    "-1",
    "3",
    "9" * 25,
    "1e400",
    "nan",
    "inf",
    "-0.0",
    "0x10",
    "1_000",
    "２",
    "2147483648",
    "1e-300",
)
WORDS = (
    "", " ", "-", "--", "x", "none", "O", "B-X", "é", "😀" * 10, "a" * 300, "a\nb", "\x1b[31m", "=1+1", "../..", "a=b",
    "=", "a=", "=b", "a.b=1", "optimiser.epochs=x", "loss.name=nothing", "text.pooling=cls", "{}", "[[", "'", '"', "\\",
    "a,b", "jsonl", "conll", "brat", "parquet", "pubmed-xml", "iob2", "welt", "ens", "strict", "test", "train",
    "torch", "onnx", "ner", "classification", "documents", "demo", "minilm", "tiny",
)  # fmt: skip
PLACES = (  # nothing outside of the case's own folder can be written: a campaign may run as root
    "corpus", "corpus/test.tsv", "texts", "texts/test.tsv", "documents.jsonl", "model", "classifier", "encoder",
    "empty", "empty/", "empty.txt", "blank.tsv", "binary.bin", "broken.jsonl", "recipe.toml", "grid.toml", "missing",
    "missing/x.y", "/dev/null", "/proc/self/status", "loop", "closed.txt", "lines.txt", "a" * 300, "corpus/..",
    "new.jsonl", "new.tsv", "new", "new/deep/out.jsonl", "new.parquet", "new.json.gz", "documents.jsonl/x", ".", "",
)  # fmt: skip


def make_line(seed: int, number: int) -> list[str]:
    """Return the words of a command line."""
    draw = rng_of(seed, PART, number)
    name, options, n_arguments = draw.choice(_commands())
    words = name.split()
    for _ in range(max(0, n_arguments + draw.choice((0, 0, 0, 0, -1, 1)))):
        words.append(_value(draw, "path"))
    given = draw.sample(options, min(len(options), draw.choice((0, 1, 2, 3, 4, 6))))
    needed = [option for option in options if option[2]]
    for option in {option[0]: option for option in (*needed, *given)}.values():
        if option[2] and draw.random() < 0.1:
            continue
        words += [option[0]] if option[1] == "flag" else [option[0], _value(draw, option[1])]
    if draw.random() < 0.03:
        words.insert(draw.randrange(len(words) + 1), draw.choice(("--nothing", "--json", "-x", "--", "--help")))
    return [word.replace("\0", "") for word in words]


def run(campaign: Campaign, shop: Workshop) -> Tally:
    """Run command lines until the time is over."""
    started, tally = time.monotonic(), Tally()

    def cases() -> Iterator[Case]:
        number = 0
        while campaign.is_wanted(PART, number):
            yield make_case(campaign, shop, number, tally)
            number += 1

    drive(cases(), campaign.workers)
    tally.seconds = time.monotonic() - started
    return tally


def repeat(case: dict[str, Any], campaign: Campaign, shop: Workshop) -> str:
    """Run a kept command line again and return how it ends."""
    folder = _furnish(campaign.work / "command-again", shop)
    found: list[Outcome] = []

    def again() -> Case:
        found.extend((yield [_step(case["argv"], folder, campaign.work / "log-again")]))

    drive(iter([again()]), 1)
    return f"{case['argv']}\nexit code {found[0].code}: {found[0].problem or 'as promised'}\n{found[0].text[-3000:]}"


def make_case(campaign: Campaign, shop: Workshop, number: int, tally: Tally) -> Case:
    """Run one command line and judge how it ends."""
    outer = campaign.work / f"command-{number}"
    folder = _furnish(outer, shop)
    argv, before = make_line(campaign.seed, number), set(list_names(outer))
    step = _step(argv, folder, campaign.work / f"command-{number}.log", is_whole=number % WHOLE == 0)
    (outcome,) = yield [step]
    tally.tried += 1
    is_cut = outcome.code in CUT and _may_be_cut(argv, outcome.text)
    problem = "" if is_cut and "Traceback" not in outcome.text else outcome.problem  # a training that somebody wants
    strays = sorted(set(list_names(outer)) - before)
    if not problem and outcome.code == 2 and strays and "kept" not in outcome.text:
        problem = f"leaves {strays[0].rpartition('/')[2] or strays[0]} behind"
    if problem:
        case = {"number": number, "argv": argv, "left": strays[:20], "code": outcome.code}
        text = f"{problem}\n{outcome.text}"
        campaign.record(tally, PART, Defect(f"{argv[0] if argv else ''}: {_kind(problem)}", text, case))
    else:
        tally.passed += outcome.code in (0, *CUT)
        tally.refused += outcome.code not in (0, *CUT)
    _remove(outer)
    (campaign.work / f"command-{number}.log").unlink(missing_ok=True)


def _may_be_cut(argv: list[str], text: str) -> bool:
    """Is this a command that may use all its time? A server must have begun to serve in it."""
    return argv[0] in LONG or (argv[0] in SERVERS and SERVING in text) if argv else False


def _kind(problem: str) -> str:
    short = re.sub(r": *(?:PosixPath\()?['\"].*", "", problem)  # without the path
    return re.sub("[0-9]+", "#", short)[:70]


def _step(argv: list[str], folder: Path, log: Path, *, is_whole: bool = True) -> Step:
    def prepare() -> None:
        def refuse(*_: object) -> None:
            raise OSError(101, "Network is unreachable")

        socket.socket.connect = refuse  # type: ignore[method-assign]
        os.environ["LINNET_CACHE"] = str(folder.parents[3] / "cache")

    limits = {resource.RLIMIT_AS: MEMORY, resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 1 << 30}
    if not is_whole and argv[:1] and argv[0] in LONG:
        limits[resource.RLIMIT_CPU] = SHORT_SECONDS
    seconds = SERVER_SECONDS if argv[:1] and argv[0] in SERVERS else SECONDS
    return Step(argv=tuple(argv), folder=folder, log=log, seconds=seconds, prepare=prepare, limits=limits)


def _furnish(outer: Path, shop: Workshop) -> Path:
    """Return a folder with everything that a command line may name, so deep that `../..` stays inside `outer`."""
    _remove(outer)
    folder = outer / "above" / "beside" / "here"
    folder.mkdir(parents=True)
    for name in ("corpus", "texts", "documents.jsonl", "lines.txt", "model", "classifier", "encoder"):
        source, target = shop.folder / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)
    (folder / "empty").mkdir()
    (folder / "empty.txt").touch()
    (folder / "blank.tsv").write_text("\n\n \n", encoding="utf-8")
    (folder / "binary.bin").write_bytes(bytes(range(256)) * 4)
    (folder / "broken.jsonl").write_text('{"id": "1", "text": "x"}\n{"id": ', encoding="utf-8")
    (folder / "closed.txt").touch(mode=0)
    (folder / "loop").symlink_to("loop")
    recipe = 'data = "corpus"\nencoder = "encoder"\nepochs = 1\nbatch_size = 8\nmax_length = 64\n'
    nested = recipe.replace("epochs", "optimiser.epochs").replace("batch_size", "optimiser.batch_size")
    nested = nested.replace("max_length", "window.max_length")
    (folder / "recipe.toml").write_text(f'output = "run"\n{nested}', encoding="utf-8")
    grid = f'output = "grid"\n\n[recipe]\n{recipe}\n[axes]\nscheme = ["none", "ins"]\n\n[baseline]\nscheme = "none"\n'
    (folder / "grid.toml").write_text(grid, encoding="utf-8")
    return folder


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


@cache
def _commands() -> tuple[tuple[str, list[tuple[str, str, bool]], int], ...]:
    """Return each command with its options (name, kind, is it required) and the number of its arguments."""
    import typer

    from linnet.cli.main import app

    found = []
    pending: list[tuple[str, Any]] = [("", typer.main.get_command(app))]
    while pending:
        prefix, command = pending.pop()
        inner = getattr(command, "commands", None)
        if inner is not None:
            pending += [(f"{prefix} {name}".strip(), each) for name, each in inner.items()]
            continue
        options = [
            (each.opts[-1], _kind_of(each), bool(each.required))
            for each in command.params
            if each.param_type_name == "option" and each.opts[-1] not in LEFT_OUT
        ]
        n_arguments = sum(each.param_type_name == "argument" for each in command.params)
        weight = 1 if prefix.split()[0] in ("demo", "list", "encoders", "corpus") else 3
        found += [(prefix, options, n_arguments)] * weight
    return tuple(sorted(found, key=lambda each: each[0]))


def _kind_of(option: Any) -> str:  # typer's own classes differ by version
    if getattr(option, "is_flag", False):
        return "flag"
    kind = getattr(option, "type", None) or getattr(option, "type_descriptor", None)
    name = str(getattr(kind, "name", None) or getattr(kind, "annotation", "text")).lower()
    return "number" if "int" in name or "float" in name else "path" if "path" in name else "text"


def _value(draw: random.Random, kind: str) -> str:
    pools = {
        "number": (NUMBERS, NUMBERS, WORDS),
        "path": (PLACES, PLACES, PLACES, WORDS),
        "text": (WORDS, PLACES, NUMBERS),
    }
    return draw.choice(draw.choice(pools[kind]))
