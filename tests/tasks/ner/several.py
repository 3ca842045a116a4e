"""Corpora that annotate different labels of the same kind of sentences, and what a recipe says to learn from both."""

from functools import cache
from pathlib import Path
from typing import Any

from tests import tiny

__all__ = ["annotated_for", "chemicals", "diseases", "joint", "joint_then_target", "members"]

SPLITS = {"train": 24, "devel": 8, "test": 8}


def annotated_for(label: str, number: int, seed: int) -> list[list[tiny.Row]]:
    """Return tiny sentences in which only one label was annotated."""
    rows = tiny.sentences(number, seed)
    return [[(word, tag if tag.endswith(label) else "O") for word, tag in row] for row in rows]


@cache
def diseases() -> Path:
    """Return the folder of a corpus that annotates nothing but diseases."""
    return _write(tiny.workshop() / "diseases", "Disease", SPLITS, first_seed=0)


@cache
def chemicals(train: int = 40) -> Path:
    """Return the folder of a corpus that annotates nothing but chemicals, and has a training split only."""
    return _write(tiny.workshop() / f"chemicals-{train}", "Chemical", {"train": train}, first_seed=20)


def members(**of_the_second: Any) -> list[dict[str, Any]]:
    """Return diseases as the target, and chemicals beside them."""
    return [
        {"name": "diseases", "data": str(diseases()), "role": "target"},
        {"name": "chemicals", "data": str(chemicals()), **of_the_second},
    ]


def joint(**given: Any) -> dict[str, Any]:
    """Return the settings of a joint training."""
    return {"data": None, "corpora": members(), **given}


def joint_then_target(**given: Any) -> dict[str, Any]:
    """Return the settings of a joint training that goes on with the target alone."""
    both = {"corpora": ["diseases", "chemicals"], "epochs": 2}
    alone = {"corpora": ["diseases"], "epochs": 2, "learning_rate": 1e-3}
    return joint(**{"stages": [both, alone], **given})


def _write(folder: Path, label: str, splits: dict[str, int], *, first_seed: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for seed, (split, number) in enumerate(splits.items(), first_seed):
        (folder / f"{split}.tsv").write_text(tiny.conll(annotated_for(label, number, seed)), encoding="utf-8")
    return folder
