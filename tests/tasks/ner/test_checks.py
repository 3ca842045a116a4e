"""Settings of a tagger that cannot work, found without corpus and encoder."""

from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadSetting, LinnetError
from linnet.settings.training import LossSettings
from linnet.tasks.ner.checks import check_settings, loss_problems, name_corpora, settings_problems
from tests import tiny
from tests.tasks.ner import several


def test_ordinary_settings_have_no_problem() -> None:
    check_settings(tiny.settings(Path("unused")))


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"loss": {"scheme": "wellt"}}, "wellt"),
        ({"selection": {"matching": "stricct"}}, "stricct"),
        ({"selection": {"metric": "f1"}}, "selection.metric"),
        ({"partial_labels": True}, "partial_labels"),
        ({"sample_documents": True}, "sample_documents is true, but nothing is sampled"),
        ({"distill": {"teachers": ["a"], "texts": ["b"]}, "loss": {"name": "crf"}}, "a CRF scores rows of tags"),
    ],
)
def test_a_problem_is_found_without_a_corpus(given: dict[str, Any], problem: str) -> None:
    (found,) = settings_problems(tiny.settings(Path("unused"), data="nowhere", **given))

    assert problem in found.problem


def test_all_problems_are_reported_together() -> None:
    settings = tiny.settings(Path("unused"), loss={"scheme": "wellt"}, selection={"matching": "stricct"})

    with pytest.raises(LinnetError, match=r"(?s)wellt.*stricct"):
        check_settings(settings)


def test_given_weights_wait_for_the_tags_of_the_corpus() -> None:
    settings = tiny.settings(Path("unused"))

    assert loss_problems(LossSettings(weights={"B-Gene": 2.0}), settings) == []
    assert len(loss_problems(LossSettings(name="crf", scheme="ins"), settings)) == 1


def test_a_problem_names_its_corpora_once_and_only_where_there_are_several() -> None:
    joint, single = tiny.settings(Path("unused"), **several.joint()), tiny.settings(Path("unused"))
    problem = BadSetting("it is empty", "fill it")

    assert name_corpora(problem, single, "a") is problem
    named = name_corpora(problem, joint, "a")
    assert (named.problem, named.remedy) == ("corpus 'a': it is empty", "fill it")
    assert name_corpora(named, joint, "a") is named
    assert name_corpora(problem, joint, "a", "b").problem == "corpora 'a', 'b': it is empty"
