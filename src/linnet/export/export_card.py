"""The card of an exported model: what it is, how it differs from the original, and the original's card."""

import re
from collections.abc import Sequence
from pathlib import Path

from linnet.contracts.export import Parity
from linnet.models.model_folder import OnnxFacts
from linnet.storage.files import new_file, read_text
from linnet.training.publishing import CARD, name_model, without_folders

__all__ = ["write_export_card"]

FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
TITLE = re.compile(r"\A\s*# .*\n")
OF_TRANSFORMERS = re.compile(  # which cannot open the weights of an export
    r"^With transformers alone.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE
)


def write_export_card(folder: Path, source: Path, facts: OnnxFacts, parity: Parity, *, name: str) -> None:
    """Write the card of an exported model into its folder.

    Args:
        folder: of the export.
        source: folder of the original, whose card is taken over if it has one.
        facts: about the export.
        parity: how far it agrees with the original.
        name: of the export.
    """
    own = name_model(without_folders(read_text(source / CARD)), name) if (source / CARD).is_file() else ""
    with new_file(folder / CARD) as file:
        file.write("\n".join(_lines(own, source.resolve().name, facts, parity.sentences(), name)).rstrip() + "\n")


def _lines(own: str, source: str, facts: OnnxFacts, agreement: Sequence[str], name: str) -> list[str]:
    front = FRONT_MATTER.match(own)
    head = front[0].replace("library_name: transformers", "library_name: onnx") if front else ""
    network = "ONNX with 8-bit integers" if facts.int8 else "ONNX"
    lines = [
        *([head] if head else []),
        f"# {name}",
        "",
        f"The model `{source}`, exported by Linnet {facts.linnet} as {network}. It runs on CPUs without torch.",
        "Compared with the original:",
        "",
        *(f"- {sentence}" for sentence in agreement),
        "",
    ]
    body = TITLE.sub("", OF_TRANSFORMERS.sub("", own[front.end() :] if front else own)).strip()
    if not body:
        return lines
    return [*lines, f"## The card of `{source}`", "", re.sub(r"^## ", "### ", body, flags=re.MULTILINE)]
