"""What does pretraining consist of, from settings to a job for the shared trainer?"""

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
from linnet.pretraining.learning.batch_order import StretchBatches, TextStream
from linnet.pretraining.learning.checks import check_start, check_text, train_settings, unused_rows
from linnet.pretraining.learning.examples import Maker, MaskedExample, collate, splits_of
from linnet.pretraining.learning.lamb import Lamb
from linnet.pretraining.learning.networks import Start, Started, add_rows_in_place, has_segments, start_network
from linnet.pretraining.learning.objective import LanguageNetwork
from linnet.pretraining.learning.perplexity import Guesses, held_out_examples, judge
from linnet.pretraining.learning.schedule import Schedule, check_warmup, steps_of_hours, steps_of_tokens
from linnet.pretraining.text.cleaned import TextWatcher
from linnet.pretraining.text.exclusion import ExcludedSentences
from linnet.pretraining.text.preparing import PreparedText, check_sources, prepare_text
from linnet.settings.pretraining import PretrainSettings
from linnet.training.dropout import draw_dropout_from_bits
from linnet.training.history import Measured
from linnet.training.job import Job, SilentWatcher, Watcher
from linnet.training.processes import from_main_process
from linnet.training.trainer import fit

__all__ = ["PretrainPlan", "plan_pretraining"]

MEASURED = 6  # updates that tell how long one takes; the first also makes the optimiser's state and is left out
FEW_TOGETHER = 4  # batches of such an update, at most
MANY_BATCHES = 1000  # of the stream, whose mean width tells how long an update takes on average
MANY_SEQUENCES = 1000  # that tell in how many the order of sentences can be told
MANY_UNKNOWN = 0.05  # share of the sub-words from which on the vocabulary does not fit the text
MOST_HELD_OUT = 512  # sequences that are measured on: no more are needed for a perplexity within a few per cent
FEW_ORDERS = 0.5  # share of the sequences below which the order of sentences is hardly learned
FEW_HELD_OUT = 64  # sequences that are measured on as often as asked for, since that is soon done
BETWEEN = 10  # times as many sequences are learned from between two measurements: these cost a thirtieth of the time


