"""The model card of an embedded model."""

from pathlib import Path

from linnet.export.release_card import write_release_card
from linnet.models.model_folder import read_facts
from tests import tiny
from tests.embedded import RELEASE, SCORES


def test_it_has_scores_by_role_and_the_weaknesses(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("## Known weaknesses\n\nNone is known.\n", encoding="utf-8")
    rows = [{**row, "precision": 0.91, "recall": 0.89, "gold": 1200} for row in SCORES]
    other = {**rows[0], "corpus": "other", "role": "cross-corpus", "f1_low": None}

    write_release_card(
        tmp_path / "card.md",
        {**RELEASE, "scores": [*rows, other]},
        read_facts(tiny.trained()),
        tiny.trained(),
        notes=str(notes),
    )

    card = (tmp_path / "card.md").read_text(encoding="utf-8")
    assert "| tiny test | all | 90.0 | 85.0-93.0 | 91.0 | 89.0 | 1,200 | 8 documents |" in card
    assert "## Scores, cross-corpus" in card
    assert "| other test | all | 90.0 |  | 91.0 |" in card
    assert "None is known." in card
    assert "Entity types: Chemical, Disease." in card
