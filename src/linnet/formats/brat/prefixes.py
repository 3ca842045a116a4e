"""Concepts in a brat annotation file as `Database:Id`, without a second prefix of the database.

A linker's identifier has the prefix of its database (`mesh:D009223` of MESH), which would be written twice. If all
identifiers of a database in a document have it, they are written without (`MESH:D009223`), and a note of our own,
`Prefixes -`, gives it back to them. Otherwise they are written as they are, so that nothing is lost.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from linnet.documents.document import Link, Span
from linnet.formats.escapes import WHITE_SPACE, Escapes

__all__ = ["NO_DATABASE", "WORDS", "format_concept", "parse_concept", "shared_prefixes"]

NO_DATABASE = "ID"  # before the colon of a concept without a known vocabulary
WORDS = Escapes(WHITE_SPACE)
DATABASES = Escapes(WHITE_SPACE + ":")


def shared_prefixes(spans: Iterable[Span]) -> dict[str, str]:
    """Return the prefix that all identifiers of a database have, by database.

    >>> shared_prefixes([Span(0, 1, "X", links=(Link("mesh:D1", "MESH"), Link("C1", "UMLS")))])
    {'MESH': 'mesh'}
    """
    found: dict[str, set[str]] = defaultdict(set)
    for span in spans:
        for link in span.links:
            prefix, colon, rest = link.identifier.partition(":")
            is_database = bool(link.database and colon and rest) and prefix.casefold() == link.database.casefold()
            found[link.database].add(prefix if is_database else "")
    return {database: min(prefixes) for database, prefixes in found.items() if len(prefixes) == 1 and min(prefixes)}


def format_concept(link: Link, prefixes: Mapping[str, str]) -> str:
    """Return `Database:Id` for a link.

    >>> format_concept(Link("mesh:D1", "MESH"), {"MESH": "mesh"}), format_concept(Link("D1"), {})
    ('MESH:D1', 'ID:D1')
    """
    database = DATABASES.encode(link.database) if link.database else NO_DATABASE
    if link.database == NO_DATABASE:
        database = f"{NO_DATABASE}%00"  # with the escape of the empty text, because the vocabulary has this name
    prefix = prefixes.get(link.database)
    return f"{database}:{WORDS.encode(link.identifier if prefix is None else link.identifier[len(prefix) + 1 :])}"


def parse_concept(concept: str, prefixes: Mapping[str, str]) -> Link | None:
    """Return the link that `Database:Id` stands for, None if there is no colon."""
    word, colon, rest = concept.partition(":")
    if not colon:
        return None
    database, identifier = "" if word == NO_DATABASE else DATABASES.decode(word), WORDS.decode(rest)
    return Link(f"{prefixes[database]}:{identifier}" if database in prefixes else identifier, database)
