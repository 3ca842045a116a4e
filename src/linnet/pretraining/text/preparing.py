"""How does the text that the settings name become sequences to learn from, and others to measure on?

Raw text is cleaned, a vocabulary is learned or extended where that is asked for, the text is tokenised, and the
sequences are packed. Each of the first three results is kept in the folder of shards under a fingerprint of all that it
depends on, and found there the next time. A document is held out by a hash of its raw text, so that adding files does
not move others; at least one is held out and one learned from. A vocabulary is learned from what is not held out.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from linnet.contracts import Notes
from linnet.errors import BadFile, BadSetting, LinnetError, problems_of, refuse
from linnet.pretraining.text.cleaned import CleanedText, HashArray, TextWatcher, clean_texts
from linnet.pretraining.text.cleaning import Cleaner
from linnet.pretraining.text.exclusion import ExcludedSentences, read_excluded_sentences
from linnet.pretraining.text.facts import TextFacts, VocabularyFacts, collect_facts
from linnet.pretraining.text.load_or_build import compute_fingerprint, load_or_build
from linnet.pretraining.text.packing import BoolArray, PackedText
from linnet.pretraining.text.shards import TokenisedText, copy_for_running_text, tokenise
from linnet.pretraining.text.sources import find_texts, text_place
from linnet.pretraining.text.vocabulary import (
    ExtendedVocabulary,
    NewWord,
    Specials,
    choose_specials,
    extend_vocabulary,
    find_extension_problem,
    measure_subwords_per_word,
    train_vocabulary,
)
from linnet.settings.pretraining import PretrainSettings
from linnet.storage.files import check_path, new_folder

__all__ = ["PreparedText", "check_sources", "choose_held_out", "prepare_text"]

TOKENIZER, WORDS = "tokenizer.json", "words.json"


@dataclass(frozen=True)
class PreparedText:
    """Text that is ready to be learned from."""

    training: PackedText
    held_out: PackedText
    tokenizer: Tokenizer
    new_words: tuple[NewWord, ...]  # of an extended vocabulary
    facts: TextFacts


def prepare_text(
    settings: PretrainSettings,
    tokenizer: Tokenizer | None,
    *,
    family: str = "",
    excluded: ExcludedSentences | None = None,
    watcher: TextWatcher | None = None,
) -> PreparedText:
    """Return the text of the settings, packed; what an earlier run prepared alike is used again.

    Args:
        settings: of the pretraining.
        tokenizer: of the encoder; None where there is none before a vocabulary is learned.
        family: of a fresh encoder, whose special sub-words a learned vocabulary gets where there is no tokenizer.
        excluded: what `check_sources` has returned for these settings; it is asked if that is not given.
        watcher: is told what is being done, and how many bytes of how many are.

    Raises:
        BadSetting: where the settings cannot work.
        BadFile: where text cannot be read, nothing is left of it, or the shards cannot be written.
    """
    if tokenizer is None and settings.vocabulary.train is None:
        raise BadSetting("there is no vocabulary", "learn one with `vocabulary.train`")
    excluded = check_sources(settings, tokenizer) if excluded is None else excluded
    folder = _shards_folder(settings)
    cleaned = _clean_text(settings, excluded, folder, watcher)
    is_held_out = choose_held_out(cleaned.hashes, settings.held_out)
    specials = choose_specials(family, tokenizer)
    vocabulary = _load_or_build_vocabulary(
        settings, tokenizer, cleaned, is_held_out, specials=specials, folder=folder, watcher=watcher
    )
    tokens_folder = (
        folder
        / f"tokens-{compute_fingerprint(cleaned.folder.name, copy_for_running_text(vocabulary.tokenizer).to_str())}"
    )
    tokenised = tokenise(cleaned, vocabulary.tokenizer, tokens_folder, watcher=watcher)
    training, held_out = (
        _pack(tokenised, each, settings, vocabulary.tokenizer) for each in (~is_held_out, is_held_out)
    )
    compared = _compare_vocabularies(cleaned, is_held_out, before=tokenizer, after=vocabulary.tokenizer)
    facts = collect_facts(cleaned, tokenised, compared, training=training, held_out=held_out)
    _check_sequences(facts)
    return PreparedText(training, held_out, vocabulary.tokenizer, vocabulary.words, facts)


def choose_held_out(hashes: HashArray, share: float) -> BoolArray:
    """Return which documents are held out: those with a small hash, at least one and not all.

    Raises:
        BadSetting: where there is only one document.
    """
    if len(hashes) < 2:
        raise BadSetting(
            "the text has only one document, which cannot be learned from and held out",
            "give more text; in plain files, blank lines end documents",
        )
    is_held_out: BoolArray = hashes < np.uint64(int(share * 2**64))
    is_held_out[np.argmin(hashes)] = True
    is_held_out[np.argmax(hashes)] = False
    return is_held_out


def check_sources(settings: PretrainSettings, tokenizer: Tokenizer | None) -> ExcludedSentences:
    """Return the sentences to exclude; whatever can be known to be wrong before text is read is refused.

    Args:
        settings: of the pretraining.
        tokenizer: of the encoder, where it is known.

    Raises:
        LinnetError: with all problems together.
    """
    problems: list[LinnetError] = list(_find_source_problems(settings))
    try:
        Cleaner(settings.cleaning.model_copy(update={"duplicates": False}))
    except BadSetting as problem:
        problems.append(problem)
    if (
        tokenizer is not None
        and settings.vocabulary.extend is not None
        and (fault := find_extension_problem(tokenizer))
    ):
        problems.append(fault)
    excluded = ExcludedSentences()
    try:
        excluded = read_excluded_sentences(settings.cleaning.exclude)
    except LinnetError as problem:
        problems.append(problem)
    if not problems_of(*(partial(check_path, Path(source)) for source in settings.texts)):
        problems += problems_of(*(partial(text_place, source) for source in settings.texts))
    refuse(problems)
    return excluded


def _find_source_problems(settings: PretrainSettings) -> Iterator[LinnetError]:
    """Yield what cannot be read, and where the run would read, or remove, what it has written itself."""
    names = (settings.output, *([settings.shards] if settings.shards else []), *settings.texts)
    unusable = problems_of(*(partial(check_path, Path(name)) for name in names))
    if unusable:
        yield from unusable
        return
    output, shards = _own_folders(settings)
    if shards.exists() and not shards.is_dir():
        yield BadFile(f"{shards}: is not a folder, so that no text can be kept there", "name a folder (`shards`)")
    if shards.is_relative_to(output):
        yield BadSetting(
            f"`shards`: {settings.shards} lies in `output`, which is for the run alone", "name a folder beside it"
        )
    for source in settings.texts:
        place = Path(source).resolve()
        if place == shards or output in (place, *place.parents):
            yield BadSetting(
                f"`texts`: {source} is where the run writes its own files",
                "keep the text in another folder than `output` and `shards`",
            )


def _shards_folder(settings: PretrainSettings) -> Path:
    """Return the folder of shards."""
    output = Path(settings.output)
    return Path(settings.shards) if settings.shards else output.parent / f"{output.name}-text"


def _own_folders(settings: PretrainSettings) -> tuple[Path, Path]:
    return Path(settings.output).resolve(), _shards_folder(settings).resolve()


def _clean_text(
    settings: PretrainSettings, excluded: ExcludedSentences, folder: Path, watcher: TextWatcher | None
) -> CleanedText:
    found = Notes()  # told anew each time: what is left aside is no part of the text
    files = find_texts(settings.texts, found, own=_own_folders(settings))
    inputs = [[file.source, file.format, file.digest] for file in files]
    place = (
        folder / f"cleaned-{compute_fingerprint(inputs, settings.cleaning.model_dump(mode='json'), excluded.digest)}"
    )
    cleaner = Cleaner(settings.cleaning)
    cleaned = clean_texts(files, place, cleaner=cleaner, excluded=excluded, notes=Notes(), watcher=watcher)
    return replace(cleaned, facts=replace(cleaned.facts, notes={**cleaned.facts.notes, **found.counts}))


def _load_or_build_vocabulary(
    settings: PretrainSettings,
    tokenizer: Tokenizer | None,
    cleaned: CleanedText,
    is_held_out: BoolArray,
    *,
    specials: Specials,
    folder: Path,
    watcher: TextWatcher | None,
) -> ExtendedVocabulary:
    """Return the tokenizer to use, with its new words."""
    wanted = settings.vocabulary
    if wanted.train is None and wanted.extend is None and tokenizer is not None:
        return ExtendedVocabulary(tokenizer, ())
    before = copy_for_running_text(tokenizer).to_str() if tokenizer is not None and wanted.extend else ""
    parts = (cleaned.folder.name, settings.held_out, wanted.model_dump(mode="json"), before, specials)
    place = folder / f"vocabulary-{compute_fingerprint(*parts)}"

    def make() -> ExtendedVocabulary:
        if watcher:
            watcher("learning the vocabulary", 0, cleaned.n_bytes)
        sentences = partial(_read_sentences, cleaned, ~is_held_out, watcher)
        if wanted.extend is not None and tokenizer is not None:
            made = extend_vocabulary(tokenizer, sentences(), wanted.extend)
        else:
            made = ExtendedVocabulary(train_vocabulary(sentences, wanted, specials), ())
        _save_vocabulary(made, place)
        return made

    return load_or_build(place, _open_vocabulary, make)


def _save_vocabulary(made: ExtendedVocabulary, place: Path) -> None:
    with new_folder(place, overwrite=True) as part:
        (part / WORDS).write_text(json.dumps([asdict(word) for word in made.words]), encoding="utf-8")
        (part / TOKENIZER).write_text(made.tokenizer.to_str(), encoding="utf-8")


def _open_vocabulary(place: Path) -> ExtendedVocabulary | None:
    try:
        words = json.loads((place / WORDS).read_text(encoding="utf-8"))
        made = tuple(NewWord(each["word"], each["id"], tuple(each["pieces"]), each["count"]) for each in words)
        tokenizer = Tokenizer.from_str((place / TOKENIZER).read_text(encoding="utf-8"))
    except Exception:  # `tokenizers` raises nothing else; what is not whole is made anew
        return None
    return ExtendedVocabulary(tokenizer, made)


def _read_sentences(cleaned: CleanedText, is_wanted: BoolArray, watcher: TextWatcher | None = None) -> Iterator[str]:
    for document, wanted in zip(cleaned.documents(), is_wanted, strict=True):
        if wanted:
            yield from document.sentences
        if watcher:
            watcher("learning the vocabulary", document.end, cleaned.n_bytes)


def _pack(text: TokenisedText, is_chosen: BoolArray, settings: PretrainSettings, tokenizer: Tokenizer) -> PackedText:
    # the order of two pieces is guessed from a sequence with the frame of two texts
    n_special = tokenizer.num_special_tokens_to_add(settings.masking.sentence_order)
    return PackedText(
        text,
        capacity=settings.length - n_special,
        documents=np.flatnonzero(is_chosen),
        cross_documents=settings.cross_documents,
        whole_sentences=settings.masking.sentence_order,
    )


def _compare_vocabularies(
    cleaned: CleanedText, is_held_out: BoolArray, *, before: Tokenizer | None, after: Tokenizer
) -> VocabularyFacts:
    """Return how the vocabulary differs from the one before, if there was one, on held-out text too."""
    size = after.get_vocab_size(with_added_tokens=True)
    per_word = measure_subwords_per_word(after, _read_sentences(cleaned, is_held_out))
    if before is None or before is after:
        return VocabularyFacts(size, 0, None if before is None else per_word, per_word)
    new = after.get_vocab(with_added_tokens=True).keys() - before.get_vocab(with_added_tokens=True).keys()
    return VocabularyFacts(
        size, len(new), measure_subwords_per_word(before, _read_sentences(cleaned, is_held_out)), per_word
    )


def _check_sequences(facts: TextFacts) -> None:
    if not facts.n_sequences or not facts.n_held_out_sequences:
        where = "to learn from" if not facts.n_sequences else "held out"
        raise BadFile(
            f"{', '.join(facts.sources)}: the text {where} has no sequence long enough; "
            f"{facts.n_documents:,} documents have {facts.n_tokens:,} sub-words",
            "give more text, set `cross_documents = true`, or hold out more with `held_out`",
        )
