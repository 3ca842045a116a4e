"""Gives the outputs of a published tagger their names, where its configuration has none or bare tags.

Many published models say `LABEL_0`, `LABEL_1`, ...: their names stand in the `labels.txt` that they were trained with.
Others say bare `B`, `I`, `O`: which entity type that is, only the user knows.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linnet.errors import BadFile, BadSetting
from linnet.labels.tagging import OUTSIDE
from linnet.storage.files import read_lines

__all__ = ["Relabelling", "has_bare_tags", "has_no_names", "name_outputs", "read_labels", "rename_tags"]

PLACEHOLDER = re.compile(r"LABEL_\d+")
BARE = frozenset("BIOESLUM")


@dataclass(frozen=True)
class Relabelling:
    """Names that the user gives to a model's outputs."""

    tags: tuple[str, ...] | None = None  # in the order of the outputs; None: as config.json has them
    label: str | None = None  # what bare tags mark
    where: str = "--labels"  # where the tags were read, for messages

    def __bool__(self) -> bool:
        """Return whether there is anything to rename."""
        return self.tags is not None or self.label is not None


def read_labels(path: Path) -> tuple[str, ...]:
    """Return the tags of a labels file, one a line, in the order of the outputs.

    As in the training scripts that write such files, `O` comes first where the file does not name it.
    """
    tags = tuple(line.strip() for _, line in read_lines(path) if line.strip())
    if not tags:
        raise BadFile(f"{path}: names no labels", "give one tag a line, e.g. B-Disease, I-Disease, O")
    twice = sorted(tag for tag, number in Counter(tags).items() if number > 1)
    if twice:
        raise BadFile(f"{path}: names {', '.join(twice)} more than once", "name each output once, in its order")
    return tags if OUTSIDE in tags else (OUTSIDE, *tags)


def has_no_names(tags: Sequence[str]) -> bool:
    """Return whether all tags are placeholders (`LABEL_0`), which transformers writes for outputs without names."""
    return not tags or all(PLACEHOLDER.fullmatch(tag) for tag in tags)


def has_bare_tags(tags: Sequence[str]) -> bool:
    """Return whether these are tags without an entity type, such as B, I, O."""
    return bool(tags) and OUTSIDE in tags and len(tags) > 1 and set(tags) <= BARE


def rename_tags(
    tags: Sequence[str], relabelling: Relabelling, *, n_outputs: int | None, folder: Path
) -> tuple[str, ...]:
    """Return the tags of a model's outputs under their new names.

    Args:
        tags: as `config.json` names them.
        relabelling: what the user says.
        n_outputs: how many outputs the head has, where that is known.
        folder: of the model, for messages.

    Raises:
        BadSetting: where the names do not fit the outputs.
    """
    found = tuple(relabelling.tags or tags)
    if n_outputs is not None and len(found) != n_outputs:
        raise BadSetting(
            f"{relabelling.where} names {len(found)} labels ({', '.join(found)}), but the head of {folder} has "
            f"{n_outputs} outputs",
            "give the labels file that the model was trained with: one tag a line, in the order of the outputs",
        )
    if relabelling.label is not None and has_bare_tags(found):
        found = tuple(tag if tag == OUTSIDE else f"{tag}-{relabelling.label}" for tag in found)
    return found


def name_outputs(config: Mapping[str, Any], tags: Sequence[str]) -> dict[str, Any]:
    """Return a configuration whose outputs have these names."""
    numbered = {str(number): tag for number, tag in enumerate(tags)}
    return {**config, "id2label": numbered, "label2id": {tag: number for number, tag in enumerate(tags)}}
