"""Which sentences of a text also stand in a corpus that is kept for evaluation?

Sentences are compared by their letters and digits alone, in small letters, without accents and with the names of Greek
letters: spaces, punctuation and the like differ between copies of the same sentence. Sentences count with and without
what may be the label of a section (`BACKGROUND:`, any few words before a colon or a dash), those of a corpus also with
and without markup such as `[12]`. Corpora are cut into sentences as they mark them and as the text is cut, so that a
sentence is found either way, as a line or as a sentence of the text. Up to `MOST_NEIGHBOURS` count as one sentence,
of the corpus and of the text, for one may be cut where the other is not; a sentence that is only part of a longer one
of the text is not found. What stands around an excluded sentence stays.
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
    | {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe"}  # letters with a stroke are not taken apart by Unicode
)
LABEL = re.compile(  # whatever may stand before a sentence as the label of its section
    r"\W{0,20}(?:"
    r"(?:[\w/&'()-]{1,40}\s){0,5}[\w/&'()-]{1,40}\s?(?::(?!\w)|—|--)"
    r"|[A-Z]{4,}\s(?:(?:AND|OF|THE|[A-Z]{4,})\s){0,4})"
)
LEAST_LETTERS = 20  # of what stands behind a label: less is no sentence to be told by
RULES = "5"  # of comparing and counting; text that was cleaned by other ones is cleaned anew


@dataclass
class ExcludedSentences:
    """Sentences not to be learned from, each kept as a 64-bit hash, and how many were met, by corpus."""

    corpus_by_hash: dict[int, str] = field(default_factory=dict)
    digest: str = ""  # of all that was read
    n_found: Counter[str] = field(
        default_factory=Counter
    )  # has every corpus; a sentence of several counts for the first

    def remove_from(self, sentences: Iterable[str]) -> list[str]:
        """Return the lines or sentences that stand in none of the corpora; the sentences of the others are counted."""
        sentences = list(sentences)
        if not self.corpus_by_hash:
            return sentences
        forms = [_normalised_forms(sentence) for sentence in sentences]
        is_met = [False] * len(sentences)
        for end in range(1, len(forms) + 1):
            for n_together, joined in _join_neighbours(forms, end):
                corpus = self.corpus_by_hash.get(_hash(joined))
                if corpus is None:
                    continue
                new = [number for number in range(end - n_together, end) if not is_met[number]]
                if new:
                    is_met[end - n_together : end] = [True] * n_together
                    # a line may hold a whole abstract, and a sentence may be cut into several lines
                    self.n_found[corpus] += sum(1 for _ in split_sentences(" ".join(sentences[n] for n in new)))
        return [sentence for sentence, met in zip(sentences, is_met, strict=True) if not met]


def read_excluded_sentences(corpora: Sequence[str]) -> ExcludedSentences:
    """Return the sentences of these corpora.

    Args:
        corpora: each a path, of which all splits count, or `PATH:SPLIT`.

    Raises:
        LinnetError: with all corpora that cannot be read, or have no sentence, so that nothing would be excluded.
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
        for each in hashes:
            excluded.corpus_by_hash.setdefault(each, name)
    refuse(problems)
    excluded.digest = digest.hexdigest()
    return excluded


def _hash_sentences(corpus: EvaluationCorpus, name: str) -> set[int]:
    """Return what the sentences of a corpus are known by, alone and together with their neighbours."""
    found: set[int] = set()
    for cut in (_marked_sentences, _split_into_lines, _split_into_sentences):
        sentences = [sentence for document in corpus.documents for sentence in cut(document)]
        for marked in (sentences, [remove_markup(sentence, Counter()) for sentence in sentences]):
            # what has no letters cannot be told apart; many corpora do not say where documents end
            forms = [each for each in map(_normalised_forms, marked) if each[0]]
            found.update(
                _hash(joined) for end in range(1, len(forms) + 1) for _, joined in _join_neighbours(forms, end)
            )
    if not found:
        raise BadSetting(f"`cleaning.exclude`: {name} has no sentences", "name a corpus with text, or leave it out")
    return found


def _marked_sentences(document: Document) -> Iterator[str]:
    return (document.text[sentence.start : sentence.end] for sentence in document.sentences)


def _split_into_lines(document: Document) -> list[str]:
    """Return titles, and whole documents of one sentence."""
    return split_lines(document)


def _split_into_sentences(document: Document) -> Iterator[str]:
    return (line[start:end] for line in split_lines(document) for start, end in split_sentences(line))


def _join_neighbours(forms: Sequence[tuple[str, ...]], end: int) -> Iterator[tuple[int, str]]:
    """Yield the runs that end before this place, as the number of their sentences and what these say together."""
    behind = ""
    for n_together, (whole, *unlabelled) in enumerate(reversed(forms[max(0, end - MOST_NEIGHBOURS) : end]), start=1):
        if whole:
            yield n_together, whole + behind
            yield from ((n_together, form + behind) for form in unlabelled if len(form + behind) >= LEAST_LETTERS)
        behind = whole + behind


def _normalised_forms(sentence: str) -> tuple[str, ...]:
    """Return what a sentence is compared by; a second form where the label of a section stands before it."""
    whole = _normalise(sentence)
    label = LABEL.match(sentence)
    behind = _normalise(sentence[label.end() :]) if label else ""
    return (whole, behind) if behind else (whole,)


def _normalise(sentence: str) -> str:
    if not sentence.isascii():
        sentence = unicodedata.normalize("NFKD", sentence).casefold().translate(SPELLINGS)
    return NOT_COMPARED.sub("", sentence.casefold())


def _hash(letters: str) -> int:
    return int.from_bytes(blake2b(letters.encode(), digest_size=8).digest(), "little")
