"""Checks a tagger's folder when it is opened: tags, tagging, window, CRF, and that its scores are usable."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linnet.errors import BadFile
from linnet.labels.tagging import TAGGINGS, split_tag, tags_of
from linnet.models.checks.guard import refuse_not_finite, refuse_unusable
from linnet.models.checks.window import check_window
from linnet.models.model_folder import FACTS, ModelFacts, check_tags, read_config
from linnet.models.tokenizer_file import TRANSITIONS, read_transitions

if TYPE_CHECKING:
    from linnet.tasks.ner.predictor import Predictor

__all__ = ["check_facts", "check_scores", "open_transitions"]

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
