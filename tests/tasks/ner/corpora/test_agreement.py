"""Label sets of heads: corpora that share one must agree, unless their labels are partial."""

from pathlib import Path
from typing import Any

from linnet.errors import LinnetError
from linnet.labels.label_set import LabelSet
from linnet.tasks.ner.corpora.agreement import label_sets_of, unannotated_tags
from linnet.tasks.ner.corpora.sources import Source, read_sources
from tests import tiny
from tests.tasks.ner import several


def agree(**given: Any) -> tuple[list[Source], dict[str, LabelSet], list[LinnetError]]:
    settings = tiny.settings(Path("unused"), **several.joint(**given))
    sources, unreadable = read_sources(settings)
    assert unreadable == []
    return sources, *label_sets_of(sources, settings)


def shared(**given: Any) -> list[dict[str, Any]]:
    return [{**each, "head": "one"} for each in several.members(**given)]


def test_each_head_learns_the_labels_of_its_corpora() -> None:
    _, heads, problems = agree()

    assert {name: head.labels for name, head in heads.items()} == {
        "diseases": ["Disease"],
        "chemicals": ["Chemical"],
    }
    assert problems == []


def test_corpora_with_different_labels_cannot_share_a_head() -> None:
    _, heads, (problem,) = agree(corpora=shared())

    assert heads == {}
    assert problem.problem.endswith("share the head 'one': diseases has Disease; chemicals has Chemical")


def test_with_partial_labels_a_head_learns_all_and_the_o_of_a_corpus_leaves_the_others_open() -> None:
    (target, auxiliary), heads, problems = agree(corpora=shared(), partial_labels=True)

    assert problems == []
    assert sorted(heads["one"].labels) == ["Chemical", "Disease"]
    assert unannotated_tags(target, heads["one"]) == ("B-Chemical", "I-Chemical")
    assert unannotated_tags(auxiliary, heads["one"]) == ("B-Disease", "I-Disease")


def test_names_that_differ_in_case_only_are_refused() -> None:
    _, _, (problem,) = agree(corpora=shared(map={"Chemical": "disease"}), partial_labels=True)

    assert "would learn 'Disease' and 'disease' as two labels" in problem.problem
