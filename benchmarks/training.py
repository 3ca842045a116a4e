"""How fast does Linnet train, against padding to a fixed length, plain dynamic padding, and the machine's own limit?

    .venv/bin/python benchmarks/training.py [--sentences 800] [--rounds 2]
    .venv/bin/python benchmarks/training.py --bfloat16    # mixed bfloat16, with fused and with plain attention

One thread, MiniLM, sentences of ncbi-disease (train). All variants run in turns within one process; the best round of
each counts. Speed is in real sub-words per second: padding is work, but not output. The first update of each, which
also makes the optimiser's state, is left out. The limit is the rate at which this machine keeps multiplying matrices
of the network's own shapes, forward and backward, over 6 x parameters (without embeddings) x sub-words.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import torch
from speed import linnet, plain
from torch import nn

from linnet.batches.encoding import collate
from linnet.losses.cost_sensitive import IGNORED
from linnet.models.attention import use_plain_attention
from linnet.models.encoders import open_token_classifier
from linnet.tasks.ner.heads import build_heads
from linnet.tasks.ner.losses import build_weighted_loss
from linnet.tasks.ner.plan import build_model
from linnet.tasks.ner.prepared import PreparedTraining, prepare
from linnet.tasks.ner.settings import NerSettings
from linnet.training import trainer
from linnet.training.history import Measured
from linnet.training.job import Job, LabelledWindow, SilentWatcher
from linnet.training.network import CorpusLoss, NetworkWithLosses

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "data" / "ner" / "ncbi-disease"
BATCH = 16
FLOATS_PER_WEIGHT = 6  # two for the forward pass, four for the backward pass


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sentences", type=int, default=800)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--bfloat16", action="store_true")
    options = parser.parse_args()
    if not CORPUS.is_dir():
        print(f"skipped: {CORPUS} is not here")
        return 0
    torch.set_num_threads(1)
    settings = NerSettings.model_validate(
        {
            "data": str(CORPUS),
            "output": "unused",
            "train_sentences": options.sentences,
            "threads": 1,
            "optimiser": {
                "epochs": 1,
                "batch_size": BATCH,
                "precision": "bfloat16" if options.bfloat16 else "float32",
            },
            "window": {"max_length": 384},
            "checkpoint_minutes": 0,
        }
    )
    prepared = prepare(settings)
    if options.bfloat16:
        return compare_attention(prepared, options.rounds)
    ways: dict[str, Callable[[], float]] = {
        "padded to 384, default AdamW": lambda: padded(prepared, 384, most_batches=2),
        "padded to 128, default AdamW": lambda: padded(prepared, 128, most_batches=5),
        "dynamic padding, default AdamW": lambda: padded(prepared, None, most_batches=15),
        "Linnet": lambda: linnet(job_of(prepared)).rate,
    }
    best: dict[str, float] = {}
    limit = 0.0
    for _ in range(options.rounds):
        for name, way in ways.items():
            best[name] = max(best.get(name, 0.0), way())
        limit = max(limit, multiplication_rate())
    return report(best, limit / (FLOATS_PER_WEIGHT * count_weights(prepared)))


def compare_attention(prepared: PreparedTraining, rounds: int) -> int:
    """Print the speed in bfloat16 with fused and plain attention, and return 1 if the plain one is not faster."""
    best = {"fused": 0.0, "plain": 0.0}
    for _ in range(rounds):
        for name, choose in {"fused": keep_attention, "plain": use_plain_attention}.items():
            vars(trainer)["use_plain_attention"] = choose
            best[name] = max(best[name], linnet(job_of(prepared)).rate)
    for name, rate in best.items():
        print(f"bfloat16, {name} attention: {rate:,.0f} tokens/s")
    print(f"plain attention is {best['plain'] / best['fused']:.2f}x as fast")
    return int(best["plain"] <= best["fused"])


def keep_attention(_model: nn.Module) -> None:
    """Leave attention as transformers chose it."""


def report(best: dict[str, float], limit: float) -> int:
    ours = best["Linnet"]
    print(f"{'way':34} {'tokens/s':>10} {'Linnet is':>10}")
    for name, rate in best.items():
        print(f"{name:34} {rate:>10,.0f} {ours / rate:>9.2f}x")
    print(f"{'limit of the matrix multiplication':34} {limit:>10,.0f} {ours / limit:>10.1%}")
    wanted = {
        "padded to 128, default AdamW": 4.0,
        "padded to 384, default AdamW": 15.0,
        "dynamic padding, default AdamW": 1.6,
    }
    short = [name for name, factor in wanted.items() if ours < factor * best[name]]
    if ours < 0.7 * limit:
        short.append("70 % of the limit")
    print(f"falls short of: {', '.join(short)}" if short else "all targets reached")
    return int(bool(short))


def plain_model(prepared: PreparedTraining) -> NetworkWithLosses:
    """Return the network as it comes from transformers."""
    torch.manual_seed(1)
    network = open_token_classifier(prepared.encoder, prepared.label_set)
    build_heads(network, {"plain": len(prepared.label_set)}, target="plain")
    loss = build_weighted_loss(prepared.settings, prepared.label_set, prepared.weighting)
    return NetworkWithLosses(network, {prepared.target.name: CorpusLoss("plain", loss)})


def padded(prepared: PreparedTraining, length: int | None, *, most_batches: int) -> float:
    """Train as the seeds do: batches in random order, padded to a fixed length (or to their longest)."""
    batches = islice(random_batches(prepared, length), most_batches + 1)
    return plain(plain_model(prepared), batches)


def random_batches(prepared: PreparedTraining, length: int | None) -> Iterator[dict[str, torch.Tensor]]:
    examples = [example for example in prepared.examples if length is None or len(example.labels) <= length]
    random.Random(1).shuffle(examples)
    for start in range(0, len(examples), BATCH):
        yield tensors(examples[start : start + BATCH], prepared.word_encoder.pad_id, length)


def tensors(examples: list[LabelledWindow], pad_id: int, length: int | None) -> dict[str, torch.Tensor]:
    batch = collate([example.window for example in examples], pad_id)
    width = length or batch.ids.shape[1]
    found = {
        "input_ids": torch.full((len(examples), width), pad_id),
        "attention_mask": torch.zeros((len(examples), width), dtype=torch.long),
        "labels": torch.full((len(examples), width), IGNORED),
    }
    found["input_ids"][:, : batch.ids.shape[1]] = torch.from_numpy(batch.ids)
    found["attention_mask"][:, : batch.mask.shape[1]] = torch.from_numpy(batch.mask)
    for row, example in enumerate(examples):
        found["labels"][row, : len(example.labels)] = torch.tensor(example.labels)
    return found


def job_of(prepared: PreparedTraining) -> Job:
    """Return one epoch for Linnet's own trainer."""
    settings = prepared.settings
    return Job(
        model=build_model(prepared),
        corpora=[prepared.examples],
        pad_id=prepared.word_encoder.pad_id,
        folder=Path("unused"),
        evaluate=Measured,
        watcher=SilentWatcher(),
        optimiser=settings.optimiser,
        seed=settings.seed,
        checkpoint_minutes=settings.checkpoint_minutes,
    )


def multiplication_rate() -> float:
    """Return operations per second of float32 products in the network's own shapes, kept up for a second."""
    tokens, hidden, inner, n_layers = 512, 384, 1536, 6
    shapes = [(hidden, hidden)] * 4 + [(hidden, inner), (inner, hidden)]
    weights = [torch.randn(into, out) for _ in range(n_layers) for into, out in shapes]
    inputs = {size: torch.randn(tokens, size) for size in (hidden, inner)}
    operations, started = 0, time.perf_counter()
    while time.perf_counter() - started < 1:
        for weight in weights:
            into, out = weight.shape
            torch.mm(inputs[into], weight)
            torch.mm(inputs[out], weight.T)  # the gradient of the input
            torch.mm(inputs[into].T, inputs[out])  # the gradient of the weight
            operations += 3 * 2 * tokens * into * out
    return operations / (time.perf_counter() - started)


def count_weights(prepared: PreparedTraining) -> int:
    """Return the network's parameters without the embeddings, which are looked up, not multiplied."""
    model = plain_model(prepared)
    return sum(p.numel() for name, p in model.network.named_parameters() if "embeddings" not in name)


if __name__ == "__main__":
    sys.exit(main())
