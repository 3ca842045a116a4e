"""The core works without the extras, and what needs one says which."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from linnet.errors import MissingExtra
from linnet.extras import EXTRA_OF, explain_missing_extras, install_command, require
from tests import tiny
from tests.cli.running import Done, environment, write
from tests.export.exported import exported

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
OF_TRAINING = ("torch", "transformers", "accelerate", "matplotlib", "onnx", "onnxscript")
EXAMPLES = ROOT / "docs" / "examples"
INSTALL = f"Try: {install_command('torch')}"
GRID = """
output = "grid"
baseline = {scheme = "none"}
[axes]
scheme = ["none", "welt"]
seed = [1, 2]
[recipe]
data = "demo"
"""


# imports the command line once, without the packages of its arguments, and runs each command in a fork
WITHOUT = """
import json, os, sys
sys.modules.update(dict.fromkeys(sys.argv[1:]))
from linnet.cli.main import main
for line in sys.stdin:
    arguments, folder = json.loads(line)
    if os.fork() == 0:
        os.chdir(folder)
        sys.argv = ["linnet", *arguments]
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(f"printed.{name}", os.O_CREAT | os.O_WRONLY), number)
        main()
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""
RunWithout = Callable[..., Done]


@pytest.fixture(scope="module")
def run_without_training(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunWithout]:
    """Run a command as if the packages of the extra `train` were not installed."""
    process = subprocess.Popen(
        [sys.executable, "-c", WITHOUT, *OF_TRAINING],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment({"PYTHONPATH": str(ROOT / "src")}),
    )
    commands, codes = process.stdin, process.stdout
    assert commands
    assert codes

    def run(*arguments: object, folder: Path | None = None) -> Done:
        place = folder or tmp_path_factory.mktemp("printed")
        print(json.dumps([list(map(str, arguments)), str(place)]), file=commands, flush=True)
        code = int(codes.readline())
        printed = [place / "printed.out", place / "printed.err"]
        out, err = (path.read_text(encoding="utf-8") for path in printed)
        for path in printed:
            path.unlink()
        return Done(code, out, err)

    with process:
        yield run


@pytest.mark.parametrize(
    "command",
    [
        "stats demo",
        "weights demo --scheme welt",
        f"score {EXAMPLES / 'gold.tsv'} {EXAMPLES / 'predicted.tsv'}",
        f"convert {EXAMPLES / 'sample.pubtator'} sample.xml --to bioc-xml",
        "list schemes",
        "list encoders",
        "list tasks",
        "list sizes",
        "list settings",
        "list settings compare",
    ],
)
def test_the_core_needs_nothing_of_training(run_without_training: RunWithout, command: str, tmp_path: Path) -> None:
    done = run_without_training(*command.split(), folder=tmp_path)

    assert (done.code, done.err) == (0, "")


def test_an_exported_model_annotates_and_is_evaluated_without_torch(
    run_without_training: RunWithout, tmp_path: Path
) -> None:
    text = write(tmp_path / "case.txt", "ataxia was treated with folic acid .")

    annotated = run_without_training("annotate", text, "--model", exported(), "--output", tmp_path / "case.jsonl")
    evaluated = run_without_training("evaluate", exported(), tiny.corpus(), "--json")

    assert (annotated.code, evaluated.code) == (0, 0), annotated.err + evaluated.err
    assert '"spans": [{' in (tmp_path / "case.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command",
    [
        "train --data demo --output run",
        "train recipe.toml",
        "demo",
        "compare grid.toml",
        "compare grid.toml --dry-run",
        "pretrain --texts text.txt --output run --fresh --encoder bert-tiny --vocab 100 --steps 1",
        "export model out",
        "find-lr recipe.toml",
        "list losses",
    ],
)
def test_a_command_that_needs_the_extra_says_what_to_install(
    run_without_training: RunWithout, command: str, tmp_path: Path
) -> None:
    write(tmp_path / "recipe.toml", 'data = "demo"\noutput = "run"\n')
    write(tmp_path / "grid.toml", GRID)
    write(tmp_path / "text.txt", "Ataxia was treated with folic acid.\n")

    done = run_without_training(*command.split(), folder=tmp_path)

    assert (done.code, INSTALL in done.err, "Traceback" in done.err) == (2, True, False), done.err
    assert not (tmp_path / "run").exists()


