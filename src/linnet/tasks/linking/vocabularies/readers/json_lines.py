"""Reader of JSON lines: one object with `id`, `name` and lists for each concept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.json_keys import load_json
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.curies import normalise_identifier
from linnet.tasks.linking.vocabularies.readers.delimited import filled_lines
from linnet.tasks.linking.vocabularies.reading import vocabulary_readers

__all__ = ["JsonLines"]

KINDS = {"id": (str, int), "name": (str,), "species": (str, int), "obsolete": (bool,), "replaced_by": (str,)}
LISTS = ("synonyms", "equivalents", "xrefs", "parents", "retired")
KEYS = frozenset({*KINDS, *LISTS})


class JsonLines:
    """Reads one JSON object in each line."""

    name = "jsonl"
    description = 'JSON lines such as {"id": "mesh:D003920", "name": "Diabetes Mellitus", "synonyms": ["..."]}'

    def recognises(self, head: str) -> bool:
        """Does the file begin with an object that has an `id`?"""
        first = next((line for line in head.split("\n") if line.strip()), "").strip()
        return first.startswith("{") and '"id"' in first

    def version(self, head: str) -> str:
        """Return that the form has no place for a version."""
        return ""

    def read(self, path: Path) -> Iterator[Concept]:
        """Yield a concept for each line."""
        for number, line in filled_lines(path):
            yield self._parse(line, f"{path}:{number}")

    def _parse(self, line: str, place: str) -> Concept:
        expected = f"looked for {self.description}"
        try:
            row: Any = load_json(line)  # Any: checked below
        except (ValueError, RecursionError) as error:
            raise BadFile(f"{place}: this is no JSON object ({error})", expected) from None
        if not isinstance(row, dict) or not str(row.get("id", "")).strip():
            raise BadFile(f"{place}: the object has no `id`", expected)
        unknown = sorted(row.keys() - KEYS)
        if unknown:
            raise BadFile(f"{place}: unknown key {unknown[0]!r}", f"known keys: {', '.join(sorted(KEYS))}")
        self._refuse_other_values(row, place)
        lists = {key: self._texts(row, key, place) for key in LISTS}
        identifiers = {key: tuple(map(normalise_identifier, lists[key])) for key in LISTS[1:]}
        return Concept(
            identifier=normalise_identifier(str(row["id"])),
            name=row.get("name", "").strip(),
            synonyms=lists["synonyms"],
            equivalents=identifiers["equivalents"],
            cross_references=identifiers["xrefs"],
            parents=identifiers["parents"],
            retired=identifiers["retired"],
            species=str(row.get("species", "")),
            is_obsolete=row.get("obsolete", False),
            replaced_by=normalise_identifier(row.get("replaced_by", "")),
        )

    @staticmethod
    def _refuse_other_values(row: dict[str, Any], place: str) -> None:
        for key, kinds in KINDS.items():
            if key in row and type(row[key]) not in kinds:
                expected = "true or false" if bool in kinds else "a text"
                raise BadFile(
                    f"{place}: `{key}` is {row[key]!r:.80}, expected {expected}", "correct it, or leave it out"
                )

    @staticmethod
    def _texts(row: dict[str, Any], key: str, place: str) -> tuple[str, ...]:
        found = row.get(key, [])
        if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
            raise BadFile(f"{place}: `{key}` is not a list of texts", f'write it as "{key}": ["...", "..."]')
        return tuple(found)


vocabulary_readers.register("jsonl")(JsonLines())
