"""The plan of a pretraining: settings, starting point and text become a job for the shared trainer."""

import math
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import torch
from torch import distributed
from torch.optim import Optimizer
from transformers import PretrainedConfig, PreTrainedTokenizerFast

from linnet.errors import BadSetting, problems_of, refuse
from linnet.models.families import reads_token_types
from linnet.pretraining.learning.batch_order import IntervalBatches, TextStream
from linnet.pretraining.learning.checks import check_start, check_text, describe_unused_rows, optimiser_settings
from linnet.pretraining.learning.examples import ExampleMaker, MaskedExample, collate, find_split_points
from linnet.pretraining.learning.lamb import Lamb
from linnet.pretraining.learning.networks import InitialNetwork, Start, add_gradients_in_place, build_network
from linnet.pretraining.learning.objective import LanguageNetwork
from linnet.pretraining.learning.perplexity import HeldOutCounts, evaluate, make_held_out_examples
from linnet.pretraining.learning.schedule import Schedule, check_warmup, count_steps_for_hours, count_steps_for_tokens
from linnet.pretraining.text.cleaned import TextWatcher
from linnet.pretraining.text.exclusion import ExcludedSentences
from linnet.pretraining.text.preparing import PreparedText, check_sources, prepare_text
from linnet.settings.pretraining import PretrainSettings
from linnet.training.history import Measured
from linnet.training.job import Job, SilentWatcher, Watcher
from linnet.training.processes import from_main_process
from linnet.training.trainer import fit
from linnet.training.updates.dropout import draw_dropout_from_bits

__all__ = ["PretrainPlan", "plan_pretraining"]

N_TIMED = 6  # updates that are timed; the first also creates the optimiser's state and is left out
MOST_ACCUMULATED = 4  # batches of a timed update, at most
N_BATCHES = 1000  # of the stream, whose mean width gives the mean time of an update
N_SEQUENCES = 1000  # sampled to find the share with a sentence order to predict
MANY_UNKNOWN = 0.05  # share of unknown sub-words from which the vocabulary does not fit the text
MOST_HELD_OUT = 512  # sequences of an evaluation: enough for a perplexity within a few per cent
FEW_ORDERED = 0.5  # share of sequences with an order, below which sentence order is hardly learned
FEW_HELD_OUT = 64  # sequences that are quick enough to be evaluated as often as the settings say
LEAST_RATIO = 10  # of training sequences to held-out ones between two evaluations, which cost a thirtieth of the time


