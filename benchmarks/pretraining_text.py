"""How long does it take to make 30 MB of text ready for pretraining: read, clean, split, tokenise, pack?

The whole is measured as a run does it, then each part by itself to show where the time goes. `--megabytes 3` takes a
beginning of the text and expects a tenth of the time.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from linnet.contracts import Notes
from linnet.documents.sentences import split_sentences
from linnet.models.encoders import find_encoder
from linnet.pretraining.text.cleaned import open_cleaned
from linnet.pretraining.text.cleaning import Cleaner
from linnet.pretraining.text.packing import PackedText
from linnet.pretraining.text.preparing import prepare_text
from linnet.pretraining.text.shards import tokenise
from linnet.pretraining.text.sources import find_texts, read_texts
from linnet.settings.pretraining import BudgetSettings, CleaningSettings, PretrainSettings

MOST = 60.0  # seconds for all of it
MEGABYTES = 30.0
FILE = Path(__file__).resolve().parents[2] / "shared" / "data" / "text" / "pmc-trials.txt"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=MEGABYTES, help="of the text, from its beginning")
    megabytes: float = parser.parse_args().megabytes
    if not FILE.is_file():
        print(f"skipped: {FILE} is not here")
        return 0
    with tempfile.TemporaryDirectory() as name:
        return measure(Path(name), megabytes)


def measure(folder: Path, megabytes: float) -> int:
    text = folder / "text.txt"
    with FILE.open("rb") as file:
        text.write_bytes(file.read(int(1e6 * megabytes)).decode("utf-8", errors="ignore").encode())
    size = text.stat().st_size / 1e6
    tokenizer = find_encoder("minilm").backend
    settings = PretrainSettings(texts=(str(text),), output=str(folder / "run"), budget=BudgetSettings(steps=1))

    def whole() -> int:
        prepared = prepare_text(settings, tokenizer)
        return sum(len(sequence) for sequence in prepared.training)

    seconds = timed("all", whole)
    show_parts(folder, settings)
    most = MOST * size / MEGABYTES
    print(f"{size:.1f} MB in {seconds:.1f} s (at most {most:.1f})")
    return int(seconds > most)


def show_parts(folder: Path, settings: PretrainSettings) -> None:
    """Print how long each part takes by itself."""
    texts: list[list[str]] = []
    lines: list[list[str]] = []
    tokenizer = find_encoder("minilm").backend

    def read() -> int:
        notes = Notes()
        texts.extend(each for file in find_texts(settings.texts, notes) for each in read_texts(file, notes))
        return len(texts)

    def clean() -> int:
        cleaner = Cleaner(CleaningSettings())
        lines.extend(cleaner.clean(text) for text in texts)
        return sum(map(len, lines))

    timed("reading", read)
    timed("cleaning", clean)
    timed("splitting", lambda: sum(len(split_sentences("\n".join(each))) for each in lines))
    (place,) = (folder / "run-text").glob("cleaned-*")
    cleaned = open_cleaned(place)
    if cleaned is None:
        raise FileNotFoundError(place)
    timed("tokenising", lambda: len(tokenise(cleaned, tokenizer, folder / "tokens").tokens))
    tokenised = tokenise(cleaned, tokenizer, folder / "tokens-again")
    timed("packing", lambda: sum(len(each) for each in PackedText(tokenised, capacity=126)))


def timed(name: str, part: Callable[[], int]) -> float:
    """Do it, print how long it took, and return the seconds."""
    began, cpu = time.perf_counter(), time.process_time()
    number = part()
    seconds = time.perf_counter() - began
    print(f"{name:10} {seconds:6.2f} s, {time.process_time() - cpu:6.2f} s of processors  ({number:,})", flush=True)
    return seconds


if __name__ == "__main__":
    sys.exit(main())
