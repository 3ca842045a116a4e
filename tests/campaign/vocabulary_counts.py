"""Independent counts of what a source of a vocabulary holds, written without Linnet's readers.

Each function returns how many concepts there are, how many of them are obsolete, how many references they have to other
identifiers and tree numbers, and the visible characters of preferred names and of synonyms, or None where the file
cannot be judged.
"""

import re
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree

from tests.campaign.counts import Held, Pairs, decode, pairs_of, visible

__all__ = ["COUNTERS", "count_linker"]

REFERENCES = ("xrefs", "equivalents", "parents", "retired")


def count_table(content: bytes) -> Held | None:
    """Count the rows below a header."""
    found = _with_header(content)
    if found is None:
        return None
    return {
        "concepts": len(found),
        "names": sum(visible(cell) for row in found for column, cell in row if column == "name"),
        "synonyms": _visible_parts(cell for row in found for column, cell in row if column == "synonyms"),
        "references": sum(len(_parts(cell)) for row in found for column, cell in row if column in REFERENCES),
    }


def count_ssslm(content: bytes) -> Held | None:
    """Count the texts of the rows below a header."""
    found = _with_header(content)
    if found is None:
        return None
    return {"synonyms": sum(visible(cell) for row in found for column, cell in row if column == "text")}


def count_obo(content: bytes) -> Held | None:
    """Count the terms of an ontology."""
    lines = _lines(content)
    if lines is None:
        return None
    rows: list[tuple[str, str]] = []
    n_terms, is_term = 0, False
    for line in lines:
        if line.startswith("["):
            is_term = line.strip() == "[Term]"
            n_terms += is_term
        elif is_term and line.strip() and not line.startswith("!"):
            tag, _, value = line.partition(":")
            rows.append((tag.strip(), value.strip()))
    return {
        "concepts": n_terms,
        "obsolete": sum(tag == "is_obsolete" and value.startswith("true") for tag, value in rows),
        "names": sum(_visible_escaped(value) for tag, value in rows if tag == "name"),
        "synonyms": sum(_visible_synonym(value) for tag, value in rows if tag == "synonym"),
        "references": sum(tag in ("xref", "alt_id", "is_a") for tag, _ in rows),
    }


def _visible_synonym(value: str) -> int:
    """Return the characters of a synonym that is not broad; those of all if there is no text in quotation marks."""
    end = 1
    while end < len(value) and value[end] != '"':
        end += 1 + (value[end] == "\\")
    if not value.startswith('"') or end >= len(value):
        return visible(value) + 1
    return 0 if re.match(r"BROAD(?![A-Z])", value[end + 1 :].lstrip()) else _visible_escaped(value[1:end])


def _visible_escaped(text: str) -> int:
    pieces, rest = [], iter(text)
    for letter in rest:
        following = next(rest, "\\") if letter == "\\" else ""
        pieces.append(" " if following and following in "nWt" else following or letter)
    return visible("".join(pieces))


def count_mesh_table(content: bytes) -> Held | None:
    """Count rows of identifier, name, synonyms, and tree numbers or descriptors."""
    rows = _cells(content)
    if rows is None:
        return None
    return {
        "concepts": len(rows),
        "names": sum(visible(cell) for row in rows for cell in row[1:2]),
        "synonyms": _visible_parts(cell for row in rows for cell in row[2:3]),
        "references": sum(len(_parts(cell)) for row in rows for cell in row[3:4]),
    }


def count_mesh_xml(content: bytes) -> Held | None:
    """Count records of either kind, wherever they stand."""
    text = decode(content)
    try:
        root = None if text is None else ElementTree.fromstring(text.encode())
    except (ElementTree.ParseError, ValueError, LookupError):
        return None
    if root is None:
        return None
    held = {"concepts": 0, "names": 0, "synonyms": 0, "references": 0}
    for record in root.iter():
        kind = {"DescriptorRecord": "Descriptor", "SupplementalRecord": "SupplementalRecord"}.get(record.tag)
        if kind is not None:
            held["concepts"] += 1
            held["names"] += _visible_elements(record, f"{kind}Name/String")
            held["synonyms"] += _visible_elements(record, ".//TermList/Term/String")
            mapped = "HeadingMappedToList/HeadingMappedTo/DescriptorReferredTo/DescriptorUI"
            held["references"] += len(record.findall(mapped)) + len(record.findall("TreeNumberList/TreeNumber"))
    return held


def _visible_elements(record: ElementTree.Element, path: str) -> int:
    return sum(visible("".join(each.itertext())) for each in record.iterfind(path))