@dataclass(frozen=True)
class PretrainPlan:
    """Everything is read and checked; no network is loaded yet."""

    settings: PretrainSettings
    start: Start
    text: PreparedText

    @cached_property
    def maker(self) -> Maker:
        """What makes examples of the text's sequences."""
        return Maker.of(self.text.tokenizer, self.settings.masking, self.settings.seed)

    @property
    def sequences_per_update(self) -> int:
        """Sequences of an update, over all batches and processes."""
        return self.settings.optimiser.batch_size * self.settings.optimiser.accumulation

    @property
    def pad_id(self) -> int:
        """The sub-word that fills up short sequences."""
        return self.maker.subwords.special_ids["pad"]

    @property
    def warnings(self) -> list[str]:
        """What the user should know of the encoder and the text."""
        found = (unused_rows(self.start), self._unknown_subwords(), self._few_orders(), *self._notes_of_text())
        return [warning for warning in found if warning]

    @property
    def fingerprint(self) -> str:
        """What is learned from and measured on, in a few words: a resumed run must have the same."""
        facts = self.text.facts
        return f"{facts.fingerprint} ({facts.n_sequences:,} sequences, {facts.n_held_out_sequences:,} held out)"

    def build(self) -> tuple[LanguageNetwork, Started]:
        """Return the network as it begins; it is the same each time."""
        torch.manual_seed(self.settings.seed)
        started = start_network(self.start, self.text.tokenizer, self.settings)
        draw_dropout_from_bits(started.network)
        add_rows_in_place(started.network)
        model = LanguageNetwork(
            started.network,
            sequences_per_update=self.sequences_per_update,
            sentence_order=self.settings.masking.sentence_order,
        )
        return model, started

    def schedule(self, model: LanguageNetwork) -> Schedule:
        """Return the updates that the budget gives; hours are divided by the time that a few updates take.

        Raises:
            BadSetting: where the budget cannot finish its warm-up.
        """
        budget, seconds = self.settings.budget, None
        if budget.hours is not None:
            seconds = self._seconds_per_update()
            steps = steps_of_hours(budget.hours, seconds)
        elif budget.tokens is not None:
            lengths = self.text.training.lengths
            per_sequence = float(lengths.mean()) + self.maker.n_special
            steps = steps_of_tokens(budget.tokens, per_sequence * self.sequences_per_update)
        else:
            assert budget.steps is not None
            steps = budget.steps
        check_warmup(steps, self.settings)
        before = from_main_process(lambda: self.judge(model).as_dict())
        return Schedule.of(steps, self._measurements(steps), before, seconds, self.fingerprint)

    @cached_property
    def held_out(self) -> list[MaskedExample]:
        """What perplexity is measured on: the same at each measurement, and for every budget."""
        return held_out_examples(self.text.held_out, self.maker, MOST_HELD_OUT)

    def judge(self, model: LanguageNetwork) -> Guesses:
        """Return how well the network guesses in held-out text."""
        return judge(model, self.held_out, self.pad_id)

    def job(self, model: LanguageNetwork, schedule: Schedule, folder: Path, watcher: Watcher) -> Job:
        """Return the job for the shared trainer."""
        settings, own = self.settings, self.settings.optimiser
        n_batches = schedule.stretch * own.accumulation
        return Job(
            model,
            [self._stream(schedule.steps)],
            self.pad_id,
            train_settings(settings, schedule.n_stretches),
            folder,
            lambda: Measured(self.judge(model).as_dict()["perplexity"]),
            watcher,
            collate,
            batches=lambda rank, world: StretchBatches(own.batch_size, n_batches, rank=rank, world=world),
            optimiser=partial(_lamb, weight_decay=own.weight_decay) if own.name == "lamb" else None,
            steps=schedule.steps,
            head_steps=round(schedule.steps * own.head_first),
            has_finder=False,
            is_choosing=False,
            score="perplexity",
        )

    def tokenizer(self, config: PretrainedConfig) -> Any:
        """Return the tokenizer as transformers keeps it: the encoder's own, or one around the new vocabulary.

        Args:
            config: of the network that reads what the tokenizer gives.
        """
        vocabulary = self.settings.vocabulary
        if self.start.source is not None and vocabulary.train is None and vocabulary.extend is None:
            return self.start.source.tokenizer
        tokens = {f"{role}_token": token for role, token in self.maker.subwords.special_tokens.items()}
        most = self.start.positions
        options: dict[str, Any] = {} if most is None else {"model_max_length": most}
        if has_segments(config):
            options["model_input_names"] = ["input_ids", "token_type_ids", "attention_mask"]
        return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
            tokenizer_object=self.text.tokenizer, **tokens, **options
        )

    def _measurements(self, steps: int) -> int:
        """Return how often perplexity is measured: as often as asked for, unless that took too much of the time."""
        wanted, n_measured = self.settings.evaluations, len(self.held_out)
        if n_measured <= FEW_HELD_OUT:
            return wanted
        return min(wanted, max(1, steps * self.sequences_per_update // (BETWEEN * n_measured)))

    def _unknown_subwords(self) -> str | None:
        facts = self.text.facts
        share = facts.n_unknown / facts.n_tokens
        if share < MANY_UNKNOWN:
            return None
        return (
            f"{share:.1%} of the text's sub-words are unknown to the vocabulary, and nothing is learned of them: learn "
            "a vocabulary from the text (`--vocab`), or take an encoder for its language and script"
        )

    @cached_property
    def share_with_order(self) -> float:
        """Share of the sequences, in a sample from all over the text, of which the order of the halves can be told."""
        n_sequences = len(self.text.training)
        sample = range(0, n_sequences, max(1, n_sequences // MANY_SEQUENCES))
        return sum(bool(splits_of(self.text.training[number])) for number in sample) / len(sample)

    def _few_orders(self) -> str | None:
        if not self.settings.masking.sentence_order or self.share_with_order >= FEW_ORDERS:
            return None
        return (
            f"only {self.share_with_order:.0%} of the sequences have two sentences of one document whose order can be "
            "told: lines that belong together must not be apart by blank lines, nor sequences too short (`length`)"
        )

    def _notes_of_text(self) -> Iterator[str]:
        for what, number in self.text.facts.notes.items():
            yield f"{what}: {number:,}"

    def _stream(self, steps: int) -> TextStream:
        return TextStream(
            self.text.training,
            self.maker,
            n_examples=steps * self.sequences_per_update,
            batch_size=self.settings.optimiser.batch_size,
            lengths=self.text.training.lengths,
        )

    def _seconds_per_update(self) -> float:
        """Learn from a few batches with a network of their own, and return how long an update takes on average.

        Batches differ in width by far, so time is measured by their width, and the mean is that of many batches. An
        update of many batches may take hours itself, so it has few of them here.
        """
        own = self.settings.optimiser
        together = min(own.accumulation, FEW_TOGETHER)
        small = self.settings.model_copy(update={"optimiser": own.model_copy(update={"accumulation": together})})
        trial = replace(self, settings=small)
        clock = _Clock(self.settings.budget.hours or math.inf, own.accumulation / together)
        model, _ = trial.build()
        with tempfile.TemporaryDirectory() as folder:
            job = trial.job(model, Schedule(MEASURED, MEASURED, {}), Path(folder) / "checkpoints", clock)
            plain = job.settings.model_copy(update={"tracker": None})
            fit(replace(job, settings=plain, evaluate=Measured, is_kept=False))
        widths = trial._stream(MEASURED).widths(MANY_BATCHES)
        share = float(widths.mean()) * own.accumulation / float(widths[together : MEASURED * together].sum())
        return from_main_process(lambda: clock.seconds * share)


class _Clock(SilentWatcher):
    """Notes how long the updates take together, from the second on, and stops where they have used up the budget."""

    def __init__(self, hours: float, size: float) -> None:
        """Take the budget, and how many of these updates have as many batches as a real one."""
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
            steps_of_hours(self.hours, self.size * self.seconds / (step - 1))


def plan_pretraining(settings: PretrainSettings, *, text_watcher: TextWatcher | None = None) -> PretrainPlan:
    """Check the settings, prepare the text, and check what came of it.

    Raises:
        LinnetError: with all problems together that are known at the same time, those without text first.
    """
    starts: list[Start] = []
    excluded: list[ExcludedSentences] = []

    def look_at_sources() -> None:
        excluded.append(check_sources(settings, starts[0].tokenizer if starts else None))

    refuse(problems_of(lambda: starts.append(check_start(settings)), look_at_sources))
    family = starts[0].family if settings.fresh else ""
    prepare = partial(prepare_text, settings, starts[0].tokenizer, family=family, excluded=excluded[0])
    prepared: list[PreparedText] = []
    from_main_process(lambda: prepared.append(prepare(watcher=text_watcher)))
    text = prepared[0] if prepared else prepare()  # other processes find what the main one has written
    plan = PretrainPlan(settings, starts[0], text)
    check_text(settings, len(text.training), text.training.n_tokens, plan.maker.n_special)
    if settings.masking.sentence_order and not plan.share_with_order:
        raise BadSetting(
            "no sequence of the text has two sentences of one document, so that there is no order to learn",
            "keep lines that belong together free of blank lines between them, give a greater `length`, or set "
            "`masking.sentence_order = false`",
        )
    return plan


def _lamb(groups: list[dict[str, Any]], *, weight_decay: float) -> Optimizer:
    return Lamb(groups, groups[0]["lr"], weight_decay=weight_decay)
