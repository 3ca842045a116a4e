"""Published runs: without texts of the corpus, without paths of this machine, complete or not at all."""

import json
import re
import shutil
from pathlib import Path

import pytest

import linnet
from linnet.errors import BadFile, BadSetting
from linnet.storage.toml import read_toml
from linnet.training.publishing import publish_run
from tests import text_corpora, tiny
from tests.export.exported import exported

TEXT = "cystic fibrosis was treated with folic acid ."


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny.trained(), tmp_path / "run"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_published_run_holds_no_sentence_of_the_corpus(tmp_path: Path, run: Path) -> None:
    (run / "report").mkdir()
    (run / "report" / "index.html").write_text("a page with sentences", encoding="utf-8")
    (run / "my-notes.txt").write_text("a sentence", encoding="utf-8")

    done = publish_run(run, tmp_path / "out")

    assert done.left_out == (
        "mistakes.tsv", "my-notes.txt", "predictions-devel.tsv", "predictions-test.tsv", "report.md", "report/",
    )  # fmt: skip
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*done.files, "published.json"}
    assert json.loads((tmp_path / "out" / "published.json").read_text(encoding="utf-8"))["left_out"] == [*done.left_out]
    sentences = [" ".join(word for word, _ in row) for row in tiny.sentences(8, 2)]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in (tmp_path / "out").iterdir()]
    assert not [sentence for sentence in sentences if any(sentence in text for text in texts)]


@pytest.mark.parametrize("kind", ["ner", "classification"])
def test_a_published_model_predicts_the_same_and_names_no_path(tmp_path: Path, kind: str) -> None:
    source = tiny.trained() if kind == "ner" else text_corpora.trained(kind)

    publish_run(source, tmp_path / "out")

    for path in (tmp_path / "out").iterdir():
        assert str(source.parent).encode() not in path.read_bytes()
    recipe = read_toml(tmp_path / "out" / "recipe.toml")
    assert (recipe["output"], recipe["encoder"]) == ("out", "bert")
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "the encoder `bert`" in card
    assert "`training.png` shows how it went" in card
    if kind == "ner":
        ours, theirs = (list(linnet.load(folder).annotate([TEXT])) for folder in (tmp_path / "out", source))
        assert ours == theirs


@pytest.mark.parametrize("folder", ["", "cd '/home/ada/my work'\n"])
def test_the_command_that_repeats_a_run_names_the_new_folder(tmp_path: Path, run: Path, folder: str) -> None:
    card = (run / "README.md").read_text(encoding="utf-8")
    command = f"{folder}linnet train /runs/first/recipe.toml --output x"
    card, n_changes = re.subn(r"(```bash\n)(?:cd .*\n)?linnet train .*(\n```)", rf"\1{command}\2", card)
    assert n_changes == 1
    (run / "README.md").write_text(card, encoding="utf-8")

    publish_run(run, tmp_path / "out")

    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert f"```bash\nlinnet train out/recipe.toml --output out-again --data {tiny.corpus().name}\n```" in card


@pytest.mark.parametrize(
    ("data", "option"),
    [("corpora/my corpus", " --data 'corpora/my corpus'"), ("../mine", " --data mine"), ("demo", "")],
)
def test_the_command_of_a_published_run_names_data_that_is_no_known_corpus(
    tmp_path: Path, run: Path, data: str, option: str
) -> None:
    edit(run / "recipe.toml", f'data = "{tiny.corpus()}"', f'data = "{data}"')
    edit(run / "README.md", str(tiny.corpus()), data)

    publish_run(run, tmp_path / "out")

    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert f"\nlinnet train out/recipe.toml --output out-again{option}\n" in card


@pytest.mark.parametrize(("kind", "names"), [("ner", 5), ("classification", 3)])
def test_title_and_examples_of_the_card_name_the_new_folder(tmp_path: Path, kind: str, names: int) -> None:
    source = tiny.trained() if kind == "ner" else text_corpora.trained(kind)
    before = (source / "README.md").read_text(encoding="utf-8")

    publish_run(source, tmp_path / "my model")

    card = (tmp_path / "my model" / "README.md").read_text(encoding="utf-8")
    assert "\n# my model\n" in card
    assert "--model 'my model' --output" in card
    assert f'"{source.name}"' in before
    assert f'"{source.name}"' not in card
    assert card.count("my model") - card.count("my model/") - card.count("my model-again") == names


