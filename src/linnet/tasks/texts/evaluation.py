"""Evaluation of a model about texts, with every prediction."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from linnet.contracts import Notes, Table
from linnet.documents.counted import counted
from linnet.documents.texts import Plain, Prediction, TextExample
from linnet.errors import BadFile, UnknownName
from linnet.formats.corpus import choose_split, corpus_place
from linnet.metrics.texts.classification import per_label
from linnet.metrics.texts.grouped import over_documents
from linnet.metrics.texts.resampled import Metric, evaluate_metrics
from linnet.storage.files import new_file, read_lines
from linnet.storage.json_keys import load_json
from linnet.tasks.texts.kinds import Kind
from linnet.tasks.texts.predictor import TextPredictor, load_texts
from linnet.tasks.texts.reading.sources import check_gold
from linnet.tasks.texts.reports.tables import score_tables

__all__ = [
    "TextEvaluation",
    "documents_of",
    "evaluate_text_examples",
    "evaluate_texts",
    "find_metric",
    "prediction_from_json",
    "prediction_to_json",
    "read_text_predictions",
    "write_text_predictions",
]

SAME_ANSWER = (
    "all {:,} predictions are the same, {!r}: the model does not tell the texts apart. More epochs, another learning "
    "rate or, for labels, weights for rare ones (`--scheme isns`) can help"
)


@dataclass(frozen=True)
class TextEvaluation:
    """Scores with every answer behind them."""

    predictions: list[Prediction]
    figures: dict[str, dict[str, Any]]  # by name: value, low, high, n, unit, units, n_units
    titles: dict[str, str]
    labels: dict[str, dict[str, float | int]]  # precision, recall and F1 of each label, where there are labels
    metric: str  # the one that counts most
    task: str
    kind: Kind
    split: str | None = None  # the one that was scored, where a corpus was read
    notes: list[str] = field(default_factory=list)  # what was repaired or left out in reading

    def __repr__(self) -> str:
        where = f" on {self.split}" if self.split else ""
        value = self.main_score * (100 if self.kind.has_percentages else 1)
        texts = counted(len(self.predictions), "text")
        return f"<{type(self).__name__} {self.task}{where}: {self.metric} {value:.2f}, {texts}>"

    @property
    def main_score(self) -> float:
        """The score that counts most."""
        return float(self.figures[self.metric]["value"])

    @property
    def warnings(self) -> list[str]:
        """A warning where all predictions are the same: the scores can still be high where one label is frequent."""
        right = {each.gold for each in self.predictions if each.gold is not None}
        predicted = {each.predicted for each in self.predictions}
        return [SAME_ANSWER.format(len(self.predictions), *predicted)] if len(right) > 1 and len(predicted) == 1 else []

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "task": self.task,
            "metric": self.metric,
            "scores": self.figures,
            "labels": self.labels,
            "examples": len(self.predictions),
        }

    def tables(self) -> list[Table]:
        """Return all scores, and those of each label."""
        return score_tables(self.as_dict(), has_percentages=self.kind.has_percentages)

    def write_predictions(self, path: Path) -> None:
        """Write one prediction on each line."""
        write_text_predictions(path, self.predictions)

    def write_page(self, folder: Path, *, title: str, details: Mapping[str, str]) -> Path:
        """Write a page to browse the predictions and return its path."""
        from linnet.tasks.texts.reports.page import write_text_page

        return write_text_page(
            folder,
            title=title,
            figures=self.figures,
            titles=self.titles,
            labels=self.labels,
            predictions=self.predictions,
            kind=self.kind,
            details={**details, "task": self.task},
        )


def evaluate_texts(
    model: Path | str, corpus: Path | str, *, split: str | None = None, repair: bool = False, threads: int | None = None
) -> TextEvaluation:
    """Return how good a saved model is on a split of a corpus.

    The split is `test` if not given; a single file, or a folder of documents, is scored whole.

    Raises:
        LinnetError: where the corpus lacks the split, has no gold, or has labels that the model does
            not know.
    """
    predictor, notes = load_texts(model, threads=threads), Notes()
    place = corpus_place(corpus)
    splits = predictor.task.read(place, predictor.settings, notes, repair=repair)
    chosen = choose_split(splits, split, place)
    kind, columns = predictor.shape.kind, predictor.settings.columns
    check_gold({chosen: splits[chosen]}, str(corpus), notes, kind=kind, columns=columns)
    predictor.check_labels(splits[chosen])
    found = evaluate_text_examples(predictor, splits[chosen])
    return replace(found, split=chosen, notes=notes.sentences())


def evaluate_text_examples(
    predictor: TextPredictor, examples: Sequence[TextExample], *, metric: str | None = None, n_resamples: int = 1000
) -> TextEvaluation:
    """Return how good the predictor is on these examples, every one of which is answered.

    Args:
        predictor: of the model.
        examples: with what is right.
        metric: the score that counts most; the task's first if not given.
        n_resamples: how often units are drawn for the intervals.
    """
    predictions = predictor.predict_examples(examples)
    found = predictor.task.metrics(predictions, predictor.settings)
    values = evaluate_metrics(found, n_resamples=n_resamples, drawn=over_documents(found, documents_of(predictions)))
    by_name = {each.name: {**asdict(values[each.name]), "unit": each.unit} for each in found}
    labels = _by_label(predictions) if predictor.shape.kind.has_labels else {}
    main = find_metric(found, metric).name
    return TextEvaluation(
        predictions=predictions,
        figures=by_name,
        titles={each.name: each.title for each in found},
        labels=labels,
        metric=main,
        task=predictor.task.name,
        kind=predictor.shape.kind,
    )


def find_metric(metrics: Sequence[Metric], name: str | None) -> Metric:
    """Return the score of this name, the first where none is given."""
    found = {metric.name: metric for metric in metrics}
    if name is not None and name not in found:
        raise UnknownName(f"there is no score called {name!r} here", f"there are {', '.join(found)}")
    return metrics[0] if name is None else found[name]


def documents_of(predictions: Sequence[Prediction]) -> list[str]:
    """Return the document of each prediction that is scored, which is the text itself where it has none."""
    return [each.group or each.id for each in predictions if each.gold is not None]


def write_text_predictions(path: Path, predictions: Sequence[Prediction]) -> None:
    """Write one answer on each line: what scores can be computed from again."""
    with new_file(path) as file:
        for each in predictions:
            file.write(json.dumps(prediction_to_json(each), ensure_ascii=False) + "\n")


def prediction_to_json(prediction: Prediction) -> dict[str, Any]:
    """Return a prediction as plain values."""
    return {
        "id": prediction.id,
        "group": prediction.group,
        "text": prediction.text,
        "gold": prediction.gold,
        "predicted": prediction.predicted,
        "score": prediction.score,
        "details": dict(prediction.details),
        **({"scores": dict(prediction.scores)} if prediction.scores else {}),
    }


def prediction_from_json(row: Mapping[str, Any]) -> Prediction:
    """Return what `prediction_to_json` gave; raises what a row that is none lets it raise."""
    gold, predicted = _from_json(row["gold"]), _from_json(row["predicted"])
    assert predicted is not None
    return Prediction(
        id=row["id"],
        text=row["text"],
        gold=gold,
        predicted=predicted,
        group=row["group"],
        score=row.get("score"),
        details=row.get("details", {}),
        scores=row.get("scores", {}),
    )


def read_text_predictions(path: Path) -> list[Prediction]:
    """Return what `write_text_predictions` wrote."""
    found = []
    for number, line in read_lines(path):
        try:
            found.append(prediction_from_json(load_json(line)))
        except (ValueError, KeyError, TypeError, AssertionError, RecursionError) as error:
            raise BadFile(f"{path}:{number}: this is no prediction ({error!r})", "evaluate the model again") from None
    return found


def _by_label(predictions: Sequence[Prediction]) -> dict[str, dict[str, float | int]]:
    known = [each for each in predictions if each.gold is not None]
    gold: list[Any] = [each.gold for each in known]
    return per_label(gold, [each.predicted for each in known])  # type: ignore[misc]  # all of one kind


def _from_json(value: Any) -> Plain | None:
    """Return lists as tuples, all the way down."""
    found: Plain | None = tuple(_from_json(each) for each in value) if isinstance(value, list) else value  # type: ignore[assignment]
    return found
