"""Which sentences of a text also stand in a corpus that is kept for evaluation?

Sentences are compared by their letters and digits alone, in small letters: spaces and punctuation differ between
copies of the same sentence. Each sentence of a corpus counts with and without markup such as `[12]`. Corpora are cut
into sentences as they mark them and as the text is cut, so that a sentence is found either way, as a line or as a
sentence of the text; one that is only part of a longer sentence is not found. What stands around an excluded sentence
stays.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from linnet.contracts import ReadOptions
from linnet.documents.document import Document
from linnet.documents.sentences import split_sentences
from linnet.errors import BadSetting
from linnet.formats.corpus import Corpus, Split, read_corpus
from linnet.pretraining.markup import without_markup
from linnet.pretraining.texts import lines_of

__all__ = ["Excluded", "read_excluded"]

NOT_COMPARED = re.compile(r"[\W_]+")


@dataclass
class Excluded:
    """Sentences not to be learned from, each kept as a 64-bit hash, and how many were met, by corpus."""

    corpus_by_hash: dict[int, str] = field(default_factory=dict)
    digest: str = ""  # of all that was read
    n_met: Counter[str] = field(default_factory=Counter)

    def without(self, sentences: Iterable[str]) -> list[str]:
        """Return the sentences that stand in none of the corpora; the others are counted."""
        if not self.corpus_by_hash:
            return list(sentences)
        kept: list[str] = []
        for sentence in sentences:
            corpus = self.corpus_by_hash.get(_hash(sentence))
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
        BadSetting: where a corpus has no sentence, so that nothing would be excluded.
    """
    excluded, digest = Excluded(), blake2b(digest_size=32)
    for name in corpora:
        n_sentences = 0
        for split in _splits(name):
            digest.update(split.fingerprint.encode())
            for document in split:
                for sentence in _sentences(document):
                    n_sentences += 1
                    for form in {sentence, without_markup(sentence, Counter())}:
                        excluded.corpus_by_hash.setdefault(_hash(form), name)
        if not n_sentences:
            raise BadSetting(f"`cleaning.exclude`: {name} has no sentences", "name a corpus with text, or leave it out")
    excluded.corpus_by_hash.pop(_hash(""), None)  # what has no letters cannot be told apart
    excluded.digest = digest.hexdigest()
    return excluded


def _splits(name: str) -> list[Split]:
    path, colon, split = name.rpartition(":")
    is_whole = not colon or Path(name).exists()
    corpus: Corpus = read_corpus(name if is_whole else path, options=ReadOptions(repair=True))
    return list(corpus.splits.values()) if is_whole else [corpus.split(split)]


def _sentences(document: Document) -> Iterator[str]:
    text = document.text
    yield from (text[sentence.start : sentence.end] for sentence in document.sentences)
    for line in lines_of(document):
        yield line  # titles, and whole documents of one sentence
        yield from (line[start:end] for start, end in split_sentences(line))


def _hash(sentence: str) -> int:
    normalised = NOT_COMPARED.sub("", sentence.casefold())
    return int.from_bytes(blake2b(normalised.encode(), digest_size=8).digest(), "little")
