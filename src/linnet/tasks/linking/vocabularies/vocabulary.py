"""Vocabularies: concepts, identifiers and names in a folder that is mapped into memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from linnet.tasks.linking.vocabularies.arrays import SPECIES, Texts, map_array
from linnet.tasks.linking.vocabularies.curies import normalise_identifier
from linnet.tasks.linking.vocabularies.embedded import find_vocabulary, lasting_place
from linnet.tasks.linking.vocabularies.exact import rows_with_hash
from linnet.tasks.linking.vocabularies.folder import read_facts
from linnet.tasks.linking.vocabularies.normalisation import join, normalise
from linnet.tasks.linking.vocabularies.retrieval import Index
from linnet.tasks.linking.vocabularies.variants import Variants

__all__ = ["Vocabulary", "open_vocabulary"]


@dataclass(frozen=True)
class Vocabulary:
    """An open vocabulary; a concept is known by its place, from 0."""

    folder: Path
    facts: Mapping[str, Any]  # what `vocabulary.json` holds

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Return how another process opens the vocabulary, so that no array is sent."""
        return open_vocabulary, (lasting_place(self.folder),)

    @property
    def hash(self) -> str:
        """The hash of the whole vocabulary, which goes into every output."""
        return str(self.facts["hash"])

    @property
    def n_concepts(self) -> int:
        """The number of concepts."""
        return int(self.facts["concepts"])

    @property
    def n_names(self) -> int:
        """The number of names of all concepts."""
        return int(self.facts["names"])

    def identifier(self, concept: int) -> str:
        """Return the identifier of a concept, as it is written to outputs."""
        return self._identifiers[int(self._own_identifier[concept])]

    def identifiers(self, concept: int) -> list[str]:
        """Return the identifier of a concept, then the current ones that are equivalent to it."""
        own = int(self._own_identifier[concept])
        others = [place for place in self._places_of(concept) if place != own and not self._is_retired[place]]
        return [self._identifiers[place] for place in (own, *others)]

    def retired_identifiers(self, concept: int) -> list[str]:
        """Return the identifiers that a concept had before, or that were retired in its favour."""
        return [self._identifiers[place] for place in self._places_of(concept) if self._is_retired[place]]

    def name(self, concept: int) -> str:
        """Return the preferred name of a concept."""
        return self.names[int(self.first_name[concept])]

    def names_of(self, concept: int) -> list[str]:
        """Return all names of a concept, the preferred one first."""
        return [self.names[row] for row in range(int(self.first_name[concept]), int(self.first_name[concept + 1]))]

    def rows_named(self, form: str) -> list[int]:
        """Return the rows of the names that are equal to a normalised name, apart from spaces."""
        joined = join(form)
        rows = rows_with_hash(self.exact_hash, self.exact_row, joined)
        return [row for row in rows if join(normalise(self.names[row])) == joined]

    def parents(self, concept: int) -> list[int]:
        """Return the parents of a concept, as far as the vocabulary has them."""
        found: list[int] = self._parents[self._parent_start[concept] : self._parent_start[concept + 1]].tolist()
        return found

    @cached_property
    def has_species(self) -> bool:
        """Do its concepts belong to species, as genes do?"""
        return f"{SPECIES}.npy" in self.facts["files"]

    def species(self, concept: int) -> str:
        """Return the number of a concept's species in the NCBI Taxonomy, empty if it has none."""
        return str(self._species[concept] or "") if self.has_species and concept >= 0 else ""

    def find(self, identifier: str) -> int | None:
        """Return the concept of an identifier, also of an equivalent, retired or bare one; None if there is none."""
        for written in self._spellings(identifier):
            place = self._identifiers.find(written)
            if place is not None:
                concept = int(self._concept_of_identifier[place])
                return concept if concept >= 0 else None
        return None

    def is_known(self, identifier: str) -> bool:
        """Is this the identifier of a concept, or one that was retired without a successor?"""
        return any(self._identifiers.find(written) is not None for written in self._spellings(identifier))

    @cached_property
    def names(self) -> Texts:
        """All names by row; those of one concept stand together, the preferred one first."""
        return Texts(map_array(self.folder, "names"), map_array(self.folder, "name_start"))

    @cached_property
    def index(self) -> Index:
        """The inverted index of the names."""
        own = {name: map_array(self.folder, name) for name in Index._fields if name != "concept_of_rank"}
        return Index(**own, concept_of_rank=self.concept_of_row[own["rank_row"]])

    @cached_property
    def variants(self) -> Variants:
        """The words that stand for one another."""
        words, others = (
            Texts(map_array(self.folder, f"variant_{kind}s"), map_array(self.folder, f"variant_{kind}_start"))
            for kind in ("word", "other")
        )
        return Variants(words, map_array(self.folder, "variant_start"), others, map_array(self.folder, "variant_share"))

    def __getattr__(self, name: str) -> Any:  # Any: an array, whose numbers the file decides
        if name.startswith("__") or name not in ARRAYS:
            raise AttributeError(name)
        found = map_array(self.folder, ARRAYS[name])
        object.__setattr__(self, name, found)
        return found

    @cached_property
    def _identifiers(self) -> Texts:
        return Texts(map_array(self.folder, "identifiers"), map_array(self.folder, "identifier_start"))

    def _places_of(self, concept: int) -> list[int]:
        """Return the places of all identifiers of a concept."""
        places: list[int] = (self._concept_of_identifier == concept).nonzero()[0].tolist()
        return places

    def _spellings(self, identifier: str) -> list[str]:
        plain = normalise_identifier(identifier)
        bare = [] if ":" in plain else [f"{prefix}:{plain}" for prefix in self.facts["prefixes"]]
        return [plain, identifier, *bare]


ARRAYS = {
    "concept_of_row": "concept_of_row",
    "exact_hash": "exact_hash",
    "exact_row": "exact_row",
    "first_name": "first_name",
    "_concept_of_identifier": "identifier_concept",
    "_is_retired": "identifier_is_retired",
    "_own_identifier": "concept_identifier",
    "_parent_start": "parent_start",
    "_parents": "parents",
    "_species": SPECIES,
}  # attributes that are mapped when they are first asked for


def open_vocabulary(folder: str | Path) -> Vocabulary:
    """Open a vocabulary that `linnet vocabulary build` made, or `demo`, which comes with Linnet.

    Raises:
        BadFile: if it is none, or was cut off or changed.
    """
    path = find_vocabulary(folder)
    return Vocabulary(path, read_facts(path))
