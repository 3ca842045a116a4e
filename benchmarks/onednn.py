"""How much faster do float32 networks predict with oneDNN, where Linnet takes it, and how far do scores differ?

    .venv/bin/python benchmarks/onednn.py [--rounds 7] [--threads 1]

Torch multiplies float32 matrices with MKL; on processors of AMD with AVX-512, Linnet takes oneDNN for linear layers. A
network of the shape of MiniLM computes 32 sentences of 64 sub-words both ways in turns; the best round of each counts.
Exits with 1 if oneDNN is less than 1.3 times as fast, or a score differs by more than 0.0001; on other processors
nothing is compared.
"""

import argparse
import sys
import time
from typing import Any

import torch
from transformers import BertConfig, BertForTokenClassification

from linnet.models.precision import computing_in

LEAST_GAIN, MOST_DIFFERENCE = 1.3, 1e-4


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    shape = BertConfig(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)
    network: Any = BertForTokenClassification  # transformers leaves it without types
    network = network(shape).eval()
    ids = torch.randint(5, shape.vocab_size, (32, 64))
    best = {"MKL": float("inf"), "oneDNN": float("inf")}
    scores: dict[str, torch.Tensor] = {}
    for _ in range(options.rounds):
        for name in best:
            with torch.inference_mode(), computing_in("float32", "cpu" if name == "oneDNN" else "other"):
                started = time.perf_counter()
                scores[name] = network(ids).logits
                best[name] = min(best[name], time.perf_counter() - started)
    if torch.equal(scores["MKL"], scores["oneDNN"]):
        print("skipped: Linnet takes MKL on this processor")
        return 0
    gain = best["MKL"] / best["oneDNN"]
    difference = float((scores["MKL"] - scores["oneDNN"]).abs().max())
    print(f"MKL {best['MKL']:.3f} s, oneDNN {best['oneDNN']:.3f} s: {gain:.2f} times as fast (at least {LEAST_GAIN})")
    print(f"largest difference of a score {difference:.1e} (at most {MOST_DIFFERENCE:.0e})")
    return int(gain < LEAST_GAIN or difference > MOST_DIFFERENCE)


if __name__ == "__main__":
    sys.exit(main())
