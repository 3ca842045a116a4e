"""Text that an encoder learns in a second, and settings for it."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from linnet.pretraining.run import PretrainRun
from linnet.pretraining.run import pretrain as pretrain_encoder
from linnet.settings.files import load_settings
from linnet.settings.pretraining import PretrainSettings
from linnet.training.job import SilentWatcher, Watcher
from tests import tiny


@cache
def text() -> Path:
    """Return a file of sixty documents of some sentences each."""
    path = tiny.workshop() / "text.txt"
    path.write_text("\n\n".join(_document(random.Random(number)) for number in range(60)) + "\n", encoding="utf-8")
    return path


def settings(output: Path, **given: Any) -> PretrainSettings:
    """Return settings of a quick pretraining."""
    quick: dict[str, Any] = {
        "texts": [str(text())],
        "output": str(output),
        "encoder": str(tiny.encoder("bert")),
        "shards": str(tiny.workshop() / "shards"),
        "length": 32,
        "held_out": 0.1,
        "evaluations": 2,
        "threads": 1,
        "budget": {"steps": 6},
        "cleaning": {"duplicates": False, "languages": [], "least_words": 0},
        "optimiser": {"batch_size": 4, "learning_rate": 3e-3},
    }
    for section in ("cleaning", "optimiser"):
        given[section] = quick[section] | given.get(section, {})
    return load_settings(PretrainSettings, None, **(quick | given))


def pretrain(
    output: Path, *, watcher: Watcher | None = None, resume: bool = False, overwrite: bool = False, **given: Any
) -> PretrainRun:
    """Pretrain quickly, without drawing the curves, which would take longer than all the rest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("linnet.pretraining.run.plot_pretraining", lambda rows, path, **_: path.write_bytes(b""))
        chosen = settings(output, **given)
        return pretrain_encoder(chosen, watcher=watcher or SilentWatcher(), resume=resume, overwrite=overwrite)


def _document(draw: random.Random) -> str:
    lines = []
    for _ in range(draw.randint(4, 8)):
        frame = draw.choice(tiny.FRAMES)
        line = frame.format(d=draw.choice(tiny.DISEASES), c=draw.choice(tiny.CHEMICALS)).rstrip(" .")
        lines.append(f"{line[:1].upper()}{line[1:]}.")
    return " ".join(lines)
