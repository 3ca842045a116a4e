"""Every family of encoders is trained, saved, and opened without Linnet, where it says the same."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from linnet.tasks.ner.predictor import load
from tests import tiny

SENTENCES = [[word for word, _ in row] for row in tiny.sentences(4, 9)]
WITHOUT_LINNET = """
import json, sys, warnings
warnings.simplefilter("ignore")
sys.modules["linnet"] = None  # whoever imports it fails
from transformers import AutoModelForTokenClassification, AutoTokenizer, logging, pipeline
logging.set_verbosity_error()
logging.disable_progress_bar()
sentences, folders = json.loads(sys.stdin.read())
found = []
for folder in folders:
    model = AutoModelForTokenClassification.from_pretrained(folder)
    ask = pipeline("token-classification", model=model, tokenizer=AutoTokenizer.from_pretrained(folder))
    rows = []
    for words in sentences:
        starts = [len(" ".join([*words[:n], ""])) for n in range(len(words))]
        tag_by_start = {}
        for piece in ask(" ".join(words), ignore_labels=[]):
            start = piece["start"] + (" ".join(words)[piece["start"]] == " ")  # some count the space before
            tag_by_start.setdefault(start, piece["entity"])
        rows.append([tag_by_start.get(start) for start in starts])
    found.append(rows)
print(json.dumps(found))
"""


Tags = list[list[str]]  # of each sentence

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], list[Tags]]:
    """One run of each family, a few updates old, and what it says in a process without Linnet."""
    started = subprocess.Popen(
        [sys.executable, "-c", WITHOUT_LINNET],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tiny.workshop(),
    )
    folders, place = [], tmp_path_factory.mktemp("families")
    for family in tiny.FAMILIES:  # while the other process is still importing
        encoder = str(tiny.encoder(family))
        folders.append(tiny.train(place / family, encoder=encoder, epochs=1, learning_rate=0.03).folder)
    printed, _ = started.communicate(json.dumps([SENTENCES, list(map(str, folders))]))
    assert started.returncode == 0
    return folders, json.loads(printed)


def test_the_saved_models_say_the_same_in_a_process_without_linnet(answers: tuple[list[Path], list[Tags]]) -> None:
    folders, theirs = answers

    ours = [[each.tags for each in load(folder, decoding="argmax").tag(SENTENCES)] for folder in folders]

    assert dict(zip(tiny.FAMILIES, theirs, strict=True)) == dict(zip(tiny.FAMILIES, ours, strict=True))
    assert len({tag for family in ours for row in family for tag in row}) > 1  # or else they agree on nothing


def test_every_family_learns_something(answers: tuple[list[Path], list[Tags]]) -> None:
    for folder in answers[0]:
        rows = [json.loads(line) for line in (folder / "history.jsonl").read_text(encoding="utf-8").splitlines()]
        assert rows[2]["loss"] < rows[0]["loss"], folder.name


def test_saved_configurations_name_the_tags(answers: tuple[list[Path], list[Tags]]) -> None:
    for folder in answers[0]:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        names = ["O", "B-Chemical", "B-Disease", "I-Chemical", "I-Disease"]
        assert config["id2label"] == {str(number): name for number, name in enumerate(names)}
        assert config["label2id"] == {name: number for number, name in enumerate(names)}
