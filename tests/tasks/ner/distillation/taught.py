"""Teachers, unlabelled texts and settings for tests of distillation."""

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from linnet.labels.label_set import LabelSet
from linnet.tasks.ner.distillation.settings import DistillSettings
from linnet.tasks.ner.distillation.teachers import Teacher
from tests import tiny

__all__ = ["distilling", "make_teacher", "settings", "teacher", "texts"]

FRAMES = ("{c} was treated with {d} .", "no {d} in mice", "we gave {c} in {d} .", "{d} did not change {c} .")
IOB2 = LabelSet.of_tags(["Chemical", "Disease"], "iob2")


@cache
def teacher() -> Path:
    """Return the folder of a model that has learned diseases and chemicals well."""
    corpus = tiny.write_corpus(tiny.workshop() / "corpus-of-the-teacher", train=120)
    return tiny.train(tiny.workshop() / "teacher", data=str(corpus), epochs=12, learning_rate=0.01).folder


@cache
def texts() -> Path:
    """Return a file with sentences that no split has, one on each line, without annotations."""
    place = tiny.workshop() / "unlabelled.txt"
    pairs = product(tiny.DISEASES, tiny.CHEMICALS, FRAMES)
    lines = [frame.format(d=disease, c=chemical) for disease, chemical, frame in pairs]
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


def settings(**given: Any) -> DistillSettings:
    """Return the settings of a distillation from the teacher."""
    return DistillSettings(**distilling(**given))


def distilling(**given: Any) -> dict[str, Any]:
    """Return a section [distill] with one teacher."""
    return {"teachers": [str(teacher())], "texts": [str(texts())], "format": "lines", **given}


def make_teacher(
    tags: tuple[str, ...] = IOB2.names, *, tagging: str = "iob2", name: str = "one", **names: str
) -> Teacher:
    """Return a teacher that is only described."""
    return Teacher(name=name, folder=Path(name), fingerprint=name * 8, tags=tags, tagging=tagging, names=names)
