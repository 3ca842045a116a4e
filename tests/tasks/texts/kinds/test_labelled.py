"""Labels of classification and multi-label classification: those of training, in reports and on pages."""

import pytest

from linnet.documents.texts import Prediction, TextExample
from linnet.errors import BadSetting
from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL
from linnet.tasks.texts.kinds.labelled import MOST_NAMED, list_labels


def example(gold: str | tuple[str, ...], place: str = "") -> TextExample:
    return TextExample("1", "text", gold=gold, place=place)


def test_the_labels_are_those_of_training_in_alphabetical_order() -> None:
    assert CLASSIFICATION.labels([example("b"), example("a"), example("b")], {}) == ("a", "b")
    assert MULTI_LABEL.labels([example(("b", "a")), example(())], {}) == ("a", "b")


def test_one_label_is_enough_only_where_a_text_may_have_none() -> None:
    assert MULTI_LABEL.labels([example(("a",)), example(())], {}) == ("a",)
    with pytest.raises(BadSetting, match="the training split has 1 label: a"):
        CLASSIFICATION.labels([example("a")], {})


def test_a_label_that_training_lacks_is_refused_with_its_place() -> None:
    training = [example("a"), example("b")]

    with pytest.raises(BadSetting, match=r"the test split has labels that training does not have: 'c' \(t.tsv:3\)"):
        CLASSIFICATION.labels(training, {"test": [example("c", "t.tsv:3")]})


def test_the_report_ranks_pairs_of_labels_by_how_many_mistakes_they_have() -> None:
    rows = [("a", "b"), ("b", "a"), ("b", "a"), ("a", "a"), (None, "a")]
    predictions = [Prediction(str(at), "text", gold, predicted) for at, (gold, predicted) in enumerate(rows)]

    found = list(CLASSIFICATION.mistake_sections(predictions))

    assert found[1].startswith("3 of 4 examples are wrong")
    assert [each for each in found if each.startswith("###")] == ["### b → a", "### a → b"]


def test_the_page_knows_labels_of_training_and_others_that_occur() -> None:
    predictions = [Prediction("1", "text", ("z",), ("a",))]

    assert MULTI_LABEL.page_labels({"b": {}, "a": {}}, predictions) == ["b", "a", "z"]
    assert MULTI_LABEL.page_answer(("z", "a"), {"a": 1, "z": 2}) == [2, 1]


def test_very_many_labels_are_not_all_listed() -> None:
    found = list_labels([f"label{number}" for number in range(MOST_NAMED + 2)])

    assert found.endswith("and 2 more")
    assert f"label{MOST_NAMED}" not in found
