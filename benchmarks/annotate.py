"""How fast does Linnet annotate, and in how much memory?

    .venv/bin/python benchmarks/annotate.py --model RUN [--onnx FOLDER] [--int8 FOLDER] [--rounds 2] [--memory] [--ray]

RUN is MiniLM, fine-tuned on ncbi-disease; the other folders are what `linnet export RUN FOLDER [--int8]` made of it,
and are made where they are not given. Texts are the sentences of ncbi-disease (test) and abstracts of bc5cdr, cut into
their sentences: the network learned from sentences, and all ways have the same to do. All are held to one processor,
read the same file and write their mentions to another; speed is in words per second, from the first byte read to the
last byte written, the model loaded before. Ways take turns, the best round counts. What the pipeline does with whole
abstracts is shown beside: fewer, longer texts suit it, up to the length that its network can read.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, formats
from linnet.documents.document import Document
from linnet.documents.sentences import with_sentences
from linnet.formats.corpus import read_corpus
from linnet.tasks.ner.predictor import Predictor, load

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
RAY_TEXTS = 6000  # abstracts: 34 blocks, so that neither starting Ray nor the last block decides
WANTED = {"torch": 2.0, "onnx int8": 3.0}  # times the pipeline's better way


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path)
    parser.add_argument("--onnx", type=Path)
    parser.add_argument("--int8", type=Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--texts", type=int, default=200, help="abstracts")
    parser.add_argument("--memory", action="store_true", help="also 10,000 and 100,000 abstracts, some ten minutes")
    parser.add_argument("--ray", action="store_true", help="also one and two workers on Ray")
    options = parser.parse_args()
    if options.model is None or not (DATA / "ner" / "ncbi-disease").is_dir():
        print("skipped: it needs `--model RUN` (recipes/ncbi-disease-minilm.toml makes one) and the corpora")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        onnx = options.onnx or exported(options.model, folder / "onnx")
        int8 = options.int8 or exported(options.model, folder / "int8", "--int8")
        whole = written(texts(options.texts), folder / "abstracts.jsonl")
        source = written([*sentences_of_test(), *cut(texts(options.texts))], folder / "sentences.jsonl")
        short = [
            *speed(options.model, onnx, int8, source, whole, options.rounds),
            *threads(int8, source),
            *cold_start(int8, folder),
            *(memory(folder) if options.memory else []),
            *(ray_workers(int8, folder) if options.ray else []),
        ]
    print(f"falls short of: {'; '.join(short)}" if short else "all targets reached")
    return int(bool(short))


def sentences_of_test() -> list[Document]:
    """Return the sentences of ncbi-disease's test split."""
    corpus = read_corpus(DATA / "ner" / "ncbi-disease")
    return [Document(f"s{at}", document.text) for at, document in enumerate(corpus.test)]


def texts(number: int) -> list[Document]:
    """Return so many abstracts."""
    path = next((DATA / "linking" / "bc5cdr").glob("*TestSet*PubTator*.txt"))
    found = list(formats.get("pubtator").read(path, ReadOptions(repair=True), Notes()))
    return [Document(str(at), found[at % len(found)].text) for at in range(number)]


def cut(documents: list[Document]) -> list[Document]:
    """Return the sentences of documents as documents of their own."""
    return [
        Document(f"{document.id}.{at}", document.text[sentence.start : sentence.end])
        for document in documents
        for at, sentence in enumerate(with_sentences(document))
    ]


def written(documents: list[Document], path: Path) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": each.id, "text": each.text}) + "\n" for each in documents)
    return path


def exported(model: Path, folder: Path, *options: str) -> Path:
    command = [sys.executable, "-c", "from linnet.cli.main import main; main()", "export", str(model), str(folder)]
    subprocess.run([*command, *options], check=True, stdout=subprocess.DEVNULL)
    return folder


def n_words(source: Path) -> int:
    found = formats.get("jsonl").read(source, ReadOptions(), Notes())
    return sum(len(sentence.tokens) for document in found for sentence in with_sentences(document))


def speed(model: Path, onnx: Path, int8: Path, source: Path, whole: Path, rounds: int) -> Iterator[str]:
    """Compare the engines with the pipeline of transformers, each in a process on one processor."""
    ways: dict[str, list[str]] = {
        "pipeline, batch 1": ["pipeline", str(model), "1"],
        "pipeline, batch 32": ["pipeline", str(model), "32"],
        "torch": ["linnet", str(model), "1"],
        "onnx": ["linnet", str(onnx), "1"],
        "onnx int8": ["linnet", str(int8), "1"],
    }
    words = n_words(source)
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, way in ways.items():
            best[name] = max(best.get(name, 0.0), words / in_process(way, source, processors=1))
    plain = max(best["pipeline, batch 1"], best["pipeline, batch 32"])
    longer = n_words(whole)
    for name, way in (("pipeline, abstracts", ways["pipeline, batch 1"]), ("int8, abstracts", ways["onnx int8"])):
        best[name] = longer / in_process(way, whole, processors=1)
    print(f"{'way':22} {'words/s':>9} {'x pipeline':>11}")
    for name, rate in best.items():
        print(f"{name:22} {rate:>9,.0f} {rate / plain:>10.2f}x")
    yield from (f"{name} {factor:g}x the pipeline" for name, factor in WANTED.items() if best[name] < factor * plain)


def threads(int8: Path, source: Path) -> Iterator[str]:
    if len(os.sched_getaffinity(0)) < 2:
        print("two threads: skipped, there is one processor")
        return
    one = min(in_process(["linnet", str(int8), "1"], source, processors=2) for _ in range(2))
    two = min(in_process(["linnet", str(int8), "2"], source, processors=2) for _ in range(2))
    print(f"two threads are {one / two:.2f}x as fast as one (wanted 1.6)")
    if one / two < 1.6:
        yield "two threads 1.6x one"


