"""Mapping between BioC structures and Linnet's documents.

A *structure* is a decoded object of BioC JSON; BioC XML is read into the same structures and written from them. This
module has the rules that reading and writing share, each beside its inverse: which infons of an annotation are its
label, links and score, which infons of a relation are concepts, which fields of a collection belong to its documents,
and which part of a document contains an annotation.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from linnet.documents.document import Argument, Interval, Link, Passage, Relation, Sentence, Span
from linnet.formats.bioc.fields import Structure

__all__ = [
    "BETWEEN_PASSAGES",
    "BETWEEN_SENTENCES",
    "HEADER",
    "Container",
    "Containers",
    "collect_concepts",
    "collection_of",
    "fill_ids",
    "header_from",
    "header_of",
    "infons_of_relation",
    "infons_of_span",
    "is_concept_key",
    "relation_from",
    "span_from",
    "without_empty_header",
]

Container = tuple[int, int]

# the characters in gaps between passages or sentences
BETWEEN_PASSAGES = "\n"
BETWEEN_SENTENCES = " "

VOCABULARIES = frozenset(  # keys of infons that hold concepts, in lower case, with underscores for spaces
    """identifier database_id concept_id conceptid mesh omim mim medic ncbi_gene ncbigene entrez entrez_gene entrezgene
    gene_id geneid ncbi_homologene homologene dbsnp rsid hgvs clinvar clingen tmvar taxonomy ncbi_taxonomy ncbitaxonomy
    ncbi_taxon ncbitaxon taxid cellosaurus cvcl clo cell_ontology chebi pubchem pubchem_cid drugbank chembl cas kegg
    umls cui umls_cui hpo hp go gene_ontology mondo doid orphanet orpha ordo efo snomed snomed_ct snomedct snomed-ct
    rxnorm rxcui loinc meddra icd-9 icd-10 icd-11 icd9 icd10 icd11 icd9cm icd10cm icd-o atc ncit uniprot uniprotkb
    swissprot refseq ensembl hgnc mgi rgd flybase zfin sgd wormbase interpro pfam protein_ontology sequence_ontology
    uberon fma bto mirbase wikidata""".split()
)
IDENTIFIER = "identifier"  # the key that names no vocabulary
ENTITIES = frozenset({"entity1", "entity2"})
NEVER_CONCEPTS = frozenset({"type", "relation", "score", "novel", "note"})
NOT_LINKED = frozenset({"", "-", "-1"})  # in files, for mentions without a concept
PIECES = re.compile(r"[|,+;]")
HEADER = ("source", "date", "key")
COLLECTION = "collection."
COLLECTION_INFON = "collection.infon."


class Containers:
    """Finds the container of an annotation: the sentence that holds it wholly, else the passage, else the document.

    Passages and sentences are sorted by start and do not overlap. Containers sort in the order in which they are
    written.
    """

    def __init__(self, passages: Sequence[Passage], sentences: Sequence[Sentence]) -> None:
        self.document: Container = (len(passages), len(sentences))
        self._passages = [(passage.start, passage.end) for passage in passages]
        self._sentences = [(sentence.start, sentence.end) for sentence in sentences]

    def of(self, start: int, end: int) -> Container:
        """Return the container of these characters: (passage, sentence) or (passage, number of sentences)."""
        sentence = _find_holder(self._sentences, start, end)
        interval = (start, end) if sentence is None else self._sentences[sentence]
        passage = _find_holder(self._passages, *interval)
        if passage is None:
            return self.document
        return (passage, self.document[1] if sentence is None else sentence)

    def passage_of(self, start: int, end: int) -> int | None:
        """Return the index of the passage that holds these characters wholly."""
        return _find_holder(self._passages, start, end)


def is_concept_key(key: str) -> bool:
    """Does an infon under this key hold a concept?"""
    return key.casefold().replace(" ", "_") in VOCABULARIES


def span_from(infons: Mapping[str, str], stretches: Sequence[Interval], name: str) -> Span:
    """Return the span of an annotation with these infons, which include `type`."""
    rest = dict(infons)
    label = rest.pop("type")
    links = tuple(_find_links(rest))
    score = _parse_score(rest.get("score", ""))
    for link in links:
        del rest[link.database or IDENTIFIER]
    if score is not None:
        del rest["score"]
    start, end = min(start for start, _ in stretches), max(end for _, end in stretches)
    fragments = tuple(sorted(stretches)) if len(stretches) > 1 else ()
    return Span(start=start, end=end, label=label, fragments=fragments, id=name, links=links, score=score, infons=rest)


def infons_of_span(span: Span) -> dict[str, str]:
    """Return the infons of an annotation; several links to one vocabulary are joined by `|`."""
    infons = {"type": span.label}
    for link in span.links:
        key = link.database or IDENTIFIER
        is_second = key in infons and is_concept_key(key)
        infons[key] = f"{infons[key]}|{link.identifier}" if is_second else infons.get(key, link.identifier)
    if span.score is not None:
        infons.setdefault("score", repr(float(span.score)))
    return {**infons, **_other_infons(span.infons, infons)}


def collect_concepts(spans: Iterable[Span]) -> frozenset[str]:
    """Return the identifiers of the spans, and the parts of composite ones."""
    whole = {link.identifier for span in spans for link in span.links}
    pieces = {piece.strip() for identifier in whole for piece in PIECES.split(identifier)}
    return frozenset((whole | pieces) - NOT_LINKED)


def relation_from(
    infons: Mapping[str, str], nodes: Sequence[Argument], name: str, concepts: frozenset[str]
) -> Relation:
    """Return the relation of a structure; without nodes, infons that are concepts become its arguments."""
    label = infons.get("type", infons.get("relation", ""))
    rest = {key: value for key, value in infons.items() if key != "type"}
    if nodes:
        return Relation(label, tuple(nodes), name, rest)
    named = [key for key, value in rest.items() if _names_concept(key, value, concepts)]
    arguments = tuple(Argument(key, rest.pop(key), is_concept=True) for key in named)
    return Relation(label, arguments, name, rest)


def infons_of_relation(relation: Relation) -> dict[str, str]:
    """Return the infons of the relation's structure: its type, its concepts, and the rest."""
    infons: dict[str, str] = {}
    if relation.label != relation.infons.get("relation", ""):  # under this key the label is already among the infons
        infons["type"] = relation.label
    for argument in relation.arguments:
        if argument.is_concept:
            infons[_choose_key(argument.role, {**relation.infons, **infons})] = argument.target
    return {**infons, **_other_infons(relation.infons, infons)}


