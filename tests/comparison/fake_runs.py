"""Grids and finished runs without a training: folders with only the files that a comparison reads."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from linnet.comparison.grid import Grid, PlannedRun, load_grid
from linnet.formats.corpus import read_corpus
from linnet.models.model_folder import ModelFacts, write_facts
from linnet.settings.files import to_toml
from linnet.tasks.ner.settings import NerSettings

__all__ = ["N_SENTENCES", "TAGS", "WEIGHTINGS", "fingerprints_of", "finish", "make_grid", "planned", "write_grid"]

N_SENTENCES = 20
TAGS = ("B-X", "I-X", "O")
SEEDS = "\nseed = [1, 2]\n"
WEIGHTINGS = """
[axes.weighting]
none = { scheme = "none" }
welt = { scheme = "welt" }
"ens 0.9" = { scheme = "ens", beta = 0.9 }
"""


def write_grid(folder: Path, axes: str = WEIGHTINGS, **given: object) -> Path:
    """Write a grid file with the weightings as choices, two seeds and the demo corpus, but for what is given."""
    values = {"output": str(folder / "grid"), "baseline": {"weighting": "none"}, "recipe": {"data": "demo"}} | given
    lines = [f"{name} = {_toml(value)}" for name, value in values.items()]
    path = folder / "weighting.toml"
    path.write_text("\n".join(lines) + f"\n{axes if '[axes]' in axes else f'[axes]{SEEDS}{axes}'}", encoding="utf-8")
    return path


def make_grid(folder: Path, axes: str = WEIGHTINGS, **given: object) -> Grid:
    """Return the grid of such a file."""
    return load_grid(write_grid(folder, axes, **given))


def planned(folder: Path, **settings: object) -> PlannedRun:
    """Return a run by itself, named after its folder."""
    values = {"data": "demo", "output": str(folder), **settings}
    chosen = NerSettings.model_validate(values)
    return PlannedRun({"data": "demo"}, {"weighting": chosen.loss.scheme}, chosen.seed, chosen)


def finish(
    run: PlannedRun,
    wrong: Collection[int] = (),
    *,
    n_sentences: int = N_SENTENCES,
    fingerprints: Mapping[str, str] | None = None,
    split: str = "test",
) -> None:
    """Write the folder of a run that got some sentences wrong, by their numbers from 0.

    Every sentence holds one mention, and a wrong one is marked a word too long. So strict F1 is the share of right
    sentences r, and fair F1, by which such an error is one instead of two, is r / (r + w / 2).
    """
    run.folder.mkdir(parents=True, exist_ok=True)
    rows = [
        f"ataxia{number}\tB-X\tB-X\nhere\tO\t{'I-X' if number in wrong else 'O'}\n.\tO\tO\n\n"
        for number in range(n_sentences)
    ]
    (run.folder / f"predictions-{split}.tsv").write_text("-DOCSTART- d1\tO\tO\n\n" + "".join(rows), encoding="utf-8")
    (run.folder / "recipe.toml").write_text(to_toml(run.settings), encoding="utf-8")
    (run.folder / "config.json").write_text(json.dumps({"id2label": dict(enumerate(TAGS))}), encoding="utf-8")
    share = 1 - len(set(wrong)) / n_sentences
    metrics = {"split": "test", "metric": "strict", "scores": {"strict": {"value": share}}}
    (run.folder / "metrics.json").write_text(json.dumps(metrics), encoding="utf-8")
    known = fingerprints or {"train": run.settings.data, "test": f"test of {run.settings.data}"}
    facts = ModelFacts(task="ner", tagging="iob2", tags=TAGS, max_length=64, seed=run.seed, fingerprints=known)
    write_facts(run.folder, facts)


def fingerprints_of(data: str) -> dict[str, str]:
    """Return what a run that learned from this corpus notes of it."""
    return {name: split.fingerprint for name, split in read_corpus(data).splits.items()}


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(name)} = {_toml(each)}" for name, each in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)