def in_process(way: list[str], source: Path, *, processors: int) -> float:
    """Return the seconds of one way, measured in a fresh process on so many processors, model loaded before."""
    chosen = ",".join(map(str, sorted(os.sched_getaffinity(0))[:processors]))
    command = [sys.executable, __file__, "--way", chosen, str(source), *way]
    environment = {**os.environ, "OMP_NUM_THREADS": way[2] if way[0] == "linnet" else "1", "RAYON_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout.splitlines()[-1])


def cold_start(int8: Path, folder: Path) -> Iterator[str]:
    """Annotate one short text from the command line, everything included."""
    text = folder / "short.txt"
    text.write_text("Cystic fibrosis was treated with folic acid.", encoding="utf-8")
    command = [sys.executable, "-c", "from linnet.cli.main import main; main()", "annotate", str(text)]
    seconds = []
    for number in range(3):
        started = time.perf_counter()
        output = str(folder / f"short-{number}.jsonl")
        subprocess.run([*command, "--model", str(int8), "--output", output], check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - started)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"one short text, cold: {min(seconds):.2f} s (wanted below 2); largest child so far {usage:,.0f} MB")
    if min(seconds) >= 2:
        yield "a cold start in 2 s"


def memory(folder: Path) -> Iterator[str]:
    """Compare the peaks for 10,000 and 100,000 abstracts; the engine answers at once, all else is the real thing."""
    abstracts = [each.text for each in texts(500)]
    peaks = {}
    for number in (10_000, 100_000):
        drawn = random.Random(number).choices(abstracts, k=number)
        source = written([Document(str(at), text) for at, text in enumerate(drawn)], folder / f"{number}.jsonl")
        done = subprocess.run(
            [sys.executable, __file__, "--peak", str(source)], capture_output=True, text=True, check=True
        )
        peaks[number] = float(done.stdout.splitlines()[-1])
        print(f"{number:,} abstracts: peak {peaks[number]:,.0f} MB")
    if peaks[100_000] - peaks[10_000] > 100:
        yield "100 MB more for ten times the abstracts"


def ray_workers(int8: Path, folder: Path) -> Iterator[str]:
    """Compare one and two workers on work that takes some minutes, for starting Ray takes seconds."""
    from linnet.annotation.annotate import annotate_path

    source = written(texts(RAY_TEXTS), folder / "many.jsonl")
    seconds = {}
    with tempfile.TemporaryDirectory() as name:
        for workers in (1, 2):
            output = Path(name) / f"{workers}.jsonl"
            done = annotate_path(source, model=int8, output=output, ray="local", workers=workers, threads=1)
            seconds[workers] = done.seconds
    print(f"two Ray workers are {seconds[1] / seconds[2]:.2f}x as fast as one, start included (wanted 1.7)")
    if seconds[1] / seconds[2] < 1.7:
        yield "two Ray workers 1.7x one"


def one_way(processors: str, source: str, kind: str, model: str, number: str) -> None:
    """Run one way in this process and print its seconds."""
    os.sched_setaffinity(0, {int(each) for each in processors.split(",")})
    ways: dict[str, Callable[[Path, str, int], float]] = {"pipeline": by_pipeline, "linnet": by_linnet}
    print(ways[kind](Path(source), model, int(number)))


def by_pipeline(source: Path, model: str, batch_size: int) -> float:
    import torch
    from transformers import pipeline

    torch.set_num_threads(1)
    found = pipeline("token-classification", model=model, aggregation_strategy="first", device="cpu")
    with tempfile.TemporaryDirectory() as name:
        started = time.perf_counter()
        lines = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
        with (Path(name) / "out.jsonl").open("w", encoding="utf-8") as file:
            for line, spans in zip(lines, found([each["text"] for each in lines], batch_size=batch_size), strict=True):
                rows = [{key: value for key, value in span.items() if key != "score"} for span in spans]
                file.write(json.dumps({"id": line["id"], "spans": rows}) + "\n")
        return time.perf_counter() - started


def by_linnet(source: Path, model: str, n_threads: int) -> float:
    from linnet.annotation import annotate as module

    loaded = load(model, threads=n_threads)
    module.load_annotator = lambda settings: loaded  # type: ignore[attr-defined]  # the model is loaded before the clock starts
    with tempfile.TemporaryDirectory() as name:
        return module.annotate_path(source, model=model, output=Path(name) / "out.jsonl", threads=n_threads).seconds


def print_peak(source: str) -> None:
    """Annotate with an engine that answers at once, and print the peak of this process in MB."""
    import numpy as np

    from linnet.annotation import annotate as module
    from linnet.batches.encoding import WordEncoder
    from linnet.labels.label_set import LabelSet
    from linnet.models.encoders import find_encoder
    from linnet.tasks.ner.decoding import Decoder

    class Instant:
        def logits(self, batch: object) -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
            return np.zeros((*batch.ids.shape, 3), np.float32)  # type: ignore[attr-defined]

    tags = LabelSet(("O", "B-X", "I-X"))
    encoder = WordEncoder(find_encoder("minilm").backend, max_length=256)
    predictor = Predictor(Instant(), encoder, Decoder(tags, "iob2"))
    module.load_annotator = lambda settings: predictor  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as name:
        module.annotate_path(source, model=name, output=Path(name) / "out.jsonl")
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        one_way(*sys.argv[2:])
    elif sys.argv[1:2] == ["--peak"]:
        print_peak(sys.argv[2])
    else:
        sys.exit(main())
