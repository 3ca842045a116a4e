"""Which sentences of a text also stand in a corpus that is kept for evaluation?

Sentences are compared by their letters and digits alone, in small letters: spaces and punctuation differ between
copies of the same sentence. Each sentence of a corpus counts with and without markup such as `[12]`. Corpora are cut
into sentences as they mark them and as the text is cut, so that a sentence is found either way, as a line or as a
sentence of the text. Up to `TOGETHER` neighbours count as one sentence too, for a text may not be cut where the corpus
is; a sentence that is only part of a longer one of the text is not found. What stands around an excluded sentence
stays.
"""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from linnet.documents.document import Document
from linnet.documents.sentences import split_sentences
from linnet.errors import BadSetting, LinnetError, refuse
from linnet.pretraining.evaluation_corpora import EvaluationCorpus, read_evaluation_corpus
from linnet.pretraining.markup import without_markup
from linnet.pretraining.texts import lines_of

__all__ = ["Excluded", "read_excluded"]

NOT_COMPARED = re.compile(r"[\W_]+")
TOGETHER = 3
RULES = "2"  # of comparing; text that was cleaned by other ones is cleaned anew


@dataclass
class Excluded:
    """Sentences not to be learned from, each kept as a 64-bit hash, and how many were met, by corpus."""

    corpus_by_hash: dict[int, str] = field(default_factory=dict)
    digest: str = ""  # of all that was read
    n_met: Counter[str] = field(default_factory=Counter)  # has every corpus; a sentence of several counts for the first

    def without(self, sentences: Iterable[str]) -> list[str]:
        """Return the sentences that stand in none of the corpora; the others are counted."""
        if not self.corpus_by_hash:
            return list(sentences)
        kept: list[str] = []
        for sentence in sentences:
            corpus = self.corpus_by_hash.get(_hash(_letters(sentence)))
            if corpus is None:
                kept.append(sentence)
            else:
                self.n_met[corpus] += 1
        return kept


def read_excluded(corpora: Sequence[str]) -> Excluded:
    """Return the sentences of these corpora.

    Args:
        corpora: each a path, of which all splits count, or `PATH:SPLIT`.

    Raises:
        LinnetError: with all corpora that cannot be read, or have no sentence, so that nothing would be excluded.
    """
    excluded, digest = Excluded(n_met=Counter(dict.fromkeys(corpora, 0))), blake2b(digest_size=32)
    problems: list[LinnetError] = []
    for name in corpora:
        try:
            corpus = read_evaluation_corpus(name)
            hashes = _hashes(corpus, name)
        except LinnetError as problem:
            problems.append(problem)
            continue
        digest.update(f"{RULES}{corpus.digest}".encode())
        for each in hashes:
            excluded.corpus_by_hash.setdefault(each, name)
    refuse(problems)
    excluded.digest = digest.hexdigest()
    return excluded


def _hashes(corpus: EvaluationCorpus, name: str) -> set[int]:
    """Return what the sentences of a corpus are known by, alone and together with their neighbours."""
    found: set[int] = set()
    for cut in (_marked, _lines, _sentences):
        sentences = [sentence for document in corpus.documents for sentence in cut(document)]
        for forms in (sentences, [without_markup(sentence, Counter()) for sentence in sentences]):
            # what has no letters cannot be told apart
            found.update(map(_hash, _runs(filter(None, map(_letters, forms)))))
    if not found:
        raise BadSetting(f"`cleaning.exclude`: {name} has no sentences", "name a corpus with text, or leave it out")
    return found


def _marked(document: Document) -> Iterator[str]:
    return (document.text[sentence.start : sentence.end] for sentence in document.sentences)


def _lines(document: Document) -> list[str]:
    """Return titles, and whole documents of one sentence."""
    return lines_of(document)


def _sentences(document: Document) -> Iterator[str]:
    return (line[start:end] for line in lines_of(document) for start, end in split_sentences(line))


def _runs(sentences: Iterable[str]) -> Iterator[str]:
    """Yield each sentence, and joined with the ones before it; many corpora do not say where documents end."""
    latest: deque[str] = deque(maxlen=TOGETHER)
    for sentence in sentences:
        latest.appendleft(sentence)
        together = ""
        for each in latest:
            together = each + together
            yield together


def _letters(sentence: str) -> str:
    return NOT_COMPARED.sub("", sentence.casefold())


def _hash(letters: str) -> int:
    return int.from_bytes(blake2b(letters.encode(), digest_size=8).digest(), "little")
