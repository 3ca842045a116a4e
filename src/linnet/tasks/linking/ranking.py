"""Ranking of candidates by a trained model: what a linker calls, and how it opens a run."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from linnet.errors import BadFile
from linnet.tasks.linking.candidates import Candidate
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary

__all__ = ["MentionText", "Ranker", "is_run", "open_run"]

RUN = "linnet.json"  # the file of every model folder that says what it holds


@dataclass(frozen=True, slots=True)
class MentionText:
    """The text of a mention, or of one part of a composite mention, as it is searched for."""

    text: str  # as the document has it
    expanded: str  # with the long forms of its abbreviations
    searched: str  # the text that candidates were searched for: `expanded`, or one part of it
    label: str


class Ranker(Protocol):
    """Orders candidates again, e.g. by what a training has learned."""

    @property
    def n_candidates(self) -> int:
        """How many candidates it wants for each mention."""
        ...

    @property
    def min_score(self) -> float:
        """The lowest score of a link, unless the user asks for another."""
        ...

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the trained model, which goes into every output."""
        ...

    def rank(
        self, mentions: Sequence[MentionText], candidates: Sequence[Sequence[Candidate]], /
    ) -> Sequence[Sequence[Candidate]]:
        """Return the candidates of each mention with new scores, the best first; it may add and leave out some."""
        ...


def is_run(folder: Path) -> bool:
    """Is this the folder of a trained model?"""
    return (folder / RUN).is_file()


def open_run(folder: Path) -> tuple[Vocabulary, Ranker]:
    """Return the vocabulary and the ranker of a run of `linnet train --task linking`.

    Raises:
        BadFile: if the folder holds another model.
    """
    from linnet.tasks.linking.training.ranker import LINKER, read_ranker

    if (folder / LINKER).is_file():
        ranker = read_ranker(folder)
        return ranker.vocabulary, ranker
    raise BadFile(f"{folder}: is no model that links mentions", "give a vocabulary folder, or a run of task linking")
