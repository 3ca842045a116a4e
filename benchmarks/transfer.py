"""Does it cost anything to train on two corpora with a head each, beside training on each of them alone?

    .venv/bin/python benchmarks/transfer.py [--sentences 400] [--rounds 3]

One thread, MiniLM, sentences of ncbi-disease and of CoNLL-2003 (train), one epoch. Joint training and the two
single-task trainings run in turns within one process; the best round of each counts. Speed is in real sub-words per
second. CoNLL's sentences are shorter, and short batches are slower per sub-word, whoever trains on them; so the joint
training is held against the two others together: all their sub-words over all their seconds. The first update of each
training, which also makes the optimiser's state, is left out.
"""

import argparse
import sys
from pathlib import Path

import torch
from speed import linnet

from linnet.tasks.ner.plan import build_model
from linnet.tasks.ner.prepared import PreparedTraining, prepare
from linnet.tasks.ner.settings import NerSettings
from linnet.training.history import Measured
from linnet.training.job import Job, SilentWatcher

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CORPORA = {"ncbi-disease": DATA / "ner" / "ncbi-disease", "conll2003": DATA / "general" / "conll2003"}
WANTED = 0.95


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    missing = [str(path) for path in CORPORA.values() if not path.is_dir()]
    if missing:
        print(f"skipped: {', '.join(missing)} not here")
        return 0
    torch.set_num_threads(1)
    ways = {name: prepare_corpora([name], options.sentences) for name in CORPORA}
    ways["joint"] = prepare_corpora(list(CORPORA), options.sentences)
    best: dict[str, tuple[int, float]] = {}
    for _ in range(options.rounds):
        for name, found in ways.items():
            measured = one_epoch(found)
            best[name] = max(best.get(name, (0, 1.0)), measured, key=lambda each: each[0] / each[1])
    return report(best)


def report(best: dict[str, tuple[int, float]]) -> int:
    for name, (n_tokens, seconds) in best.items():
        print(f"{name:24} {n_tokens / seconds:>10,.0f} tokens/s")
    alone = [best[name] for name in CORPORA]
    single = sum(n_tokens for n_tokens, _ in alone) / sum(seconds for _, seconds in alone)
    n_tokens, seconds = best["joint"]
    share = n_tokens / seconds / single
    print(f"{'both alone, together':24} {single:>10,.0f} tokens/s; joint training reaches {share:.1%} of it")
    print("target reached" if share >= WANTED else f"falls short of {WANTED:.0%}")
    return int(share < WANTED)


def prepare_corpora(names: list[str], n_sentences: int) -> PreparedTraining:
    """Return a training on these corpora, equally many sentences of each; the first is the target."""
    return prepare(
        NerSettings.model_validate(
            {
                "output": "unused",
                "threads": 1,
                "devel_sentences": 20,
                "corpora": [
                    {
                        "name": name,
                        "data": str(CORPORA[name]),
                        "role": "target" if name == names[0] else "auxiliary",
                        "train_sentences": n_sentences,
                    }
                    for name in names
                ],
                "optimiser": {"epochs": 1},
                "checkpoint_minutes": 0,
            }
        )
    )


def one_epoch(found: PreparedTraining) -> tuple[int, float]:
    """Train one epoch and return its sub-words and seconds, from the end of the first update on."""
    torch.manual_seed(1)
    job = Job(
        model=build_model(found),
        corpora=[corpus.examples for corpus in found.corpora],
        pad_id=found.word_encoder.pad_id,
        folder=Path("unused"),
        evaluate=Measured,
        watcher=SilentWatcher(),
        optimiser=found.settings.optimiser,
        seed=found.settings.seed,
        checkpoint_minutes=found.settings.checkpoint_minutes,
        sampling=found.settings.sampling,
    )
    watch = linnet(job)
    return watch.n_tokens, watch.seconds


if __name__ == "__main__":
    sys.exit(main())
