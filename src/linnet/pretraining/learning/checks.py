"""Checks of a pretraining before hours are spent: settings, encoder and vocabulary first, then the prepared text."""

from collections.abc import Iterator
from functools import partial

from tokenizers import Tokenizer
from transformers import AutoModel

from linnet.errors import BadFile, BadSetting, LinnetError, problems_of, refuse
from linnet.models.encoders import open_reported
from linnet.models.families import WITH_ORDER_HEAD, WITH_WORD_HEAD, family_of
from linnet.pretraining.learning.masking import inspect_subwords
from linnet.pretraining.learning.networks import Start, find_start
from linnet.pretraining.learning.schedule import check_warmup, count_steps_for_tokens
from linnet.settings.pretraining import PretrainSettings
from linnet.settings.training import OptimiserSettings
from linnet.training.checks import check_tracker

__all__ = ["check_start", "check_text", "describe_unused_rows", "optimiser_settings"]

MANY_ROWS = 1024  # unused ones: more than padding of an embedding table explains
LEAST_USED = 0.5  # share of used rows, below which the tokenizer must belong to another encoder


def optimiser_settings(settings: PretrainSettings, n_intervals: int = 1) -> OptimiserSettings:
    """Return the hyper-parameters as the shared trainer reads them; its epochs are the intervals of pretraining."""
    own = settings.optimiser
    return OptimiserSettings(
        epochs=n_intervals,
        batch_size=own.batch_size,
        accumulation=own.accumulation,
        learning_rate=own.learning_rate,
        warmup=own.warmup,
        weight_decay=own.weight_decay,
        clip=own.clip,
        dropout=own.dropout,
        attention_dropout=own.attention_dropout,
    )


def check_start(settings: PretrainSettings) -> Start:
    """Return the starting point of training, after all checks that need no text have passed.

    Raises:
        LinnetError: with all problems together.
    """
    problems = problems_of(lambda: check_tracker(settings.tracker))
    steps = settings.budget.steps
    if steps is not None:
        problems += problems_of(lambda: check_warmup(steps, settings))
    start: Start | None = None
    try:
        start = find_start(settings)
    except LinnetError as error:
        problems.append(error)
    if start is not None:
        problems += _find_start_problems(start, settings)
    if start is not None and start.encoder is not None and not problems:
        # preparing text may take hours, so broken or unsuitable weights are found before it
        problems += problems_of(partial(open_reported, start.encoder, AutoModel))
    refuse(problems)
    assert start is not None
    return start


def check_text(settings: PretrainSettings, n_sequences: int, n_tokens: int, n_special: int) -> None:
    """Refuse too little text, and a budget that is too small for it.

    Args:
        settings: of the pretraining.
        n_sequences: for training.
        n_tokens: sub-words of all these sequences, without special ones.
        n_special: special sub-words of a sequence.
    """
    own = settings.optimiser
    per_update = own.batch_size * own.accumulation
    if n_sequences < per_update:
        raise BadSetting(
            f"the text gives {n_sequences:,} sequences ({n_tokens:,} sub-words), fewer than one update needs: "
            f"{own.batch_size:,} x {own.accumulation:,}",
            "give more text, a smaller optimiser.batch_size, or shorter sequences (`length`)",
        )
    if settings.budget.tokens is not None:
        tokens_per_update = per_update * (n_tokens / n_sequences + n_special)
        check_warmup(count_steps_for_tokens(settings.budget.tokens, tokens_per_update), settings)


def describe_unused_rows(start: Start) -> str | None:
    """Return a warning if the encoder has many embeddings for which its tokenizer has no sub-word."""
    if start.encoder is None:
        return None
    n_rows, n_subwords = int(start.encoder.config.vocab_size), _count_ids(start.encoder.backend)
    if n_rows - n_subwords <= MANY_ROWS:
        return None
    return (
        f"encoder {start.name!r} has {n_rows:,} embeddings, its tokenizer only {n_subwords:,} sub-words: "
        "is this the tokenizer that it was pretrained with?"
    )


def _find_start_problems(start: Start, settings: PretrainSettings) -> Iterator[LinnetError]:
    family = family_of(start.family)
    if not family.word_heads:
        known = ", ".join(WITH_WORD_HEAD)
        yield BadSetting(f"encoder {start.name!r} is of the family {start.family!r}", f"use one of {known}")
    flag = family.usual_head_flag
    if start.encoder is not None and flag is not None and not getattr(start.encoder.config, flag):
        yield BadFile(
            f"{start.encoder.source}: has a head for masked words of its own kind (`{flag}` is false in config.json)",
            "use a checkpoint with the usual head",
        )
    if settings.fresh and settings.optimiser.head_first:
        yield BadSetting(
            f"optimiser.head_first is {settings.optimiser.head_first:g}, but all of a fresh encoder has to be trained",
            "leave it out, or continue with a pretrained encoder",
        )
    if settings.masking.sentence_order and family.order_head is None:
        yield BadSetting(
            f"encoder {start.name!r} cannot learn sentence order: the family {start.family} has no head for it",
            f"set `masking.sentence_order = false`, or use one of {', '.join(WITH_ORDER_HEAD)}",
        )
    if start.positions is not None and settings.length > start.positions:
        yield BadSetting(
            f"length is {settings.length}, the encoder {start.name!r} reads at most {start.positions} sub-words",
            f"set it to {start.positions} or less",
        )
    if start.source is not None:
        for problem in problems_of(partial(inspect_subwords, start.source.backend)):  # masking needs special sub-words
            yield BadFile(f"{start.source.source}: {problem.problem}", problem.remedy)
    if start.encoder is not None:
        yield from _find_vocabulary_problems(start, settings)


def _find_vocabulary_problems(start: Start, settings: PretrainSettings) -> Iterator[LinnetError]:
    assert start.encoder is not None
    n_rows, n_subwords = int(start.encoder.config.vocab_size), _count_ids(start.encoder.backend)
    if n_subwords < LEAST_USED * n_rows and n_rows - n_subwords > MANY_ROWS:
        yield BadFile(
            f"{start.encoder.source}: the tokenizer has only {n_subwords:,} sub-words, the encoder {n_rows:,} rows",
            "put the tokenizer beside it with which the encoder was pretrained",
        )
    if settings.vocabulary.train is not None and family_of(start.family).counts_from_padding:
        yield BadSetting(
            f"encoder {start.name!r} counts its positions from the id of its padding, so it cannot take another "
            "vocabulary",
            "keep its vocabulary, or start a fresh encoder (`--fresh`)",
        )


def _count_ids(tokenizer: Tokenizer) -> int:
    """Return the number of embeddings that a tokenizer needs."""
    return max(tokenizer.get_vocab(with_added_tokens=True).values()) + 1
