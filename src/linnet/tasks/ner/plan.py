"""Training plan of a tagger: its network, losses, batches and stages."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from linnet.contracts import Loss
from linnet.losses.crf import CrfLoss
from linnet.metrics.mentions.scores import score
from linnet.models.encoders import open_token_classifier
from linnet.models.families.layers import keep_layers
from linnet.scoring import units_from_tags
from linnet.settings.training import StageSettings
from linnet.tasks.ner.corpora.label_mapping import restrict
from linnet.tasks.ner.devel_batches import batches_of_words
from linnet.tasks.ner.distillation.soft_corpus import NAME as DISTILLED
from linnet.tasks.ner.heads import build_heads, take_kept_heads
from linnet.tasks.ner.learned_head import has_learned, order_by_name
from linnet.tasks.ner.losses import build_weighted_loss
from linnet.tasks.ner.prepared import PreparedTraining
from linnet.tasks.ner.results import finish_run, predictor_of
from linnet.tasks.ner.settings import NerSettings
from linnet.training.devel_loss import loss_of_batches
from linnet.training.history import History, Measured
from linnet.training.job import Job, NamedWatcher, Watcher
from linnet.training.network import CorpusLoss, NetworkWithLosses, freeze_lower_layers, with_adapters
from linnet.training.updates.dropout import draw_dropout_from_bits
from linnet.training.updates.trained_embeddings import train_only_seen

__all__ = ["TaggingPlan", "build_model"]

STAGE_STRIDE = 1_000_003  # between the seeds of stages: more than anyone counts seeds


@dataclass(frozen=True)
class TaggingPlan:
    """The training of a network that tags words."""

    prepared: PreparedTraining

    @property
    def settings(self) -> NerSettings:
        """What is to be done."""
        return self.prepared.settings

    def changed(self, settings: NerSettings) -> "TaggingPlan":
        """Return the same plan with other settings of the optimiser."""
        return TaggingPlan(replace(self.prepared, settings=settings))

    def build(self) -> NetworkWithLosses:
        """Return the network with its loss; the caller has seeded."""
        return build_model(self.prepared)

    def jobs(self, model: NetworkWithLosses, folder: Path, watcher: Watcher) -> Iterator[Job]:
        """Yield the stages of the training, one after the other."""
        return _jobs(self.prepared, model, folder, watcher)

    def finish(self, output: Path, model: NetworkWithLosses, history: History) -> None:
        """Evaluate the trained network and fill the run folder."""
        finish_run(output, self.prepared, model, history)


def build_model(prepared: PreparedTraining) -> NetworkWithLosses:
    """Return the network with its loss, as the settings want them; the caller has seeded."""
    settings = prepared.settings
    network: Any = open_token_classifier(
        prepared.encoder,
        prepared.label_set,
        dropout=settings.optimiser.dropout,
        attention_dropout=settings.optimiser.attention_dropout,
    )
    keep_layers(network, settings.keep_layers)
    tags = {corpus.head: corpus.label_set.names for corpus in prepared.corpora}
    build_heads(
        network,
        {head: len(names) for head, names in tags.items()},
        target=prepared.target.head,
        kind=settings.head,
        is_learned=has_learned(prepared.encoder, prepared.label_set),
    )
    order_by_name(network, prepared.encoder, prepared.label_set)
    if settings.lora is not None:
        network = with_adapters(network, settings.lora)
    freeze_lower_layers(network, settings.optimiser.freeze_layers)
    seen = {number for example in prepared.examples for number in example.window.ids}
    train_only_seen(network, {*seen, prepared.word_encoder.pad_id})
    draw_dropout_from_bits(network)
    model = NetworkWithLosses(network, dict(_build_losses(prepared)))
    take_kept_heads(network, prepared.encoder.source, tags, model.fields)
    return model


def _build_losses(prepared: PreparedTraining) -> Iterator[tuple[str, CorpusLoss]]:
    fields: dict[str, Loss] = {}  # what a CRF learns about neighbouring tags belongs to the head
    for corpus in prepared.corpora:
        loss = build_weighted_loss(
            prepared.settings, corpus.label_set, corpus.weighting, corpus.loss, corpus.unannotated
        )
        if isinstance(loss, CrfLoss):
            loss = fields.setdefault(corpus.head, loss)
        yield corpus.name, CorpusLoss(corpus.head, loss, corpus.weight)
    if prepared.soft is not None:
        yield DISTILLED, CorpusLoss(prepared.target.head, prepared.soft.loss)


def _jobs(prepared: PreparedTraining, model: NetworkWithLosses, folder: Path, watcher: Watcher) -> Iterator[Job]:
    """Yield the stages of the training, one after the other: each begins with the best weights of the one before."""
    settings, soft = prepared.settings, prepared.soft
    stages = settings.stages or (None,)
    for number, stage in enumerate(stages):
        chosen = [corpus for corpus in prepared.corpora if stage is None or corpus.name in stage.corpora]
        if len(stages) > 1 and isinstance(watcher, NamedWatcher):  # the epochs of each are counted from one
            watcher.rename(f"stage {number + 1} of {len(stages)}")
        own = settings if stage is None else _stage_settings(settings, stage, number)
        yield Job(
            model=model,
            corpora=[*(corpus.examples for corpus in chosen), *([soft.examples] if soft is not None else ())],
            pad_id=prepared.word_encoder.pad_id,
            folder=folder / f"stage-{number + 1}" if settings.stages else folder,
            evaluate=lambda: _measure(prepared, model),
            watcher=watcher,
            optimiser=own.optimiser,
            seed=own.seed,
            checkpoint_minutes=own.checkpoint_minutes,
            patience=own.selection.patience,
            tracker=own.tracker,
            sampling=own.sampling,
            turns=None if soft is None else soft.turns(own.sampling),
            output=Path(settings.output),
        )


def _stage_settings(settings: NerSettings, stage: StageSettings, number: int) -> NerSettings:
    own = stage.model_dump(include={"epochs", "learning_rate"}, exclude_none=True)
    # another order and other dropout than in the stage before; the first stage is that of a training without stages
    seed = settings.seed + STAGE_STRIDE * number
    return settings.model_copy(update={"optimiser": settings.optimiser.model_copy(update=own), "seed": seed})


def _measure(prepared: PreparedTraining, model: NetworkWithLosses) -> Measured:
    """Return the F1 by which the epoch is chosen and the loss on devel; nothing where nothing is chosen."""
    if prepared.settings.train_on != "train":
        return Measured()
    devel, shared = prepared.scored["devel"], prepared.shared_labels
    predictor = predictor_of(prepared, model)
    rows = list(predictor.word_scores(devel.words))  # once, for the loss and for the tags
    loss = loss_of_batches(model, batches_of_words(rows, devel.tags, prepared.label_set))
    predicted = [predictor.decoder.decode(row) for row in rows]
    if shared is not None:
        _, devel, predicted = restrict(shared, devel, predicted)
    tags = [each.tags for each in predicted]
    units = list(units_from_tags(devel.tags, tags, tagging=prepared.settings.tagging, mentions=devel.gold))
    matching = prepared.settings.selection.matching
    return Measured(score(units, names=[matching], n_resamples=0).matching(matching).micro.f1, loss)
