"""Small PubTator files for the tests."""

from pathlib import Path

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document

PUBTATOR = formats.get("pubtator")
TEXT = "1|t|Aspirin helps\n1|a|Not in asthma.\n"  # "Aspirin" 0-7, "asthma" 21-27, ends at 28


def read(path: Path, *, repair: bool = False, notes: Notes | None = None) -> list[Document]:
    return list(PUBTATOR.read(path, ReadOptions(repair=repair), notes or Notes()))


def read_text(folder: Path, text: str, *, repair: bool = False, notes: Notes | None = None) -> list[Document]:
    path = folder / "corpus.txt"
    path.write_bytes(text.encode())
    return read(path, repair=repair, notes=notes)


def written(folder: Path, *documents: Document) -> str:
    PUBTATOR.write(documents, folder / "out.pubtator", WriteOptions())
    return (folder / "out.pubtator").read_bytes().decode()


def losses(document: Document) -> dict[str, int]:
    return dict(PUBTATOR.losses(document))
