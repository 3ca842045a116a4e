"""Tables of the embedded models."""

from dataclasses import replace

from linnet.cli.display.models import model_table, score_tables
from linnet.models.embedded import EmbeddedModel
from tests.embedded import SCORES

MODEL = EmbeddedModel(
    name="bio",
    version="1.0.0",
    description="",
    licence="Apache-2.0",
    labels=("Disease",),
    scores=tuple(SCORES),
    words_per_second=6500.0,
    n_bytes=22_900_000,
)


def test_a_row_has_score_speed_size_and_licence() -> None:
    cells = [list(column.cells) for column in model_table([MODEL]).columns]

    assert [cell for (cell,) in cells] == [
        "bio", "1.0.0", "90.0 (85.0-93.0) (tiny test)", "6,500", "22.9", "Apache-2.0", "Disease",
    ]  # fmt: skip


def test_a_model_without_scores_has_empty_cells_and_no_table_of_scores() -> None:
    plain = replace(MODEL, scores=(), words_per_second=None)

    cells = [list(column.cells) for column in model_table([plain]).columns]

    assert [cell for (cell,) in cells][2:4] == ["", ""]
    assert score_tables([plain]) == []
    assert len(score_tables([MODEL])) == 1
