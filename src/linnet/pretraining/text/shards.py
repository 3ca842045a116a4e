"""How is text tokenised once, and kept so that any part of it is at hand without being in memory?

A folder holds three files of bare numbers, which are mapped into memory: `tokens.bin`, the sub-words of all documents,
end to end and without special ones; `sentences.bin` and `documents.bin`, where each begins. While it is being made, the
folder is called `.part`, and `progress.json` says how far it is whole: what was interrupted, or stopped at a full disk,
goes on from there. The folder in which it stands is held meanwhile.
"""

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from io import FileIO
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models

from linnet.errors import BadFile
from linnet.pretraining.text.cleaned import CleanedDocument, CleanedText, TextWatcher
from linnet.pretraining.text.load_or_build import load_or_build

__all__ = ["TokenisedText", "copy_for_running_text", "encode_sentences", "open_tokenised", "tokenise"]

TOKENS, SENTENCES, DOCUMENTS, PROGRESS = "tokens.bin", "sentences.bin", "documents.bin", "progress.json"
UNKNOWN = ("[UNK]", "<unk>")
UNSPELLED = "\U000f0000"  # a character that no text has: it is for private use
CHUNK = 1 << 20  # characters that are given to the tokenizer at once: its results take a hundred times as many bytes
STEP = 1 << 22  # bytes of text between two marks of progress

IntArray = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
# uint16 where the vocabulary allows, else uint32
TokenArray = np.ndarray[tuple[int, ...], np.dtype[np.unsignedinteger[Any]]]


@dataclass(frozen=True)
class Progress:
    """How much is done and safely written."""

    dtype: str
    n_tokens: int = 0
    n_sentences: int = 0
    n_documents: int = 0
    n_unknown: int = 0  # sub-words
    n_bytes: int = 0  # of the cleaned text
    is_complete: bool = False


@dataclass(frozen=True)
class TokenisedText:
    """Tokenised text, mapped into memory."""

    folder: Path
    tokens: TokenArray
    sentence_starts: IntArray  # places in `tokens`, ascending; sentences without sub-words have none
    document_starts: IntArray  # likewise, one for every document: equal to the next one's where it has no sub-words
    n_unknown: int

    @property
    def n_documents(self) -> int:
        """How many documents there are."""
        return len(self.document_starts)

    @property
    def document_ends(self) -> IntArray:
        """Where each document ends."""
        return np.append(self.document_starts[1:], len(self.tokens))


def open_tokenised(folder: Path) -> TokenisedText | None:
    """Return the tokenised text of this folder; None where there is none, or not all of it."""
    done = _read_progress(folder)
    if done is None or not done.is_complete:
        return None
    return TokenisedText(
        folder,
        _map_file(folder / TOKENS, np.dtype(done.dtype), done.n_tokens),
        _map_file(folder / SENTENCES, np.dtype(np.int64), done.n_sentences),
        _map_file(folder / DOCUMENTS, np.dtype(np.int64), done.n_documents),
        done.n_unknown,
    )


def tokenise(
    text: CleanedText, tokenizer: Tokenizer, folder: Path, *, watcher: TextWatcher | None = None
) -> TokenisedText:
    """Return the tokenised text of a folder; tokenise it where it is not there, going on where an attempt stopped.

    Raises:
        BadFile: where another process is at work beside the folder, or it cannot be written or the disk is full; what
            is done so far is kept.
    """
    return load_or_build(folder, open_tokenised, partial(_build, text, tokenizer, folder, watcher))


def copy_for_running_text(tokenizer: Tokenizer) -> Tokenizer:
    """Return a copy that cuts and pads nothing, and reads names of special sub-words in a text as any other text."""
    copy = Tokenizer.from_str(_hide_special_names(tokenizer))
    copy.no_truncation()
    copy.no_padding()
    copy.encode_special_tokens = True
    return copy


