"""Builds a vocabulary folder from its sources (`linnet vocabulary build`)."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from linnet.documents.counted import counted
from linnet.errors import BadFile
from linnet.storage.files import check_overwrite, check_path
from linnet.storage.sources import open_source
from linnet.tasks.linking.vocabularies.arrays import SPECIES, Array, pack_texts
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.curies import check_prefix, prefix_of, with_prefix
from linnet.tasks.linking.vocabularies.exact import build_table
from linnet.tasks.linking.vocabularies.filters import Filters, keep_by_prefix, keep_by_source
from linnet.tasks.linking.vocabularies.folder import is_vocabulary, write_folder
from linnet.tasks.linking.vocabularies.hierarchy import find_parents, refuse_circle
from linnet.tasks.linking.vocabularies.indexing import build_index
from linnet.tasks.linking.vocabularies.merging import Merged, merge
from linnet.tasks.linking.vocabularies.normalisation import join, normalise
from linnet.tasks.linking.vocabularies.reading import detect_reader, find_doubts, read_start, vocabulary_readers
from linnet.tasks.linking.vocabularies.variants import mine_variants

__all__ = ["Built", "build_vocabulary"]

SPECIES_NUMBER = re.compile(r"[0-9]{1,10}")
LARGEST_SPECIES = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Built:
    """A vocabulary that was written, and what was left out of it."""

    folder: Path
    facts: dict[str, Any]  # of `vocabulary.json`, with its hash
    doubts: tuple[str, ...] = ()  # sentences of readers about what looks like a mistake in a file

    @property
    def warnings(self) -> list[str]:
        """What was left out, and what looks like a mistake, in sentences."""
        counts = {
            "without_name": ("concept", "left out: no name"),
            "obsolete": ("concept", "obsolete: identifiers are known, but are no answers"),
            "not_merged": ("cross-reference", "not followed: two concepts of one source would become one"),
            "not_indexed": ("name", "with neither letter nor digit, which no mention finds"),
        }
        left = [f"{counted(self.facts[key], noun)} {text}" for key, (noun, text) in counts.items() if self.facts[key]]
        return [*left, *self.doubts]


@dataclass(frozen=True, slots=True)
class _Source:
    concepts: list[Concept]
    facts: dict[str, Any]
    doubts: list[str]


def build_vocabulary(
    sources: Sequence[str | Path],
    output: str | Path,
    *,
    form: str | None = None,
    filters: Filters | None = None,
    prefix: str | None = None,
    overwrite: bool = False,
) -> Built:
    """Build a vocabulary from files, and write it to a folder.

    Args:
        sources: files; the first ones decide about identifiers and preferred names of merged concepts.
        output: the folder to write.
        form: the name of the reader of all files; detected for each from its content if not given.
        filters: what is kept; everything if not given.
        prefix: given to identifiers without one.
        overwrite: replace an older vocabulary.

    Raises:
        BadFile: where a file cannot be read, an identifier stands twice, or there are no names.
        BadSetting: where the prefix is more than one word.
    """
    if prefix is not None:
        check_prefix(prefix)
    paths, folder = [Path(source) for source in sources], Path(output)
    for path in paths:
        check_path(path)
        check_overwrite(
            folder, source=path, is_older=is_vocabulary(folder), overwrite=overwrite, what="vocabulary",
            original="source",
        )  # fmt: skip
    filters = filters or Filters()
    read = [_read_source(path, form, prefix) for path in paths]
    kept = set(map(id, keep_by_source([concept for source in read for concept in source.concepts], filters)))
    named = [
        [each for each in source.concepts if id(each) in kept and (each.names or each.is_obsolete)] for source in read
    ]
    merged = merge(list(zip([path.name for path in paths], named, strict=True)))
    concepts = keep_by_prefix(merged.concepts, filters)
    if not concepts:
        raise BadFile(f"{', '.join(map(str, paths))}: no concept with a name is left", "check the files and filters")
    arrays, counts = _make_arrays(concepts, merged)
    facts = {
        "concepts": len(concepts),
        **counts,
        "without_name": len(kept) - sum(map(len, named)),
        "obsolete": sum(concept.is_obsolete for concepts_of in named for concept in concepts_of),
        "merged": merged.n_merged,
        "not_merged": merged.n_left_aside,
        "prefixes": _count_prefixes(concepts),
        "filters": filters.as_dict(),
        "sources": [source.facts for source in read],
    }
    found = write_folder(folder, arrays, facts, overwrite=overwrite)
    doubts = tuple(doubt for source in read for doubt in source.doubts)
    return Built(folder, {**facts, "hash": found}, doubts)


def _read_source(path: Path, form: str | None, prefix: str | None) -> _Source:
    head = read_start(path)
    reader = vocabulary_readers.get(form) if form else detect_reader(path, head)
    concepts = [_add_prefix(concept, prefix) if prefix else concept for concept in reader.read(path)]
    n_names = sum(len(concept.names) for concept in concepts)
    if not n_names:
        raise BadFile(f"{path}: has no names", f"looked for {reader.description}")
    refuse_circle(str(path), concepts)
    facts = {
        "file": path.name, "form": reader.name, "version": reader.version(head), "sha256": _hash_file(path),
        "concepts": len(concepts), "names": n_names,
    }  # fmt: skip
    return _Source(concepts, facts, [f"{path}: {doubt}" for doubt in find_doubts(reader, concepts)])


def _add_prefix(concept: Concept, prefix: str) -> Concept:
    return replace(
        concept,
        identifier=with_prefix(concept.identifier, prefix),
        equivalents=tuple(with_prefix(each, prefix) for each in concept.equivalents),
        retired=tuple(with_prefix(each, prefix) for each in concept.retired),
        parents=tuple(with_prefix(each, prefix) for each in concept.parents),
        replaced_by=with_prefix(concept.replaced_by, prefix) if concept.replaced_by else "",
    )


def _hash_file(path: Path) -> str:
    digest = hashlib.sha256()
    with open_source(path) as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _make_arrays(concepts: Sequence[Concept], merged: Merged) -> tuple[dict[str, Array], dict[str, int]]:
    names = [concept.names for concept in concepts]
    sizes = [len(each) for each in names]
    flat = [name for each in names for name in each]
    normalised, rows = _distinct_forms(names)
    text, starts = pack_texts(flat)
    arrays = {
        "names": text,
        "name_start": starts,
        "first_name": np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
        "concept_of_row": np.repeat(np.arange(len(concepts), dtype=np.int32), sizes),
        **_identifier_arrays(concepts, merged),
        **_species_array(concepts),
        **build_table([join(name) for name in normalised], rows),
        **build_index(normalised, rows),
        **mine_variants(_group(normalised, rows, sizes)),
    }
    n_silent = sum(not normalise(name) for name in flat if not name.isalnum())
    return arrays, {"names": len(flat), "indexed": len(rows), "not_indexed": n_silent}


def _distinct_forms(names: Iterable[Sequence[str]]) -> tuple[list[str], list[int]]:
    """Return the normalised names, each once for its concept, and their rows."""
    forms, rows, row = [], [], 0
    for each in names:
        seen: set[str] = set()
        for name in each:
            form = normalise(name)
            if form and form not in seen:
                seen.add(form)
                forms.append(form)
                rows.append(row)
            row += 1
    return forms, rows


def _group(forms: Sequence[str], rows: Sequence[int], sizes: Sequence[int]) -> Iterator[list[str]]:
    """Yield the normalised names of each concept that has any."""
    concepts = np.repeat(np.arange(len(sizes)), sizes)[rows]
    for start, end in pairwise([0, *(np.flatnonzero(np.diff(concepts)) + 1).tolist(), len(forms)]):
        yield list(forms[start:end])


def _identifier_arrays(concepts: Sequence[Concept], merged: Merged) -> dict[str, Array]:
    place_by_identifier = {
        each: place for place, concept in enumerate(concepts) for each in (concept.identifier, *concept.equivalents)
    }
    retired = {
        identifier: place_by_identifier.get(successor, -1)
        for identifier, successor in merged.successor_by_retired.items()
        if identifier not in place_by_identifier
    }
    every = {**place_by_identifier, **retired}
    ordered = sorted(every, key=lambda identifier: identifier.encode())
    row_by_identifier = {identifier: row for row, identifier in enumerate(ordered)}
    text, starts = pack_texts(ordered)
    parents, parent_starts = find_parents(concepts, every)
    return {
        "identifiers": text,
        "identifier_start": starts,
        "identifier_concept": np.array([every[each] for each in ordered], dtype=np.int32),
        "identifier_is_retired": np.array([each in retired for each in ordered], dtype=bool),
        "concept_identifier": np.array([row_by_identifier[each.identifier] for each in concepts], dtype=np.int32),
        "parents": parents,
        "parent_start": parent_starts,
    }


def _species_array(concepts: Sequence[Concept]) -> dict[str, Array]:
    """Return the species of each concept by its number, 0 if it has none; nothing if no concept has one."""
    numbers = [_species_number(concept) for concept in concepts]
    return {SPECIES: np.array(numbers, dtype=np.int32)} if any(numbers) else {}


def _species_number(concept: Concept) -> int:
    if not concept.species:
        return 0
    if not SPECIES_NUMBER.fullmatch(concept.species) or int(concept.species) > LARGEST_SPECIES:
        raise BadFile(
            f"{concept.identifier}: the species is {concept.species[:40]!r}, expected a number of the NCBI Taxonomy",
            "write for example 9606, or leave it out",
        )
    return int(concept.species)


def _count_prefixes(concepts: Iterable[Concept]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for concept in concepts:
        for identifier in (concept.identifier, *concept.equivalents):
            prefix = prefix_of(identifier)
            if prefix:
                counts[prefix] = counts.get(prefix, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