def count_medic(content: bytes) -> Held | None:
    """Count lines of identifiers, two bars, and names."""
    lines = _lines(content)
    if lines is None:
        return None
    rows = [line.partition("||") for line in lines if line.strip()]
    names = [_parts(last) for _, _, last in rows]
    return {
        "concepts": len(rows),
        "names": sum(visible(name) for each in names for name in each[:1]),
        "synonyms": sum(visible(name) for each in names for name in each[1:]),
        "references": sum(len(_parts(first)) - 1 for first, _, _ in rows),
    }


def count_ctd(content: bytes) -> Held | None:
    """Count rows by the last header, a comment; cells beyond it count as synonyms."""
    lines = _lines(content)
    if lines is None:
        return None
    columns: list[str] = []
    rows: list[tuple[str, str]] = []
    n_rows = 0
    for line in (each for each in lines if each.strip()):
        if line.startswith("#"):
            names = line.removeprefix("#").removeprefix(" ").split("\t")
            is_header = names[:2] in (["DiseaseName", "DiseaseID"], ["ChemicalName", "ChemicalID"])
            columns = [cell.strip() for cell in names] if is_header else columns
        else:
            cells = line.split("\t")
            n_rows += 1
            rows += zip([*columns, *["Synonyms"] * (len(cells) - len(columns))], cells, strict=False)
    return {
        "concepts": n_rows,
        "names": sum(visible(cell) for column, cell in rows if column in ("DiseaseName", "ChemicalName")),
        "synonyms": _visible_parts(cell for column, cell in rows if column == "Synonyms"),
        "references": sum(
            len(_parts(cell)) for column, cell in rows if column in ("AltDiseaseIDs", "ParentIDs", "TreeNumbers")
        ),
    }


def count_genes(content: bytes) -> Held | None:
    """Count rows of NCBI Gene."""
    rows = _cells(content)
    if rows is None:
        return None
    rows = [row for row in rows if not row[0].startswith("#")]
    further = [cell for row in rows for cell in (*row[8:9], *row[10:12]) if cell != "-"]
    return {
        "concepts": len(rows),
        "names": sum(visible(cell) for row in rows for cell in row[2:3]),
        "synonyms": _visible_parts(cell for row in rows for cell in (*row[4:5], *row[13:14]))
        + sum(map(visible, further)),
        "references": sum(len(_parts(cell)) for row in rows for cell in row[5:6]),
    }


def count_json_lines(content: bytes) -> Held | None:
    """Count one object in each line."""
    found = [pairs_of(line) for line in _lines(content) or [] if line.strip()]
    if not found or not all(isinstance(each, Pairs) for each in found):
        return None
    return {
        "concepts": len(found),
        "obsolete": sum(value is not False for each in found for value in each.all("obsolete")),
        "names": sum(_visible_value(value) for each in found for value in each.all("name")),
        "synonyms": sum(visible(text) for each in found for text in each.each("synonyms")),
        "references": sum(len(list(each.each(key))) for each in found for key in REFERENCES),
    }


def _visible_value(value: object) -> int:
    """Return the characters of a text; anything else is none, and a reader may not make a name of it."""
    return visible(value) if isinstance(value, str) else 0


def count_linker(content: bytes) -> Held | None:
    """Count the weights of a linker, and the mentions that it has learned."""
    found = pairs_of(decode(content) or "")
    if not isinstance(found, Pairs):
        return None
    learned = [each for each in found.all("learned") if isinstance(each, Pairs)]
    held = {name: _n_members(each for one in learned for each in one.all(name)) for name in ("forms", "texts", "names")}
    return {**held, "weights": _n_members(found.all("weights"))}


def _n_members(values: Iterable[Any]) -> int:
    return sum(len(each) for each in values if isinstance(each, Pairs))


def _lines(content: bytes) -> list[str] | None:
    text = decode(content)
    return None if text is None else [line.removesuffix("\r") for line in text.split("\n")]


def _cells(content: bytes) -> list[list[str]] | None:
    lines = _lines(content)
    return None if lines is None else [line.split("\t") for line in lines if line.strip()]


def _with_header(content: bytes) -> list[list[tuple[str, str]]] | None:
    """Return the cells of each row with the names of their columns."""
    rows = _cells(content)
    if not rows:
        return None
    columns = [cell.strip().lower() for cell in rows[0]]
    return [list(zip(columns, row, strict=False)) for row in rows[1:]]


def _parts(cell: str) -> list[str]:
    return [part for part in cell.split("|") if part.strip() not in ("", "-")]


def _visible_parts(cells: Iterable[str]) -> int:
    return sum(visible(part) for cell in cells for part in _parts(cell))


COUNTERS = {
    "table": count_table,
    "ssslm": count_ssslm,
    "obo": count_obo,
    "mesh-table": count_mesh_table,
    "mesh-xml": count_mesh_xml,
    "medic": count_medic,
    "ctd": count_ctd,
    "gene_info": count_genes,
    "jsonl": count_json_lines,
}
