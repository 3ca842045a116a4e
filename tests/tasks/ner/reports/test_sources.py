"""What a tagger learned from, as `metrics.json` and the model card have it."""

from pathlib import Path

import pytest

from linnet.tasks.ner.prepared import PreparedTraining, prepare
from linnet.tasks.ner.reports.sources import describe_samples, describe_sources, summarise_sources
from tests import tiny
from tests.tasks.ner import several
from tests.tasks.ner.distillation import taught


def test_a_single_corpus_has_a_place_of_its_own() -> None:
    prepared = prepare(tiny.settings(Path("unused")))

    assert describe_sources(prepared) == {}
    assert summarise_sources(prepared) == {}


def test_several_corpora_are_listed() -> None:
    prepared = prepare(tiny.settings(Path("unused"), **several.joint()))

    found = describe_sources(prepared)["corpora"]

    assert {name: each["labels"] for name, each in found.items()} == {
        "diseases": ["Disease"],
        "chemicals": ["Chemical"],
    }
    assert "diseases (head diseases, weight 1)" in summarise_sources(prepared)["corpora, the target first"]


def test_teachers_are_named_with_what_they_taught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path))
    prepared = prepare(tiny.settings(Path("unused"), distill=taught.distilling(share=0.25)))

    found = describe_sources(prepared)["distillation"]

    assert found["teachers"][str(taught.teacher())]["labels"] == ["Chemical", "Disease"]
    assert found["sentences"] > 10
    assert summarise_sources(prepared)["soft targets"] == "25% of the batches, temperature 1"


def test_the_card_says_how_much_unlabelled_text_was_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path))
    names = ", ".join(Path(text).name for text in taught.distilling()["texts"])

    def told(**given: int) -> str:
        prepared = prepare(tiny.settings(Path("unused"), distill=taught.distilling(**given)))
        assert f" {describe_sources(prepared)['distillation']['sentences']} sentences of " in f" {text(prepared)}"
        return text(prepared)

    def text(prepared: PreparedTraining) -> str:
        return summarise_sources(prepared)["unlabelled text"]

    assert told().endswith(f" sentences of {names}")
    assert told(sentences=12).startswith("a sample of ")


def test_samples_are_told_with_the_size_of_the_split(tmp_path: Path) -> None:
    corpus = str(tiny.write_corpus(tmp_path / "corpus", train=20, devel=8))

    def told(**given: int) -> list[str]:
        return describe_samples(prepare(tiny.settings(Path("unused"), data=corpus, **given)))

    assert told() == told(train_sentences=20) == []
    assert told(train_sentences=15, devel_sentences=6) == [
        "train: 15 of 20 sentences, sampled; the fingerprint is that of all",
        "devel: 6 of 8 sentences, sampled; the fingerprint is that of all",
    ]
