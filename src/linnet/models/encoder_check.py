"""Describes an encoder as it would be opened: family, case, files, size, licence, and what is odd about it."""

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from transformers import AutoModel

from linnet.models.encoders import find_encoder, most_positions, open_reported
from linnet.models.published.weight_files import weight_files, weights_form

__all__ = ["EncoderReport", "check_encoder_files"]

LICENCE = re.compile(r"^licen[sc]e:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
FORMS = {"safetensors": "safetensors", "torch": "PyTorch (pytorch_model.bin), kept as safetensors"}


@dataclass(frozen=True)
class EncoderReport:
    """The report of `linnet encoders check`."""

    name: str
    source: str  # hub name, or folder
    revision: str | None  # the commit, of a hub name
    family: str
    lower_case: bool
    parameters: int
    weights: str  # their form
    tokenizer: str  # its kind, with the size of its vocabulary
    bytes: int  # of the weights
    longest: int | None  # sub-words that it reads at once
    licence: str | None
    files: tuple[str, ...]
    opened_from: str  # the folder: the source itself, or its copy in the cache
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {**asdict(self), "files": list(self.files), "notes": list(self.notes)}


def check_encoder_files(name: str) -> EncoderReport:
    """Open an encoder, weights and all, and return what it is.

    Raises:
        LinnetError: where it cannot be opened, saying why.
    """
    encoder = find_encoder(name)
    network, _ = open_reported(encoder, AutoModel)
    folder = Path(encoder.published)
    files = weight_files(folder)
    return EncoderReport(
        name=name,
        source=encoder.hub_name or encoder.published,
        revision=encoder.revision,
        family=encoder.config.model_type,
        lower_case=encoder.lower_case,
        parameters=sum(each.numel() for each in network.parameters()),
        weights=f"{FORMS[weights_form(folder) or 'safetensors']}{_shards(files)}",
        tokenizer=f"{type(encoder.backend.model).__name__}, {encoder.backend.get_vocab_size():,} sub-words",
        bytes=sum(path.stat().st_size for path in files),
        longest=most_positions(encoder.config),
        licence=_licence(folder),
        files=tuple(sorted(path.name for path in folder.iterdir() if path.is_file())),
        opened_from=encoder.source,
        notes=encoder.notes,
    )


def _shards(files: list[Path]) -> str:
    return f", {len(files)} shards" if len(files) > 1 else ""


def _licence(folder: Path) -> str | None:
    """Return the licence that the front matter of the model card states."""
    card = folder / "README.md"
    text = card.read_text(encoding="utf-8", errors="replace") if card.is_file() else ""
    head = text.split("---")[1] if text.startswith("---") and text.count("---") > 1 else ""
    found = LICENCE.search(head)
    return found[1].strip("'\"") if found else None
