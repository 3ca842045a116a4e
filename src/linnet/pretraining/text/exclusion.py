"""Removal of sentences that also occur in evaluation corpora (decontamination).

Sentences are compared by their letters and digits alone, lower-cased, without accents and with Greek letters spelled
out, because copies of a sentence differ in spaces and punctuation. Each sentence is compared with and without what may
be a section label (`BACKGROUND:`, any few words before a colon or a dash); sentences of a corpus also with and without
markup such as `[12]`. Corpora are split both by their own sentence marks and by the sentence splitter, so a sentence is
found as a line and as a sentence of the text. Up to `MOST_NEIGHBOURS` neighbouring sentences are also compared as one,
in the corpus and in the text, because one may be split where the other is not. A corpus sentence that is only part of a
longer sentence of the text is not found. The text around an excluded sentence stays.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from linnet.documents.document import Document
from linnet.documents.sentences import split_sentences
from linnet.errors import BadSetting, LinnetError, refuse
from linnet.pretraining.text.evaluation_corpora import EvaluationCorpus, read_evaluation_corpus
from linnet.pretraining.text.hashing import hash_64_bits
from linnet.pretraining.text.markup import remove_markup
from linnet.pretraining.text.sources import split_lines

__all__ = ["ExcludedSentences", "read_excluded_sentences"]

NOT_COMPARED = re.compile(r"[\W_]+")
MOST_NEIGHBOURS = 3
SPELLINGS = str.maketrans(
    dict(
        zip(
            "αβγδεζηθικλμνξοπρστυφχψω",
            (
                "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau "
                "upsilon phi chi psi omega"
            ).split(),
            strict=True,
        )
    )
    | {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe"}  # Unicode does not decompose letters with a stroke
)
LABEL = re.compile(  # what may be the label of a section before a sentence
    r"\W{0,20}(?:"
    r"(?:[\w/&'()-]{1,40}\s){0,5}[\w/&'()-]{1,40}\s?(?::(?!\w)|—|--)"
    r"|[A-Z]{4,}\s(?:(?:AND|OF|THE|[A-Z]{4,})\s){0,4})"
)
LEAST_LETTERS = 20  # behind a label; fewer do not identify a sentence
RULES = "5"  # version of comparing and counting; text that was cleaned with another one is cleaned again


@dataclass
class ExcludedSentences:
    """Sentences to leave out of pretraining, as 64-bit hashes, and how many were found in the text, by corpus."""

    corpus_by_hash: dict[int, str] = field(default_factory=dict)
    digest: str = ""  # of the corpora and the rules
    # has every corpus; a sentence of several corpora counts for the first
    n_found: Counter[str] = field(default_factory=Counter)

    def remove_from(self, sentences: Iterable[str]) -> list[str]:
        """Return the lines or sentences that occur in no corpus; the removed sentences are counted."""
        sentences = list(sentences)
        if not self.corpus_by_hash:
            return sentences
        forms = [_normalised_forms(sentence) for sentence in sentences]
        is_excluded = [False] * len(sentences)
        for end in range(1, len(forms) + 1):
            for n_joined, joined in _join_neighbours(forms, end):
                corpus = self.corpus_by_hash.get(hash_64_bits(joined.encode()))
                if corpus is None:
                    continue
                new = [number for number in range(end - n_joined, end) if not is_excluded[number]]
                if new:
                    is_excluded[end - n_joined : end] = [True] * n_joined
                    # a line may hold a whole abstract, and a sentence may be split over several lines
                    self.n_found[corpus] += sum(1 for _ in split_sentences(" ".join(sentences[n] for n in new)))
        return [sentence for sentence, excluded in zip(sentences, is_excluded, strict=True) if not excluded]


def read_excluded_sentences(corpora: Sequence[str]) -> ExcludedSentences:
    """Return the sentences of these corpora.

    Args:
        corpora: each a path, for all its splits, or `PATH:SPLIT`.

    Raises:
        LinnetError: with all corpora that cannot be read or have no sentence.
    """
    excluded, digest = ExcludedSentences(n_found=Counter(dict.fromkeys(corpora, 0))), blake2b(digest_size=32)
    problems: list[LinnetError] = []
    for name in corpora:
        try:
            corpus = read_evaluation_corpus(name)
            hashes = _hash_sentences(corpus, name)
        except LinnetError as problem:
            problems.append(problem)
            continue
        digest.update(f"{RULES}{corpus.digest}".encode())
        for sentence_hash in hashes:
            excluded.corpus_by_hash.setdefault(sentence_hash, name)
    refuse(problems)
    excluded.digest = digest.hexdigest()
    return excluded


def _hash_sentences(corpus: EvaluationCorpus, name: str) -> set[int]:
    """Return the hashes of the sentences of a corpus, alone and joined with their neighbours."""
    hashes: set[int] = set()
    # as the corpus marks them; as titles and documents of one sentence; as the sentence splitter finds them
    for split in (_marked_sentences, split_lines, _split_into_sentences):
        sentences = [sentence for document in corpus.documents for sentence in split(document)]
        for variant in (sentences, [remove_markup(sentence, Counter()) for sentence in sentences]):
            # sentences without letters cannot be compared; neighbours may cross documents, whose ends many corpora omit
            forms = [(whole, *rest) for whole, *rest in map(_normalised_forms, variant) if whole]
            runs = (run for end in range(1, len(forms) + 1) for _, run in _join_neighbours(forms, end))
            hashes.update(hash_64_bits(run.encode()) for run in runs)
    if not hashes:
        raise BadSetting(f"`cleaning.exclude`: {name} has no sentences", "name a corpus with text, or leave it out")
    return hashes


def _marked_sentences(document: Document) -> Iterator[str]:
    return (document.text[sentence.start : sentence.end] for sentence in document.sentences)


def _split_into_sentences(document: Document) -> Iterator[str]:
    return (line[start:end] for line in split_lines(document) for start, end in split_sentences(line))


def _join_neighbours(forms: Sequence[tuple[str, ...]], end: int) -> Iterator[tuple[int, str]]:
    """Yield the runs of sentences that end before this index, as their number and their joined normalised text."""
    behind = ""
    for n_joined, (whole, *unlabelled) in enumerate(reversed(forms[max(0, end - MOST_NEIGHBOURS) : end]), start=1):
        if whole:
            yield n_joined, whole + behind
            yield from ((n_joined, form + behind) for form in unlabelled if len(form + behind) >= LEAST_LETTERS)
        behind = whole + behind


def _normalised_forms(sentence: str) -> tuple[str, ...]:
    """Return the forms by which a sentence is compared: the whole, and the part behind a section label."""
    whole = _normalise(sentence)
    label = LABEL.match(sentence)
    behind = _normalise(sentence[label.end() :]) if label else ""
    return (whole, behind) if behind else (whole,)


def _normalise(sentence: str) -> str:
    if not sentence.isascii():
        sentence = unicodedata.normalize("NFKD", sentence).casefold().translate(SPELLINGS)
    return NOT_COMPARED.sub("", sentence.casefold())
