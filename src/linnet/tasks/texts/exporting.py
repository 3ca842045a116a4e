"""A model about texts that is written as ONNX, and the check that it still predicts the same."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from linnet.contracts import LossInterval
from linnet.contracts.export import DIFFER, describe_loss
from linnet.documents.counted import counted
from linnet.documents.texts import TextExample
from linnet.formats.corpus import choose_split, corpus_place, read_corpus
from linnet.metrics.texts.grouped import over_documents
from linnet.metrics.texts.resampled import Metric, paired_interval, plain_value
from linnet.models.tokenizer_file import TOKENIZER
from linnet.tasks.texts.evaluation import documents_of
from linnet.tasks.texts.networks.engines import INPUTS
from linnet.tasks.texts.predictor import TextPredictor, load_texts
from linnet.tasks.texts.reading.sources import check_gold, fingerprint
from linnet.tasks.texts.reading.unreached import candidates_in

__all__ = ["ExportableTextModel", "TextParity", "embedded_texts", "open_exportable"]

N_WINDOWS, N_TOKENS = 3, 17  # of the batch that is traced; two different numbers above one
N_MARKS = 2
MOST_TEXTS = 60  # of the embedded corpus


@dataclass(frozen=True)
class TextParity:
    """How far an exported model agrees with the original."""

    examples: int
    equal: int  # examples with the same prediction
    largest_difference: float  # between two scores of a window
    metric: str = ""
    score: float | None = None  # of the original, where gold is known
    exported_score: float | None = None
    loss_interval: LossInterval | None = None

    @property
    def n_compared(self) -> int:
        """How many examples were compared."""
        return self.examples

    @property
    def n_different(self) -> int:
        """How many have another prediction."""
        return self.examples - self.equal

    @property
    def points_lost(self) -> float | None:
        """How many points the exported model is below the original; negative where it is above."""
        if self.score is None or self.exported_score is None:
            return None
        return 100 * (self.score - self.exported_score)

    @property
    def unit(self) -> str:
        """What was compared."""
        return "texts"

    @property
    def notes(self) -> tuple[str, ...]:
        """No remarks: a score of zero means something else for each metric."""
        return ()

    def sentences(self) -> list[str]:
        """Return what commands print."""
        lines = [
            f"same prediction for {self.equal:,} of {counted(self.examples, 'text')}; "
            f"{DIFFER} {self.largest_difference:.2g}"
        ]
        if self.score is not None and self.exported_score is not None:
            lost = describe_loss(self.points_lost, self.loss_interval)
            lines.append(f"{self.metric}: {100 * self.score:.2f} before, {100 * self.exported_score:.2f} after{lost}")
        return lines

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "examples": self.examples,
            "equal_predictions": self.equal / self.examples if self.examples else 1.0,
            "largest_difference": self.largest_difference,
            "metric": self.metric,
            "score": self.score,
            "exported_score": self.exported_score,
            "points_lost": self.points_lost,
            **({} if self.loss_interval is None else self.loss_interval.as_dict()),
        }

    def as_record(self) -> dict[str, Any]:
        """Return all fields as JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class ExportableTextModel:
    """A model about texts, ready to be written as ONNX."""

    folder: Path
    predictor: TextPredictor
    examples: list[TextExample] | None  # of the corpus to check on; the embedded texts if None
    files: tuple[str, ...] = ("config.json", TOKENIZER)
    notes: tuple[str, ...] = ()

    @property
    def corpus_fingerprint(self) -> str:
        """A digest of the texts and gold that it is checked on."""
        return fingerprint(self.examples or ())

    def network(self) -> Any:
        """Return the network as a function of four tensors to one."""
        from linnet.tasks.texts.networks.network import open_text_network
        from linnet.tasks.texts.networks.traced import TextScores

        labels = self.predictor.output_facts.labels
        # plain operations in place of a fused attention: ONNX Runtime and the quantiser know them
        return TextScores(open_text_network(self.folder, self.predictor.shape, labels, attention="eager"))

    def inputs(self) -> dict[str, Any]:
        """Return an example batch."""
        import torch

        ids = torch.ones((N_WINDOWS, N_TOKENS), dtype=torch.int64)
        marks = torch.ones((N_WINDOWS, N_MARKS), dtype=torch.int64)
        return dict(zip(INPUTS, (ids, torch.ones_like(ids), torch.zeros_like(ids), marks), strict=True))

    def axes(self) -> dict[str, dict[int, str]]:
        """Return that windows and tokens may be any number; there are two marks."""
        return {name: {0: "windows"} if name == "marks" else {0: "windows", 1: "tokens"} for name in INPUTS}

    def compare(self, exported: Path) -> TextParity:
        """Return how far the exported folder agrees with the original."""
        has_gold = self.examples is not None
        examples = self.examples if self.examples is not None else embedded_texts(self.predictor)
        return compare_predictors(self.predictor, load_texts(exported, engine="onnx"), examples, has_gold=has_gold)

    def restore(self, record: Mapping[str, Any]) -> TextParity:
        """Return the comparison that an earlier export has kept."""
        interval = record["loss_interval"]
        return TextParity(**{**record, "loss_interval": None if interval is None else LossInterval(**interval)})


