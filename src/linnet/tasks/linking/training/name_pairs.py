"""Pairs of texts that mean one concept, with similar names of other concepts, for contrastive learning."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from linnet.tasks.linking.candidates import Candidate, CandidateFinder
from linnet.tasks.linking.training.searched import Searched
from linnet.tasks.linking.vocabularies.normalisation import normalise
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary

__all__ = ["NamePair", "pair_mentions", "pair_names"]

N_OTHERS = 2  # similar names of other concepts for each pair
N_SEARCHED = 5  # candidates among which they are looked for


@dataclass(frozen=True, slots=True)
class NamePair:
    """Two texts for one concept, and names of other concepts that look like the first."""

    first: str
    second: str
    concept: int
    others: tuple[tuple[str, int], ...]  # name and concept


def pair_names(vocabulary: Vocabulary, number: int, generator: random.Random) -> list[NamePair]:
    """Return pairs of synonyms, `number` at most, of names that are drawn from all of the vocabulary."""
    finder = CandidateFinder(vocabulary)
    rows = generator.sample(range(vocabulary.n_names), k=vocabulary.n_names)
    found: list[NamePair] = []
    for row in rows:
        if len(found) == number:
            break
        concept, name = int(vocabulary.concept_of_row[row]), vocabulary.names[row]
        second = _draw_other_name(vocabulary, concept, name, generator)
        if second is not None:
            others = _others(finder.search(name, N_SEARCHED), {concept})
            found.append(NamePair(name, second, concept, others))
    return found


def pair_mentions(vocabulary: Vocabulary, searched: Iterable[Searched], generator: random.Random) -> Iterator[NamePair]:
    """Yield each gold mention of a training corpus once, with another name of each of its concepts."""
    known: set[tuple[str, int]] = set()
    for _, parts_of_spans, gold in searched:
        for parts, identifiers in zip(parts_of_spans, gold, strict=True):
            if len(parts) > 1:
                continue  # which part of a composite mention has which identifier is not known
            text, candidates = parts[0].mention.searched, parts[0].candidates
            concepts = sorted({each for name in identifiers if (each := vocabulary.find(name)) is not None})
            for concept in concepts:
                key = (normalise(text), concept)
                second = _draw_other_name(vocabulary, concept, text, generator)
                if key not in known and second is not None:
                    known.add(key)
                    yield NamePair(text, second, concept, _others(candidates, set(concepts)))


def _draw_other_name(vocabulary: Vocabulary, concept: int, text: str, generator: random.Random) -> str | None:
    """Return a name of the concept that is not the text after normalisation, None if there is none."""
    form = normalise(text)
    names = [name for name in vocabulary.names_of(concept) if normalise(name) != form]
    return generator.choice(names) if names else None


def _others(candidates: Sequence[Candidate], own: set[int]) -> tuple[tuple[str, int], ...]:
    return tuple((each.matched, each.concept) for each in candidates if each.concept not in own)[:N_OTHERS]
