"""Steps after the model."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from linnet.annotation.steps import GIVEN, GivenMentions, NamesOnly, Steps, open_steps
from linnet.documents.document import Document, Span
from linnet.errors import BadSetting
from linnet.settings.annotation import AnnotateSettings
from linnet.tasks.linking.names import open_names
from tests.tasks.linking.sources import build

MARKED = Document("1", "Breast Cancer", (Span(0, 13, "Disease"),))


def settings(**given: Any) -> AnnotateSettings:
    return AnnotateSettings(source="in.jsonl", model=GIVEN, output="out.jsonl", **given)


def test_without_steps_the_model_stays_as_it_is() -> None:
    model = GivenMentions()

    assert open_steps(settings()) == Steps()
    assert Steps().follow(model) is model
    assert Steps().describe() == Steps().infons == {}


def test_given_mentions_are_kept_and_linked(tmp_path: Path) -> None:
    steps = open_steps(settings(link=(str(build(tmp_path).folder),), candidates=1))
    model = steps.follow(GivenMentions())

    prepared = model.prepare([MARKED])
    (linked,) = model.finish(prepared, model.infer(prepared))

    assert [link.identifier for link in linked.spans[0].links] == ["mesh:D001943"]
    assert prepared.n_words == 0


def test_a_resumed_job_needs_the_same_vocabulary_and_threshold(tmp_path: Path) -> None:
    place = str(build(tmp_path).folder)

    first = open_steps(settings(link=(place,), min_link_score=0.5)).describe()
    second = open_steps(settings(link=(place,))).describe()

    assert first.keys() == {"vocabulary", "min link score"}
    assert second.keys() == {"vocabulary"}


def test_a_label_that_no_mention_has_is_noted(tmp_path: Path) -> None:
    steps = open_steps(settings(link=(f"Diseas={build(tmp_path).folder}",)))

    assert steps.notes({"Disease": 1, "Chemical": 2}) == [
        "no mention has the label 'Diseas' of `--vocabulary`; labels found: Chemical, Disease"
    ]
    assert (
        replace(steps, option="--link").notes({"Disease": 1})[0].startswith("no mention has the label 'Diseas' of `--l")
    )
    assert "nothing to link" in steps.notes({})[0]
    assert Steps().notes({}) == []


def test_names_then_abbreviations_then_links(tmp_path: Path) -> None:
    place = str(build(tmp_path).folder)
    steps = open_steps(settings(also_names=(f"Disease={place}",), same_abbreviations=True, link=(place,)))
    model = steps.follow(GivenMentions())

    prepared = model.prepare([Document("1", "Breast cancer (BC) and growths", (Span(23, 30, "X"),))])
    (found,) = model.finish(prepared, model.infer(prepared))

    assert [(span.start, span.label, len(span.links)) for span in found.spans] == [
        (0, "Disease", 1), (15, "Disease", 1), (23, "X", 0),
    ]  # fmt: skip
    assert {"also names", "same abbreviations", "vocabulary"} == steps.describe().keys()
    assert {"names", "names_by", "vocabulary", "linked_by"} == steps.infons.keys()


def test_names_alone_annotate_in_place_of_a_model(tmp_path: Path) -> None:
    model = NamesOnly(open_names([f"Disease={build(tmp_path).folder}"]))

    prepared = model.prepare([Document("1", "A breast cancer", (Span(0, 1, "X"),))])
    (found,) = model.finish(prepared, None)

    assert [(span.start, span.end, span.label) for span in found.spans] == [(2, 15, "Disease")]
    assert prepared.n_words == 3


def test_links_of_before_cannot_be_kept_where_a_model_finds_the_mentions() -> None:
    with pytest.raises(BadSetting, match="--keep-links is for `linnet link`"):
        open_steps(settings(keep_links=True).model_copy(update={"model": "bio"}))
