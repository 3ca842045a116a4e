"""A whole pretraining: the content of its folder, how it is opened, and that an interruption leaves no trace."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModel, AutoModelForMaskedLM, AutoTokenizer

import linnet
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.models.encoders import quietly
from linnet.pretraining.run import open_pretraining
from linnet.pretraining.run import pretrain as pretrain_encoder
from linnet.reports.markdown import escape
from linnet.training.history import EpochRow
from linnet.training.job import SilentWatcher
from tests import tiny
from tests.pretraining import tiny_text

SEVEN_UPDATES: dict[str, Any] = {
    "budget": {"steps": 7},  # intervals of 3, 3 and 1
    "evaluations": 3,
    "checkpoint_minutes": 1e-9,
    "optimiser": {"accumulation": 2},
    "masking": {"unit": "ngram"},
}


class Stop(Exception):
    """Stands for a killed process."""


class Interrupter(SilentWatcher):
    """Stops the training after an update."""

    def __init__(self, step: int) -> None:
        self.at = step

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        if step == self.at:
            raise Stop


class Recorder(SilentWatcher):
    """Keeps what it is called with."""

    def __init__(self) -> None:
        self.began: tuple[int, int] | None = None
        self.losses: list[float] = []
        self.rows: list[EpochRow] = []

    def begin(self, n_steps: int, first_step: int) -> None:
        self.began = (n_steps, first_step)

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        self.losses.append(loss)

    def epoch(self, row: EpochRow, *, is_best: bool) -> None:
        assert is_best  # the last weights are kept, whatever the perplexity
        self.rows.append(row)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def history(folder: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (folder / "history.jsonl").read_text(encoding="utf-8").splitlines()]
    return [{key: row[key] for key in row if "second" not in key} for row in rows]


def test_perplexity_falls_and_the_folder_is_complete(tmp_path: Path) -> None:
    watcher = Recorder()

    run = tiny_text.pretrain(
        tmp_path / "run", watcher=watcher, budget={"steps": 60}, evaluations=3, optimiser={"learning_rate": 0.01}
    )

    assert run.metrics["perplexity"] < 0.5 * run.metrics["perplexity_before"]
    assert watcher.began == (60, 0)
    assert [row.step for row in watcher.rows] == [20, 40, 60]
    assert {path.name for path in run.folder.iterdir()} >= {
        *("config.json", "model.safetensors", "tokenizer.json", "recipe.toml", "schedule.json", "metrics.json"),
        *("history.jsonl", "training.png", "README.md", "pretraining.json"),
    }
    assert not (run.folder / "checkpoints").exists()
    perplexities = [row["perplexity"] for row in history(run.folder) if "perplexity" in row]
    assert perplexities[0] == run.metrics["perplexity_before"]
    assert perplexities[-1] == pytest.approx(run.metrics["perplexity"])
    assert run.metrics["steps"] == 60
    assert run.metrics["tokens"] > 60 * 4 * 10
    assert "comes without a head for masked words" in run.metrics["warnings"][0]
    card = (run.folder / "README.md").read_text(encoding="utf-8")
    for part in (escape(str(tiny_text.text())), "60 updates", "whole words", "learning_rate", "perplexity", "text.txt"):
        assert part in card
    assert open_pretraining(run.folder).facts["text"]["n_documents"] > 50


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "albert"])
def test_every_family_learns_and_opens_again(tmp_path: Path, family: str) -> None:
    run = tiny_text.pretrain(tmp_path / "run", encoder=str(tiny.encoder(family)), budget={"steps": 2})

    with quietly():
        _, missing = AutoModel.from_pretrained(run.folder, output_loading_info=True)
        _, with_head = AutoModelForMaskedLM.from_pretrained(run.folder, output_loading_info=True)
        tokenizer = AutoTokenizer.from_pretrained(run.folder)
    assert all("pooler" in name for name in missing["missing_keys"])
    assert not with_head["missing_keys"]
    assert tokenizer.is_fast
    trained = tiny.train(tmp_path / "tagger", encoder=str(run.folder), epochs=1, max_length=32)
    assert (trained.folder / "linnet.json").is_file()


@pytest.mark.parametrize("size", ["albert-tiny", "bert-tiny"])
def test_a_fresh_network_with_its_own_vocabulary_and_sentence_order(tmp_path: Path, size: str) -> None:
    kind = "unigram" if size == "albert-tiny" else "wordpiece"
    run = tiny_text.pretrain(
        tmp_path / "run",
        encoder=size,
        fresh=True,
        vocabulary={"train": 120, "kind": kind},
        masking={"unit": "ngram", "sentence_order": True},
        optimiser={"name": "lamb", "accumulation": 2},
        budget={"steps": 3},
        length=48,
    )

    assert run.metrics["held_out"]["after"].keys() == {"perplexity", "accuracy", "order_accuracy"}
    with quietly():
        encoder, missing = AutoModel.from_pretrained(run.folder, output_loading_info=True)
        AutoModelForMaskedLM.from_pretrained(run.folder)
    assert not missing["missing_keys"]  # the pooler was learned with the order
    assert encoder.config.vocab_size == run.facts["text"]["vocabulary_size"]
    again = tiny_text.pretrain(
        tmp_path / "again", encoder=str(run.folder), masking={"sentence_order": True}, budget={"steps": 1}, length=96
    )
    assert again.metrics["warnings"] == []
    assert again.metrics["perplexity_before"] < 2 * run.metrics["perplexity"]


def test_an_extended_vocabulary_has_rows_and_opens_again(tmp_path: Path) -> None:
    run = tiny_text.pretrain(tmp_path / "run", vocabulary={"extend": 3}, budget={"steps": 2})

    text = run.facts["text"]
    assert text["n_new_words"] >= 1
    assert text["tokens_per_word"] < text["tokens_per_word_before"]
    with quietly():
        encoder, tokenizer = AutoModel.from_pretrained(run.folder), AutoTokenizer.from_pretrained(run.folder)
    assert encoder.config.vocab_size == len(tokenizer)
    assert tokenizer("Ataxia", "Aspirin")["token_type_ids"][-1] == 1
    tiny.train(tmp_path / "tagger", encoder=str(run.folder), epochs=1, max_length=32)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a run of seven updates."""
    return tiny_text.pretrain(tmp_path_factory.mktemp("uninterrupted") / "run", **SEVEN_UPDATES).folder


