"""Tokenised text in memory-mapped files, written once and resumed after an interruption.

A folder holds three files of numbers: `tokens.bin`, the sub-words of all documents, end to end and without special
ones; `sentences.bin` and `documents.bin`, where each of them begins. While it is being written, the folder is called
`.part`, and `progress.json` says how much is complete: after an interruption or a full disk, the work continues from
there. The parent folder is locked meanwhile.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from io import FileIO
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from tokenizers import Tokenizer, models

from linnet.errors import BadFile
from linnet.pretraining.text.cleaned import CleanedDocument, CleanedText, TextWatcher
from linnet.pretraining.text.load_or_build import load_or_build
from linnet.storage.durable import rename_durably
from linnet.storage.json_keys import load_json

__all__ = ["TokenisedText", "copy_for_running_text", "encode_sentences", "open_tokenised", "tokenise"]

TOKENS, SENTENCES, DOCUMENTS, PROGRESS = "tokens.bin", "sentences.bin", "documents.bin", "progress.json"
UNKNOWN = ("[UNK]", "<unk>")
UNSPELLED = "\U000f0000"  # a private-use character that no text has
CHUNK = 1 << 20  # characters tokenised at once: the results take a hundred times as many bytes
STEP = 1 << 22  # bytes of text between two updates of `progress.json`

IntArray = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
# uint16 if the vocabulary is small enough, else uint32
TokenArray = np.ndarray[tuple[int, ...], np.dtype[np.unsignedinteger[Any]]]

Item = TypeVar("Item")


@dataclass(frozen=True)
class Progress:
    """How much is complete and safely written."""

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
    sentence_starts: IntArray  # indices of `tokens`, ascending; sentences without sub-words have none
    document_starts: IntArray  # likewise, one per document; equal to the next one for a document without sub-words
    n_unknown: int

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return len(self.document_starts)

    @property
    def document_ends(self) -> IntArray:
        """End of each document, exclusive."""
        return np.append(self.document_starts[1:], len(self.tokens))


def open_tokenised(folder: Path) -> TokenisedText | None:
    """Return the tokenised text of a folder; None if it is missing or incomplete."""
    done = _read_progress(folder)
    if done is None or not done.is_complete:
        return None
    return TokenisedText(
        folder=folder,
        tokens=_map_file(folder / TOKENS, np.dtype(done.dtype), done.n_tokens),
        sentence_starts=_map_file(folder / SENTENCES, np.dtype(np.int64), done.n_sentences),
        document_starts=_map_file(folder / DOCUMENTS, np.dtype(np.int64), done.n_documents),
        n_unknown=done.n_unknown,
    )


def tokenise(
    text: CleanedText, tokenizer: Tokenizer, folder: Path, *, watcher: TextWatcher | None = None
) -> TokenisedText:
    """Return the tokenised text of a folder; if it is missing, tokenise it, resuming an interrupted attempt.

    Raises:
        BadFile: if another process works beside the folder, it cannot be written, or the disk is full; what is
            tokenised so far is kept.
    """
    return load_or_build(folder, open_tokenised, partial(_build, text, tokenizer, folder, watcher))


def copy_for_running_text(tokenizer: Tokenizer) -> Tokenizer:
    """Return a copy that neither truncates nor pads, and reads names of special sub-words as plain text."""
    copy = Tokenizer.from_str(_hide_special_names(tokenizer))
    copy.no_truncation()
    copy.no_padding()
    copy.encode_special_tokens = True
    return copy


def _hide_special_names(tokenizer: Tokenizer) -> str:
    """Return the tokenizer as JSON; special pieces of a Unigram vocabulary get names that no text contains.

    Their score is 0, better than that of any other piece, so they would be found in every text with their names. Ids
    do not change.
    """
    text = tokenizer.to_str()
    if not isinstance(tokenizer.model, models.Unigram):
        return text
    content = json.loads(text)
    special = {token["content"] for token in content["added_tokens"] if token["special"]}
    content["added_tokens"] = [token for token in content["added_tokens"] if not token["special"]]
    vocabulary = content["model"]["vocab"]
    content["model"]["vocab"] = [[UNSPELLED * (name in special) + name, score] for name, score in vocabulary]
    return json.dumps(content)


def encode_sentences(tokenizer: Tokenizer, sentences: Iterable[str]) -> Iterator[list[int]]:
    """Yield the sub-word ids of each sentence; a chunk of sentences is tokenised on all cores."""
    # byte-level tokenizers read the first word of a text differently from the same word after a space
    before = " " if "ByteLevel(" in str(tokenizer.pre_tokenizer) else ""
    for chunk in _group(sentences, len):
        encodings = tokenizer.encode_batch_fast([before + sentence for sentence in chunk], add_special_tokens=False)
        yield from (encoding.ids for encoding in encodings)


def _group(items: Iterable[Item], count: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Yield the items in groups of `CHUNK` characters or a little more; the last may have fewer."""
    group: list[Item] = []
    n_characters = 0
    for item in items:
        group.append(item)
        n_characters += count(item)
        if n_characters >= CHUNK:
            yield group
            group, n_characters = [], 0
    if group:
        yield group