@dataclass(frozen=True)
class PretrainPlan:
    """A pretraining whose settings and text are read and checked; no network is loaded yet."""

    settings: PretrainSettings
    start: Start
    text: PreparedText

    @cached_property
    def maker(self) -> ExampleMaker:
        """Makes the masked examples of the text."""
        return ExampleMaker.for_tokenizer(self.text.tokenizer, self.settings.masking, self.settings.seed)

    @property
    def sequences_per_update(self) -> int:
        """Sequences of an update, over all its batches and processes."""
        return self.settings.optimiser.batch_size * self.settings.optimiser.accumulation

    @property
    def pad_id(self) -> int:
        """Id of the padding."""
        return self.maker.subwords.special_ids["pad"]

    @property
    def warnings(self) -> list[str]:
        """Warnings about the encoder and the text."""
        warnings = (
            describe_unused_rows(self.start),
            self._describe_unknown_subwords(),
            self._describe_few_ordered(),
            *self._describe_notes(),
        )
        return [warning for warning in warnings if warning]

    @property
    def fingerprint(self) -> str:
        """Short description of the training and held-out text, which must be the same in a resumed run."""
        facts = self.text.facts
        return f"{facts.fingerprint} ({facts.n_sequences:,} sequences, {facts.n_held_out_sequences:,} held out)"

    def build(self) -> tuple[LanguageNetwork, InitialNetwork]:
        """Return the network before the first update; it is the same each time."""
        torch.manual_seed(self.settings.seed)
        initial = build_network(self.start, self.text.tokenizer, self.settings)
        draw_dropout_from_bits(initial.network)
        add_gradients_in_place(initial.network)
        model = LanguageNetwork(
            initial.network,
            sequences_per_update=self.sequences_per_update,
            sentence_order=self.settings.masking.sentence_order,
        )
        return model, initial

    def make_schedule(self, model: LanguageNetwork) -> Schedule:
        """Return the schedule of the budget; for hours, a few updates are timed.

        Raises:
            BadSetting: if the budget ends before the warm-up does.
        """
        budget, seconds = self.settings.budget, None
        if budget.hours is not None:
            seconds = self._time_update()
            steps = count_steps_for_hours(budget.hours, seconds)
        elif budget.tokens is not None:
            lengths = self.text.training.lengths
            per_sequence = float(lengths.mean()) + self.maker.n_special
            steps = count_steps_for_tokens(budget.tokens, per_sequence * self.sequences_per_update)
        else:
            assert budget.steps is not None
            steps = budget.steps
        check_warmup(steps, self.settings)
        before = from_main_process(lambda: self.evaluate(model).as_dict())
        n_evaluations = self._count_evaluations(steps)
        return Schedule.with_evaluations(steps, n_evaluations, before, seconds=seconds, text=self.fingerprint)

    @cached_property
    def held_out(self) -> list[MaskedExample]:
        """The examples of every evaluation, the same for every budget."""
        return make_held_out_examples(self.text.held_out, self.maker, MOST_HELD_OUT)

    def evaluate(self, model: LanguageNetwork) -> HeldOutCounts:
        """Return the counts of the network's predictions in held-out text."""
        return evaluate(model, self.held_out, self.pad_id)

    def make_job(self, model: LanguageNetwork, schedule: Schedule, folder: Path, watcher: Watcher) -> Job:
        """Return the job for the shared trainer."""
        settings, own = self.settings, self.settings.optimiser
        n_batches = schedule.interval * own.accumulation
        return Job(
            model=model,
            corpora=[self._make_stream(schedule.steps)],
            pad_id=self.pad_id,
            folder=folder,
            evaluate=lambda: Measured(self.evaluate(model).as_dict()["perplexity"]),
            watcher=watcher,
            optimiser=optimiser_settings(settings, schedule.n_intervals),
            seed=settings.seed,
            checkpoint_minutes=settings.checkpoint_minutes,
            tracker=settings.tracker,
            collate=collate,
            batches=lambda rank, world: IntervalBatches(own.batch_size, n_batches, rank=rank, world=world),
            make_optimiser=partial(_make_lamb, weight_decay=own.weight_decay) if own.name == "lamb" else None,
            steps=schedule.steps,
            head_steps=round(schedule.steps * own.head_first),
            has_finder=False,
            is_choosing=False,
            score="perplexity",
        )

    def make_tokenizer(self, config: PretrainedConfig) -> Any:
        """Return the tokenizer for transformers: the encoder's own, or one with the new vocabulary.

        Args:
            config: of the network that reads the tokenizer's output.
        """
        vocabulary = self.settings.vocabulary
        if self.start.source is not None and vocabulary.train is None and vocabulary.extend is None:
            return self.start.source.tokenizer
        tokens = {f"{role}_token": token for role, token in self.maker.subwords.special_tokens.items()}
        longest = self.start.positions
        options: dict[str, Any] = {} if longest is None else {"model_max_length": longest}
        if reads_token_types(config):
            options["model_input_names"] = ["input_ids", "token_type_ids", "attention_mask"]
        return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
            tokenizer_object=self.text.tokenizer, **tokens, **options
        )

    def _count_evaluations(self, steps: int) -> int:
        """Return how often perplexity is measured: as the settings say, or less if that took too much time."""
        wanted, n_held_out = self.settings.evaluations, len(self.held_out)
        if n_held_out <= FEW_HELD_OUT:
            return wanted
        return min(wanted, max(1, steps * self.sequences_per_update // (LEAST_RATIO * n_held_out)))

    def _describe_unknown_subwords(self) -> str | None:
        facts = self.text.facts
        share = facts.n_unknown / facts.n_tokens
        if share < MANY_UNKNOWN:
            return None
        return (
            f"{share:.1%} of the text's sub-words are unknown to the vocabulary, and the encoder cannot learn them: "
            "learn a vocabulary from the text (`--vocab`), or use an encoder for its language and script"
        )

    @cached_property
    def share_with_order(self) -> float:
        """Share of sequences with a sentence order to predict, in a sample from all over the text."""
        n_sequences = len(self.text.training)
        sample = range(0, n_sequences, max(1, n_sequences // N_SEQUENCES))
        return sum(bool(find_split_points(self.text.training[number])) for number in sample) / len(sample)

    def _describe_few_ordered(self) -> str | None:
        if not self.settings.masking.sentence_order or self.share_with_order >= FEW_ORDERED:
            return None
        return (
            f"only {self.share_with_order:.0%} of the sequences have two sentences of one document whose order can be "
            "predicted: do not separate lines of a document by blank lines, or use longer sequences (`length`)"
        )

    def _describe_notes(self) -> Iterator[str]:
        for what, number in self.text.facts.notes.items():
            yield f"{what}: {number:,}"

    def _make_stream(self, steps: int) -> TextStream:
        return TextStream(
            self.text.training,
            self.maker,
            n_examples=steps * self.sequences_per_update,
            batch_size=self.settings.optimiser.batch_size,
            lengths=self.text.training.lengths,
        )

    def _time_update(self) -> float:
        """Train a separate network on a few batches, and return how long an update takes on average.

        Batches differ a lot in width, so the time is scaled from the width of the timed batches to the mean width of
        many. An update with many accumulated batches may take hours, so the timed updates have few of them.
        """
        own = self.settings.optimiser
        accumulated = min(own.accumulation, MOST_ACCUMULATED)
        small = self.settings.model_copy(update={"optimiser": own.model_copy(update={"accumulation": accumulated})})
        trial = replace(self, settings=small)
        clock = _Clock(self.settings.budget.hours or math.inf, own.accumulation / accumulated)
        model, _ = trial.build()
        with tempfile.TemporaryDirectory() as folder:
            job = trial.make_job(model, Schedule(N_TIMED, N_TIMED, {}), Path(folder) / "checkpoints", clock)
            fit(replace(job, tracker=None, evaluate=Measured, is_kept=False))
        widths = trial._make_stream(N_TIMED).widths(N_BATCHES)
        timed_width = float(widths[accumulated : N_TIMED * accumulated].sum())
        share = float(widths.mean()) * own.accumulation / timed_width
        return from_main_process(lambda: clock.seconds * share)


class _Clock(SilentWatcher):
    """Measures the time of all updates after the first, and stops the training if they use up the budget."""

    def __init__(self, hours: float, size: float) -> None:
        """Keep the budget, and the ratio of batches in a real update to those in a timed one."""
        self.hours, self.size = hours, size
        self.began = time.monotonic()
        self.first: float | None = None
        self.seconds = 0.0

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        now = time.monotonic()
        self.first = now if self.first is None else self.first
        self.seconds = now - self.first
        is_over = now - self.began > 3600 * self.hours
        if is_over and step > 1 and not distributed.is_initialized():  # one of several processes must not stop alone
            count_steps_for_hours(self.hours, self.size * self.seconds / (step - 1))


def plan_pretraining(settings: PretrainSettings, *, text_watcher: TextWatcher | None = None) -> PretrainPlan:
    """Check the settings, prepare the text, and check the result.

    Raises:
        LinnetError: with all problems of a stage together; those that need no text come first.
    """
    starts: list[Start] = []
    excluded: list[ExcludedSentences] = []

    def check_all_sources() -> None:
        excluded.append(check_sources(settings, starts[0].tokenizer if starts else None))

    refuse(problems_of(lambda: starts.append(check_start(settings)), check_all_sources))
    family = starts[0].family if settings.fresh else ""
    prepare = partial(prepare_text, settings, starts[0].tokenizer, family=family, excluded=excluded[0])
    prepared: list[PreparedText] = []
    from_main_process(lambda: prepared.append(prepare(watcher=text_watcher)))
    text = prepared[0] if prepared else prepare()  # other processes load what the main one has written
    plan = PretrainPlan(settings, starts[0], text)
    check_text(settings, len(text.training), text.training.n_tokens, plan.maker.n_special)
    if settings.masking.sentence_order and not plan.share_with_order:
        raise BadSetting(
            "no sequence of the text has two sentences of one document, so there is no order to learn",
            "do not separate lines of a document by blank lines, give a greater `length`, or set "
            "`masking.sentence_order = false`",
        )
    return plan


def _make_lamb(groups: list[dict[str, Any]], *, weight_decay: float) -> Optimizer:
    return Lamb(groups, groups[0]["lr"], weight_decay=weight_decay)
