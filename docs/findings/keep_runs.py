"""Keep what the runs of a grid said, and make their folders again, so that its tables can be had without training.

    python keep_runs.py keep kept.json.gz runs/grid-domain-pretraining runs/pretrain-minilm-pmc
    python keep_runs.py restore kept.json.gz runs/grid-domain-pretraining

What is kept has neither weights nor words of a corpus: settings, scores, the curve of the epochs, and the predicted tag
of each test word; of pretrainings, which may be named behind the grid, scores and curve. What the file holds already
stays there, so that a grid can be made in several places. To restore it, the corpora must stand where the grid names
them, as files of one token per line; then `linnet compare GRID --only-report` judges the runs, and without that option
those that are missing are made.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

FILES = ("linnet.json", "config.json", "recipe.toml", "metrics.json")
PREDICTIONS, HISTORY, LOG, DATA = "predictions-test.tsv", "history.jsonl", "log.jsonl", "data.json"


def keep(kept: Path, grid: Path, *pretrainings: Path) -> None:
    content = read_kept(kept) if kept.is_file() else {"grid": {}, "runs": {}, "pretrainings": {}}
    content["grid"] |= {name: (grid / name).read_text(encoding="utf-8") for name in (LOG, DATA)}
    found = {folder.name: kept_run(folder) for folder in sorted((grid / "runs").iterdir()) if is_finished(folder)}
    content["runs"] = dict(sorted((content["runs"] | found).items()))
    content["pretrainings"] |= {folder.name: kept_pretraining(folder) for folder in pretrainings}
    kept.write_bytes(gzip.compress(json.dumps(content, indent=0).encode(), mtime=0))
    print(f"{kept}: {len(content['runs'])} runs, {kept.stat().st_size:,} bytes")


def read_kept(kept: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(gzip.decompress(kept.read_bytes()))
    return content


def kept_pretraining(folder: Path) -> dict[str, Any]:
    rows = [json.loads(row) for row in (folder / HISTORY).read_text(encoding="utf-8").splitlines()]
    return {
        "metrics": json.loads((folder / "metrics.json").read_text(encoding="utf-8")),
        "facts": json.loads((folder / "pretraining.json").read_text(encoding="utf-8")),
        "perplexity": [[row["step"], row["perplexity"]] for row in rows if "perplexity" in row],
    }


def is_finished(folder: Path) -> bool:
    return (folder / "linnet.json").is_file()


def kept_run(folder: Path) -> dict[str, Any]:
    rows = (folder / PREDICTIONS).read_text(encoding="utf-8").split("\n")
    epochs = [row for row in (folder / HISTORY).read_text(encoding="utf-8").splitlines() if "devel_f1" in row]
    return {
        "files": {name: (folder / name).read_text(encoding="utf-8") for name in FILES},
        "epochs": epochs,
        "tags": " ".join(row.split("\t")[2] for row in rows if row.count("\t") == 2 and not is_mark(row)),
    }


def is_mark(row: str) -> bool:
    return row.startswith("-DOCSTART-")


def restore(kept: Path, grid: Path) -> None:
    content = read_kept(kept)
    (grid / "runs").mkdir(parents=True, exist_ok=True)
    for name, text in content["grid"].items():
        (grid / name).write_text(text, encoding="utf-8")
    n_made = 0
    for name, run in content["runs"].items():
        folder = grid / "runs" / name
        if is_finished(folder):
            continue
        folder.mkdir(exist_ok=True)
        (folder / PREDICTIONS).write_text(predictions(run), encoding="utf-8")
        (folder / HISTORY).write_text("".join(f"{row}\n" for row in run["epochs"]), encoding="utf-8")
        for file in reversed(FILES):  # `linnet.json` last: it says that the run is there
            (folder / file).write_text(run["files"][file], encoding="utf-8")
        n_made += 1
    print(f"{grid}: {n_made} runs were made again")


def predictions(run: dict[str, Any]) -> str:
    """Return words, gold tags and predicted tags, the first two from the corpus; each sentence is a document of it."""
    data = next(line for line in run["files"]["recipe.toml"].splitlines() if line.startswith("data = "))
    corpus = Path(json.loads(data.partition("=")[2])) / "test.tsv"
    sentences = [
        [row.split("\t") for row in sentence.split("\n") if row.strip() and not is_mark(row)]
        for sentence in corpus.read_text(encoding="utf-8").split("\n\n")
    ]
    tags, n_words = run["tags"].split(" "), sum(map(len, sentences))
    if len(tags) != n_words:
        sys.exit(f"{corpus}: has {n_words:,} words, and {len(tags):,} were predicted")
    lines, tag = [], iter(tags)
    for number, rows in enumerate(filter(None, sentences), 1):
        lines += [f"-DOCSTART- test-{number}\tO\tO", ""]
        lines += [f"{row[0]}\t{row[-1]}\t{next(tag)}" for row in rows]
        lines.append("")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    {"keep": keep, "restore": restore}[sys.argv[1]](*map(Path, sys.argv[2:]))