def test_a_relative_output_becomes_the_name_of_the_new_folder(tmp_path: Path, run: Path) -> None:
    recipe = run / "recipe.toml"
    edit(recipe, f'output = "{tiny.trained()}"', 'output = "runs/first"')

    publish_run(run, tmp_path / "out")

    assert read_toml(tmp_path / "out" / "recipe.toml")["output"] == "out"


@pytest.mark.parametrize("name", ["metrics.json", "linnet.json", "README.md", "recipe.toml", "model.safetensors"])
def test_what_is_not_finished_or_complete_is_refused(tmp_path: Path, run: Path, name: str) -> None:
    (run / name).unlink()

    with pytest.raises(BadFile):
        publish_run(run, tmp_path / "out")

    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("metrics.json", "{"),
        ("metrics.json", "[]"),
        ("metrics.json", "[" * 100_000),
        ("metrics.json", '{"a": ' + "1" * 5000 + "}"),
        ("tokenizer_config.json", "[]"),
        ("history.jsonl", '{"loss": 1}\n{"loss":'),
    ],
    ids=range(6),
)
def test_a_broken_file_is_refused_and_nothing_is_published(tmp_path: Path, run: Path, name: str, content: str) -> None:
    (run / name).write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match=rf"{re.escape(name)}(:2)?: this is no"):
        publish_run(run, tmp_path / "out")

    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_link_to_weights_that_are_gone_is_refused(tmp_path: Path, run: Path) -> None:
    (run / "model.safetensors").unlink()
    (run / "model.safetensors").symlink_to(tmp_path / "gone")

    with pytest.raises(BadFile, match="the run has no weights"):
        publish_run(run, tmp_path / "out")


def test_a_run_that_is_being_trained_is_refused(tmp_path: Path, run: Path) -> None:
    (run / "checkpoints").mkdir()

    with pytest.raises(BadFile, match=r"holds no finished run \(it has checkpoints/\)"):
        publish_run(run, tmp_path / "out")
    with pytest.raises(BadFile, match="there is no such run folder"):
        publish_run(tmp_path / "none", tmp_path / "out")


def test_an_exported_folder_is_refused_with_the_folder_to_give(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"is an exported model \(model\.onnx\), not a run folder") as refused:
        publish_run(exported(), tmp_path / "out")

    assert "given to `linnet export`" in str(refused.value)
    assert "--resume" not in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## Limits", "## Other", "the card is not complete, missing ## Limits"),
        ("It is a research tool.", "TODO: say more.", r"README\.md:\d+: the card is not complete, found 'TODO'"),
        ("It is a research tool.", "See /home/ada/notes.txt.", "names a path of this machine, '/home/ada/notes.txt.'"),
        ("It is a research tool.", "See ~/notes.", "names a path of this machine"),
        ("It is a research tool.", r"See `C:\Users\ada`.", "names a path of this machine"),
    ],
)
def test_a_card_with_gaps_or_local_paths_is_refused(
    tmp_path: Path, run: Path, old: str, new: str, problem: str
) -> None:
    edit(run / "README.md", old, new)

    with pytest.raises(BadFile, match=problem):
        publish_run(run, tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_an_address_and_a_fraction_are_no_paths(tmp_path: Path, run: Path) -> None:
    edit(run / "README.md", "It is a research tool.", "See https://example.org/a/b and org/model, precision/recall/F1.")

    assert publish_run(run, tmp_path / "out").folder.is_dir()


def test_a_path_in_another_file_is_refused(tmp_path: Path, run: Path) -> None:
    metrics = json.loads((run / "metrics.json").read_text(encoding="utf-8"))
    metrics["warnings"] = ["repaired: 1 (first: /home/ada/corpus/train.tsv:3)"]
    (run / "metrics.json").write_text(json.dumps(metrics), encoding="utf-8")

    with pytest.raises(BadFile, match=r"metrics\.json:1: names a path of this machine, '/home/ada/corpus/train"):
        publish_run(run, tmp_path / "out")


def test_only_an_older_published_run_is_replaced(tmp_path: Path, run: Path) -> None:
    publish_run(run, tmp_path / "out")
    with pytest.raises(BadFile, match="exists already, an older published run"):
        publish_run(run, tmp_path / "out")
    assert publish_run(run, tmp_path / "out", overwrite=True).folder.is_dir()

    (tmp_path / "out" / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(BadFile, match="holds no published run, or more than that"):
        publish_run(run, tmp_path / "out", overwrite=True)
    with pytest.raises(BadSetting, match="would replace the run itself"):
        publish_run(run, run, overwrite=True)


def test_a_card_without_a_licence_comes_with_a_note(tmp_path: Path, run: Path) -> None:
    assert "names no licence" in publish_run(run, tmp_path / "out").notes[0]
