"""What the pages say can be done: commands exist, examples run, links lead somewhere."""

import json
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from pkgutil import resolve_name
from textwrap import dedent
from typing import Any, NamedTuple

import pytest
from typer.main import get_command

from linnet.cli.main import app
from linnet.comparison.grid import load_grid
from linnet.contracts import formats, readable_formats, tasks, writable_formats
from linnet.formats.jsonl import document_from_json
from linnet.metrics.mentions.matching import matchings
from linnet.settings.files import SHORT_NAMES, describe_settings, load_settings
from linnet.settings.pretraining import PretrainSettings
from linnet.training.options import describe_training_settings, read_recipe
from tests import text_corpora
from tests.cli.running import environment

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples"
TRAINING = ("docs/examples/own_task.py", "docs/examples/train_linker.py")  # examples that train for seconds
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
ABOVE = "output of the block above"
PLAIN_BLOCKS = (  # of these, what is an "output of" something is compared with it
    "output of ", "shortened output of ", "recorded output", "example of a file", "command of another program",
    "settings of another program",
)  # fmt: skip
LINNET = re.compile(r"(?:.*/)?linnet|\$\(which linnet\)")
FENCE = re.compile(
    r"(?:^<!-- (?P<note>[^\n]*) -->\n)?^(?P<indent> *)```(?P<language>\w*)\n(?P<content>.*?)^(?P=indent)```$",
    re.M | re.S,
)
INLINE = re.compile(r"`(linnet [^`]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PICTURE = re.compile(r'(?:src|srcset)="([^"]+)"')
NUMBER = re.compile(r"[\d.,]*\d")
HEADING = re.compile(r"^#+ (.*)$", re.M)
MODULE = re.compile(r"`(linnet(?:\.[a-z_]+){2,})`")
FILE = re.compile(r"\b(?:src/linnet|tests|benchmarks)/[a-z\d_/]+\.py\b")
GLOSSARY_ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.M)
FIELD_TERMS = (
    "checkpoint, class weights, confidence, cross-validation, early stopping, F1, fine-tuning, hyper-parameter, "
    "learning rate, multi-label, multi-task, precision, recall, regression"
).split(", ")
GLOSSARY = (
    "axis, batch, checkpoint, choice, class weights, condition, confidence, document, encoder, fold, grid, head, "
    "label, loss, matching, mention, model folder, passage, recipe, run, sentence, span, tag, token, verdict, "
    "weighting scheme, window"
).split(", ")


NUMBER_WORDS = {8: "eight", 9: "nine", 10: "ten", 11: "eleven"}


class Block(NamedTuple):
    """A fenced block of a page, with the comment on the line before it."""

    page: str
    note: str
    language: str
    content: str


def blocks() -> Iterator[Block]:
    for page in PAGES:
        for found in FENCE.finditer(page.read_text(encoding="utf-8")):
            yield Block(page.name, found["note"] or "", found["language"], dedent(found["content"]))


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield the arguments of every `linnet` line in the blocks for a shell."""
    for block in blocks():
        if block.language == "bash":
            for line in block.content.replace("\\\n", " ").split("\n"):
                words = shlex.split(line, comments=True)
                at = next((n for n, word in enumerate(words) if LINNET.fullmatch(word)), None)
                if at is not None:
                    yield f"{block.page}: {line}", words[at + 1 :]


def outputs() -> list[Block]:
    return [block for block in blocks() if block.note.startswith("output of ") and block.note != ABOVE]


def outputs_of_blocks(start: str) -> list[tuple[Block, Block]]:
    """Return the blocks whose note starts like this, each with the block for a shell before it."""
    return [pair for pair in pairwise(blocks()) if pair[1].note.startswith(start)]


def run_block(block: Block, folder: Path) -> str:
    """Return what the lines of a block for a shell print on standard output, in this folder."""
    assert block.language == "bash"
    return _run(["bash", "-euo", "pipefail", "-c", block.content], folder)


def run(command: str, *arguments: object) -> str:
    """Return what a command, or an example by its path, prints on standard output."""
    words = [*shlex.split(command), *map(str, arguments)]
    programs = {".py": [sys.executable], ".sh": ["bash"]}
    return _run([*programs.get(Path(words[0]).suffix, []), *words], ROOT)


def _run(words: list[str], folder: Path) -> str:
    variables = environment()
    variables |= {"PATH": f"{Path(sys.executable).parent}:{variables['PATH']}", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_here(example: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return what an example prints in this process, which has imported torch already."""
    patch.setattr(sys, "argv", list(map(str, (example, *arguments))))
    capsys.readouterr()
    runpy.run_path(str(example), run_name="__main__")
    return capsys.readouterr().out


def parse(group: Any, arguments: list[str], parent: Any = None) -> None:  # Any: typer's classes change their homes
    """Parse the arguments as the command line would, without running the command."""
    context = group.make_context("linnet", list(arguments), parent=parent)
    if hasattr(group, "resolve_command"):
        _, command, rest = group.resolve_command(context, [*getattr(context, "_protected_args", ()), *context.args])
        parse(command, rest, context)


def names_in(group: Any, words: list[str]) -> Iterator[str]:  # Any: as above
    """Yield what is neither a command nor an option of it."""
    command = group
    for word in words:
        if word.startswith("--"):
            known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
            if word.partition("=")[0] not in {*known, "--help"}:
                yield word
        elif hasattr(command, "commands"):
            if word not in command.commands:
                yield word
                return
            command = command.commands[word]


@pytest.mark.parametrize(
    ("line", "arguments"), list(commands()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_command_in_a_block_has_only_arguments_that_exist(line: str, arguments: list[str]) -> None:
    parse(get_command(app), arguments)


def test_commands_in_running_text_exist() -> None:
    group = get_command(app)
    unknown = [
        (page.name, line, name)
        for page in PAGES
        for line in INLINE.findall(prose(page))
        for name in names_in(group, shlex.split(line)[1:])
    ]

    assert not unknown


def test_settings_in_commands_exist() -> None:
    known = {True: dict(describe_settings(PretrainSettings)), False: describe_training_settings() | SHORT_NAMES}
    named = [
        (arguments[0] == "pretrain", value.partition("=")[0])
        for _, arguments in commands()
        for option, value in pairwise(arguments)
        if option == "--set"
    ]

    assert named
    assert all(name in known[is_pretraining] for is_pretraining, name in named)


def test_pieces_of_grids_are_valid_grids(tmp_path: Path) -> None:
    pieces = [block.content for block in blocks() if block.language == "toml" and "[axes" in block.content]
    for content in pieces:
        first, values = next(iter(tomllib.loads(content)["axes"].items()))
        label = json.dumps(next(iter(values)))
        rest = f'output = "x"\nbaseline = {{ "{first}" = {label} }}\nrecipe = {{ data = "demo" }}\n'
        place = tmp_path / "grid.toml"
        place.write_text(content if "baseline" in content else rest + content, encoding="utf-8")
        assert len(load_grid(place).runs) > 1

    assert pieces


def test_pieces_of_recipes_are_valid_settings(tmp_path: Path) -> None:
    others = re.compile(r"^\[(?:project|axes)", re.M)
    pieces = [block for block in blocks() if block.language == "toml" and not others.search(block.content)]
    for block in pieces:
        place = tmp_path / "recipe.toml"
        place.write_text(block.content, encoding="utf-8")
        if block.page == "pretraining.md":
            load_settings(PretrainSettings, place, texts=["x.txt"], output="runs/x", budget={"steps": 1})
        else:
            own = {"task": "answering"} if re.search(r"^\[text|^text\.", block.content, re.M) else {}
            read_recipe(place, data="demo", output="runs/x", **own)

    assert pieces


def test_json_blocks_are_documents() -> None:
    found = [document_from_json(json.loads(b.content), b.page) for b in blocks() if b.language == "json"]

    assert found


def test_every_python_block_is_an_example_that_is_executed() -> None:
    unmarked = [block for block in blocks() if block.language == "python" and not block.note]

    assert not unmarked


def test_blocks_show_the_examples_as_they_are() -> None:
    shown = {block.note: block.content for block in blocks() if block.note.startswith("docs/examples/")}
    files = {f"docs/examples/{path.name}" for path in EXAMPLES.iterdir() if path.suffix in (".py", ".sh")}

    assert shown.keys() == files
    for name, content in shown.items():
        assert content == (ROOT / name).read_text(encoding="utf-8"), name


def test_every_plain_block_says_what_it_is() -> None:
    plain = [block for block in blocks() if block.language in ("", "text")]

    assert not [(block.page, block.content[:40]) for block in plain if not block.note.startswith(PLAIN_BLOCKS)]


@pytest.mark.long
@pytest.mark.parametrize("block", outputs(), ids=lambda block: block.note)
def test_an_example_prints_what_the_page_says(
    block: Block, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = block.note.removeprefix("output of ")
    if command not in TRAINING:
        assert run(command) == block.content
        return
    monkeypatch.chdir(ROOT)
    tasks.names()  # all are registered before the copy is made
    monkeypatch.setattr(tasks, "_entries", dict(tasks._entries))  # to forget the task of the example
    assert run_here(ROOT / command, monkeypatch, capsys) == block.content


@pytest.mark.parametrize(("block", "output"), outputs_of_blocks(ABOVE), ids=lambda block: block.page)
def test_a_block_prints_what_the_page_says(block: Block, output: Block, tmp_path: Path) -> None:
    assert run_block(block, tmp_path) == output.content


@pytest.mark.slow
@pytest.mark.parametrize(("block", "output"), outputs_of_blocks(f"shortened {ABOVE}"), ids=lambda block: block.page)
def test_a_block_prints_such_lines_as_the_page_says(block: Block, output: Block, tmp_path: Path) -> None:
    printed = {NUMBER.sub("0", line) for line in " ".join(run_block(block, tmp_path).split(" ")).split("\n")}

    assert not [line for line in output.content.split("\n") if NUMBER.sub("0", line) not in printed]


def test_a_model_about_texts_answers_from_python(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = text_corpora.trained("classification")

    printed = run_here(EXAMPLES / "answer_texts.py", monkeypatch, capsys, run, "we gave aspirin .")

    number, label, score = printed.split()
    assert (number, label in {"treated", "unchanged", "unknown"}) == ("1", True)
    assert 0 < float(score) <= 1


def test_a_file_is_annotated_and_linked_from_python(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)

    first, second = run_here(EXAMPLES / "annotate_file.py", monkeypatch, capsys).splitlines()

    assert first == "1 annotated, 0 failed"
    assert second.startswith("1001 Counter(")


@pytest.mark.slow
def test_the_tour_trains_a_model_that_works_without_linnet(tmp_path: Path) -> None:
    printed = run("docs/examples/tour.py", tmp_path / "run")
    tagged = run("docs/examples/without_linnet.py", tmp_path / "run")

    assert "Disease 18 32 hepatotoxicity" in printed
    assert "Disease 18 32 hepatotoxicity" in tagged


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_relative_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in {_anchor(title) for title in HEADING.findall(prose(target))}, link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pictures_are_there(page: Path) -> None:
    assert not [name for name in PICTURE.findall(prose(page)) if not (page.parent / name).is_file()]


def test_the_readme_is_short_and_counts_the_formats() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert len(text.split("\n")) < 110
    with_mentions = {*readable_formats()} & {*writable_formats()}  # what can only be read has texts alone
    assert f"[{NUMBER_WORDS[len(with_mentions)]} formats]" in text


def test_the_page_about_scoring_lists_every_matching() -> None:
    text = (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8")

    assert not [name for name in matchings.names() if f"| `{name}`" not in text]


def test_the_page_of_formats_lists_every_format() -> None:
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")

    assert not [name for name in formats.names() if f"| `{name}` |" not in text]


@pytest.mark.parametrize("term", FIELD_TERMS)
def test_a_search_for_a_term_of_the_field_finds_a_page(term: str) -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]

    found = [page.name for page in pages if term.casefold() in " ".join(prose(page).casefold().split())]

    assert found


def test_the_glossary_has_the_words_of_the_project_in_alphabetical_order() -> None:
    header, _, *rows = GLOSSARY_ROW.findall((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))
    words = [word for word, _ in rows]

    assert header == ("word", "meaning")
    assert words == sorted(set(words), key=str.casefold)
    assert set(words) >= set(GLOSSARY)
    assert all(meaning.endswith(".") and ". " not in meaning for _, meaning in rows)  # one sentence each


@pytest.mark.parametrize(
    ("source", "figures"),
    [
        ("docs/annotating.md", ["83.24", "83.28"]),
        ("docs/long-jobs.md", ["863", "2,016", "2,807", "203 MB", "860 core-hours", "2,900 words"]),
        ("docs/vocabularies.md", ["1,398", "1.4 x", "795", "12.9 x", "76,237", "783,967"]),
        ("docs/findings/linking.md", ["77.81", "81.69", "88.18", "88.85", "90.85", "92.46"]),
        ("docs/tasks.md", ["1.7 to 2.7"]),
        ("docs/pretraining.md", ["2.1 to 2.3"]),
        ("docs/installing.md", ["416 MB", "1,479 MB"]),
        ("docs/reliability.md", ["655,186", "1,005,186", "914", "400", "2,026"]),
        ("benchmarks/README.md", ["1,021", "101"]),
    ],
)
def test_figures_are_those_of_the_page_that_describes_how_they_were_measured(source: str, figures: list[str]) -> None:
    shown = " ".join((ROOT / "docs" / "facts-and-figures.md").read_text(encoding="utf-8").split())
    described = " ".join((ROOT / source).read_text(encoding="utf-8").split())

    assert not [figure for figure in figures if figure not in shown or figure not in described]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_and_files_that_a_page_names_exist(page: Path) -> None:
    text = prose(page)

    for name in MODULE.findall(text):
        assert resolve_name(name) is not None  # raises where there is no such module or name
    for path in FILE.findall(text):
        assert (ROOT / path).is_file(), path


def test_the_page_about_pretraining_has_every_setting_with_its_default() -> None:
    text = (ROOT / "docs" / "pretraining.md").read_text(encoding="utf-8")

    for name, description in describe_settings(PretrainSettings):
        default = re.search(r"\[default (.*)\]$", description)
        shown = "required" if default is None else "" if default[1] in ("null", "[]") else f"`{default[1]}`"
        assert f"| `{name}` | {shown} |" in text, name


def _anchor(title: str) -> str:
    """Return the anchor that hosting sites give a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
