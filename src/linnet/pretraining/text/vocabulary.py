"""How is a vocabulary learned from text, or extended by the words that the text needs most?

A word is the more useful, the more sub-words it saves: how often it occurs, times its sub-words but one. Words are
taken as the tokenizer's own rules cut them. In a WordPiece vocabulary a new word is found because the longest piece is
taken first; in a Unigram one because it gets the score of its share of the text, and never less than its pieces
together. Byte-level BPE builds words by merges, of which each needs sub-words of its own; there nothing is added.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from linnet.errors import BadSetting
from linnet.pretraining.text.shards import copy_for_running_text, encode_sentences
from linnet.settings.pretraining import VocabularySettings

__all__ = ["ExtendedVocabulary", "NewWord", "Specials", "choose_specials", "extend_vocabulary",
           "find_extension_problem", "measure_subwords_per_word", "train_vocabulary"]  # fmt: skip

LEAST_COUNT = 5  # occurrences of a word that is added: a row of its own needs something to learn from
LEAST_LETTERS = 3
MOST_WORDS = 4_000_000  # different ones that are counted; beyond that, those that were met once are forgotten
MOST_SENTENCES = 5_000  # on which sub-words per word are measured
ALPHABET = 1000  # characters of a learned WordPiece vocabulary; rarer ones are unknown, as in BERT
DECIMALS = 6  # of the scores of a learned Unigram vocabulary
SPACE = "▁"


class Specials(NamedTuple):
    """The special sub-words of a family, and how they frame one and two texts."""

    pad: str
    unknown: str
    first: str
    last: str
    mask: str

    @property
    def in_order(self) -> list[str]:
        """In the order of their numbers."""
        return [self.first, self.pad, self.last, self.unknown, self.mask] if self.first == "<s>" else list(self)

    @property
    def pair(self) -> str:
        """The frame of two texts."""
        first, last = self.first, self.last
        return f"{first} $A {last} {last} $B {last}" if first == "<s>" else f"{first} $A {last} $B:1 {last}:1"


SPECIALS = {
    "bert": Specials("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    "albert": Specials("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"),
    "roberta": Specials("<pad>", "<unk>", "<s>", "</s>", "<mask>"),
}


@dataclass(frozen=True, slots=True)
class NewWord:
    """A word that was added, its number, and the numbers of the pieces that it was read as before."""

    word: str
    id: int
    pieces: tuple[int, ...]
    count: int


@dataclass(frozen=True)
class ExtendedVocabulary:
    """A tokenizer with more words, which come behind all that it had."""

    tokenizer: Tokenizer
    words: tuple[NewWord, ...]


def choose_specials(family: str, tokenizer: Tokenizer | None = None) -> Specials:
    """Return the special sub-words of the tokenizer, or else of the family; those of BERT where both are unknown."""
    for specials in SPECIALS.values():
        if tokenizer is not None and all(tokenizer.token_to_id(name) is not None for name in specials):
            return specials
    return SPECIALS.get(family, SPECIALS["bert"])


def train_vocabulary(
    sentences: Callable[[], Iterable[str]], settings: VocabularySettings, specials: Specials
) -> Tokenizer:
    """Return a tokenizer learned from the sentences; its vocabulary is smaller than asked for where the text is small.

    The same text gives the same vocabulary. (The scores of a Unigram one are sums whose order differs from run to run;
    they are rounded, so that they differ hardly ever.)

    Args:
        sentences: gives those to learn from, when asked; they are not held in memory.
        settings: of the vocabulary, with `train`.
        specials: the special sub-words, which get the first numbers.
    """
    learn = _learn_unigram if settings.kind == "unigram" else _learn_word_pieces
    tokenizer = learn(sentences, settings, specials)
    frame = [(name, tokenizer.token_to_id(name)) for name in (specials.first, specials.last)]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{specials.first} $A {specials.last}", pair=specials.pair, special_tokens=frame
    )
    return tokenizer


def find_extension_problem(tokenizer: Tokenizer) -> BadSetting | None:
    """Return why words cannot be added to this tokenizer's vocabulary; None where they can."""
    kind = type(tokenizer.model).__name__
    # a vocabulary of its own is no remedy for each pretrained encoder: RoBERTa's positions depend on the one it has
    remedy = "leave out `vocabulary.extend`, or begin anew with a vocabulary of the text (`--fresh --vocab 30000`)"
    if kind not in ("WordPiece", "Unigram") or tokenizer.pre_tokenizer is None:
        return BadSetting(f"`vocabulary.extend`: words cannot be added to a {kind} vocabulary", remedy)
    size = tokenizer.get_vocab_size(with_added_tokens=False)
    if kind == "Unigram" and max(tokenizer.get_vocab(with_added_tokens=True).values()) >= size:
        return BadSetting("`vocabulary.extend`: special sub-words stand behind the Unigram vocabulary", remedy)
    return None


def extend_vocabulary(tokenizer: Tokenizer, sentences: Iterable[str], number: int) -> ExtendedVocabulary:
    """Return the tokenizer with the most useful words of the sentences added, at most `number`.

    Raises:
        BadSetting: where its kind of vocabulary cannot be extended.
    """
    problem = find_extension_problem(tokenizer)
    if problem:
        raise problem
    counts = _count_words(tokenizer, sentences)
    candidates = _find_candidates(tokenizer, counts)
    useful = sorted(candidates, key=lambda word: (-word.count * (len(word.pieces) - 1), word.word))[:number]
    first = max(tokenizer.get_vocab(with_added_tokens=True).values()) + 1
    words = tuple(NewWord(each.word, first + n, each.pieces, each.count) for n, each in enumerate(useful))
    state: dict[str, Any] = json.loads(tokenizer.to_str())
    vocabulary = state["model"]["vocab"]
    if isinstance(vocabulary, dict):
        vocabulary |= {each.word: each.id for each in words}
    else:
        total = counts.total()
        for each in words:
            together = sum(vocabulary[piece][1] for piece in each.pieces)
            vocabulary.append([each.word, max(math.log(each.count / total), together + 1e-3)])
    return ExtendedVocabulary(Tokenizer.from_str(json.dumps(state)), words)


