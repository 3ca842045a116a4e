"""`--repair`: every command that reads a corpus has it, says what it mended, and is advised where it would help."""

from pathlib import Path

import pytest

from linnet.training.options import read_recipe
from linnet.training.run_folder import open_run
from tests import text_corpora, tiny
from tests.cli.running import run, write
from tests.export.exported import export_again

TITLE = "cystic fibrosis was treated with folic acid ."
QUICK = ("--encoder", tiny.encoder, "--set", "optimiser.epochs=1", "--set", "window.max_length=64")


def broken(folder: Path) -> Path:
    """Return a corpus in PubTator of which one mention of each split stands three characters beside its offsets."""
    for split in ("train", "devel", "test"):
        documents = [
            f"{number}|t|{TITLE}\n{number}|a|\n"
            f"{number}\t{3 * (number == 1)}\t{15 + 3 * (number == 1)}\tcystic fibrosis\tDisease\n"
            f"{number}\t33\t43\tfolic acid\tChemical\n"
            for number in range(1, 5)
        ]
        write(folder / f"{split}.pubtator", "\n".join(documents))
    return folder


def commands(corpus: Path, out: Path) -> dict[str, tuple[object, ...]]:
    training = ("--data", corpus, *(each() if callable(each) else each for each in QUICK))
    return {
        "convert": ("convert", corpus / "test.pubtator", out / "out.jsonl"),
        "stats": ("stats", corpus),
        "weights": ("weights", corpus, "--scheme", "welt"),
        "score": ("score", corpus / "test.pubtator", corpus / "test.pubtator"),
        "train": ("train", *training, "--output", out / "run"),
        "find-lr": ("find-lr", *training, "--steps", 5),
        "evaluate": ("evaluate", tiny.trained(), corpus),
        "annotate": ("annotate", corpus / "test.pubtator", "--model", tiny.trained(), "--output", out / "out.jsonl"),
        "export": ("export", tiny.trained(), out / "onnx", "--check", corpus),
    }


NAMES = ("convert", "stats", "weights", "score", "train", "find-lr", "evaluate", "annotate", "export")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the drawing and a second export of the same network."""
    monkeypatch.setattr("linnet.tasks.ner.results.plot_training", lambda rows, path, **_: path.write_bytes(b""))
    export_again(monkeypatch)


@pytest.mark.parametrize("name", NAMES)
def test_a_command_that_is_advised_to_repair_can_do_so(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = commands(broken(tmp_path / "corpus"), tmp_path)[name]

    refused = run(capsys, *command)
    done = run(capsys, *command, "--repair")

    assert refused.code == 2
    assert "pubtator:3: " in refused.err
    assert "mend it with `--repair`" in " ".join(refused.err.split())
    assert done.code == 0, done.err
    if name != "find-lr":
        assert "moved" in done.err
        assert "pubtator:3" in done.err


def test_a_run_remembers_that_its_corpus_was_repaired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = commands(broken(tmp_path / "corpus"), tmp_path)["train"]

    run(capsys, *command, "--repair")

    assert read_recipe(tmp_path / "run" / "recipe.toml").repair
    warnings = open_run(tmp_path / "run").metrics["warnings"]
    assert [each.split(":")[0] for each in warnings if "moved" in each] == ["train", "devel", "test"]


def test_a_corpus_among_several_is_repaired_by_its_own_setting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = broken(tmp_path / "other")
    recipe = write(
        tmp_path / "recipe.toml",
        f"""output = "{tmp_path / "run"}"
encoder = "{tiny.encoder()}"
optimiser.epochs = 1
window.max_length = 64
[[corpora]]
name = "own"
data = "{tiny.corpus()}"
role = "target"
[[corpora]]
name = "other"
data = "{other}"
""",
    )

    refused = run(capsys, "train", recipe)
    recipe.write_text(recipe.read_text(encoding="utf-8") + "repair = true\n", encoding="utf-8")
    done = run(capsys, "train", recipe)

    assert refused.code == 2
    assert "corpus 'other': " in refused.err
    assert done.code == 0
    assert "other: train: " in " ".join(done.err.split())


def test_relations_of_documents_are_repaired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = text_corpora.trained("relations")
    line = "1|t|cystic fibrosis was treated with folic acid .\n1|a|\n"
    line += "1\t3\t18\tcystic fibrosis\tDisease\tD1\n1\t33\t43\tfolic acid\tChemical\tC1\n1\tCID\tC1\tD1\n"
    path = write(tmp_path / "test.pubtator", line)

    refused = run(capsys, "predict", model, path, "--output", tmp_path / "out.tsv")
    done = run(capsys, "predict", model, path, "--output", tmp_path / "out.tsv", "--repair")

    assert refused.code == 2
    assert "with `--repair`" in " ".join(refused.err.split())
    assert "moved" in done.err
