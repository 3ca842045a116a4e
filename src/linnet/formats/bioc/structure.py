"""How do BioC's structures and Linnet's documents correspond?

A *structure* is what BioC JSON decodes to; BioC XML is read into the same structures and written from them.
Here stand the rules that reading and writing share, each beside its inverse: which infons of an annotation
are its label, links and score, which infons of a relation name concepts, what a collection says about its
documents, and in which part of a document an annotation has its home.
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
    "Home",
    "Homes",
    "collection_of",
    "concepts_of",
    "header_from",
    "header_of",
    "infons_of_relation",
    "infons_of_span",
    "is_concept_key",
    "relation_from",
    "span_from",
    "with_fresh_ids",
    "without_empty_header",
]

Home = tuple[int, int]

# what stands where no passage or sentence gives a character
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
NOT_LINKED = frozenset({"", "-", "-1"})  # how files say that a mention has no concept
PIECES = re.compile(r"[|,+;]")
HEADER = ("source", "date", "key")
COLLECTION = "collection."
COLLECTION_INFON = "collection.infon."


class Homes:
    """Where each annotation belongs: in the sentence that holds it wholly, else its passage, else the document.

    Passages and sentences are given by start and do not overlap. Homes sort in the order in which they are written.
    """

    def __init__(self, passages: Sequence[Passage], sentences: Sequence[Sentence]) -> None:
        self.document: Home = (len(passages), len(sentences))
        self._passages = [(passage.start, passage.end) for passage in passages]
        self._sentences = [(sentence.start, sentence.end) for sentence in sentences]

    def of(self, start: int, end: int) -> Home:
        """Return the home of what reaches from start to end: (passage, sentence) or (passage, number of sentences)."""
        sentence = _holder(self._sentences, start, end)
        stretch = (start, end) if sentence is None else self._sentences[sentence]
        passage = _holder(self._passages, *stretch)
        if passage is None:
            return self.document
        return (passage, self.document[1] if sentence is None else sentence)

    def passage_of(self, start: int, end: int) -> int | None:
        """Return the number of the passage that holds it wholly, counted from 0."""
        return _holder(self._passages, start, end)


def is_concept_key(key: str) -> bool:
    """Does an infon under this key hold a concept?"""
    return key.casefold().replace(" ", "_") in VOCABULARIES


def span_from(infons: Mapping[str, str], stretches: Sequence[Interval], name: str) -> Span:
    """Return the span that an annotation with these infons (a `type` among them) marks."""
    rest = dict(infons)
    label = rest.pop("type")
    links = tuple(_links(rest))
    score = _score(rest.get("score", ""))
    for link in links:
        del rest[link.database or IDENTIFIER]
    if score is not None:
        del rest["score"]
    start, end = min(start for start, _ in stretches), max(end for _, end in stretches)
    fragments = tuple(sorted(stretches)) if len(stretches) > 1 else ()
    return Span(start, end, label, fragments, name, links, score, rest)


def infons_of_span(span: Span) -> dict[str, str]:
    """Return the infons of the span's annotation; several links to one vocabulary are joined by `|`."""
    infons = {"type": span.label}
    for link in span.links:
        key = link.database or IDENTIFIER
        is_second = key in infons and is_concept_key(key)
        infons[key] = f"{infons[key]}|{link.identifier}" if is_second else infons.get(key, link.identifier)
    if span.score is not None:
        infons.setdefault("score", repr(float(span.score)))
    return {**infons, **_others(span.infons, infons)}


def concepts_of(spans: Iterable[Span]) -> frozenset[str]:
    """Return the identifiers that occur in the spans, whole and in the pieces of composite ones."""
    whole = {link.identifier for span in spans for link in span.links}
    pieces = {piece.strip() for identifier in whole for piece in PIECES.split(identifier)}
    return frozenset((whole | pieces) - NOT_LINKED)