def _map_file(path: Path, dtype: "np.dtype[Any]", number: int) -> Any:  # Any: numbers of the given type
    if not number:
        return np.empty(0, dtype)  # an empty file cannot be mapped
    return np.memmap(path, dtype, mode="r", shape=(number,))


def _build(text: CleanedText, tokenizer: Tokenizer, folder: Path, watcher: TextWatcher | None) -> TokenisedText:
    part = folder.with_name(f"{folder.name}.part")
    try:
        part.mkdir(exist_ok=True)
        _tokenise(text, tokenizer, part, watcher)
        if folder.is_dir():
            shutil.rmtree(folder)  # one of its files was truncated
        folder.unlink(missing_ok=True)  # a file of the same name
        rename_durably(part, folder)
    except OSError as error:
        raise BadFile(
            f"{part}: the tokenised text cannot be written ({error.strerror or error})",
            "make room on the disk, or name another folder with `shards`, and start again: "
            "what is tokenised so far is kept",
        ) from None
    done = open_tokenised(folder)
    if done is None:
        raise BadFile(f"{folder}: the tokenised text was changed while it was written", "start again")
    return done


def _tokenise(text: CleanedText, tokenizer: Tokenizer, part: Path, watcher: TextWatcher | None) -> None:
    done = _resume(part, tokenizer)
    unknown, reader = _find_unknown_id(tokenizer), copy_for_running_text(tokenizer)
    n_saved = done.n_bytes
    with ExitStack() as stack:
        files = [stack.enter_context(_open_at(part / name, size)) for name, size in _bytes_by_file(done).items()]
        try:
            for documents in _group(text.documents(done.n_bytes), lambda document: sum(map(len, document.sentences))):
                done = _write_documents(documents, reader, files, done, unknown)
                if watcher:
                    watcher("tokenising", done.n_bytes, text.n_bytes)
                if done.n_bytes - n_saved >= STEP:
                    _write_progress(part, files, done)
                    n_saved = done.n_bytes
        except BaseException:  # a full disk, or an interrupt by the user
            _save_on_stop(part, files, done)
            raise
        _write_progress(part, files, replace(done, is_complete=True))


def _save_on_stop(part: Path, files: Sequence[FileIO], done: Progress) -> None:
    """Save the progress; cutting off incomplete data first makes room for it on a full disk."""
    with suppress(OSError):  # then the progress saved before is still valid
        for file, size in zip(files, _bytes_by_file(done).values(), strict=True):
            file.truncate(size)
        _write_progress(part, files, done)


def _resume(part: Path, tokenizer: Tokenizer) -> Progress:
    """Return the progress of an earlier attempt; none if its files are shorter than it says."""
    done = _read_progress(part)
    if done is None:
        return Progress("uint16" if _find_highest_id(tokenizer) < 1 << 16 else "uint32")
    return replace(done, is_complete=False)


def _read_progress(folder: Path) -> Progress | None:
    """Return the saved progress of a folder; None if its files are shorter than it says."""
    try:
        done = Progress(**load_json((folder / PROGRESS).read_text(encoding="utf-8")))
        is_valid = all((folder / name).stat().st_size >= size for name, size in _bytes_by_file(done).items())
    except (FileNotFoundError, NotADirectoryError, ValueError, TypeError):
        return None
    return done if is_valid else None


def _bytes_by_file(done: Progress) -> dict[str, int]:
    """Return how many bytes of each file are complete."""
    number = np.dtype(np.int64).itemsize
    return {
        TOKENS: done.n_tokens * np.dtype(done.dtype).itemsize,
        SENTENCES: done.n_sentences * number,
        DOCUMENTS: done.n_documents * number,
    }


def _open_at(path: Path, size: int) -> FileIO:
    """Open a file for writing after its first `size` bytes; unbuffered, so that a full disk shows at once."""
    path.touch()
    file = path.open("r+b", buffering=0)
    file.truncate(size)
    file.seek(size)
    return file


def _write_documents(
    documents: Sequence[CleanedDocument], tokenizer: Tokenizer, files: Sequence[FileIO], done: Progress, unknown: int
) -> Progress:
    """Write the sub-words of the documents, and return the new progress."""
    ids = list(encode_sentences(tokenizer, (sentence for document in documents for sentence in document.sentences)))
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
    """Save the progress, after all data has reached the disk."""
    for file in files:
        os.fsync(file.fileno())
    new = part / f"{PROGRESS}.new"
    new.write_text(json.dumps(asdict(done)), encoding="utf-8")
    rename_durably(new, part / PROGRESS)


def _find_highest_id(tokenizer: Tokenizer) -> int:
    return max(tokenizer.get_vocab(with_added_tokens=True).values(), default=0)


def _find_unknown_id(tokenizer: Tokenizer) -> int:
    """Return the id of the unknown sub-word; -1, which never occurs, if there is none."""
    ids = (tokenizer.token_to_id(name) for name in UNKNOWN)
    return next((number for number in ids if number is not None), -1)