def test_converting_a_checkpoint_names_both_extras_that_it_needs(
    run_without_training: RunWithout, tmp_path: Path
) -> None:
    done = run_without_training("import-checkpoint", "model", "out", folder=tmp_path)

    assert (done.code, "Traceback" in done.err) == (2, False)
    assert "[tensorflow,train]'" in done.err


def test_a_model_folder_that_is_not_there_is_said_before_anything_is_to_be_installed(
    run_without_training: RunWithout, tmp_path: Path
) -> None:
    text = write(tmp_path / "case.txt", "ataxia")

    done = run_without_training("annotate", text, "--model", tmp_path / "nowhere", "--output", tmp_path / "o.jsonl")

    assert done.code == 2
    assert "there is no such model folder" in done.err


def test_a_model_of_pytorch_is_refused_with_what_to_install_and_what_to_do_instead(
    run_without_training: RunWithout, tmp_path: Path
) -> None:
    text = write(tmp_path / "case.txt", "ataxia")

    done = run_without_training("annotate", text, "--model", tiny.trained(), "--output", tmp_path / "case.jsonl")

    assert done.code == 2
    assert done.err == (
        f"linnet: {tiny.trained()}: running a model in PyTorch's format needs torch, transformers\n"
        f"  {INSTALL}; or give what `linnet export` made of it, which runs without\n"
    )
    assert not (tmp_path / "case.jsonl").exists()


def test_python_users_are_told_the_same() -> None:
    program = """
import sys
sys.modules["torch"] = None
import linnet
try:
    linnet.train(data="demo", output="never")
except linnet.errors.MissingExtra as error:
    print(error.remedy)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"{install_command('torch')}\n"


def test_a_failed_import_of_something_else_is_a_bug_and_stays_one() -> None:
    with pytest.raises(ModuleNotFoundError, match="linnet_nowhere"), explain_missing_extras():
        import linnet_nowhere  # type: ignore[import-not-found]  # noqa: F401


def test_training_comes_with_its_default_encoder_where_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet.extras.find_clone", lambda: None)
    monkeypatch.setattr("linnet.extras.find_spec", lambda _: None)
    assert install_command("torch") == "pip install 'linnet-nlp[train,minilm]'"
    assert install_command("uvicorn") == "pip install 'linnet-nlp[serve]'"

    monkeypatch.setattr("linnet.extras.find_spec", lambda name: name)
    assert install_command("torch") == "pip install 'linnet-nlp[train]'"


@pytest.mark.parametrize(
    ("told", "command"),
    [
        (None, "'linnet-nlp[serve]'"),
        ('{"dir_info": {"editable": true}, "url": "file:///a%20b/linnet"}', "-e '/a b/linnet[serve]'"),
        ('{"dir_info": {}, "url": "file:///built"}', "'linnet-nlp[serve]'"),
        ('{"archive_info": {}, "url": "https://host/linnet.whl"}', "'linnet-nlp[serve]'"),
    ],
)
def test_an_extra_of_a_clone_is_installed_from_the_clone(
    told: str | None, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = SimpleNamespace(read_text={"direct_url.json": told}.get)
    monkeypatch.setattr("linnet.extras.distribution", lambda _: installed)

    assert install_command("uvicorn") == f"pip install {command}"


def test_only_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet.extras.find_clone", lambda: None)
    monkeypatch.setattr("linnet.extras.EXTRA_OF", {"one_nowhere": "train", "two_nowhere": "lora"})

    require("sys", "json", problem="this needs")
    with pytest.raises(MissingExtra, match="this needs one_nowhere, two_nowhere") as refused:
        require("one_nowhere", "json", "two_nowhere", problem="this needs")
    assert refused.value.remedy == "pip install 'linnet-nlp[train,lora]'"


@pytest.mark.long
def test_every_package_that_is_asked_for_is_in_the_extra_that_is_named() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core, extras = project["dependencies"], project["optional-dependencies"]

    for package, extra in EXTRA_OF.items():
        assert package in {name_of(requirement) for requirement in extras[extra]}, package
        assert package not in {name_of(requirement) for requirement in core}


def name_of(requirement: str) -> str:
    name = requirement.partition("[")[0].partition(">")[0]
    return name.replace("-", "_")
