"""Preparation of text for pretraining: from raw files to packed sequences for training and held-out evaluation.

Raw text is cleaned, a vocabulary is learned or extended if the settings say so, the text is tokenised, and sequences
are packed. Each of the first three results is kept in the shards folder under a fingerprint of everything it depends
on, and used again. Documents are held out by a hash of their raw text, so that adding files does not move others; at
least one document is held out, and at least one is for training. A vocabulary is learned from the training documents.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
from linnet.pretraining.text.load_or_build import compute_fingerprint
from linnet.pretraining.text.packing import BoolArray, PackedText
from linnet.pretraining.text.shards import TokenisedText, copy_for_running_text, tokenise
from linnet.pretraining.text.sources import find_texts, text_place
from linnet.pretraining.text.vocabulary import ExtendedVocabulary, NewWord, find_extension_problem
from linnet.pretraining.text.vocabulary_folder import compare_vocabularies, load_or_build_vocabulary
from linnet.settings.pretraining import PretrainSettings
from linnet.storage.files import check_path, resolve_path

__all__ = ["PreparedText", "check_sources", "choose_held_out", "prepare_text"]


@dataclass(frozen=True)
class PreparedText:
    """Text that is ready for training and evaluation."""

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
    """Return the packed sequences of the text that the settings name; results of earlier runs are used again.

    Args:
        settings: of the pretraining.
        tokenizer: of the encoder; None if a vocabulary is learned for a fresh one.
        family: of a fresh encoder, which gives the special sub-words if there is no tokenizer.
        excluded: the result of `check_sources` for these settings; computed if not given.
        watcher: is called with the stage, the bytes done and all bytes.

    Raises:
        BadSetting: if the settings cannot work.
        BadFile: if text cannot be read, nothing is left of it, or the shards cannot be written.
    """
    if tokenizer is None and settings.vocabulary.train is None:
        raise BadSetting("there is no vocabulary", "learn one with `vocabulary.train`")
    excluded = check_sources(settings, tokenizer) if excluded is None else excluded
    folder = _shards_folder(settings)
    cleaned = _clean_text(settings, excluded, folder, watcher)
    is_held_out = choose_held_out(cleaned.hashes, settings.held_out)
    vocabulary = load_or_build_vocabulary(
        settings, tokenizer, cleaned, is_held_out, family=family, folder=folder, watcher=watcher
    )
    tokenised = _tokenise_text(cleaned, vocabulary.tokenizer, folder, watcher)
    comparison = compare_vocabularies(cleaned, is_held_out, before=tokenizer, after=vocabulary.tokenizer)
    return _pack_text(settings, cleaned, tokenised, is_held_out, vocabulary, comparison)


def choose_held_out(hashes: HashArray, share: float) -> BoolArray:
    """Return which documents are held out (documents,): those with a small hash, at least one and not all.

    Raises:
        BadSetting: if there is only one document.
    """
    if len(hashes) < 2:
        raise BadSetting(
            "the text has only one document, which cannot be used for training and held out at once",
            "give more text; in plain files, blank lines end documents",
        )
    is_held_out: BoolArray = hashes < np.uint64(int(share * 2**64))
    is_held_out[np.argmin(hashes)] = True
    is_held_out[np.argmax(hashes)] = False
    return is_held_out


def check_sources(settings: PretrainSettings, tokenizer: Tokenizer | None) -> ExcludedSentences:
    """Return the sentences to exclude, after all checks that need no text have passed.

    Args:
        settings: of the pretraining.
        tokenizer: of the encoder, if it is known.

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
    """Yield paths that cannot be used, and folders in which the run would read or remove its own files."""
    names = (settings.output, str(_shards_folder(settings)), *settings.texts)
    unusable = problems_of(*(partial(check_path, Path(name)) for name in names))
    if unusable:
        yield from unusable
        return
    output, shards = _own_folders(settings)
    if shards.exists() and not shards.is_dir():
        yield BadFile(f"{shards}: is not a folder, so no text can be stored there", "name a folder (`shards`)")
    if shards.is_relative_to(output):
        yield BadSetting(
            f"`shards`: {settings.shards} lies in `output`, which is for the run alone", "name a folder beside it"
        )
    for source in settings.texts:
        place = resolve_path(Path(source))
        if place == shards or output in (place, *place.parents):
            yield BadSetting(
                f"`texts`: {source} is where the run writes its own files",
                "keep the text in another folder than `output` and `shards`",
            )