@pytest.mark.parametrize("stops", [(1,), (3, 5), (2, 4, 7)])
def test_an_interrupted_run_ends_like_an_uninterrupted_one(
    tmp_path: Path, uninterrupted: Path, stops: tuple[int, ...]
) -> None:
    for step in stops:
        with pytest.raises(Stop):
            tiny_text.pretrain(tmp_path / "cut", watcher=Interrupter(step), resume=True, **SEVEN_UPDATES)

    cut = tiny_text.pretrain(tmp_path / "cut", resume=True, **SEVEN_UPDATES)

    assert all(torch.equal(tensor, weights(uninterrupted)[name]) for name, tensor in weights(cut.folder).items())
    assert history(cut.folder) == history(uninterrupted)
    assert [row["step"] for row in history(cut.folder) if "perplexity" in row] == [0, 3, 6, 7]
    assert {path.name for path in cut.folder.iterdir()} == {path.name for path in uninterrupted.iterdir()}


def test_hours_become_a_number_of_updates_that_a_resumed_run_keeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {"budget": {"hours": 0.001}, "checkpoint_minutes": 1e-9}
    monkeypatch.setattr("linnet.pretraining.learning.plan.PretrainPlan._time_update", lambda self: 0.5)
    with pytest.raises(Stop):
        tiny_text.pretrain(tmp_path / "run", watcher=Interrupter(2), **given)
    fixed = json.loads((tmp_path / "run" / "schedule.json").read_text(encoding="utf-8"))
    monkeypatch.setattr("linnet.pretraining.learning.plan.PretrainPlan._time_update", lambda self: 0.01)

    run = tiny_text.pretrain(tmp_path / "run", resume=True, **given)

    assert fixed["steps"] == 6  # 3.6 s over 0.525 s
    assert run.metrics["steps"] == 6
    assert run.facts["schedule"]["seconds_per_update"] == 0.5


