"""Training plan of a model about texts: its network, loss, batches and score on devel."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from linnet.batches.text_windows import TextEncoder, collate_texts
from linnet.contracts import Loss
from linnet.documents.texts import Output, Prediction, TextExample
from linnet.errors import BadSetting, LinnetError, problems_of, refuse
from linnet.losses.weighting import Weighting
from linnet.metrics.texts.resampled import Metric, plain_value
from linnet.models.encoders import Encoder, find_encoder
from linnet.tasks.texts.checks import refused_settings
from linnet.tasks.texts.evaluation import find_metric
from linnet.tasks.texts.networks.engines import TorchTextEngine, tensors
from linnet.tasks.texts.networks.network import TextNetwork, fresh_text_network
from linnet.tasks.texts.networks.shape import Shape
from linnet.tasks.texts.predictor import OutputFacts, TextPredictor
from linnet.tasks.texts.read_texts import LabelledText, ReadText, ScoredText, read_texts
from linnet.tasks.texts.reading.known_labels import labels_of
from linnet.tasks.texts.reading.sources import TextSource, read_text_source
from linnet.tasks.texts.reading.unreached import is_unreached
from linnet.tasks.texts.results import finish_text_run
from linnet.tasks.texts.settings import TextTrainSettings
from linnet.tasks.texts.task import TextTask, metrics_of_gold
from linnet.tasks.texts.thresholds import tune_thresholds
from linnet.training.checks import check_encoder, common_problems
from linnet.training.devel_loss import Batch, loss_of_batches
from linnet.training.history import DEVEL_SCORE, History, Measured
from linnet.training.job import Job, Watcher
from linnet.training.network import CorpusLoss, NetworkWithLosses, freeze_lower_layers, merge_adapters, with_adapters
from linnet.training.updates.dropout import draw_dropout_from_bits
from linnet.training.updates.trained_embeddings import restore_embeddings, train_only_seen

__all__ = ["TextPlan", "prepare_texts"]

CORPUS = "texts"  # there is one corpus, and the trainer wants a name


@dataclass(frozen=True)
class TextPlan:
    """The training of a network about texts: everything is read and checked, no network is loaded yet."""

    settings: TextTrainSettings
    task: TextTask[Any]
    source: TextSource
    shape: Shape
    weighting: Weighting
    loss: Loss
    encoder: Encoder
    text_encoder: TextEncoder
    examples: list[LabelledText]

    def changed(self, settings: TextTrainSettings) -> "TextPlan":
        """Return the same plan with other settings of the optimiser."""
        return replace(self, settings=settings)

    def build(self) -> NetworkWithLosses:
        """Return the network with its loss; the caller has seeded."""
        optimiser = self.settings.optimiser
        network = fresh_text_network(
            self.encoder,
            self.shape,
            self.source.labels,
            dropout=optimiser.dropout,
            attention_dropout=optimiser.attention_dropout,
        )
        if self.settings.lora is not None:
            network.inner = with_adapters(network.inner, self.settings.lora)
        freeze_lower_layers(network, optimiser.freeze_layers)
        seen = {number for each in self.examples for window in each.read.windows for number in window.ids}
        train_only_seen(network, {*seen, self.text_encoder.pad_id})
        draw_dropout_from_bits(network)
        return NetworkWithLosses(network, {CORPUS: CorpusLoss("", self.loss)})

    def jobs(self, model: NetworkWithLosses, folder: Path, watcher: Watcher) -> Iterator[Job]:
        """Yield the one stage of the training."""
        settings = self.settings
        yield Job(
            model=model,
            corpora=[self.examples],
            pad_id=self.text_encoder.pad_id,
            folder=folder,
            evaluate=lambda: self.measure(model),
            watcher=watcher,
            optimiser=settings.optimiser,
            seed=settings.seed,
            checkpoint_minutes=settings.checkpoint_minutes,
            patience=settings.selection.patience,
            tracker=settings.tracker,
            collate=collate,
            score=DEVEL_SCORE,
        )

    def finish(self, output: Path, model: NetworkWithLosses, history: History) -> None:
        """Evaluate the trained network and fill the run folder."""
        network = _network_of(model)
        network.inner = merge_adapters(network.inner)
        restore_embeddings(network)
        finish_text_run(output, self, network, self.predictor(model, tuned=True), history)

    def predictor(self, model: NetworkWithLosses, *, tuned: bool = False) -> TextPredictor:
        """Return a predictor over the network as it is now, its thresholds tuned on devel where it has any."""
        network, source = _network_of(model), self.source
        output_facts = OutputFacts(source.labels, self._given_thresholds(), source.scale)
        engine = TorchTextEngine(network)
        found = TextPredictor(engine, self.shape, self.text_encoder, self.task, output_facts, source.settings)
        devel = source.scored.get("devel", [])
        if tuned and self._has_thresholds_to_tune(devel):
            found.output_facts = self._tune(output_facts, devel, list(found.outputs(devel)))
        return found

    def measure(self, model: NetworkWithLosses) -> Measured:
        """Return the score by which the epoch is chosen, higher is better, and the loss; nothing where none is."""
        devel = self.source.scored.get("devel", [])
        if self.settings.train_on != "train" or not devel:
            return Measured()
        predictor = self.predictor(model)
        scored = list(predictor.scores(devel))  # once, for the loss, the thresholds and the score
        outputs = [predictor.output(*each) for each in scored]
        predictor.output_facts = self._tune(predictor.output_facts, devel, outputs)
        predictions = self.task.decide(devel, outputs, predictor.decision, predictor.settings)
        chosen = self.chosen_metric(predictions)
        value = plain_value(chosen) if chosen.higher_is_better else -plain_value(chosen)
        return Measured(value, loss_of_batches(model, self._batches(scored)))

    def _batches(self, scored: Sequence[ScoredText]) -> Iterator[Batch]:
        """Yield the examples that are like those of training: asked, with a known answer, and with one if it must."""
        known = [each for each in scored if self._is_like_training(each[0])]
        labelled = label_texts(self.source, [example for example, _, _ in known], [read for _, read, _ in known])
        yield from self.source.kind.devel_batches(known, [each.target for each in labelled], self.shape)

    def _is_like_training(self, example: TextExample) -> bool:
        is_known = example.gold is not None and not is_unreached(example)
        return is_known and self.task.is_learnable(example, self.settings.text)

    def chosen_metric(self, predictions: Sequence[Prediction]) -> Metric:
        """Return the score that the recipe, or else the task, puts first."""
        return find_metric(self.task.metrics(predictions, self.source.settings), self.settings.selection.metric)

    def _given_thresholds(self) -> dict[str, float]:
        threshold = self.settings.text.threshold
        if not self.source.kind.has_thresholds or threshold is None:
            return {}
        return dict.fromkeys(self.source.labels, threshold)

    def _has_thresholds_to_tune(self, devel: Sequence[TextExample]) -> bool:
        return bool(devel) and self.source.kind.has_thresholds and self.settings.text.threshold is None

    def _tune(self, output_facts: OutputFacts, devel: Sequence[TextExample], outputs: Sequence[Output]) -> OutputFacts:
        """Return the same with the thresholds that fit devel best, where there are any to tune."""
        if not self._has_thresholds_to_tune(devel):
            return output_facts
        shares: Any = outputs  # of labels, these are probabilities
        groups = [self.task.label_group(each) for each in devel]
        found = tune_thresholds(shares, [labels_of(each) for each in devel], self.source.labels, groups=groups)
        return replace(output_facts, thresholds=found)


def prepare_texts(settings: TextTrainSettings, task: TextTask[Any]) -> TextPlan:
    """Read and check everything that can be checked before a network is loaded.

    Raises:
        BadSetting: with all problems of the settings together.
    """
    problems = [*common_problems(settings), *refused_settings(settings)]
    source: TextSource | None = None
    try:
        source = read_text_source(settings, task)
    except LinnetError as error:
        problems.append(error)
    if source is not None:
        found = source
        problems += problems_of(
            lambda: found.kind.loss(settings.loss, found.labels, found.training),
            lambda: _check_fitting(settings, task, found),
            lambda: _check_pooling(settings, found),
        )
    refuse(problems)
    assert source is not None
    loss, weighting = source.kind.loss(settings.loss, source.labels, source.training)
    encoder = find_encoder(settings.encoder, settings.lower_case)
    check_encoder(settings, encoder)
    shape = _shape(settings, task, source)
    text_encoder = TextEncoder(encoder.backend, max_length=settings.window.max_length, overlap=settings.window.overlap)
    read = read_texts(text_encoder, source.training, method=shape.method, pooling=shape.pooling)
    source.kind.note_unplaced(source.training, read, source.notes)
    return TextPlan(
        settings=settings,
        task=task,
        source=source,
        shape=shape,
        weighting=weighting,
        loss=loss,
        encoder=encoder,
        text_encoder=text_encoder,
        examples=list(label_texts(source, source.training, read)),
    )


def _network_of(model: NetworkWithLosses) -> TextNetwork:
    network: Any = model.network
    assert isinstance(network, TextNetwork)
    return network


def collate(examples: Sequence[LabelledText], pad_id: int) -> dict[str, Any]:
    """Return examples as a padded batch of all their windows, with the number of the example that each is of."""
    windows = [window for each in examples for window in each.read.windows]
    owners = [number for number, each in enumerate(examples) for _ in each.read.windows]
    return {
        **tensors(collate_texts(windows, pad_id)),
        "owners": torch.tensor(owners),
        "sides": torch.tensor([side for each in examples for side in each.read.sides]),
        "labels": torch.tensor([each.target for each in examples]),
        "corpus": CORPUS,
    }


def _check_fitting(settings: TextTrainSettings, task: TextTask[Any], source: TextSource) -> None:
    """Refuse what does not fit the examples: a score that they do not have, a way to read them that is for others."""
    for rows in source.scored.values():
        if settings.selection.metric is not None:
            find_metric(metrics_of_gold(task, rows, source.kind, source.settings), settings.selection.metric)
    if task.method(settings.text) == "bi" and not source.kind.can_compare_apart:
        raise BadSetting('`text.method = "bi"` is for numbers only, such as similarity', "leave it out")


def _check_pooling(settings: TextTrainSettings, source: TextSource) -> None:
    """Refuse markers where texts have none: the first token would be read in their place."""
    are_marked = not source.kind.has_positions and all(each.spans for each in source.training)
    if settings.text.pooling == "markers" and not are_marked:
        raise BadSetting(
            '`text.pooling = "markers"` is for texts with a pair of mentions marked, as relations have',
            'leave it out, or give "cls" or "mean"',
        )


def _shape(settings: TextTrainSettings, task: TextTask[Any], source: TextSource) -> Shape:
    text = settings.text
    method = task.method(text) if source.kind.can_compare_apart else "cross"
    pooling = "mean" if method == "bi" else text.pooling or task.pooling
    return Shape(source.kind, source.kind.pool(pooling), text.windows, method)


def label_texts(
    source: TextSource, examples: Sequence[TextExample], read: Sequence[ReadText]
) -> Iterator[LabelledText]:
    """Yield the examples as windows with their targets."""
    for example, each in zip(examples, read, strict=True):
        yield from source.kind.targets(example, each, source.labels, source.scale)
