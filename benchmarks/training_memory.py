"""How much memory does fine-tuning take, by the size of the encoder?

    python benchmarks/training_memory.py                              minilm
    python benchmarks/training_memory.py --encoder mpnet-folder ...   others: aliases, folders or hub names

Each training has its own process and reads the longest sentences of NCBI-disease (of the embedded corpus where that is
missing), since these need most: once as `linnet train` does it, and once with every batch computed whole. The floor is
16 bytes a weight: the weight, its gradient and two moments of AdamW. Exits with 1 where a training takes more than the
floor and 1.9 GB.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "data" / "ner" / "ncbi-disease"
N_SENTENCES = 64  # four batches
MOST_ABOVE_FLOOR = 1.9  # GB: libraries, the corpus, and what a part of a batch needs until its gradient is known
WHOLE = 10**9  # sub-words: no batch has so many

PROGRAM = """
import json, resource, sys
from linnet.settings.training import TrainSettings
from linnet.training.options import read_recipe
from linnet.settings.files import load_settings
from linnet.training.job import SilentWatcher
from linnet.training.train import train

encoder, data, output, most_tokens = sys.argv[1:]
given = {} if most_tokens == "auto" else {"optimiser.most_tokens": int(most_tokens)}
settings = read_recipe(None, data=data, encoder=encoder, output=output, epochs=1, threads=1, **given)
train(settings, watcher=SilentWatcher())
from math import prod
from safetensors import safe_open
with safe_open(f"{output}/model.safetensors", framework="np") as file:
    n_weights = sum(prod(file.get_slice(name).get_shape()) for name in file.keys())
print(json.dumps([n_weights, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024]))
"""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--encoder", nargs="*", default=["minilm"])
    encoders = parser.parse_args().encoder
    is_bounded = True
    print(f"{'encoder':24} {'million weights':>15} {'floor GB':>9} {'in parts GB':>12} {'whole GB':>9}")
    with tempfile.TemporaryDirectory() as name:
        data = write_longest(Path(name) / "longest")
        for encoder in encoders:
            n_weights, peak = measure(encoder, data, Path(name) / "parts", "auto")
            _, whole = measure(encoder, data, Path(name) / "whole", str(WHOLE))
            floor = 16 * n_weights / 1e9
            is_bounded &= peak / 1e9 <= floor + MOST_ABOVE_FLOOR
            shown = Path(encoder).name
            print(f"{shown:24} {n_weights / 1e6:15.1f} {floor:9.2f} {peak / 1e9:12.2f} {whole / 1e9:9.2f}", flush=True)
    print(f"at most {MOST_ABOVE_FLOOR} GB above the floor: {'yes' if is_bounded else 'no'}")
    return int(not is_bounded)


def write_longest(folder: Path) -> Path:
    """Write a corpus of the longest sentences as training split, and a few others to choose and score on."""
    folder.mkdir()
    if CORPUS.is_dir():
        sentences = (CORPUS / "train.tsv").read_text(encoding="utf-8").strip().split("\n\n")
    else:
        from linnet.formats.corpus import read_corpus
        from linnet.tasks.ner.examples import read_examples

        rows = read_examples(read_corpus("demo").train, "iob2").rows
        sentences = ["\n".join(f"{w}\t{t}" for w, t in zip(row.words, row.tags, strict=True)) for row in rows]
    by_length = sorted(sentences, key=lambda sentence: -sentence.count("\n"))
    for split, chosen in {"train": by_length[:N_SENTENCES], "devel": sentences[:8], "test": sentences[8:16]}.items():
        (folder / f"{split}.tsv").write_text("\n\n".join(chosen) + "\n\n", encoding="utf-8")
    return folder


def measure(encoder: str, data: Path, output: Path, most_tokens: str) -> tuple[int, int]:
    """Return the weights of an encoder and the peak memory of a training, in bytes."""
    command = [sys.executable, "-c", PROGRAM, encoder, str(data), f"{output}-{Path(encoder).name}", most_tokens]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    n_weights, peak = json.loads(done.stdout.splitlines()[-1])
    return int(n_weights), int(peak)


if __name__ == "__main__":
    sys.exit(main())