def test_hours_that_are_too_few_for_one_update_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"budget\.hours is 1e-09, but one update takes"):
        tiny_text.pretrain(tmp_path / "run", budget={"hours": 1e-9})

    assert not (tmp_path / "run").exists()


def test_resuming_and_overwriting_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"resumed \(`--resume`\) or replaced \(`--overwrite`\)"):
        tiny_text.pretrain(tmp_path / "run", resume=True, overwrite=True)


def test_a_loss_that_is_not_a_number_is_reported_without_a_command_for_other_trainings(tmp_path: Path) -> None:
    with pytest.raises(LinnetError, match="the loss is not a number") as stopped:
        tiny_text.pretrain(tmp_path / "run", budget={"steps": 60}, optimiser={"learning_rate": 1e20})

    assert "find-lr" not in stopped.value.remedy


def test_shards_are_not_kept_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(BadFile, match="file: is not a folder"):
        tiny_text.pretrain(tmp_path / "run", shards=str(tmp_path / "file"))


def test_a_text_without_a_name_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"texts\.0: "):
        linnet.pretrain(texts="", output="run", steps=1)


def test_tokens_become_updates(tmp_path: Path) -> None:
    run = tiny_text.pretrain(tmp_path / "run", budget={"tokens": 500})

    assert run.metrics["tokens"] == pytest.approx(500, rel=0.2)


def test_a_run_whose_text_has_changed_is_not_resumed(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(tiny_text.text().read_text(encoding="utf-8"), encoding="utf-8")
    given: dict[str, Any] = {"texts": [str(text)], "checkpoint_minutes": 1e-9}
    with pytest.raises(Stop):
        tiny_text.pretrain(tmp_path / "run", watcher=Interrupter(3), **given)
    with text.open("a", encoding="utf-8") as file:
        file.write("\nA document that was not there before.\n")

    with pytest.raises(BadFile, match="the text has changed since the run began") as refused:
        tiny_text.pretrain(tmp_path / "run", resume=True, **given)

    assert "--overwrite" in refused.value.remedy
    path = tmp_path / "run" / "schedule.json"
    schedule = json.loads(path.read_text(encoding="utf-8"))
    del schedule["text"]  # as earlier versions wrote it
    path.write_text(json.dumps(schedule), encoding="utf-8")
    assert tiny_text.pretrain(tmp_path / "run", resume=True, **given).metrics["steps"] == 6


@pytest.mark.parametrize(
    "content",
    [
        '{"steps": "x"}',
        '{"steps": 6, "stretch": 0, "before": {"perplexity": 1}}',
        '{"steps": 6, "stretch": 3, "before": {}}',
    ],
)
def test_a_schedule_that_was_changed_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(Stop):
        tiny_text.pretrain(tmp_path / "run", watcher=Interrupter(1))
    (tmp_path / "run" / "schedule.json").write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match=r"schedule\.json: cannot be read"):
        tiny_text.pretrain(tmp_path / "run", resume=True)


def test_all_problems_that_can_be_known_before_text_is_read_are_reported_together(tmp_path: Path) -> None:
    given: dict[str, Any] = {"encoder": str(tmp_path / "no-encoder"), "texts": [str(tmp_path / "no-text")]}

    with pytest.raises(LinnetError, match=r"(?s)no-encoder.*xx.*no-corpus.*no-text"):
        tiny_text.pretrain(
            tmp_path / "run", **given, cleaning={"languages": ["xx"], "exclude": [str(tmp_path / "no-corpus")]}
        )


@pytest.mark.parametrize(("setting", "value"), [("seed", 2**32), ("threads", 10**12), ("vocabulary.train", 10**9)])
def test_numbers_that_are_too_large_are_refused(tmp_path: Path, setting: str, value: int) -> None:
    with pytest.raises(BadSetting, match=setting):
        tiny_text.settings(tmp_path / "run", **{setting: value})


