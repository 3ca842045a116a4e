"""Meaning of mentions and names by an encoder."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.training.meaning import EncoderMeaning
from linnet.tasks.linking.training.ranker import read_ranker
from tests import tiny
from tests.tasks.linking.corpora import train_linking

TEXTS = ["breast cancer", "cancer", "a fever of the breast"]


def meaning(weights: str | None = None) -> EncoderMeaning:
    return EncoderMeaning(str(tiny.encoder()), weights)


def test_a_text_is_equal_to_itself_and_cosines_do_not_depend_on_the_order() -> None:
    first, second = meaning(), meaning()
    second.learn(reversed(TEXTS))

    found = first.compare(TEXTS[0], TEXTS)

    assert found[0] == 1
    assert found == pytest.approx(second.compare(TEXTS[0], TEXTS), abs=2e-4)
    assert first.compare(TEXTS[1], TEXTS[:1]) == pytest.approx(found[1:2], abs=2e-4)


def test_other_weights_are_refused_when_they_are_first_used() -> None:
    other = meaning("0" * 64)

    with pytest.raises(BadFile, match="other weights than the linker was trained with"):
        other.compare("a", ["b"])


def test_a_linker_keeps_its_encoder(tmp_path: Path) -> None:
    run = train_linking(tmp_path / "run", meaning=str(tiny.encoder()))

    ranker = read_ranker(run.folder)

    assert ranker.meaning is not None
    assert ranker.meaning.origin == meaning().origin
    assert {"meaning", "meaning_best", "meaning_4"} <= ranker.weights.keys()


def test_a_linker_without_an_encoder_needs_none(tmp_path: Path) -> None:
    run = train_linking(tmp_path / "run", without=("meaning",))

    assert read_ranker(run.folder).meaning is None
