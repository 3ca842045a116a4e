"""Trains networks with the Hugging Face `Trainer`; beside `arguments`, the only file that knows its API.

What we change: batches come bucketed by length and are divided among processes without repeating any; the loss is ours
and is averaged over the whole update, however many batches and processes it has; dropout is seeded by the step; and
checkpoints hold safetensors and JSON, never a pickle.
"""

import json
import math
import time
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader
from transformers import PrinterCallback, Trainer, TrainerCallback
from transformers.trainer_callback import TrainerControl, TrainerState

from linnet.losses.cost_sensitive import IGNORED
from linnet.models.attention import use_plain_attention
from linnet.models.encoders import quietly
from linnet.models.precision import choose_precision, computing_in
from linnet.training.arguments import trainer_arguments
from linnet.training.checkpoint import (
    as_it_was_written,
    last_checkpoint,
    read_average,
    read_network,
    read_optimiser,
    read_state,
    write_checkpoint,
    write_network,
)
from linnet.training.history import History, StepRow
from linnet.training.job import Job, NumberedExamples, batches_of, diverged, to_tensors
from linnet.training.network import parameter_groups, share_of_peak
from linnet.training.processes import from_main_process, is_main_process, wait_for_all
from linnet.training.step_axis import counting_on
from linnet.training.updates.adversary import Adversary
from linnet.training.updates.allocation import keep_freed_memory
from linnet.training.updates.averaging import RunningAverage
from linnet.training.updates.parts import in_parts, part_size

__all__ = ["best_weights", "fit", "is_main_process"]

BEST = "best.safetensors"
TRAINER_STATE = "trainer_state.json"
STEP_ROWS = 400  # points of the loss curve that are kept, whatever the length of the training


def fit(job: Job, before: History | None = None) -> History:
    """Train to the end, from the last checkpoint where there is one, and leave the best weights in the network.

    Trackers count the steps on from `before`, the history of earlier stages.
    """
    checkpoint = last_checkpoint(job.folder)
    history = _read_history(checkpoint) if checkpoint else History()
    before = before or History()
    optimiser = job.optimiser
    if optimiser.epochs and not history.is_stopped and len(history.epochs) < optimiser.epochs:
        chosen = history.precision or before.precision  # a run that is resumed elsewhere keeps what it began with
        history.precision = chosen or from_main_process(lambda: choose_precision(optimiser.precision, job.model))
        if history.precision == "bfloat16" and not torch.cuda.is_available():
            use_plain_attention(job.model)
        if not torch.cuda.is_available():
            keep_freed_memory()
        trainer = _Trainer(job, history, before)
        with quietly():
            trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    if job.is_kept and history.best_epoch is not None:
        wait_for_all()  # the main process may still be writing them
        read_network(best_weights(job.folder), job.model)
    return history


def _read_history(checkpoint: Path) -> History:
    """Return how far the training is; a checkpoint that the Trainer could not go on with is refused."""
    with as_it_was_written(checkpoint):
        int(TrainerState.load_from_json(str(checkpoint / TRAINER_STATE)).global_step)
        return History.from_dict(read_state(checkpoint)["history"])


def best_weights(folder: Path) -> Path:
    """Return where the weights of the best epoch are kept."""
    return folder / BEST


