"""Training plan of a linker: one fit, before it contrastive training of an encoder on request, and a run folder."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linnet.tasks.linking.linker import Linker
from linnet.tasks.linking.settings import LinkingSettings
from linnet.tasks.linking.training.meaning import EncoderMeaning, takes_first
from linnet.tasks.linking.training.meaning_recall import TrainedEncoder, measure_meaning
from linnet.tasks.linking.training.prepared import PreparedLinking
from linnet.tasks.linking.training.searched import Searched, search_documents

if TYPE_CHECKING:
    from linnet.tasks.linking.training.contrastive import NameExample, NameNetwork
    from linnet.training.history import History
    from linnet.training.job import Job, Watcher

__all__ = ["LinkingPlan"]


@dataclass(frozen=True)
class LinkingPlan:
    """The training of a linker."""

    prepared: PreparedLinking

    @property
    def settings(self) -> LinkingSettings:
        """The settings of the training."""
        return self.prepared.settings

    def changed(self, settings: LinkingSettings, /) -> "LinkingPlan":
        """Return the same plan with other settings."""
        return LinkingPlan(replace(self.prepared, settings=settings))

    @cached_property
    def searched(self) -> Mapping[str, list[Searched]]:
        """Train and devel with the candidates of their mentions."""
        linker, prepared = Linker(self.prepared.vocabulary), self.prepared
        return {name: search_documents(linker, prepared.documents[name], prepared.gold) for name in ("train", "devel")}

    def build(self) -> "NameNetwork | None":
        """Return the encoder that learns from names; None where none does."""
        if not self.settings.contrastive:
            return None
        from transformers import AutoModel

        from linnet.models.encoders import open_network
        from linnet.tasks.linking.training.contrastive import NameNetwork
        from linnet.training.network import freeze_lower_layers
        from linnet.training.updates.dropout import draw_dropout_from_bits

        optimiser = self.settings.optimiser
        network = open_network(
            self._encoder, AutoModel, dropout=optimiser.dropout, attention_dropout=optimiser.attention_dropout
        )
        freeze_lower_layers(network, optimiser.freeze_layers)
        draw_dropout_from_bits(network)
        return NameNetwork(network, of_first=takes_first(self.settings.meaning))

    def jobs(self, model: "NameNetwork | None", folder: Path, watcher: "Watcher", /) -> Iterator["Job"]:
        """Yield the contrastive training of the encoder, where one is wanted."""
        if model is None:
            return
        from linnet.tasks.linking.training.contrastive import collate
        from linnet.training.history import DEVEL_SCORE, Measured
        from linnet.training.job import Job

        settings, tokenizer = self.settings, self._encoder.tokenizer
        yield Job(
            model=model,
            corpora=[self._examples(tokenizer)],
            pad_id=tokenizer.pad_token_id,
            folder=folder,
            evaluate=lambda: Measured(measure_meaning(self._meaning_of(model), self.searched["devel"])),
            watcher=watcher,
            optimiser=settings.optimiser,
            seed=settings.seed,
            checkpoint_minutes=settings.checkpoint_minutes,
            patience=settings.selection.patience,
            tracker=settings.tracker,
            collate=collate,
            score=DEVEL_SCORE,
        )

    def finish(self, output: Path, model: "NameNetwork | None", history: "History | None", /) -> None:
        """Learn, evaluate and fill the run folder."""
        from linnet.tasks.linking.results import finish_linking

        if model is None:
            meaning = EncoderMeaning(self.settings.meaning) if self.settings.meaning else None
            finish_linking(output, self.prepared, self.searched, meaning)
            return
        from linnet.tasks.linking.training.own_encoder import write_encoder

        assert history is not None
        before = measure_meaning(EncoderMeaning(self.settings.meaning), self.searched["devel"])
        meaning = write_encoder(output, self._encoder.tokenizer, model)
        trained = TrainedEncoder(history, before, measure_meaning(meaning, self.searched["devel"]))
        finish_linking(output, self.prepared, self.searched, meaning, trained=trained)

    @cached_property
    def _encoder(self) -> Any:  # its module needs transformers
        from linnet.models.encoders import find_encoder

        return find_encoder(self.settings.meaning)

    def _meaning_of(self, model: "NameNetwork") -> EncoderMeaning:
        return EncoderMeaning.of_network(self._encoder, model.network, of_first=model.of_first)

    def _examples(self, tokenizer: Any) -> list["NameExample"]:
        from linnet.tasks.linking.training.contrastive import encode_pairs
        from linnet.tasks.linking.training.name_pairs import pair_mentions, pair_names

        settings, vocabulary = self.settings, self.prepared.vocabulary
        generator = random.Random(settings.seed)
        pairs = pair_names(vocabulary, settings.contrastive, generator)
        if settings.contrastive_mentions:
            pairs += pair_mentions(vocabulary, self.searched["train"], generator)
        return encode_pairs(pairs, tokenizer)