def measure_subwords_per_word(tokenizer: Tokenizer, sentences: Iterable[str]) -> float:
    """Return how many sub-words a word has (words stand between white space), over the first sentences; 0 of none."""
    read = list(islice(sentences, MOST_SENTENCES))
    n_words = sum(len(sentence.split()) for sentence in read)
    n_subwords = sum(len(ids) for ids in encode_sentences(copy_for_running_text(tokenizer), read))
    return n_subwords / n_words if n_words else 0.0


def _learn_word_pieces(
    sentences: Callable[[], Iterable[str]], settings: VocabularySettings, specials: Specials
) -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece({specials.unknown: 0}, unk_token=specials.unknown))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=settings.lowercase)  # accents go with the capitals
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    size = settings.train or 0
    # each character counts twice: at the start of a word and inside
    alphabet = _choose_alphabet(tokenizer, sentences(), min(ALPHABET, size // 4))
    inside = [f"##{each}" for each in alphabet if len(tokenizer.pre_tokenizer.pre_tokenize_str(f"a{each}")) == 1]
    trainer = trainers.WordPieceTrainer(
        vocab_size=size,
        # the trainer would number these in an order that differs from run to run, and choose pieces by their numbers
        special_tokens=[*specials.in_order, *inside],
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
        min_frequency=2,
        continuing_subword_prefix="##",
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences(), trainer)
    state = json.loads(tokenizer.to_str())
    state["added_tokens"] = [each for each in state["added_tokens"] if each["content"] in specials]
    return Tokenizer.from_str(json.dumps(state))


def _choose_alphabet(tokenizer: Tokenizer, sentences: Iterable[str], most: int) -> list[str]:
    """Return the commonest characters as the tokenizer reads them, sorted."""
    raw: Counter[str] = Counter()
    for sentence in sentences:
        raw.update(sentence)
    counts: Counter[str] = Counter()
    for character, number in raw.items():
        for each in tokenizer.normalizer.normalize_str(character):
            counts[each] += number if not each.isspace() else 0
    commonest = sorted((each for each in counts if counts[each]), key=lambda each: (-counts[each], each))
    return sorted(commonest[:most])


def _learn_unigram(
    sentences: Callable[[], Iterable[str]], settings: VocabularySettings, specials: Specials
) -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    quotes = [normalizers.Replace("``", '"'), normalizers.Replace("''", '"')]  # as in ALBERT
    letters = [normalizers.Lowercase()] if settings.lowercase else []
    spaces = normalizers.Replace(Regex(" {2,}"), " ")
    steps = [*quotes, normalizers.NFKD(), normalizers.StripAccents(), *letters, spaces]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement=SPACE, prepend_scheme="always")
    trainer = trainers.UnigramTrainer(
        vocab_size=settings.train or 0,
        special_tokens=specials.in_order,
        unk_token=specials.unknown,
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences(), trainer)
    state = json.loads(tokenizer.to_str())
    vocabulary = state["model"]["vocab"]
    state["model"]["vocab"] = vocabulary[: len(specials)] + _sort_pieces(vocabulary[len(specials) :])
    return Tokenizer.from_str(json.dumps(state))


def _sort_pieces(pieces: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return the same pieces, likely ones first, without what differs when the same text is learned again."""
    lowest = min(score for _, score in pieces)
    # characters that are no good but must be there get the lowest score and 0.0001, 0.0002, ... more, in any order
    reach = lowest + 1e-4 * sum(len(piece) == 1 for piece, _ in pieces)
    rounded = [
        (piece, round(lowest if len(piece) == 1 and score < reach else score, DECIMALS)) for piece, score in pieces
    ]
    return sorted(rounded, key=lambda each: (-each[1], each[0]))


def _count_words(tokenizer: Tokenizer, sentences: Iterable[str]) -> Counter[str]:
    """Count words as the tokenizer cuts them; what stands between white space is counted first, then cut once."""
    between_spaces: Counter[str] = Counter()
    for sentence in sentences:
        between_spaces.update(sentence.split())
        if len(between_spaces) > MOST_WORDS:
            between_spaces = Counter({word: n for word, n in between_spaces.items() if n > 1})
    counts: Counter[str] = Counter()
    for text, number in between_spaces.items():
        normalised = tokenizer.normalizer.normalize_str(text) if tokenizer.normalizer else text
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(normalised):
            counts[_strip_punctuation(word)] += number
    return counts


def _strip_punctuation(word: str) -> str:
    """Return the word without what follows its last letter; Unigram rules leave commas and stops at words."""
    end = len(word)
    while end > 1 and not word[end - 1].isalnum():
        end -= 1
    return word[:end]


def _find_candidates(tokenizer: Tokenizer, counts: Counter[str]) -> Iterator[NewWord]:
    """Yield the words that would save sub-words."""
    known = tokenizer.get_vocab(with_added_tokens=True)
    unknown = {known[name] for name in ("[UNK]", "<unk>") if name in known}
    for word, count in counts.items():
        bare = word.removeprefix(SPACE)
        if count < LEAST_COUNT or word in known or len(bare) < LEAST_LETTERS or not bare.isalnum() or bare.isdecimal():
            continue
        pieces = tuple(token.id for token in tokenizer.model.tokenize(word))
        if len(pieces) > 1 and not unknown.intersection(pieces):
            yield NewWord(word, -1, pieces, count)
