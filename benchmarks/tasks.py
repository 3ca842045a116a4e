"""How fast does Linnet train each task about texts, against plain dynamic padding with default AdamW?

    .venv/bin/python benchmarks/tasks.py [--examples 256] [--rounds 2] [--task relations ...]

One thread, MiniLM, a sample of each real corpus; a corpus with fewer examples is learned from several times. The plain
way has the same class of network and the same loss, batches in random order padded to their longest, PyTorch's own
dropout (of attention as well, as the encoder has it), and trains the whole table of embeddings. Linnet's is its trainer
as it is, with the embeddings of all words of the corpus, not of the sample only. Both ways take turns within one
process; the best round of each counts.
"""

import argparse
import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from speed import linnet, plain

from linnet.contracts import tasks
from linnet.tasks.texts.networks.network import fresh_text_network
from linnet.tasks.texts.plan import TextPlan, prepare_texts
from linnet.tasks.texts.task import TextTask
from linnet.training.job import Job, SilentWatcher
from linnet.training.network import CorpusLoss, NetworkWithLosses

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WANTED = 1.6


@dataclass(frozen=True)
class Trial:
    """What is trained, and how much of it is read at once."""

    corpus: Path
    batch_size: int = 16
    max_length: int = 256
    text: dict[str, Any] = field(default_factory=dict)


TRIALS = {
    "relations": Trial(DATA / "relations" / "gad" / "blurb"),
    "classification": Trial(DATA / "classification" / "hoc"),
    "similarity": Trial(DATA / "similarity" / "biosses"),
    "inference": Trial(DATA / "qa" / "pubmedqa", batch_size=8, max_length=512),
    "answering": Trial(
        DATA / "qa" / "bioasq",
        text={"files": {"train": ["4B_golden.json", "5B_golden.json"]}, "answerable_only": True},
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--task", action="append", choices=TRIALS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    ratios: dict[str, float] = {}
    print(f"{'task':16} {'plain':>10} {'Linnet':>10} {'ratio':>8}   sub-words per second")
    for task in options.task or TRIALS:
        if not TRIALS[task].corpus.is_dir():
            print(f"{task:16} skipped: {TRIALS[task].corpus} is not here")
            continue
        plainly, ours = measured(*prepared(task, TRIALS[task], options.examples), options.rounds)
        ratios[task] = ours / plainly
        print(f"{task:16} {plainly:>10,.0f} {ours:>10,.0f} {ratios[task]:>7.2f}x", flush=True)
    short = [task for task, ratio in ratios.items() if ratio < WANTED]
    print(f"falls short of {WANTED} x: {', '.join(short)}" if short else f"all reach {WANTED} x")
    return int(bool(short))


def prepared(task: str, trial: Trial, n_examples: int) -> tuple[TextPlan, Job]:
    """Return what is known of the whole corpus, and a job for a sample of it."""
    settings: Any = tasks.get(task).settings.model_validate(
        {
            "data": str(trial.corpus),
            "output": "unused",
            "task": task,
            "threads": 1,
            "optimiser": {"batch_size": trial.batch_size},
            "window": {"max_length": trial.max_length},
            "text": trial.text,
            "checkpoint_minutes": 0,
        }
    )
    found = tasks.get(task)
    assert isinstance(found, TextTask)
    whole = prepare_texts(settings, found)
    sample = random.Random(1).sample(whole.examples, min(n_examples, len(whole.examples)))
    epochs = math.ceil(n_examples / len(sample))
    optimiser = settings.optimiser.model_copy(update={"epochs": epochs})
    plan = whole.changed(settings.model_copy(update={"optimiser": optimiser}))
    (job,) = plan.jobs(plain_model(plan), Path("unused"), SilentWatcher())
    return plan, replace(job, corpora=[sample])


def measured(plan: TextPlan, job: Job, n_rounds: int) -> tuple[float, float]:
    """Return the best speed of the plain way and of Linnet's."""
    plainly = ours = 0.0
    for _ in range(n_rounds):
        plainly = max(plainly, plain(plain_model(plan), random_batches(job)))
        torch.manual_seed(1)
        ours = max(ours, linnet(replace(job, model=plan.build())).rate)
    return plainly, ours


def plain_model(plan: TextPlan) -> NetworkWithLosses:
    """Return the network as it comes from transformers, with all its own dropout."""
    torch.manual_seed(1)
    network = fresh_text_network(plan.encoder, plan.shape, plan.source.labels)
    return NetworkWithLosses(network, {"plain": CorpusLoss("", plan.loss)})


def random_batches(job: Job) -> Iterator[dict[str, Any]]:
    """Yield the batches of all epochs, each padded to its longest example."""
    assert job.collate is not None
    optimiser, draw = job.optimiser, random.Random(1)
    for _ in range(optimiser.epochs):
        examples = draw.sample(job.examples, len(job.examples))
        for start in range(0, len(examples), optimiser.batch_size):
            batch = job.collate(examples[start : start + optimiser.batch_size], job.pad_id)
            yield {**batch, "corpus": "plain"}


if __name__ == "__main__":
    sys.exit(main())
