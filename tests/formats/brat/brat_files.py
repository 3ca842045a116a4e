"""Small brat folders for the tests."""

from pathlib import Path

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document

BRAT = formats.get("brat")
TEXT = "Aspirin helps,\nnot in asthma."  # "Aspirin" 0-7, "helps" 8-13, "not" 15-18, "asthma" 22-28, ends at 29


def read(path: Path, *, repair: bool = False, notes: Notes | None = None) -> list[Document]:
    return list(BRAT.read(path, ReadOptions(repair=repair), notes or Notes()))


def read_lines(
    folder: Path, *lines: str, text: str = TEXT, repair: bool = False, notes: Notes | None = None
) -> Document:
    (folder / "a.txt").write_bytes(text.encode())
    (folder / "a.ann").write_bytes("".join(f"{line}\n" for line in lines).encode())
    (document,) = read(folder, repair=repair, notes=notes)
    return document


def written_lines(folder: Path, document: Document) -> list[str]:
    BRAT.write([document], folder / "out", WriteOptions())
    (path,) = (folder / "out").glob("*.ann")
    return path.read_bytes().decode().removesuffix("\n").split("\n")
