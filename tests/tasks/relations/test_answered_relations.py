"""Files to be answered: their names do not matter, their form does, and no answer that says nothing is written."""

from pathlib import Path

import pytest

from linnet.contracts import WriteOptions, formats
from linnet.documents.document import Argument, Document, Relation, Span
from linnet.documents.texts import Prediction
from linnet.errors import BadSetting
from linnet.tasks.relations.settings import RelationSettings
from linnet.tasks.relations.task import Relations

TASK = Relations()
SETTINGS = RelationSettings()
ROW = "@GENE$ in @DISEASE$\t1\n"
TEXT = "Aspirin causes ataxia."
SPANS = (Span(0, 7, "Chemical", id="T1"), Span(15, 21, "Disease", id="T2"))
RELATION = Relation("CID", (Argument("Arg1", "T1"), Argument("Arg2", "T2")), "R1")


def write_documents(path: Path, *relations: Relation) -> Path:
    formats.get("jsonl").write([Document("9", TEXT, SPANS, relations)], path, WriteOptions())
    return path


def test_a_model_that_learned_from_tables_refuses_documents(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("@A$ @B$\t1\n@A$ @C$\t0\n", encoding="utf-8")
    path = write_documents(tmp_path / "new.jsonl", RELATION)
    model = TASK.complete_settings(SETTINGS, TASK.read(tmp_path / "train.tsv", SETTINGS)["train"])

    with pytest.raises(BadSetting, match=r"new.jsonl: holds documents, but the model has learned from tables") as bad:
        TASK.read(path, RelationSettings(**model.model_dump(mode="json", exclude_none=True)))  # as it is saved
    assert bad.value.remedy.startswith("give tables as those of training, or a model")
    assert len(TASK.read(tmp_path / "train.tsv", model)["train"]) == 2


def test_a_model_that_learned_from_documents_refuses_tables(tmp_path: Path) -> None:
    path = write_documents(tmp_path / "train.jsonl", RELATION)
    (tmp_path / "new.tsv").write_text(ROW, encoding="utf-8")
    model = TASK.complete_settings(SETTINGS, TASK.read(path, SETTINGS)["train"])

    with pytest.raises(BadSetting, match=r"new.tsv: holds a table, but the model has learned from documents") as bad:
        TASK.read(tmp_path / "new.tsv", model)
    assert bad.value.remedy.startswith("give documents as those of training, or a model")


def test_a_recipe_that_says_which_types_to_pair_is_for_documents(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text(ROW, encoding="utf-8")

    with pytest.raises(BadSetting, match=r"train.tsv: this is a table, .* is set \(`text.pairs`, `text.level`\)"):
        TASK.read(tmp_path, RelationSettings(pairs=("A-B",), level="document"))


@pytest.mark.parametrize("name", ["strains.tsv", "train.tsv", "devices.tsv"])
def test_texts_to_be_answered_may_have_any_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("@GENE$ in @DISEASE$\n", encoding="utf-8")

    ((found,),) = TASK.read(tmp_path / name, RelationSettings(negative="other")).values()

    assert found.gold is None


@pytest.mark.parametrize("name", ["strains.jsonl", "new.jsonl"])
def test_documents_to_be_answered_may_have_any_name_and_lack_types_of_the_model(tmp_path: Path, name: str) -> None:
    write_documents(tmp_path / name)
    model = RelationSettings(pairs=("Chemical-Disease", "Chemical-Gene"), unit="mention", labels=("CID", "none"))

    ((found,),) = TASK.read(tmp_path / name, model).values()

    assert (found.id, found.gold) == ("9:T1-T2", None)


def test_every_answer_that_says_nothing_stays_out_of_the_documents(tmp_path: Path) -> None:
    path = write_documents(tmp_path / "new.jsonl", RELATION)
    (example,) = TASK.read(path, SETTINGS)["all"]

    found = {
        label: TASK.with_predictions(path, [Prediction("1", "", None, label, details=example.details)], SETTINGS)[
            0
        ].relations
        for label in ("none", "DDI-false", "0", "CID")
    }

    assert [label for label, relations in found.items() if relations] == ["CID"]
