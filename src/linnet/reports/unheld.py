"""File of the gold mentions that tags cannot hold (nested, discontinuous), beside the predictions by word."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from linnet.errors import BadFile
from linnet.labels.mention import Mention
from linnet.storage.files import new_file, read_lines, writing
from linnet.storage.json_keys import load_json

__all__ = ["read_unheld", "unheld_file", "write_unheld"]


def unheld_file(predictions: Path) -> Path:
    """Return the path of the file beside the predictions."""
    return predictions.with_suffix(".gold.jsonl")


def write_unheld(predictions: Path, rows: Iterable[tuple[int, Sequence[Mention]]]) -> None:
    """Write the mentions of these sentences, with their numbers from 0; without rows an old file is removed."""
    path = unheld_file(predictions)
    with writing(path):
        path.unlink(missing_ok=True)  # of an earlier model
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    if lines:
        with new_file(path) as file:
            file.writelines(lines)


def read_unheld(predictions: Path, n_sentences: int) -> list[tuple[Mention, ...] | None]:
    """Return the gold mentions of each sentence whose tags cannot hold them, None for the others."""
    found: list[tuple[Mention, ...] | None] = [None] * n_sentences
    path = unheld_file(predictions)
    for place, line in read_lines(path) if path.is_file() else ():
        try:
            number, mentions = load_json(line)
            found[number] = tuple(_mention(*mention) for mention in mentions)
        except (ValueError, TypeError, IndexError) as error:
            raise BadFile(
                f"{path}:{place}: these are no mentions of a sentence of {predictions.name} ({error})",
                "train or evaluate the model again; a file of your own needs another name",
            ) from None
    return found


def _mention(start: int, end: int, label: str, fragments: Sequence[Sequence[int]]) -> Mention:
    return Mention(start, end, label, tuple((first, last) for first, last in fragments))
