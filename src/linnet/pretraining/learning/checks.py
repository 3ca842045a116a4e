"""Is everything in order that can be known before text is read, and what after it? All that is not is said together."""

from collections.abc import Iterator
from functools import partial

from tokenizers import Tokenizer
from transformers import AutoModel

from linnet.errors import BadFile, BadSetting, LinnetError, problems_of, refuse
from linnet.models.encoders import counts_from_padding, open_reported
from linnet.pretraining.learning.masking import subwords_of
from linnet.pretraining.learning.networks import ORDER_HEADS, WORD_HEADS, Start, find_start
from linnet.pretraining.learning.schedule import check_warmup, steps_of_tokens
from linnet.settings.pretraining import PretrainSettings
from linnet.settings.training import OptimiserSettings, TrainSettings
from linnet.training.checks import common_problems

__all__ = ["check_start", "check_text", "train_settings", "unused_rows"]

MANY_ROWS = 1024  # more unused ones than any padding of a table
LEAST_USED = 0.5  # share of the rows below which the tokenizer is another encoder's


def train_settings(settings: PretrainSettings, n_stretches: int = 1) -> TrainSettings:
    """Return the settings of pretraining as the shared trainer knows them; its epochs are our stretches."""
    own = settings.optimiser
    optimiser = OptimiserSettings(
        epochs=n_stretches,
        batch_size=own.batch_size,
        accumulation=own.accumulation,
        learning_rate=own.learning_rate,
        warmup=own.warmup,
        weight_decay=own.weight_decay,
        clip=own.clip,
        dropout=own.dropout,
        attention_dropout=own.attention_dropout,
    )
    return TrainSettings(
        data=settings.texts[0],
        output=settings.output,
        encoder=settings.encoder,
        seed=settings.seed,
        threads=settings.threads,
        checkpoint_minutes=settings.checkpoint_minutes,
        tracker=settings.tracker,
        optimiser=optimiser,
    )


def check_start(settings: PretrainSettings) -> Start:
    """Return what training begins with, when all that can be known without text is in order.

    Raises:
        LinnetError: with all problems together.
    """
    problems = common_problems(train_settings(settings))
    steps = settings.budget.steps
    if steps is not None:
        problems += problems_of(lambda: check_warmup(steps, settings))
    start: Start | None = None
    try:
        start = find_start(settings)
    except LinnetError as error:
        problems.append(error)
    if start is not None:
        problems += _start_problems(start, settings)
    if start is not None and start.encoder is not None and not problems:
        # text may take hours, so weights that are broken or do not fit are to be found before it
        problems += problems_of(partial(open_reported, start.encoder, AutoModel))
    refuse(problems)
    assert start is not None
    return start


def check_text(settings: PretrainSettings, n_sequences: int, n_tokens: int, n_special: int) -> None:
    """Refuse text that is too little, and a budget that is too small for it.

    Args:
        settings: what is to be done.
        n_sequences: to learn from.
        n_tokens: in all of them, without special ones.
        n_special: sub-words that each sequence gets.
    """
    own = settings.optimiser
    wanted = own.batch_size * own.accumulation
    if n_sequences < wanted:
        raise BadSetting(
            f"the text gives {n_sequences:,} sequences ({n_tokens:,} sub-words), fewer than one update needs: "
            f"{own.batch_size:,} x {own.accumulation:,}",
            "give more text, a smaller optimiser.batch_size, or shorter sequences (`length`)",
        )
    if settings.budget.tokens is not None:
        per_update = wanted * (n_tokens / n_sequences + n_special)
        check_warmup(steps_of_tokens(settings.budget.tokens, per_update), settings)


def unused_rows(start: Start) -> str | None:
    """Return a warning where the encoder has many embeddings for which its tokenizer has no sub-word."""
    if start.encoder is None:
        return None
    n_rows, n_subwords = int(start.encoder.config.vocab_size), _size(start.encoder.backend)
    if n_rows - n_subwords <= MANY_ROWS:
        return None
    return (
        f"encoder {start.name!r} has {n_rows:,} embeddings, its tokenizer only {n_subwords:,} sub-words: "
        "is this the tokenizer that it was pretrained with?"
    )


def _start_problems(start: Start, settings: PretrainSettings) -> Iterator[LinnetError]:
    known = ", ".join(WORD_HEADS)
    if start.family not in WORD_HEADS:
        yield BadSetting(f"encoder {start.name!r} is of the family {start.family!r}", f"use one of {known}")
    if start.encoder is not None and start.family == "deberta-v2" and not start.encoder.config.legacy:
        yield BadFile(
            f"{start.encoder.source}: has a head for masked words of its own kind (`legacy` is false in config.json)",
            "use a checkpoint with the usual head",
        )
    if settings.fresh and settings.optimiser.head_first:
        yield BadSetting(
            f"optimiser.head_first is {settings.optimiser.head_first:g}, but all of a fresh encoder has to learn",
            "leave it out, or go on with a pretrained encoder",
        )
    if settings.masking.sentence_order and start.family not in ORDER_HEADS:
        yield BadSetting(
            f"the order of sentences cannot be learned by {start.name!r}: the family {start.family} has no head for it",
            f"set `masking.sentence_order = false`, or use one of {', '.join(ORDER_HEADS)}",
        )
    if start.positions is not None and settings.length > start.positions:
        yield BadSetting(
            f"length is {settings.length}, the encoder {start.name!r} reads at most {start.positions} sub-words",
            f"set it to {start.positions} or less",
        )
    if start.source is not None:
        for problem in problems_of(partial(subwords_of, start.source.backend)):  # masks are made of its special ones
            yield BadFile(f"{start.source.source}: {problem.problem}", problem.remedy)
    if start.encoder is not None:
        yield from _vocabulary_problems(start, settings)


def _vocabulary_problems(start: Start, settings: PretrainSettings) -> Iterator[LinnetError]:
    assert start.encoder is not None
    n_rows, n_subwords = int(start.encoder.config.vocab_size), _size(start.encoder.backend)
    if n_subwords < LEAST_USED * n_rows and n_rows - n_subwords > MANY_ROWS:
        yield BadFile(
            f"{start.encoder.source}: the tokenizer has only {n_subwords:,} sub-words, the encoder {n_rows:,} rows",
            "put the tokenizer beside it that the encoder was pretrained with",
        )
    if settings.vocabulary.train is not None and counts_from_padding(start.family):
        yield BadSetting(
            f"encoder {start.name!r} counts its positions from the number of its padding, so that it cannot take "
            "another vocabulary",
            "keep its vocabulary, or begin anew (`--fresh`)",
        )


def _size(tokenizer: Tokenizer) -> int:
    return max(tokenizer.get_vocab(with_added_tokens=True).values()) + 1
