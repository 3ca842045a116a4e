"""Learning a WordPiece or Unigram vocabulary from text, and extending one by the most useful words of the text.

The more sub-words a word saves, the more useful it is: its count times the number of its sub-words minus one. Words are
split by the tokenizer's own rules. A WordPiece tokenizer finds a new word because it takes the longest piece first; a
Unigram tokenizer because the word's score is that of its share of the text, and at least that of its pieces together.
A byte-level BPE vocabulary is not extended: it builds words by merges, and each merge needs sub-words of its own.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from linnet.errors import BadSetting
from linnet.models.families import SPECIALS, Specials, family_of
from linnet.pretraining.text.shards import copy_for_running_text, encode_sentences
from linnet.settings.pretraining import VocabularySettings

__all__ = ["ExtendedVocabulary", "NewWord", "choose_specials", "extend_vocabulary", "find_extension_problem",
           "measure_subwords_per_word", "train_vocabulary"]  # fmt: skip

LEAST_COUNT = 5  # occurrences of a word that is added: rarer ones do not train an embedding
LEAST_LETTERS = 3
MOST_WORDS = 4_000_000  # different ones that are counted; beyond that, words that occurred once are dropped
MOST_SENTENCES = 5_000  # on which sub-words per word are measured
ALPHABET = 1000  # characters of a learned WordPiece vocabulary; rarer ones are unknown, as in BERT
DECIMALS = 6  # of the scores of a learned Unigram vocabulary
SPACE = "▁"


@dataclass(frozen=True, slots=True)
class NewWord:
    """An added word, its id, and the ids of the pieces that it was split into before."""

    word: str
    id: int
    pieces: tuple[int, ...]
    count: int


@dataclass(frozen=True)
class ExtendedVocabulary:
    """A tokenizer with new words, whose ids follow all others."""

    tokenizer: Tokenizer
    words: tuple[NewWord, ...]


def choose_specials(family: str, tokenizer: Tokenizer | None = None) -> Specials:
    """Return the special sub-words of the tokenizer, or else of the family; those of BERT if both are unknown."""
    for specials in SPECIALS:
        if tokenizer is not None and all(tokenizer.token_to_id(name) is not None for name in specials):
            return specials
    return family_of(family).specials


def train_vocabulary(
    sentences: Callable[[], Iterable[str]], settings: VocabularySettings, specials: Specials
) -> Tokenizer:
    """Return a tokenizer learned from the sentences; a small text gives fewer sub-words than the settings ask for.

    The same text gives the same vocabulary. (The scores of a Unigram vocabulary are sums whose order differs from run
    to run; they are rounded, so differences are very rare.)

    Args:
        sentences: returns the sentences of the text; it is called several times, so they need not fit into memory.
        settings: of the vocabulary, with `train`.
        specials: the special sub-words, which get the first ids.
    """
    learn = _learn_unigram if settings.kind == "unigram" else _learn_word_pieces
    tokenizer = learn(sentences, settings, specials)
    frame = [(name, tokenizer.token_to_id(name)) for name in (specials.first, specials.last)]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{specials.first} $A {specials.last}", pair=specials.pair, special_tokens=frame
    )
    return tokenizer


def find_extension_problem(tokenizer: Tokenizer) -> BadSetting | None:
    """Return why words cannot be added to a tokenizer's vocabulary; None if they can."""
    kind = type(tokenizer.model).__name__
    # a new vocabulary is no remedy for every pretrained encoder: the positions of RoBERTa depend on its own
    remedy = "leave out `vocabulary.extend`, or learn a vocabulary for a fresh encoder (`--fresh --vocab 30000`)"
    if kind not in ("WordPiece", "Unigram") or tokenizer.pre_tokenizer is None:
        return BadSetting(f"`vocabulary.extend`: words cannot be added to a {kind} vocabulary", remedy)
    size = tokenizer.get_vocab_size(with_added_tokens=False)
    if kind == "Unigram" and max(tokenizer.get_vocab(with_added_tokens=True).values()) >= size:
        return BadSetting("`vocabulary.extend`: special sub-words follow the Unigram vocabulary", remedy)
    return None


