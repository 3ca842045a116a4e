"""Tells whether a tokenizer lower-cases its text, and what it should do where no file says so.

A cased vocabulary without `tokenizer_config.json` (as `biobert-base-cased-v1.1` and `scibert_scivocab_cased` were
published) would be read by a tokenizer that lower-cases by default: capitals would be lost without a warning.
"""

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, normalizers

from linnet.models.published.sentencepiece_file import read_sentencepiece

__all__ = ["case_from_files", "has_capitals", "lower_cases", "odd_case", "set_lower_case"]

PROBE = "A"  # a letter that lower-casing changes
SPECIAL = "[<"  # what special sub-words begin with
ODD_SHARE = 0.002  # of the sub-words; BERT's cased vocabulary has capitals in a third of them
BYTE_SPACE = "Ġ"  # how vocabularies of bytes write a space


def has_capitals(pieces: Collection[str]) -> bool:
    """Return whether a vocabulary is cased: enough of its sub-words, without the special ones, have capital letters.

    A few are not enough: an uncased vocabulary may have `Å`. Vocabularies of bytes hold every letter, and mark spaces
    with a capital: only their longer sub-words count.
    """
    least = 2 if any(piece.startswith(BYTE_SPACE) for piece in pieces) else 1
    words = (piece.replace(BYTE_SPACE, "") for piece in pieces if piece[:1] not in SPECIAL or len(piece) == 1)
    n_capitals = sum(word != word.lower() for word in words if len(word) >= least)
    return n_capitals > ODD_SHARE * len(pieces)


def case_from_files(folder: Path) -> tuple[bool | None, str]:
    """Return whether the files of a folder say to lower-case, and which file says it; None where nothing says it.

    The order is `tokenizer_config.json`, `tokenizer.json`, then the vocabulary: it is cased if it has capitals.
    """
    stated = _json(folder / "tokenizer_config.json").get("do_lower_case")
    if isinstance(stated, bool):
        return stated, "tokenizer_config.json"
    normalizer = _json(folder / "tokenizer.json").get("normalizer")
    if normalizer is not None:
        return _has_lowercase(normalizer), "tokenizer.json"
    for name in ("vocab.txt", "spiece.model", "spm.model"):
        if (folder / name).is_file():
            return not has_capitals(list(_pieces(folder / name))), name
    return None, ""


def odd_case(tokenizer: Tokenizer, asked: bool | None) -> Iterator[str]:
    """Yield a note where case and vocabulary contradict each other, of the tokenizer or of what was asked for."""
    is_cased = has_capitals(tokenizer.get_vocab(with_added_tokens=False))
    lowers = lower_cases(tokenizer) if asked is None else asked
    if asked is not None and asked != lower_cases(tokenizer):
        yield f"text is {'lower-cased' if asked else 'read with its capitals'} because the setting lower_case says so"
    if lowers and is_cased:
        yield "the vocabulary has capitals, but text is lower-cased: `lower_case = false` reads them"
    if not lowers and not is_cased:
        yield "the vocabulary has no capitals, but text is not lower-cased: `lower_case = true` makes it fit"


def lower_cases(tokenizer: Tokenizer) -> bool:
    """Return whether the tokenizer lower-cases text before it looks words up."""
    return tokenizer.normalizer is not None and PROBE not in tokenizer.normalizer.normalize_str(PROBE)


def set_lower_case(tokenizer: Any, lower_case: bool) -> None:
    """Let a tokenizer of transformers lower-case its text, or keep capitals, also when it is saved and opened again."""
    backend: Tokenizer = tokenizer.backend_tokenizer
    if lower_cases(backend) == lower_case:
        return
    first = backend.normalizer
    if isinstance(first, normalizers.BertNormalizer):
        first.lowercase = lower_case
    elif lower_case:
        steps: list[normalizers.Normalizer] = [normalizers.Lowercase(), *([first] if first is not None else [])]
        backend.normalizer = normalizers.Sequence(steps)
    else:
        backend.normalizer = _without_lowercase(first)
    tokenizer.init_kwargs["do_lower_case"] = lower_case
    if hasattr(tokenizer, "do_lower_case"):
        tokenizer.do_lower_case = lower_case


def _without_lowercase(found: normalizers.Normalizer | None) -> normalizers.Normalizer | None:
    if isinstance(found, normalizers.Sequence):
        kept = [each for each in found if not isinstance(each, normalizers.Lowercase)]  # type: ignore[attr-defined]
        for each in kept:
            if isinstance(each, normalizers.BertNormalizer):
                each.lowercase = False
        return normalizers.Sequence(kept)
    return None if isinstance(found, normalizers.Lowercase) else found


def _has_lowercase(normalizer: object) -> bool:
    """Return whether a normalizer, as `tokenizer.json` writes it, has a step that lower-cases."""
    if isinstance(normalizer, dict):
        own = normalizer.get("type") == "Lowercase" or normalizer.get("lowercase") is True
        return own or any(map(_has_lowercase, normalizer.get("normalizers") or ()))
    return False


def _json(path: Path) -> dict[str, Any]:
    """Return what a JSON file holds; nothing where it is missing or broken, which opening the tokenizer will say."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _pieces(path: Path) -> Iterator[str]:
    """Yield the sub-words of a vocabulary file."""
    if path.suffix == ".model":
        yield from (piece.text for piece in read_sentencepiece(path).pieces)
    else:
        yield from (line.rstrip() for line in path.read_text(encoding="utf-8", errors="replace").split("\n"))