def _shards_folder(settings: PretrainSettings) -> Path:
    """Return the folder where prepared text is kept."""
    output = Path(settings.output)
    return Path(settings.shards) if settings.shards else output.parent / f"{output.name}-text"


def _own_folders(settings: PretrainSettings) -> tuple[Path, Path]:
    return resolve_path(Path(settings.output)), resolve_path(_shards_folder(settings))


def _clean_text(
    settings: PretrainSettings, excluded: ExcludedSentences, folder: Path, watcher: TextWatcher | None
) -> CleanedText:
    notes = Notes()  # counted in every run: skipped files are no part of the cached text
    files = find_texts(settings.texts, notes, own=_own_folders(settings))
    inputs = [[file.source, file.format, file.digest] for file in files]
    place = (
        folder / f"cleaned-{compute_fingerprint(inputs, settings.cleaning.model_dump(mode='json'), excluded.digest)}"
    )
    cleaner = Cleaner(settings.cleaning)
    cleaned = clean_texts(files, place, cleaner=cleaner, excluded=excluded, notes=Notes(), watcher=watcher)
    return replace(cleaned, facts=replace(cleaned.facts, notes={**cleaned.facts.notes, **notes.counts}))


def _tokenise_text(
    cleaned: CleanedText, tokenizer: Tokenizer, folder: Path, watcher: TextWatcher | None
) -> TokenisedText:
    fingerprint = compute_fingerprint(cleaned.folder.name, copy_for_running_text(tokenizer).to_str())
    return tokenise(cleaned, tokenizer, folder / f"tokens-{fingerprint}", watcher=watcher)


def _pack_text(
    settings: PretrainSettings,
    cleaned: CleanedText,
    tokenised: TokenisedText,
    is_held_out: BoolArray,
    vocabulary: ExtendedVocabulary,
    comparison: VocabularyFacts,
) -> PreparedText:
    """Return the sequences of both parts of the text, with all facts; refuse a part without any."""
    training, held_out = (
        _pack(tokenised, is_chosen, settings, vocabulary.tokenizer) for is_chosen in (~is_held_out, is_held_out)
    )
    facts = collect_facts(cleaned, tokenised, comparison, training=training, held_out=held_out)
    _check_sequences(facts)
    return PreparedText(
        training=training,
        held_out=held_out,
        tokenizer=vocabulary.tokenizer,
        new_words=vocabulary.words,
        facts=facts,
    )


def _pack(text: TokenisedText, is_chosen: BoolArray, settings: PretrainSettings, tokenizer: Tokenizer) -> PackedText:
    # sentence-order prediction reads a sequence as two texts, with the special sub-words of a pair
    n_special = tokenizer.num_special_tokens_to_add(settings.masking.sentence_order)
    return PackedText(
        text,
        capacity=settings.length - n_special,
        documents=np.flatnonzero(is_chosen),
        cross_documents=settings.cross_documents,
        whole_sentences=settings.masking.sentence_order,
    )


def _check_sequences(facts: TextFacts) -> None:
    if not facts.n_sequences or not facts.n_held_out_sequences:
        where = "for training" if not facts.n_sequences else "held out"
        raise BadFile(
            f"{', '.join(facts.sources)}: the text {where} has no sequence long enough; "
            f"{facts.n_documents:,} documents have {facts.n_tokens:,} sub-words",
            "give more text, set `cross_documents = true`, or hold out more with `held_out`",
        )
