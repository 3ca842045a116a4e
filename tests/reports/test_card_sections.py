"""Sections of a model card and its header, which the hub reads as YAML."""

import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from linnet.reports.card_sections import (
    Facts,
    data_section,
    join_labels,
    licence_lines,
    limits_section,
    main_split,
    model_index,
    origin_lines,
    quote_as_json,
    quote_for_shell,
    repeat_section,
    training_details,
    training_section,
    write_card_file,
)
from linnet.settings.files import with_overrides
from linnet.settings.training import TrainSettings

FACTS = Facts(
    name='my "model"',
    encoder="dmis-lab/biobert-v1.1",
    corpus="ncbi disease",
    fingerprints={"train": "ab12"},
    counts_by_split={"train": {"sentences": 5424, "mentions": 5134}, "test": {"sentences": 940}},
    scheme="welt",
    loss="cross-entropy",
    weights={"O": 0.17, "B-Disease": 0.41},
    seed=3,
    epochs=6,
    best_epoch=5,
    settings={"max_length": 256},
    versions={"linnet": "0.1.0", "torch": "2.9.0"},
    command="linnet train my-model/recipe.toml",
)


def test_a_card_is_a_header_between_dashes_and_sections(tmp_path: Path) -> None:
    write_card_file(tmp_path / "README.md", ["language:", "- en"], ["# Model", "## Data"])

    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert text == "---\nlanguage:\n- en\n---\n\n# Model\n\n## Data\n"


def test_the_base_model_is_an_encoder_by_its_hub_name() -> None:
    assert 'base_model: "dmis-lab/biobert-v1.1"' in list(origin_lines(FACTS))
    assert list(origin_lines(replace(FACTS, encoder="minilm"))) == ["language:", "- en"]


@pytest.mark.parametrize(
    ("licence", "lines"),
    [
        (None, []),
        ("MIT", ["license: mit"]),
        ("ask us", ["license: other", 'license_name: "ask us"']),
    ],
)
def test_a_licence_has_its_name_on_the_hub(licence: str | None, lines: list[str]) -> None:
    assert list(licence_lines(licence)) == lines


def test_the_test_split_goes_before_devel_and_both_before_others() -> None:
    assert main_split({"devel": 1, "test": 2}) == "test"
    assert main_split({"other": 1, "devel": 2}) == "devel"
    assert main_split({"other": 1}) == "other"
    assert main_split({}) is None


def test_the_results_for_the_hub_name_task_data_and_metrics() -> None:
    task = ("token-classification", "Named entity recognition")

    lines = list(model_index(FACTS, "test", task=task, metrics=[("f1", "Strict F1", 0.805)]))

    assert lines[:2] == ["model-index:", '- name: "my \\"model\\""']
    assert '      type: "ncbi-disease"' in lines  # a key without blanks
    assert '      name: "ncbi disease"' in lines
    assert lines[-3:] == ["    - type: f1", "      name: Strict F1", "      value: 0.805000"]


@pytest.mark.parametrize("text", ["runs/a-1.2", "my model", "it's", "$(rm)", ""])
def test_a_shell_reads_quoted_text_as_one_word(text: str) -> None:
    assert shlex.split(quote_for_shell(text)) == [text]


def test_quoted_text_keeps_its_characters() -> None:
    assert quote_as_json('naïve "β"') == '"naïve \\"β\\""'


def test_the_data_section_has_counts_and_fingerprints_where_they_are_known() -> None:
    *_, table = data_section(FACTS, ["sentences", "mentions"])

    assert table.splitlines()[2:] == ["| train | 5,424 | 5,134 | `ab12` |", "| test | 940 |  |  |"]


def test_the_training_section_has_epochs_settings_and_class_weights() -> None:
    text = "\n".join(training_section(FACTS, weighted="tag"))

    assert "6 epochs, of which epoch 5 was kept; loss `cross-entropy`, weighting scheme `welt`, seed 3." in text
    assert "| max_length | 256 |" in text
    assert "Class weights in the loss, by tag:\n| tag | weight |" in text
    assert "| B-Disease | 0.41 |" in text


def test_a_training_without_class_weights_or_best_epoch_has_neither() -> None:
    text = "\n".join(training_section(replace(FACTS, weights={}, best_epoch=None, settings={}), weighted="tag"))

    assert "6 epochs; loss" in text
    assert "|" not in text


def test_the_number_format_is_told_and_whether_it_was_measured() -> None:
    auto = replace(FACTS, number_format="bfloat16", settings={"precision": "auto"})
    named = replace(FACTS, settings={"precision": "float32"}, changed={"optimiser.precision": "float32"})

    assert training_details(auto)["number format"] == "bfloat16, chosen by precision = auto"
    assert "seed 3; number format bfloat16, chosen by precision = auto. " in "\n".join(
        training_section(auto, weighted="tag")
    )
    assert training_details(replace(named, number_format="float32"))["number format"] == "float32"
    assert not any("precision" in name for name in training_details(replace(named, number_format="float32")))
    assert "number format" not in training_details(named)  # nothing was computed


def test_one_epoch_is_an_epoch() -> None:
    text = "\n".join(training_section(replace(FACTS, epochs=1, best_epoch=1), weighted="tag"))

    assert "1 epoch, of which epoch 1 was kept" not in text
    assert "\n1 epoch; loss" in text


def test_the_limits_are_one_list_that_ends_with_the_clinic() -> None:
    heading, points = limits_section(["its own"], ["how it reads"])

    assert heading == "## Limits"
    assert [line.startswith("- ") for line in points.splitlines()] == [True] * 4
    assert points.endswith("Do not base clinical decisions on it.")


def test_a_training_is_repeated_with_command_versions_and_licence() -> None:
    text = "\n".join(repeat_section(replace(FACTS, licence="mit")))

    assert "```bash\nlinnet train my-model/recipe.toml\n```" in text
    assert "Seed 3; versions: linnet 0.1.0, torch 2.9.0." in text
    assert "Licence: mit." in text
    assert "none has been chosen" in "\n".join(repeat_section(FACTS))


def test_a_training_is_repeated_with_its_data_and_the_number_format_that_was_chosen() -> None:
    facts = replace(
        FACTS, data="The run read the data `demo`.", number_format="bfloat16", settings={"precision": "auto"}
    )

    text = "\n".join(repeat_section(facts))

    assert "```\nThe run read the data `demo`.\n" in text
    (setting,) = re.findall(r"chose bfloat16; `--set (\S+)` takes it without measuring", text)
    found = with_overrides(TrainSettings, {"data": "demo", "output": "x"}, [setting], where="the card")
    assert found.optimiser.precision == "bfloat16"
    assert "precision" not in "\n".join(repeat_section(replace(facts, settings={"precision": "float32"})))
    assert "precision" not in "\n".join(repeat_section(replace(facts, number_format=None)))


def test_labels_are_escaped_in_one_line() -> None:
    assert join_labels(["Disease", "A|B"]) == r"Disease, A\|B"
