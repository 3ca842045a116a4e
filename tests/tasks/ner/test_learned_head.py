"""The head of a tagger that a training begins with is taken over by the names of its tags."""

from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file

from tests import tiny
from tests.models.published.look_alikes import as_torch_file, set_config, tagger
from tests.models.published.test_opening import gerbera, one_label, trained_tags


def f1_of(folder: Path, output: Path, **given: Any) -> float:
    run = tiny.train(output, epochs=0, encoder=str(folder), **given)
    return float(run.metrics["strict"]["micro"]["f1"])


def warnings_of(folder: Path, output: Path, **given: Any) -> list[str]:
    return [str(each) for each in tiny.train(output, epochs=0, encoder=str(folder), **given).metrics["warnings"]]


def in_other_order(folder: Path) -> Path:
    """Write the trained tagger with its outputs in another order, names and all."""
    tags = trained_tags()
    order = [*range(1, len(tags)), 0]
    made = tagger(folder, *(tags[number] for number in order))
    weights = load_file(made / "model.safetensors")
    for part in ("weight", "bias"):
        weights[f"classifier.{part}"] = weights[f"classifier.{part}"][order].contiguous()
    save_file(weights, made / "model.safetensors", metadata={"format": "pt"})
    return made


@pytest.fixture
def diseases(tmp_path: Path) -> Path:
    """A corpus with one label."""
    folder = tmp_path / "diseases"
    folder.mkdir()
    for seed, split in enumerate(("train", "devel", "test")):
        rows = [
            [(word, tag if tag.endswith("Disease") else "O") for word, tag in row] for row in tiny.sentences(12, seed)
        ]
        (folder / f"{split}.tsv").write_text(tiny.conll(rows), encoding="utf-8")
    return folder


def test_the_order_of_labels_decides_nothing(tmp_path: Path) -> None:
    plain = f1_of(tagger(tmp_path / "plain"), tmp_path / "a")
    other = f1_of(in_other_order(tmp_path / "other"), tmp_path / "b")

    assert plain == other > 0.5


def test_a_head_for_other_tags_is_said_to_begin_anew(tmp_path: Path) -> None:
    folder = as_torch_file(tagger(tmp_path / "tagger", *(f"LABEL_{number}" for number in range(5))))

    found = warnings_of(folder, tmp_path / "run")

    assert any("the head began anew" in each and "LABEL_0" in each for each in found)


def test_a_head_with_bare_tags_means_the_only_label_of_the_corpus(tmp_path: Path, diseases: Path) -> None:
    folder = one_label(tmp_path / "tagger", "O", "B", "I")

    assert f1_of(folder, tmp_path / "run", data=str(diseases)) > 0.5
    assert not any("began anew" in each for each in warnings_of(folder, tmp_path / "again", data=str(diseases)))


def test_gerberas_head_is_taken_over_by_a_two_layer_training(tmp_path: Path, diseases: Path) -> None:
    folder, weights = gerbera(tmp_path / "gerbera")

    run = tiny.train(tmp_path / "run", epochs=0, encoder=str(folder), data=str(diseases), head="two-layer")

    saved = load_file(run.folder / "model.safetensors")
    hidden = saved["classifier.0.weight"]
    assert (hidden == weights["bio_classifier_2.weight"]).all()
    learned = dict(zip(("B", "I", "O"), weights["bio_classifier.weight"], strict=True))
    for row, name in zip(saved["classifier.2.weight"], run.facts.tags, strict=True):
        assert (row == learned[name[0]]).all()


def test_a_two_layer_head_before_a_linear_training_is_said_to_begin_anew(tmp_path: Path, diseases: Path) -> None:
    folder, _ = gerbera(tmp_path / "gerbera")

    found = warnings_of(folder, tmp_path / "run", data=str(diseases))

    assert any("is two-layer, not linear" in each for each in found)


def test_a_plain_encoder_has_no_head_to_speak_of(tmp_path: Path) -> None:
    folder = tagger(tmp_path / "tagger")
    set_config(folder, architectures=["BertModel"])

    assert not any("began anew" in each for each in warnings_of(folder, tmp_path / "run"))