def relation_from(
    infons: Mapping[str, str], nodes: Sequence[Argument], name: str, concepts: frozenset[str]
) -> Relation:
    """Return the relation of a structure; without nodes, the infons that name concepts are its arguments."""
    label = infons.get("type", infons.get("relation", ""))
    rest = {key: value for key, value in infons.items() if key != "type"}
    if nodes:
        return Relation(label, tuple(nodes), name, rest)
    named = [key for key, value in rest.items() if _names_concept(key, value, concepts)]
    arguments = tuple(Argument(key, rest.pop(key), is_concept=True) for key in named)
    return Relation(label, arguments, name, rest)


def infons_of_relation(relation: Relation) -> dict[str, str]:
    """Return the infons of the relation's structure: its type, the concepts that it ties, and the rest."""
    infons: dict[str, str] = {}
    if relation.label != relation.infons.get("relation", ""):  # under that key the label is among the infons already
        infons["type"] = relation.label
    for argument in relation.arguments:
        if argument.is_concept:
            infons[_free_key(argument.role, {**relation.infons, **infons})] = argument.target
    return {**infons, **_others(relation.infons, infons)}


def header_from(named: Mapping[str, str | None], infons: Mapping[str, str]) -> dict[str, str]:
    """Return what a collection says (source, date and key; infons) as infons for each of its documents."""
    found = {COLLECTION + key: named.get(key) or "" for key in HEADER}
    found |= {COLLECTION_INFON + key: value for key, value in infons.items()}
    return {key: value for key, value in found.items() if value}


def header_of(infons: Mapping[str, str]) -> dict[str, str]:
    """Return those infons of a document that stand for what its collection says."""
    return {key: value for key, value in infons.items() if value and _is_of_collection(key)}


def without_empty_header(infons: Mapping[str, str]) -> dict[str, str]:
    """Return a document's infons without those that only say that its collection says nothing."""
    return {key: value for key, value in infons.items() if value or not _is_of_collection(key)}


def collection_of(header: Mapping[str, str]) -> Structure:
    """Return the collection's own structure, without documents: the inverse of `header_from`."""
    infons = {
        key.removeprefix(COLLECTION_INFON): value for key, value in header.items() if key.startswith(COLLECTION_INFON)
    }
    return {**{key: header.get(COLLECTION + key, "") for key in HEADER}, "infons": infons}


def with_fresh_ids(names: Iterable[str], taken: Iterable[str]) -> Iterator[str]:
    """Yield the names; those that are empty become the smallest numbers that are not taken."""
    given = list(names)
    used = {*given, *taken}
    number = 0
    for name in given:
        while not name and str(number) in used:
            number += 1
        if not name:
            used.add(str(number))
        yield name or str(number)


def _holder(stretches: Sequence[Interval], start: int, end: int) -> int | None:
    """Return the last of the stretches that begins at or before `start`, if it holds the rest too."""
    found = bisect_right(stretches, start, key=lambda stretch: stretch[0]) - 1
    return found if found >= 0 and end <= stretches[found][1] else None


def _links(infons: Mapping[str, str]) -> Iterator[Link]:
    for key, value in infons.items():
        if value and is_concept_key(key):
            yield Link(value, "" if key == IDENTIFIER else key)


def _score(value: str) -> float | None:
    try:
        score = float(value)
    except ValueError:
        return None
    return score if math.isfinite(score) else None


def _others(infons: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in infons.items() if key not in known}


def _names_concept(key: str, value: str, concepts: frozenset[str]) -> bool:
    return key in ENTITIES or (key not in NEVER_CONCEPTS and value in concepts)


def _free_key(role: str, infons: Mapping[str, str]) -> str:
    """Return the role, or `entity1`, `entity2` and so on where it is empty or taken."""
    if role and role not in infons and role not in NEVER_CONCEPTS:
        return role
    number = 1
    while f"entity{number}" in infons:
        number += 1
    return f"entity{number}"


def _is_of_collection(key: str) -> bool:
    return key.startswith(COLLECTION_INFON) or key in {COLLECTION + name for name in HEADER}
