"""How fast does Linnet pretrain, against a plain loop and the machine's own limit?

    .venv/bin/python benchmarks/pretraining.py [--updates 12] [--rounds 2]

One thread, MiniLM, trial articles from PMC. Both ways run in turns within one process; the best round of each counts.
Speed is in real sub-words per second: padding is work, but not output. The first update of each, which also makes the
optimiser's state, is left out.

- The plain loop pads lines to 128 sub-words, cuts what is longer, computes the scores of all sub-words at every place,
  and uses the default AdamW.
- The limit is the rate at which this machine keeps multiplying matrices of the network's own shapes, forward and
  backward, over 6 x (parameters of the encoder without embeddings + parameters of the head x share of hidden places).
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from speed import linnet
from training import FLOATS_PER_WEIGHT, multiplication_rate
from transformers import AutoModelForMaskedLM

from linnet.losses.cost_sensitive import IGNORED
from linnet.models.encoders import find_encoder, open_network
from linnet.pretraining.learning.examples import ExampleMaker, MaskedExample, collate
from linnet.pretraining.learning.plan import PretrainPlan, plan_pretraining
from linnet.pretraining.learning.schedule import Schedule
from linnet.settings.pretraining import PretrainSettings
from linnet.training.job import SilentWatcher

TEXT = Path(__file__).resolve().parents[2] / "shared" / "data" / "text" / "pmc-trials.txt"
CHARACTERS = 1_500_000  # of the text that are used
BATCH, LENGTH = 16, 128
WANTED_SHARE, WANTED_FACTOR = 0.7, 1.5


@dataclass(frozen=True)
class Line:
    """A line as it is, without special sub-words."""

    ids: NDArray[np.int64]
    sentence_starts: tuple[int, ...] = (0,)
    document_starts: tuple[int, ...] = (0,)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    if not TEXT.is_file():
        print(f"skipped: {TEXT} is not here")
        return 0
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text.txt"
        with TEXT.open(encoding="utf-8") as file:
            text.write_text(file.read(CHARACTERS), encoding="utf-8")
        plan = plan_of(text, Path(folder), options.updates)
        ours, plain, limit = 0.0, 0.0, 0.0
        for _ in range(options.rounds):
            plain = max(plain, plain_loop(text, plan.maker, options.updates))
            ours = max(ours, pretraining(plan, options.updates))
            limit = max(limit, multiplication_rate())
        per_token = operations_per_token(plan)
    return report(ours, plain, limit / per_token)


def plan_of(text: Path, folder: Path, updates: int) -> PretrainPlan:
    return plan_pretraining(
        PretrainSettings.model_validate(
            {
                "texts": [str(text)],
                "output": str(folder / "unused"),
                "encoder": "minilm",
                "length": LENGTH,
                "threads": 1,
                "checkpoint_minutes": 0,
                "budget": {"steps": updates},
                "optimiser": {"batch_size": BATCH},
            }
        )
    )


def report(ours: float, plain: float, limit: float) -> int:
    print(f"{'way':44} {'tokens/s':>10} {'Linnet is':>10}")
    print(f"{'lines padded to 128, scores of every place':44} {plain:>10,.0f} {ours / plain:>9.2f}x")
    print(f"{'Linnet':44} {ours:>10,.0f}")
    print(f"{'limit of the matrix multiplication':44} {limit:>10,.0f} {ours / limit:>10.1%}")
    short = []
    if ours < WANTED_FACTOR * plain:
        short.append(f"{WANTED_FACTOR:g} x the plain loop")
    if ours < WANTED_SHARE * limit:
        short.append(f"{WANTED_SHARE:.0%} of the limit")
    print(f"falls short of: {', '.join(short)}" if short else "all targets reached")
    return int(bool(short))


def pretraining(plan: PretrainPlan, updates: int) -> float:
    """Pretrain through Linnet's own trainer, and return its speed."""
    model, _ = plan.build()
    schedule = Schedule(updates, updates, {})
    return linnet(plan.make_job(model, schedule, Path("unused"), SilentWatcher())).rate


def plain_loop(text: Path, maker: ExampleMaker, updates: int) -> float:
    """Pretrain as a plain loop does, and return its speed."""
    torch.manual_seed(1)
    network: Any = open_network(find_encoder("minilm"), AutoModelForMaskedLM).train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=5e-5)
    n_tokens, started = 0, 0.0
    for number, batch in enumerate(islice(padded_batches(text, maker), updates)):
        if number == 1:
            n_tokens, started = 0, time.perf_counter()
        network(**batch).loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        n_tokens += int(batch["attention_mask"].sum())
    return n_tokens / (time.perf_counter() - started)


def padded_batches(text: Path, maker: ExampleMaker) -> Iterator[dict[str, torch.Tensor]]:
    """Yield batches of lines, each padded to the full length, with a label for every place."""
    tokenizer = find_encoder("minilm").backend
    lines = [line for line in text.read_text(encoding="utf-8").splitlines() if line.strip()]
    np.random.default_rng(1).shuffle(lines)
    for start in range(0, len(lines), BATCH):
        read = tokenizer.encode_batch(lines[start : start + BATCH], add_special_tokens=False)
        pieces = [Line(np.array(each.ids[: LENGTH - maker.n_special], dtype=np.int64)) for each in read]
        yield at_full_length([maker.make(piece, start + row) for row, piece in enumerate(pieces)])


def at_full_length(examples: list[MaskedExample]) -> dict[str, torch.Tensor]:
    batch = collate(examples, 0)
    n_rows, width = batch["input_ids"].shape
    found = {
        "input_ids": torch.zeros((n_rows, LENGTH), dtype=torch.long),
        "attention_mask": torch.zeros((n_rows, LENGTH), dtype=torch.long),
        "labels": torch.full((n_rows, LENGTH), IGNORED),
    }
    for name in ("input_ids", "attention_mask"):
        found[name][:, :width] = batch[name]
    rows, columns = batch["positions"] // width, batch["positions"] % width
    found["labels"][rows, columns] = batch["labels"]
    return found


def operations_per_token(plan: PretrainPlan) -> float:
    """Return the operations of multiplications for a sub-word: the encoder's, and the head's at hidden places."""
    model, _ = plan.build()
    network: Any = model.network
    of_encoder = sum(p.numel() for name, p in network.base_model.named_parameters() if "embeddings" not in name)
    of_head = sum(p.numel() for name, p in network.named_parameters() if not name.startswith(network.base_model_prefix))
    of_head += network.get_input_embeddings().weight.numel()  # the output layer, which is the table of embeddings
    sample = [
        plan.maker.make(plan.text.training[number], number) for number in range(min(200, len(plan.text.training)))
    ]
    hidden = sum(len(each.masked.positions) for each in sample) / sum(len(each) for each in sample)
    return float(FLOATS_PER_WEIGHT * (of_encoder + hidden * of_head))


if __name__ == "__main__":
    sys.exit(main())