def _hide_special_names(tokenizer: Tokenizer) -> str:
    """Return the tokenizer as JSON; where special sub-words are pieces of a Unigram vocabulary, no text spells them.

    They stand there with a score of 0, better than that of any other piece, and would be found in every text that has
    their names. Numbers stay what they are.
    """
    text = tokenizer.to_str()
    if not isinstance(tokenizer.model, models.Unigram):
        return text
    content = json.loads(text)
    special = {each["content"] for each in content["added_tokens"] if each["special"]}
    content["added_tokens"] = [each for each in content["added_tokens"] if not each["special"]]
    vocabulary = content["model"]["vocab"]
    content["model"]["vocab"] = [[UNSPELLED * (name in special) + name, score] for name, score in vocabulary]
    return json.dumps(content)


def encode_sentences(tokenizer: Tokenizer, sentences: Iterable[str]) -> Iterator[list[int]]:
    """Yield the sub-words of each sentence; as many as are held at once are read on all cores."""
    # byte-level tokenizers read the first word of a text otherwise than the same word behind a space
    before = " " if "ByteLevel(" in str(tokenizer.pre_tokenizer) else ""
    for chunk in _chunks(sentences):
        read = tokenizer.encode_batch_fast([before + sentence for sentence in chunk], add_special_tokens=False)
        yield from (each.ids for each in read)