def test_warnings_come_before_the_first_update(tmp_path: Path) -> None:
    warnings: list[str] = []

    with pytest.raises(Stop):
        pretrain_encoder(tiny_text.settings(tmp_path / "run"), watcher=Interrupter(1), warn=warnings.extend)

    assert any("comes without a head for masked words" in warning for warning in warnings)


def test_text_that_the_vocabulary_does_not_know_gives_a_warning(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("\n\n".join("Ω" * (n % 9 + 1) + " Ψ" * 20 for n in range(40)), encoding="utf-8")

    run = tiny_text.pretrain(tmp_path / "run", texts=[str(text)], budget={"steps": 1})

    assert any("100.0% of the text's sub-words are unknown" in warning for warning in run.metrics["warnings"])
    assert run.metrics["perplexity"] is None
    for name in ("metrics.json", "pretraining.json", "schedule.json", "history.jsonl", "README.md"):
        written = (run.folder / name).read_text(encoding="utf-8")
        assert "NaN" not in written
        assert "None" not in written


def test_a_finished_run_is_opened_and_another_refused(tmp_path: Path) -> None:
    first = tiny_text.pretrain(tmp_path / "run", budget={"steps": 1})

    again = tiny_text.pretrain(tmp_path / "run", resume=True, budget={"steps": 1})

    assert again == first
    with pytest.raises(BadFile, match="holds a run already"):
        tiny_text.pretrain(tmp_path / "run", budget={"steps": 1})
    with pytest.raises(BadFile, match="with other settings"):
        tiny_text.pretrain(tmp_path / "run", resume=True, budget={"steps": 2})
    replaced = tiny_text.pretrain(tmp_path / "run", overwrite=True, budget={"steps": 2})
    assert replaced.metrics["steps"] == 2


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        ({"optimiser": {"batch_size": 5000}}, ["fewer than one update needs: 5,000 x 1"]),
        ({"length": 200, "budget": {"steps": 1}, "optimiser": {"warmup": 0.9}},
         ["length is 200, the encoder", "reads at most 96", "1 update cannot finish its warm-up of 1"]),
        ({"encoder": "bert-huge", "fresh": True, "budget": {"steps": 1}, "optimiser": {"warmup": 0.9}},
         ["no size called 'bert-huge'", "cannot finish its warm-up"]),
        ({"budget": {"tokens": 20}}, ["budget.tokens is 20, but one update reads about"]),
        ({"encoder": "roberta", "masking": {"sentence_order": True}}, ["the family roberta has no head for it"]),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused_before_anything_is_trained(
    tmp_path: Path, given: dict[str, Any], messages: list[str]
) -> None:
    if given.get("encoder") == "roberta":
        given = given | {"encoder": str(tiny.encoder("roberta"))}

    with pytest.raises(LinnetError) as refused:
        tiny_text.pretrain(tmp_path / "run", **given)

    assert all(message in refused.value.problem for message in messages)
    assert not (tmp_path / "run").exists()


def test_a_tokenizer_with_more_subwords_than_the_encoder_is_refused(tmp_path: Path) -> None:
    folder = tiny.write_encoder(tmp_path / "encoder")
    with quietly():
        tokenizer = AutoTokenizer.from_pretrained(folder)
        tokenizer.add_tokens(["onemore", "another"])
        tokenizer.save_pretrained(folder)

    with pytest.raises(BadFile, match="has embeddings for"):
        tiny_text.pretrain(tmp_path / "run", encoder=str(folder))


def test_python_takes_the_same_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet.pretraining.run.plot_pretraining", lambda rows, path, **_: path.write_bytes(b""))

    run = linnet.pretrain(
        texts=tiny_text.text(),
        output=str(tmp_path / "run"),
        encoder=str(tiny.encoder()),
        steps=1,
        batch_size=4,
        length=32,
        held_out=0.1,
        cleaning={"duplicates": False, "languages": [], "least_words": 0},
    )

    assert run.metrics["steps"] == 1