def extend_vocabulary(tokenizer: Tokenizer, sentences: Iterable[str], number: int) -> ExtendedVocabulary:
    """Return the tokenizer with the most useful words of the sentences added, at most `number`.

    Raises:
        BadSetting: if its kind of vocabulary cannot be extended.
    """
    problem = find_extension_problem(tokenizer)
    if problem:
        raise problem
    counts = _count_words(tokenizer, sentences)
    candidates = _find_candidates(tokenizer, counts)
    useful = sorted(candidates, key=lambda word: (-word.count * (len(word.pieces) - 1), word.word))[:number]
    first = max(tokenizer.get_vocab(with_added_tokens=True).values()) + 1
    words = tuple(NewWord(word.word, first + n, word.pieces, word.count) for n, word in enumerate(useful))
    state: dict[str, Any] = json.loads(tokenizer.to_str())
    vocabulary = state["model"]["vocab"]
    if isinstance(vocabulary, dict):
        vocabulary |= {word.word: word.id for word in words}
    else:
        total = counts.total()
        for word in words:
            score_of_pieces = sum(vocabulary[piece][1] for piece in word.pieces)
            vocabulary.append([word.word, max(math.log(word.count / total), score_of_pieces + 1e-3)])
    return ExtendedVocabulary(Tokenizer.from_str(json.dumps(state)), words)


def measure_subwords_per_word(tokenizer: Tokenizer, sentences: Iterable[str]) -> float:
    """Return the mean number of sub-words per white-space word of the first sentences; 0 without any word."""
    first = list(islice(sentences, MOST_SENTENCES))
    n_words = sum(len(sentence.split()) for sentence in first)
    n_subwords = sum(len(ids) for ids in encode_sentences(copy_for_running_text(tokenizer), first))
    return n_subwords / n_words if n_words else 0.0


def _learn_word_pieces(
    sentences: Callable[[], Iterable[str]], settings: VocabularySettings, specials: Specials
) -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece({specials.unknown: 0}, unk_token=specials.unknown))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=settings.lowercase)  # lower-casing removes accents too
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    size = settings.train or 0
    # each character counts twice: at the start of a word and inside
    alphabet = _choose_alphabet(tokenizer, sentences(), min(ALPHABET, size // 4))
    inside = [f"##{char}" for char in alphabet if len(tokenizer.pre_tokenizer.pre_tokenize_str(f"a{char}")) == 1]
    trainer = trainers.WordPieceTrainer(
        vocab_size=size,
        # the trainer numbers these in an order that differs from run to run, and its choice of pieces depends on it
        special_tokens=[*specials.in_order, *inside],
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
        min_frequency=2,
        continuing_subword_prefix="##",
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences(), trainer)
    state = json.loads(tokenizer.to_str())
    state["added_tokens"] = [token for token in state["added_tokens"] if token["content"] in specials]
    return Tokenizer.from_str(json.dumps(state))


def _choose_alphabet(tokenizer: Tokenizer, sentences: Iterable[str], most: int) -> list[str]:
    """Return the most frequent characters after the tokenizer's normalisation, sorted."""
    raw: Counter[str] = Counter()
    for sentence in sentences:
        raw.update(sentence)
    counts: Counter[str] = Counter()
    for character, number in raw.items():
        for normalised in tokenizer.normalizer.normalize_str(character):
            counts[normalised] += number if not normalised.isspace() else 0
    by_frequency = sorted((char for char in counts if counts[char]), key=lambda char: (-counts[char], char))
    return sorted(by_frequency[:most])


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
    """Return the pieces by falling score, without differences between runs on the same text."""
    lowest = min(score for _, score in pieces)
    # characters that are kept only for coverage get the lowest score plus 0.0001, 0.0002, ..., in any order
    reach = lowest + 1e-4 * sum(len(piece) == 1 for piece, _ in pieces)
    rounded = [
        (piece, round(lowest if len(piece) == 1 and score < reach else score, DECIMALS)) for piece, score in pieces
    ]
    return sorted(rounded, key=lambda piece: (-piece[1], piece[0]))


def _count_words(tokenizer: Tokenizer, sentences: Iterable[str]) -> Counter[str]:
    """Count words as the tokenizer splits them; white-space words are counted first, so that each is split once."""
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
    """Return the word without what follows its last letter; Unigram rules leave commas and full stops on words."""
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