class _Trainer(Trainer):
    """The Trainer with our batches, loss, optimiser and checkpoints."""

    def __init__(self, job: Job, history: History, before: History) -> None:
        super().__init__(model=job.model, args=trainer_arguments(job, history.precision), train_dataset=job.examples)
        self.job, self.history, self.before = job, history, before
        self.loss_is_scaled_for_ga = True  # compute_loss divides by the mass of the whole update
        self.n_tokens = 0
        is_alone = self.args.use_cpu and self.args.world_size == 1
        decay = job.optimiser.average
        self.average = RunningAverage(job.model, decay) if decay is not None else None
        step = job.optimiser.adversarial
        self.adversary = Adversary(job.model, step) if step is not None else None
        self.part_size = part_size(job.model, job.optimiser.most_tokens) if is_alone else None
        self.batches = batches_of(job, rank=self.args.process_index, world=self.args.world_size)
        self.remove_callback(PrinterCallback)
        self.add_callback(_Steering(self))

    def log(self, logs: dict[str, float], *args: Any, **options: Any) -> None:
        """Pass values to the tracker, on one axis of steps over all stages."""
        with counting_on(self.state, self.before):
            super().log(logs, *args, **options)

    def get_train_dataloader(self) -> DataLoader[Any]:
        examples = NumberedExamples(self.job.examples)
        return DataLoader(examples, batch_sampler=self.batches, collate_fn=self._collate)  # type: ignore[arg-type]

    def _collate(self, examples: list[Any]) -> dict[str, Any]:
        collate = self.job.collate or to_tensors
        return collate(examples, self.job.pad_id)

    def _clip_grad_norm(self, model: Any) -> Tensor:
        """Scale the gradient down where it is too long; torch would multiply all of it by one where it is not."""
        gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
        norm = torch.nn.utils.get_total_norm(gradients, foreach=True)
        if self.accelerator.mixed_precision == "fp16" or norm > self.args.max_grad_norm:
            clipped: Tensor = super()._clip_grad_norm(model)  # type: ignore[no-untyped-call]
            return clipped
        return norm

    def create_optimizer(self, model: Any = None) -> torch.optim.Optimizer:
        if self.optimizer is None:
            is_apart = self.job.head_steps > 0
            groups = parameter_groups(self.job.model, self.job.optimiser, is_head_apart=is_apart)
            make = self.job.make_optimiser or partial(torch.optim.AdamW, fused=True)
            self.optimizer = make(groups)
        return self.optimizer

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> LambdaLR:
        if self.lr_scheduler is None:
            n_warmup = round(num_training_steps * self.job.optimiser.warmup)
            shared = partial(share_of_peak, n_steps=num_training_steps, n_warmup=n_warmup)
            made = optimizer or self.create_optimizer()
            waiting = [0 if group.get("is_head", True) else self.job.head_steps for group in made.param_groups]
            self.lr_scheduler = LambdaLR(made, [partial(shared, n_waiting=n_waiting) for n_waiting in waiting])
            self._created_lr_scheduler = True
        return self.lr_scheduler

    @property
    def schedule(self) -> LambdaLR:
        """The learning rates over the training; there is one as soon as training has begun."""
        return self.create_scheduler(self.state.max_steps)

    def _get_num_items_in_batch(self, batch_samples: list[dict[str, Any]], device: torch.device) -> Tensor:
        """Return mass and number of targets of each corpus (2, corpora) in this update, over all processes."""
        model = self.job.model
        sums = torch.zeros((2, len(model.corpora)), device=device)
        for batch in batch_samples:
            labels, corpus = batch["labels"].to(device), batch["corpus"]
            sums[0, model.number_of(corpus)] += model.mass(labels, corpus)
            sums[1, model.number_of(corpus)] += (labels != IGNORED).sum()
        if self.args.world_size > 1:
            sums = self.accelerator.reduce(sums, reduction="sum")
        return sums

    def training_step(self, model: Any, inputs: dict[str, Tensor], num_items_in_batch: Any = None) -> Tensor:
        seed = self.job.seed
        torch.manual_seed(hash((seed, self.state.global_step, self.n_tokens, self.args.process_index)) % 2**63)
        self.n_tokens += int(inputs["attention_mask"].sum())
        loss = self._add_gradients(model, inputs, num_items_in_batch)
        if self.adversary is not None:
            with self.adversary.in_place():
                self._add_gradients(model, inputs, num_items_in_batch)
        if not bool(torch.isfinite(loss)):
            raise diverged(self.state.global_step, self.job)
        return loss

    def _add_gradients(self, model: Any, inputs: dict[str, Tensor], num_items_in_batch: Any) -> Tensor:
        """Return the loss of a batch; its gradient is added to those of the network."""
        loss = torch.zeros((), device=self.args.device)
        for part in in_parts(inputs, self.part_size):
            loss = loss + super().training_step(model, part, num_items_in_batch)
        return loss

    def take_sums(self) -> tuple[float, int]:
        """Return loss and tokens of the update, over all processes; the sums begin anew."""
        # each process has its part of the loss, counted as often as there are processes
        sums = torch.stack([self._tr_loss / self.args.world_size, torch.tensor(self.n_tokens).to(self._tr_loss)])
        loss, n_tokens = self.accelerator.reduce(sums, reduction="sum").tolist()
        self._tr_loss.zero_()
        self.n_tokens = 0
        return loss, round(n_tokens)

    def compute_loss(
        self, model: Any, inputs: dict[str, Tensor], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Tensor:
        masses, numbers = num_items_in_batch.clamp_min(1e-12)
        number = self.job.model.number_of(str(inputs["corpus"]))
        # a corpus counts by its targets, whatever its weights; a common factor of these has no effect on the others.
        # Gradients are averaged over processes, so each part counts as often as there are processes
        share = self.args.world_size * (numbers[number] / numbers.sum()) / masses[number]
        return model(**inputs, share=share)  # type: ignore[no-any-return]  # Any: what Accelerate wraps it in

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        if self.args.should_save:
            state = {"history": self.history.as_dict(), "scheduler": self.schedule.state_dict()}
            texts = {TRAINER_STATE: json.dumps(_plain_state(self.state), indent=2) + "\n"}
            job, step, optimiser = self.job, self.state.global_step, self.create_optimizer()
            average = self.average.tensors() if self.average else None
            write_checkpoint(job.folder, step, job.model, optimiser, state, also=texts, average=average)

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        read_network(Path(resume_from_checkpoint), self.job.model)
        if self.average is not None:
            self.average.read(read_average(Path(resume_from_checkpoint)))

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        if checkpoint is not None:
            read_optimiser(Path(checkpoint), self.create_optimizer())
            with as_it_was_written(Path(checkpoint)):
                self.schedule.load_state_dict(read_state(Path(checkpoint))["scheduler"])

    def scored_weights(self) -> AbstractContextManager[None]:
        """Let the network have the weights that are scored and kept: the average, where there is one."""
        return self.average.in_place() if self.average is not None else nullcontext()

    def _load_rng_state(self, checkpoint: str | None) -> None:
        """Nothing to do: every step seeds its own dropout."""


class _Steering(TrainerCallback):
    """Keeps the history, evaluates at the end of each epoch, and says when to save and when to stop."""

    def __init__(self, trainer: _Trainer) -> None:
        self.trainer, self.job, self.history = trainer, trainer.job, trainer.history
        self.saved_at = self.stepped_at = time.monotonic()
        self.learning_rate = 0.0  # of the last update

    def on_train_begin(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        self.job.watcher.begin(state.max_steps, state.global_step)
        self.saved_at = self.stepped_at = time.monotonic()
        self.loss_before = 0.0

    def on_epoch_begin(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        self.trainer.batches.set_epoch(len(self.history.epochs))  # the Trainer tells only samplers of its own making

    def on_pre_optimizer_step(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        self.learning_rate = float(self.trainer.schedule.get_last_lr()[-1])  # behind the step it is the next one's

    def on_step_end(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        now = time.monotonic()
        history, trainer = self.history, self.trainer
        if trainer.average is not None:
            trainer.average.update(state.global_step)
        loss, n_tokens = trainer.take_sums()
        history.add_update(loss, n_tokens, seconds=now - self.stepped_at)
        rate = history.n_tokens / max(1e-9, history.seconds)
        if state.global_step % max(1, state.max_steps // STEP_ROWS) == 0:
            history.steps.append(StepRow(state.global_step, loss, self.learning_rate))
        self.job.watcher.step(state.global_step, loss, rate)
        self.stepped_at = now
        minutes = self.job.checkpoint_minutes
        steps_per_epoch = math.ceil(len(trainer.batches) / args.gradient_accumulation_steps)
        # after the last update of an epoch comes the epoch's own checkpoint, which knows its devel score
        is_last = state.global_step % steps_per_epoch == 0 or state.global_step == state.max_steps
        if minutes and now - self.saved_at > 60 * minutes and not is_last:
            control.should_save = self.job.is_kept
            self.saved_at = now

    def on_epoch_end(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        history = self.history
        with computing_in(history.precision, args.device.type), self.trainer.scored_weights():
            measured = from_main_process(self.job.evaluate)
        score = measured.score
        epoch = len(history.epochs) + 1
        is_best = history.is_better(score) or not self.job.is_choosing
        row = history.close_epoch(epoch, state.global_step, self.learning_rate, measured)
        if is_best:
            history.best_epoch, history.best_score = epoch, score
            if args.should_save and self.job.is_kept:
                with self.trainer.scored_weights():
                    write_network(best_weights(self.job.folder), self.job.model)
        patience = self.job.patience
        if patience is not None and history.epochs_since_best() >= patience:
            history.is_stopped = control.should_training_stop = True
        self.trainer.log({**measured.named(self.job.score), "train_loss": row.loss})
        self.job.watcher.epoch(row, is_best=is_best)
        control.should_save = self.job.is_kept
        self.saved_at = self.stepped_at = time.monotonic()


def _plain_state(state: TrainerState) -> dict[str, Any]:
    """Return what the Trainer must know to go on: where it was; the rest it finds out itself."""
    return {key: getattr(state, key) for key in ("global_step", "epoch", "max_steps", "train_batch_size")}
