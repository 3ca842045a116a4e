"""A task of one's own: how strong a claim does a sentence make? Its labels have an order, and its scores respect it."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Literal

from pydantic import Field

import linnet
from linnet.contracts import Notes, tasks
from linnet.documents.texts import Output, Prediction, TextExample
from linnet.errors import BadFile
from linnet.metrics.texts.resampled import Metric, mean_metric
from linnet.tasks.texts.reading.tables import Row, read_rows, split_files
from linnet.tasks.texts.settings import TextSettings
from linnet.tasks.texts.task import Decision, TextTask

GRADES = ("none", "correlational", "conditional", "causal")  # after Yu et al. 2019, the weakest claim first
LAYOUTS = (("text", "label"), ("text",))  # columns of a table; a model can predict labels for one without them


class ClaimSettings(TextSettings):
    """The section `text` of its recipes: the settings of every task about texts, and one of its own."""

    decision: Literal["likeliest", "median"] = Field(
        "likeliest", description="Predict the likeliest grade, or the median grade, which is less often far off."
    )


class ClaimStrength(TextTask[ClaimSettings]):
    """One of four grades for each sentence."""

    name = "claim-strength"
    description = "strength of claims: none, correlational, conditional or causal, for each sentence"
    pooling = "mean"  # what stands for a sentence, where the recipe does not say
    section = ClaimSettings

    def read(
        self, place: Path, settings: ClaimSettings, notes: Notes | None = None, *, repair: bool = False
    ) -> dict[str, list[TextExample]]:
        """Return the sentences of each split."""
        files = split_files(place, settings.files, notes)
        rows = {
            name: [row for path in paths for row in read_rows(path, LAYOUTS, settings.columns)]
            for name, paths in files.items()
        }
        return {name: [read_row(number, row) for number, row in enumerate(own, 1)] for name, own in rows.items()}

    def decide(
        self, examples: Sequence[TextExample], outputs: Sequence[Output], decision: Decision, settings: ClaimSettings
    ) -> list[Prediction]:
        """Return each sentence with its predicted grade: here the setting has its effect."""
        predictions = super().decide(examples, outputs, decision, settings)
        if settings.decision == "likeliest":
            return predictions
        return [replace(each, predicted=median(output)) for each, output in zip(predictions, outputs, strict=True)]

    def metrics(self, predictions: Sequence[Prediction], settings: ClaimSettings) -> list[Metric]:
        """Return closeness (1 for the right grade, 0 for the opposite end of the scale), then accuracy."""
        steps = [abs(GRADES.index(str(each.gold)) - GRADES.index(str(each.predicted))) for each in predictions]
        return [
            mean_metric("closeness", "closeness", "examples", [1 - step / (len(GRADES) - 1) for step in steps]),
            mean_metric("accuracy", "accuracy", "examples", [float(step == 0) for step in steps]),
        ]


def read_row(number: int, row: Row) -> TextExample:
    """Return a row of a table as an example; without a label its gold is None."""
    grade = row.values.get("label")
    if grade not in (None, *GRADES):
        raise BadFile(f"{row.place}: the label is {grade!r}", f"use one of {', '.join(GRADES)}")
    return TextExample(str(number), row.filled_text("text"), gold=grade, place=row.place)


def median(output: Output) -> str:
    """Return the first grade at which half of the probability is reached."""
    assert isinstance(output, Mapping)  # a probability for each label, as in every classification
    reached = accumulate(output.get(grade, 0.0) for grade in GRADES)
    return next(grade for grade, share in zip(GRADES, reached, strict=True) if share >= 0.5)


CLAIM_STRENGTH = tasks.register("claim-strength")(ClaimStrength())

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        run = linnet.train(
            task="claim-strength",
            data="docs/examples/claims",
            output=f"{folder}/run",
            encoder="minilm",
            text={"decision": "median"},
            epochs=6,
            batch_size=4,
        )
        print(run.metrics["metric"], run.metrics["scores"]["closeness"]["value"])
        for answer in linnet.load(run.folder).predict(["Garlic may lower cholesterol.", "Garlic lowered cholesterol."]):
            print(answer.predicted, "|", answer.text)
