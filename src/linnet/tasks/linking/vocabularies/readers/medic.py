"""Reader of MEDIC as DNorm and BioSyn have it: `ids||names`, both separated by `|`."""

import re
from collections.abc import Iterator
from pathlib import Path

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.curies import normalise_identifier
from linnet.tasks.linking.vocabularies.readers.delimited import filled_lines, split_list
from linnet.tasks.linking.vocabularies.reading import vocabulary_readers

__all__ = ["Medic"]

LINE = re.compile(r"[^|\s]+(?:\|[^|\s]+)*\|\|[^|].*")


class Medic:
    """Reads lines of identifiers and names; a bare number is one of OMIM, and those of MeSH come first."""

    name = "medic"
    description = "MEDIC: lines such as `D001260|208900||Ataxia Telangiectasia|Louis-Bar Syndrome`"

    def recognises(self, head: str) -> bool:
        """Do the first lines have identifiers, two bars and names?"""
        lines = [line for line in head.split("\n") if line.strip()][:20]
        return bool(lines) and all(map(LINE.fullmatch, lines))

    def version(self, head: str) -> str:
        """Return that the form has no place for a version."""
        return ""

    def read(self, path: Path) -> Iterator[Concept]:
        """Yield a concept for each line."""
        for number, line in filled_lines(path):
            identifiers, bars, names = line.partition("||")
            found = sorted(map(_with_database, split_list(identifiers)), key=lambda each: not each.startswith("mesh:"))
            if not bars or not found:
                raise BadFile(f"{path}:{number}: has no identifiers before `||`", f"looked for {self.description}")
            first, *others = split_list(names) or ("",)
            yield Concept(found[0], first, tuple(others), equivalents=tuple(found[1:]))


def _with_database(identifier: str) -> str:
    return f"omim:{identifier}" if identifier.isdecimal() else normalise_identifier(identifier)


vocabulary_readers.register("medic")(Medic())