def open_exportable(folder: Path, *, check: str | Path | None, split: str, repair: bool) -> ExportableTextModel:
    """Open a model about texts, with the corpus that it is compared on.

    Raises:
        LinnetError: where the corpus lacks the split, has no gold, or has labels that the model does not know.
    """
    from linnet.contracts import Notes

    predictor, notes = load_texts(folder, engine="torch", device="cpu"), Notes()
    if check is None:
        return ExportableTextModel(folder, predictor, None)
    place = corpus_place(check)
    splits = predictor.task.read(place, predictor.settings, notes, repair=repair)
    chosen = next(iter(splits)) if len(splits) == 1 else choose_split(splits, split, place)
    check_gold({chosen: splits[chosen]}, str(check), notes, kind=predictor.shape.kind)
    predictor.check_labels(splits[chosen])
    return ExportableTextModel(folder, predictor, splits[chosen], notes=tuple(notes.sentences()))


def embedded_texts(predictor: TextPredictor) -> list[TextExample]:
    """Return texts of the embedded corpus as the task reads them, pairs where it needs pairs, and one long text."""
    texts = [document.text for document in read_corpus("demo").test][:MOST_TEXTS]
    texts.append(" ".join(texts[:8]))  # longer than a window
    is_pair = predictor.task.needs_pairs or predictor.shape.kind.has_positions
    words = [text.split() for text in texts]
    return [
        TextExample(
            id=str(number),
            first=text.split(". ")[0] if is_pair else text,
            second=text if is_pair else None,
            spans=((0, len(found[0])), (len(found[0]) + 1, len(found[0]) + 1 + len(found[1]))),
        )
        for number, (text, found) in enumerate(zip(texts, words, strict=True), 1)
    ]


def compare_predictors(
    original: TextPredictor, exported: TextPredictor, examples: Sequence[TextExample], *, has_gold: bool
) -> TextParity:
    """Return how far two predictors agree on these examples, and where gold is known how good each is."""
    asked = candidates_in(examples)
    first, second = list(original.scores(asked)), list(exported.scores(asked))
    largest = 0.0
    for (_, _, ours), (_, _, theirs) in zip(first, second, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            # a score that is no number differs from everything
            difference = np.nan_to_num(np.abs(one - other), nan=np.inf)
            largest = max(largest, float(difference.max(initial=0.0)))
    kind, thresholds = original.shape.kind, original.output_facts.thresholds
    pairs = [
        [kind.decide(predictor.output(*each), thresholds)[0] for each in found]
        for predictor, found in ((original, first), (exported, second))
    ]
    equal = sum(kind.is_same(one, other) for one, other in zip(*pairs, strict=True))
    if not has_gold:
        return TextParity(len(asked), equal, largest)
    scores = [_score(predictor, examples) for predictor in (original, exported)]
    return TextParity(
        examples=len(asked),
        equal=equal,
        largest_difference=largest,
        metric=scores[0].title,
        score=plain_value(scores[0]),
        exported_score=plain_value(scores[1]),
        loss_interval=_compute_interval(*scores),
    )


def _score(predictor: TextPredictor, examples: Sequence[TextExample]) -> Metric:
    """Return the main score, with documents as units where there are some."""
    predictions = predictor.predict_examples(examples)
    metrics = predictor.task.metrics(predictions, predictor.settings)
    return over_documents(metrics, documents_of(predictions))[0]


def _compute_interval(original: Metric, exported: Metric) -> LossInterval | None:
    """Return the interval of the points that the exported model loses on the same units."""
    interval = paired_interval(exported, original)
    if interval is None:
        return None
    low, high = interval
    return LossInterval(low=100 * low, high=100 * high, units=original.unit, n_units=original.n_units)