def header_from(named: Mapping[str, str | None], infons: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a collection (source, date, key and infons) as infons for each of its documents."""
    found = {COLLECTION + key: named.get(key) or "" for key in HEADER}
    found |= {COLLECTION_INFON + key: value for key, value in infons.items()}
    return {key: value for key, value in found.items() if value}


def header_of(infons: Mapping[str, str]) -> dict[str, str]:
    """Return the infons of a document that are fields of its collection."""
    return {key: value for key, value in infons.items() if value and _is_of_collection(key)}


def without_empty_header(infons: Mapping[str, str]) -> dict[str, str]:
    """Return the infons of a document without empty fields of its collection."""
    return {key: value for key, value in infons.items() if value or not _is_of_collection(key)}


def collection_of(header: Mapping[str, str]) -> Structure:
    """Return the structure of the collection, without documents: the inverse of `header_from`."""
    infons = {
        key.removeprefix(COLLECTION_INFON): value for key, value in header.items() if key.startswith(COLLECTION_INFON)
    }
    return {**{key: header.get(COLLECTION + key, "") for key in HEADER}, "infons": infons}


def fill_ids(names: Iterable[str], taken: Iterable[str]) -> Iterator[str]:
    """Yield the names; empty ones become the smallest numbers that are not used."""
    given = list(names)
    used = {*given, *taken}
    number = 0
    for name in given:
        while not name and str(number) in used:
            number += 1
        if not name:
            used.add(str(number))
        yield name or str(number)


def _find_holder(stretches: Sequence[Interval], start: int, end: int) -> int | None:
    """Return the index of the last interval that begins at or before `start`, if it also contains `end`."""
    found = bisect_right(stretches, start, key=lambda stretch: stretch[0]) - 1
    return found if found >= 0 and end <= stretches[found][1] else None


def _find_links(infons: Mapping[str, str]) -> Iterator[Link]:
    for key, value in infons.items():
        if value and is_concept_key(key):
            yield Link(value, "" if key == IDENTIFIER else key)


def _parse_score(value: str) -> float | None:
    try:
        score = float(value)
    except ValueError:
        return None
    return score if math.isfinite(score) else None


def _other_infons(infons: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in infons.items() if key not in known}


def _names_concept(key: str, value: str, concepts: frozenset[str]) -> bool:
    return key in ENTITIES or (key not in NEVER_CONCEPTS and value in concepts)


def _choose_key(role: str, infons: Mapping[str, str]) -> str:
    """Return the role, or `entity1`, `entity2` and so on if it is empty or used."""
    if role and role not in infons and role not in NEVER_CONCEPTS:
        return role
    number = 1
    while f"entity{number}" in infons:
        number += 1
    return f"entity{number}"


def _is_of_collection(key: str) -> bool:
    return key.startswith(COLLECTION_INFON) or key in {COLLECTION + name for name in HEADER}
