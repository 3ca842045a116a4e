"""Reader of ontologies in the OBO format."""

import re
from collections.abc import Iterator
from pathlib import Path

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.curies import normalise_identifier
from linnet.tasks.linking.vocabularies.readers.delimited import filled_lines
from linnet.tasks.linking.vocabularies.reading import vocabulary_readers

__all__ = ["Obo"]

VERSION = re.compile(r"^(?:data-version|date):\s*(.+?)\s*$", re.M)
SYNONYM = re.compile(r'"((?:[^"\\]|\\.)*)"\s*([A-Z]*)')
ESCAPE = re.compile(r"\\(.)")
COMMENT = re.compile(r"\s+(?:!|\{).*$")  # ` ! name` and trailing modifiers
KEPT_SCOPES = frozenset({"EXACT", "NARROW", "RELATED", ""})
BROAD = "BROAD"  # such a synonym names another concept
ONCE = ("id", "name", "is_obsolete")  # tags that a term has once at most


class Obo:
    """Reads the terms of an ontology: exact, narrow and related synonyms, `alt_id`, `xref`, `is_a`, obsolete terms."""

    name = "obo"
    description = "OBO: `format-version:` in the first lines and stanzas `[Term]`"

    def recognises(self, head: str) -> bool:
        """Is there the header or a stanza of OBO?"""
        return head.startswith("format-version:") or "\n[Term]\n" in f"\n{head}"

    def version(self, head: str) -> str:
        """Return the version of the data, or its date."""
        found = VERSION.search(head)
        return found.group(1) if found else ""

    def read(self, path: Path) -> Iterator[Concept]:
        """Yield a concept for each term."""
        term: dict[str, list[str]] | None = None
        start = 0
        for number, line in filled_lines(path):
            if line.startswith("["):
                if term is not None:
                    yield _make_concept(term, f"{path}:{start}")
                term, start = ({} if line.strip() == "[Term]" else None), number
            elif term is not None and not line.startswith("!"):
                tag, colon, value = line.partition(":")
                if not colon:
                    raise BadFile(f"{path}:{number}: expected `tag: value`, found {line[:80]!r}", "correct the line")
                term.setdefault(tag.strip(), []).append(value.strip())
        if term is not None:
            yield _make_concept(term, f"{path}:{start}")


def _make_concept(term: dict[str, list[str]], place: str) -> Concept:
    if "id" not in term:
        raise BadFile(f"{place}: the term has no id", "add a line `id: PREFIX:number`")
    for tag in ONCE:
        if len(term.get(tag, ())) > 1:
            raise BadFile(
                f"{place}: the term has `{tag}` {len(term[tag])} times", "begin each term with a line `[Term]`"
            )
    replaced = [*term.get("replaced_by", []), ""]
    return Concept(
        identifier=_identifier(term["id"][0]),
        name=_unescape(term.get("name", [""])[0]),
        synonyms=tuple(_find_synonyms(term.get("synonym", []), place)),
        cross_references=tuple(map(_identifier, term.get("xref", []))),
        retired=tuple(map(_identifier, term.get("alt_id", []))),
        parents=tuple(map(_identifier, term.get("is_a", []))),
        is_obsolete=term.get("is_obsolete", [""])[0].startswith("true"),
        replaced_by=_identifier(replaced[0]),
    )


def _identifier(value: str) -> str:
    return normalise_identifier(COMMENT.sub("", value).split(" ")[0])


def _find_synonyms(values: list[str], place: str) -> Iterator[str]:
    for value in values:
        found = SYNONYM.match(value)
        if not found or found.group(2) not in {*KEPT_SCOPES, BROAD}:
            raise BadFile(
                f"{place}: the synonym of this term is not as expected: {value[:80]!r}",
                'write it as `synonym: "TEXT" EXACT []`, with EXACT, NARROW, RELATED or BROAD',
            )
        if found.group(2) in KEPT_SCOPES:
            yield _unescape(found.group(1)).strip()


def _unescape(text: str) -> str:
    return ESCAPE.sub(lambda match: " " if match.group(1) in "nWt" else match.group(1), text)


vocabulary_readers.register("obo")(Obo())
