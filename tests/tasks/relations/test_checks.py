"""What is learned from: settings and labels fit it, and it holds relations."""

from typing import Any

import pytest

from linnet.documents.texts import TextExample
from linnet.errors import BadFile, BadSetting
from linnet.tasks.relations.checks import check_training, refuse_settings_of_documents
from linnet.tasks.relations.settings import RelationSettings
from linnet.tasks.relations.unreached import SENTENCES

ROWS = [TextExample(label, "@A$ @B$", gold=label, place=f"train.tsv:{at}") for at, label in enumerate(("1", "0"), 1)]
OF_DOCUMENT = {"document": "7", "unit": "mention"}


def pair(gold: str | None, **details: str) -> TextExample:
    return TextExample("7", "a of b", gold=gold, place="train.jsonl: document '7'", details={**OF_DOCUMENT, **details})


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"negatives": 0.0}, "`text.negatives`"),
        ({"level": "document"}, "`text.level`"),
        ({"pairs": ("A-B",), "level": "document"}, "`text.pairs`, `text.level`"),
        (
            {"negatives": 0.5, "level": "document", "pairs": ("A-B",), "unit": "concept"},
            "`text.pairs`, `text.unit`, `text.level`, `text.negatives`",
        ),
    ],
)
def test_settings_of_documents_are_refused_for_tables_all_together(given: dict[str, Any], names: str) -> None:
    with pytest.raises(BadSetting, match=r"train.tsv:1: this is a table, whose pairs are marked already") as refused:
        check_training(ROWS, RelationSettings(**given))

    assert refused.value.problem.endswith(f"({names})")
    assert refused.value.remedy == f"leave {names} out, or give documents"


def test_settings_that_tables_know_are_not_refused() -> None:
    refuse_settings_of_documents("train.tsv", RelationSettings(negative="0", pooling="cls", labels=("0", "1")))
    check_training(ROWS, RelationSettings(negative="0"))
    check_training([pair("treats"), pair("none")], RelationSettings(negatives=0.5, level="document", pairs=("A-B",)))


def test_a_negative_label_that_training_does_not_have_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"`text.negative` is 'flase', which is no label of the training") as refused:
        check_training(ROWS, RelationSettings(negative="flase"))

    assert "0, 1" in refused.value.remedy


def test_a_negative_label_of_documents_need_not_be_one_of_theirs() -> None:
    check_training([pair("treats")], RelationSettings(negative="nothing"))


@pytest.mark.parametrize("gold", ["none", None])
def test_training_without_a_relation_is_refused_with_the_reasons(gold: str | None) -> None:
    with pytest.raises(BadFile, match="no pair of the 1 in the training split has a relation") as refused:
        check_training([pair(gold), pair("treats", unreached=SENTENCES)], RelationSettings())

    assert refused.value.remedy.startswith("relations of train that no pair stands for, not learned (arguments in no")
    with pytest.raises(BadFile, match="give documents with relations to learn from, each with its type"):
        check_training([pair(gold)], RelationSettings())
