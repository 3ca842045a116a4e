"""A trained ranker: learned mentions and weights of features, and its file in a run folder."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from linnet.errors import BadFile
from linnet.metrics.mentions.tally import Array
from linnet.storage.files import new_file
from linnet.tasks.linking.candidates import Candidate
from linnet.tasks.linking.ranking import MentionText
from linnet.tasks.linking.training.features import FEATURES, MOST_KNOWN, Featured, FeatureMaker
from linnet.tasks.linking.training.learned import LearnedMentions
from linnet.tasks.linking.training.linker_file import FORM, LINKER, read_linker_file
from linnet.tasks.linking.training.meaning import FIRST, EncoderMeaning, Meaning
from linnet.tasks.linking.training.weights import probabilities
from linnet.tasks.linking.vocabularies.embedded import lasting_place
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary

__all__ = ["LINKER", "N_CANDIDATES", "TrainedRanker", "read_ranker", "write_ranker"]

N_CANDIDATES = 5  # chosen on devel: 10 find no more, and take longer


@dataclass(frozen=True)
class TrainedRanker:
    """Ranks candidates by the probability that they are right."""

    vocabulary: Vocabulary
    learned: LearnedMentions
    weights: Mapping[str, float]  # by feature; a feature without a weight has 0
    nil: float
    min_score: float = 0.0
    n_candidates: int = N_CANDIDATES
    fingerprint: str = ""
    meaning: Meaning | None = None

    def rank(
        self, mentions: Sequence[MentionText], candidates: Sequence[Sequence[Candidate]], /
    ) -> list[list[Candidate]]:
        """Return the candidates of the mentions of a document by their probability, the best first."""
        return [list(self._order(each)) for each in self._maker.of_document(mentions, candidates)]

    @cached_property
    def _order(self) -> Callable[[Featured], Sequence[Candidate]]:
        """What orders the candidates of a mention; it remembers those of the last mentions."""
        return lru_cache(MOST_KNOWN)(self._order_anew)

    def _order_anew(self, featured: Featured) -> Sequence[Candidate]:
        shares = probabilities(featured.values, self._vector, self.nil)
        order = np.argsort(-shares, kind="stable").tolist()
        return [featured.candidates[place].with_score(float(shares[place])) for place in order]

    @cached_property
    def _maker(self) -> FeatureMaker:
        return FeatureMaker(self.vocabulary, self.learned, self.meaning)

    @cached_property
    def _vector(self) -> Array:
        return np.array([self.weights.get(name, 0.0) for name in FEATURES])


def write_ranker(folder: Path, ranker: TrainedRanker) -> None:
    """Write the ranker; the same ranker gives the same bytes."""
    values = {
        "form": FORM,
        "vocabulary": {"path": lasting_place(ranker.vocabulary.folder), "hash": ranker.vocabulary.hash},
        "min_score": ranker.min_score,
        "nil": ranker.nil,
        "n_candidates": ranker.n_candidates,
        **({"meaning": ranker.meaning.origin} if ranker.meaning else {}),
        "weights": dict(ranker.weights),
        "learned": ranker.learned.as_dict(),
    }
    with new_file(folder / LINKER) as file:
        json.dump(values, file, ensure_ascii=False, indent=1)
        file.write("\n")


def read_ranker(folder: Path, vocabulary: Vocabulary | None = None) -> TrainedRanker:
    """Return the ranker of a run, with the vocabulary that it was trained with.

    Args:
        folder: of the run.
        vocabulary: another place of the same vocabulary.

    Raises:
        BadFile: if the file is broken, or the vocabulary is another one.
    """
    from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary

    values = read_linker_file(folder / LINKER)
    own = values["vocabulary"]
    vocabulary = vocabulary or open_vocabulary(own["path"])
    if vocabulary.hash != own["hash"]:
        raise BadFile(
            f"{folder}: was trained with another vocabulary: its hash is {own['hash']}, that of {vocabulary.folder} is "
            f"{vocabulary.hash}",
            "give the vocabulary that it was trained with (`--vocabulary`), or train again with this one",
        )
    return TrainedRanker(
        vocabulary=vocabulary,
        learned=LearnedMentions.from_dict(values["learned"]),
        weights=values["weights"],
        nil=values["nil"],
        min_score=values["min_score"],
        n_candidates=values["n_candidates"],
        meaning=_open_meaning(values.get("meaning"), folder),
        fingerprint=hashlib.sha256((folder / LINKER).read_bytes()).hexdigest(),
    )


def _open_meaning(origin: Mapping[str, str] | None, run: Path) -> Meaning | None:
    """Return the encoder of a linker; it is opened when it is first used."""
    if origin is None:
        return None
    of_first = True if origin.get("vector") == FIRST else None
    return EncoderMeaning(origin["encoder"], origin["weights"], run=run, of_first=of_first)