def _chunks(sentences: Iterable[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    n_characters = 0
    for sentence in sentences:
        chunk.append(sentence)
        n_characters += len(sentence)
        if n_characters >= CHUNK:
            yield chunk
            chunk, n_characters = [], 0
    if chunk:
        yield chunk


def _map_file(path: Path, dtype: "np.dtype[Any]", number: int) -> Any:  # Any: numbers of the type that is asked for
    if not number:
        return np.empty(0, dtype)  # an empty file cannot be mapped
    return np.memmap(path, dtype, mode="r", shape=(number,))


def _build(text: CleanedText, tokenizer: Tokenizer, folder: Path, watcher: TextWatcher | None) -> TokenisedText:
    part = folder.with_name(f"{folder.name}.part")
    try:
        part.mkdir(exist_ok=True)
        _tokenise(text, tokenizer, part, watcher)
        if folder.is_dir():
            shutil.rmtree(folder)  # a file of it was shortened
        folder.unlink(missing_ok=True)  # something else that took the name
        part.replace(folder)
    except OSError as error:
        raise BadFile(
            f"{part}: the tokenised text cannot be written ({error.strerror or error})",
            "make room on the disk, or name another folder with `shards`, and start again: "
            "what is tokenised by now is kept there",
        ) from None
    done = open_tokenised(folder)
    if done is None:
        raise BadFile(f"{folder}: the tokenised text was changed while it was written", "start again")
    return done


def _tokenise(text: CleanedText, tokenizer: Tokenizer, part: Path, watcher: TextWatcher | None) -> None:
    done = _resume(part, tokenizer)
    unknown, reader = _find_unknown_id(tokenizer), copy_for_running_text(tokenizer)
    n_marked = done.n_bytes
    with ExitStack() as stack:
        files = [stack.enter_context(_open_behind(part / name, size)) for name, size in _bytes_by_file(done).items()]
        try:
            for documents in _groups(text.documents(done.n_bytes)):
                done = _write_documents(documents, reader, files, done, unknown)
                if watcher:
                    watcher("tokenising", done.n_bytes, text.n_bytes)
                if done.n_bytes - n_marked >= STEP:
                    _write_progress(part, files, done)
                    n_marked = done.n_bytes
        except BaseException:  # a full disk, or whoever started it has no more patience
            _save_on_stop(part, files, done)
            raise
        _write_progress(part, files, replace(done, is_complete=True))


def _save_on_stop(part: Path, files: Sequence[FileIO], done: Progress) -> None:
    """Mark what is whole; without what was half written, there is room for that on a full disk."""
    with suppress(OSError):  # then the mark before is still true
        for file, size in zip(files, _bytes_by_file(done).values(), strict=True):
            file.truncate(size)
        _write_progress(part, files, done)


def _resume(part: Path, tokenizer: Tokenizer) -> Progress:
    """Return how far an earlier attempt came; to nowhere, where its files are shorter than it says."""
    done = _read_progress(part)
    if done is None:
        return Progress("uint16" if _find_highest_id(tokenizer) < 1 << 16 else "uint32")
    return replace(done, is_complete=False)


def _read_progress(folder: Path) -> Progress | None:
    """Return how far a folder is whole by what it says; None where its files are shorter than that."""
    try:
        done = Progress(**json.loads((folder / PROGRESS).read_text(encoding="utf-8")))
        is_whole = all((folder / name).stat().st_size >= size for name, size in _bytes_by_file(done).items())
    except (FileNotFoundError, NotADirectoryError, ValueError, TypeError):
        return None
    return done if is_whole else None


def _bytes_by_file(done: Progress) -> dict[str, int]:
    """Return how many bytes of each file are whole."""
    number = np.dtype(np.int64).itemsize
    return {
        TOKENS: done.n_tokens * np.dtype(done.dtype).itemsize,
        SENTENCES: done.n_sentences * number,
        DOCUMENTS: done.n_documents * number,
    }


def _open_behind(path: Path, size: int) -> FileIO:
    """Open a file for writing behind its first `size` bytes; none are held back, so that a full disk shows at once."""
    path.touch()
    file = path.open("r+b", buffering=0)
    file.truncate(size)
    file.seek(size)
    return file


def _groups(documents: Iterable[CleanedDocument]) -> Iterator[list[CleanedDocument]]:
    """Yield documents together that are as long as what the tokenizer is given at once."""
    group: list[CleanedDocument] = []
    n_characters = 0
    for document in documents:
        group.append(document)
        n_characters += sum(map(len, document.sentences))
        if n_characters >= CHUNK:
            yield group
            group, n_characters = [], 0
    if group:
        yield group


def _write_documents(
    documents: Sequence[CleanedDocument], tokenizer: Tokenizer, files: Sequence[FileIO], done: Progress, unknown: int
) -> Progress:
    """Write the sub-words of these documents, and return how far that is."""
    ids = list(encode_sentences(tokenizer, (each for document in documents for each in document.sentences)))
    lengths = np.fromiter(map(len, ids), np.int64, len(ids))
    ends = done.n_tokens + np.cumsum(lengths)
    starts = ends - lengths
    tokens = np.fromiter(chain.from_iterable(ids), np.dtype(done.dtype), int(lengths.sum()))
    n_sentences = np.array([len(document.sentences) for document in documents])
    firsts = np.cumsum(n_sentences) - n_sentences  # every document has a sentence
    sentences = starts[lengths > 0]
    for file, numbers in zip(files, (tokens, sentences, starts[firsts]), strict=True):
        rest = memoryview(numbers.tobytes())
        while rest:
            rest = rest[file.write(rest) :]
    return replace(
        done,
        n_tokens=done.n_tokens + len(tokens),
        n_sentences=done.n_sentences + len(sentences),
        n_documents=done.n_documents + len(documents),
        n_unknown=done.n_unknown + int((tokens == unknown).sum()),
        n_bytes=documents[-1].end,
    )


def _write_progress(part: Path, files: Sequence[FileIO], done: Progress) -> None:
    """Say how far everything is written, once it is."""
    for file in files:
        os.fsync(file.fileno())
    new = part / f"{PROGRESS}.new"
    new.write_text(json.dumps(asdict(done)), encoding="utf-8")
    new.replace(part / PROGRESS)


def _find_highest_id(tokenizer: Tokenizer) -> int:
    return max(tokenizer.get_vocab(with_added_tokens=True).values(), default=0)


def _find_unknown_id(tokenizer: Tokenizer) -> int:
    """Return the number of the unknown sub-word; one that never occurs where there is none."""
    found = (tokenizer.token_to_id(name) for name in UNKNOWN)
    return next((number for number in found if number is not None), -1)
