"""How outputs become predictions, whatever the task."""

from collections.abc import Sequence

import numpy as np
import pytest

from linnet.documents.texts import Answer, Output, TextExample
from linnet.metrics.texts.resampled import plain_value
from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL, REGRESSION, SPANS
from linnet.tasks.texts.kinds.answer_spans import best_answers, places_of
from linnet.tasks.texts.kinds.base import Kind
from linnet.tasks.texts.plan import TextPlan
from linnet.tasks.texts.read_texts import read_texts
from linnet.tasks.texts.settings import TextSettings
from linnet.tasks.texts.task import Decision, decide_each, metrics_of_gold
from tests import text_corpora

SETTINGS = TextSettings()
KINDS: dict[str, Kind] = {
    "relations": CLASSIFICATION,
    "classification": CLASSIFICATION,
    "several": MULTI_LABEL,
    "similarity": REGRESSION,
    "inference": CLASSIFICATION,
    "answering": SPANS,
    "yesno": CLASSIFICATION,
}


def gold_outputs(plan: TextPlan, examples: Sequence[TextExample]) -> list[Output]:
    """Return outputs that put all weight on what is right."""
    kind, labels = plan.source.kind, plan.source.labels
    if kind is SPANS:
        return [_gold_answers(plan, example) for example in examples]
    found: list[Output] = []
    for example in examples:
        own = example.gold if isinstance(example.gold, tuple) else (example.gold,)
        right = {label: float(label in own) for label in labels}
        found.append(example.gold if isinstance(example.gold, float) else right)
    return found


def _gold_answers(plan: TextPlan, example: TextExample) -> Output:
    (read,) = read_texts(plan.text_encoder, [example], method=plan.shape.method, pooling=plan.shape.pooling)
    scores = []
    for window in read.windows:
        first, last = places_of(window, example.spans, example.last)
        own = np.full((2, len(window)), -20.0, dtype=np.float32)
        own[0, first] = own[1, last] = 20.0
        scores.append(own)
    return best_answers(example.second or "", read.windows, scores, longest=100)


def test_of_classes_the_likeliest_is_chosen() -> None:
    assert CLASSIFICATION.decide({"no": 0.4, "yes": 0.6}, {}) == ("yes", 0.6)


def test_of_equally_likely_classes_the_first_is_chosen() -> None:
    assert CLASSIFICATION.decide({"no": 0.5, "yes": 0.5}, {}) == ("no", 0.5)


def test_labels_are_those_that_reach_their_threshold() -> None:
    output = {"a": 0.3, "b": 0.6, "c": 0.6}

    assert MULTI_LABEL.decide(output, {"a": 0.3, "b": 0.6, "c": 0.61}) == (("a", "b"), 0.3)


def test_a_label_without_a_threshold_needs_one_half() -> None:
    assert MULTI_LABEL.decide({"a": 0.5, "b": 0.49}, {}) == (("a",), 0.5)


def test_a_text_may_have_no_label_and_then_no_score() -> None:
    assert MULTI_LABEL.decide({"a": 0.1}, {}) == ((), None)


def test_a_number_is_itself() -> None:
    assert REGRESSION.decide(2.5, {}) == (2.5, None)


@pytest.mark.parametrize(("output", "expected"), [((Answer("p53", 0, 3, 0.7),), ("p53", 0.7)), ((), ("", None))])
def test_of_answers_the_first_is_taken(output: Output, expected: object) -> None:
    assert SPANS.decide(output, {}) == expected


def test_a_prediction_keeps_what_it_was_and_stands_in_two_lines_as_a_pair() -> None:
    examples = [TextExample("1", "A.", "B.", "yes", "d1", details={"k": "v"}), TextExample("2", "C.")]

    pair, single = decide_each(examples, [{"yes": 1.0}, {"no": 1.0}], Decision(CLASSIFICATION, {}))

    assert (pair.id, pair.text, pair.gold, pair.group, pair.details) == ("1", "A.\nB.", "yes", "d1", {"k": "v"})
    assert (single.text, single.gold, single.predicted, single.group) == ("C.", None, "no", "2")


def test_examples_without_an_output_are_an_error() -> None:
    with pytest.raises(ValueError, match="shorter"):
        decide_each([TextExample("1", "A.")], [], Decision(CLASSIFICATION, {}))


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_the_names_of_scores_are_known_before_anything_is_predicted(kind: str) -> None:
    task = text_corpora.task(kind)
    settings = text_corpora.task(kind).section(**text_corpora.OWN_SETTINGS.get(kind, {}).get("text", {}))
    examples = task.read(text_corpora.corpus(kind), settings)["test"]

    names = [metric.name for metric in metrics_of_gold(task, examples, KINDS[kind], settings)]

    first = {
        "relations": "f1",
        "classification": "macro_f1",
        "several": "document_micro_f1",
        "similarity": "pearson",
        "inference": "accuracy",
        "answering": "mrr",
        "yesno": "accuracy",
    }
    assert names[0] == first[kind]
    assert task.kind(examples, settings) == KINDS[kind]
    assert task.has_percentages == KINDS[kind].has_percentages


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_outputs_that_say_what_is_right_are_judged_as_gold_and_score_one(kind: str) -> None:
    plan = text_corpora.plan(kind)
    examples = plan.source.scored["test"]

    judged = plan.task.decide(
        examples, gold_outputs(plan, examples), Decision(plan.source.kind, {}), plan.source.settings
    )

    for each in judged:
        first = each.predicted[0] if plan.source.kind is SPANS and isinstance(each.predicted, tuple) else None
        assert each.predicted == each.gold or (isinstance(each.gold, tuple) and first in each.gold[0])
    first_metric = plan.task.metrics(judged, plan.source.settings)[0]
    assert plain_value(first_metric) == pytest.approx(1.0)
