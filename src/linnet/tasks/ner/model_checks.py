"""Checks a tagger's folder when it is opened: tags, tagging, window, CRF, and that its scores are usable."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linnet.batches.encoding import WordEncoder
from linnet.errors import BadFile
from linnet.labels.tagging import TAGGINGS, split_tag, tags_of
from linnet.models.checks.guard import refuse_not_finite, refuse_unusable
from linnet.models.checks.window import check_capacity, check_window
from linnet.models.model_folder import FACTS, ModelFacts, check_tags, check_tokenizer_file, read_config
from linnet.models.tokenizer_file import TOKENIZER, TRANSITIONS, check_numbers, open_tokenizer, read_transitions

if TYPE_CHECKING:
    from linnet.tasks.ner.predictor import Predictor

__all__ = [
    "check_facts",
    "check_scores",
    "describe_model",
    "open_encoder",
    "open_transitions",
    "refuse_broken_scores",
]

AGAIN = "train or copy the model again"
# one word that any tokenizer knows in parts, one that it may not know, and one that it may find too long
TRIED = ("a", "\N{SNOWMAN}", "ab" * 100)

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def check_facts(facts: ModelFacts, folder: Path) -> None:
    """Refuse facts that no tagger can have, or that contradict `config.json`."""
    check_tags(facts.tags, folder)
    place = folder / FACTS
    if facts.tagging not in TAGGINGS:
        raise BadFile(f"{place}: 'tagging' is {facts.tagging!r}, expected one of {', '.join(TAGGINGS)}", AGAIN)
    prefixes = {split_tag(tag)[0] for tag in tags_of(["X"], facts.tagging)}
    strange = [tag for tag in facts.tags if split_tag(tag)[0] not in prefixes]
    if strange:
        raise BadFile(f"{place}: 'tagging' is {facts.tagging!r}, which has no tag {strange[0]!r}", AGAIN)
    is_crf = (folder / TRANSITIONS).is_file()
    if facts.decoding not in (("crf",) if is_crf else ("valid", "argmax")):
        there = "there" if is_crf else "not there"
        raise BadFile(f"{place}: 'decoding' is {facts.decoding!r}, but {TRANSITIONS} is {there}", AGAIN)
    check_window(facts.max_length, facts.overlap, read_config(folder), place)


def open_encoder(place: Path, facts: ModelFacts) -> WordEncoder:
    """Return the encoder of words of a model folder, its tokenizer checked."""
    tokenizer = open_tokenizer(place)
    check_numbers(tokenizer, read_config(place).get("vocab_size"), place)
    check_tokenizer_file(place, facts)
    with refuse_unusable(place / TOKENIZER, "the tokenizer cannot be used"):
        encoder = WordEncoder(tokenizer, max_length=facts.max_length, overlap=facts.overlap)
    check_capacity(facts.max_length, facts.max_length - encoder.capacity, place / FACTS)
    return encoder


def open_transitions(folder: Path, n_tags: int) -> Mapping[str, FloatArray]:
    """Return the transition scores of a CRF by name.

    Raises:
        BadFile: where the file is missing or broken, or does not have the scores of so many tags.
    """
    path, found = folder / TRANSITIONS, read_transitions(folder) or {}
    for name, shape in {"start": (n_tags,), "transitions": (n_tags, n_tags), "end": (n_tags,)}.items():
        scores: Any = found.get(name)
        if scores is None or scores.shape != shape or scores.dtype.kind != "f":
            raise BadFile(f"{path}: {name!r} is missing, or no {' x '.join(map(str, shape))} numbers", AGAIN)
        if not np.isfinite(scores).all():
            raise BadFile(f"{path}: {name!r} holds numbers that are not finite", AGAIN)
    return found


def check_scores(predictor: "Predictor", folder: Path) -> None:
    """Refuse a tagger that cannot tag a few words, or whose network has another number of outputs than tags."""
    with refuse_unusable(folder, "the tokenizer and the network cannot be used together"):
        window, *_ = predictor.encoder.encode([TRIED[:1], TRIED])
        scores = predictor.try_windows([window])
        refuse_not_finite(scores, folder)
        n_outputs = scores.shape[-1]
        if scores.ndim != 3 or n_outputs != len(predictor.label_set):  # windows, tokens, tags
            raise BadFile(
                f"{folder}: the network has {n_outputs:,} outputs, but there are {len(predictor.label_set):,} tags",
                AGAIN,
            )
        predictor.decoder.decode(scores[0])


def describe_model(predictor: "Predictor") -> str:
    """Return what a user sees of a model: its name, its labels, and what computes it."""
    name = predictor.name or "without a folder"
    engine = type(predictor.engine).__name__.removesuffix("Engine").lower()  # as `load` calls it
    return f"<NER model {name}: {', '.join(predictor.label_set.labels)}; engine {engine}>"


@contextmanager
def refuse_broken_scores() -> Iterator[None]:
    """Raise an error of ours where scores are not finite: what is returned would be no mention."""
    try:
        yield
    except FloatingPointError as error:
        raise BadFile(str(error), "copy the model again; if this is a training, lower the learning rate") from None
