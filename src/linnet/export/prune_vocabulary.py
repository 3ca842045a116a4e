"""Prunes the vocabulary of a trained model: sub-words that the texts do not have leave tokenizer and embeddings.

For WordPiece tokenizers. Special tokens and single characters stay, so that no word becomes unknown that was known; a
word whose sub-word has gone is split into smaller ones.
"""

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file

from linnet.errors import BadFile, BadSetting
from linnet.models.model_folder import read_config, read_facts, write_facts
from linnet.models.tokenizer_file import TOKENIZER, open_tokenizer

__all__ = ["count_subwords", "prune_vocabulary"]

WEIGHTS = "model.safetensors"
EMBEDDINGS = "embeddings.word_embeddings.weight"
CONTINUING = "##"


def count_subwords(folder: Path, sentences: Iterable[Sequence[str]]) -> Counter[str]:
    """Return how often each sub-word of the model's tokenizer occurs in sentences of words."""
    tokenizer = open_tokenizer(folder)
    found: Counter[str] = Counter()
    for words in sentences:
        found.update(tokenizer.encode(list(words), is_pretokenized=True).tokens)
    return found


def prune_vocabulary(source: Path, target: Path, counts: Mapping[str, int], *, least: int = 1) -> int:
    """Write a copy of a model folder with fewer sub-words and return how many are left.

    Args:
        source: folder of the model, of a BERT with a WordPiece tokenizer.
        target: folder to fill; it exists.
        counts: how often each sub-word occurs.
        least: number of occurrences from which on a sub-word stays.

    Raises:
        BadSetting: for another tokenizer or encoder.
    """
    tokenizer: dict[str, Any] = json.loads((source / TOKENIZER).read_text(encoding="utf-8"))
    if tokenizer["model"].get("type") != "WordPiece":
        raise BadSetting(f"{source}: only the vocabulary of WordPiece tokenizers can be pruned", "leave pruning out")
    old: dict[str, int] = tokenizer["model"]["vocab"]
    special = {str(each["content"]) for each in tokenizer["added_tokens"]}
    kept = [name for name in sorted(old, key=lambda name: old[name]) if name in special or _stays(name, counts, least)]
    new = {name: number for number, name in enumerate(kept)}
    _renumber(tokenizer, new)
    (target / TOKENIZER).write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")
    _write_weights(source, target, [old[name] for name in kept])
    _write_config(source, target, new, old)
    for name in ("tokenizer_config.json", "crf.safetensors"):
        if (source / name).is_file():
            shutil.copyfile(source / name, target / name)
    write_facts(target, read_facts(source))
    return len(kept)


def _stays(name: str, counts: Mapping[str, int], least: int) -> bool:
    return counts.get(name, 0) >= least or len(name.removeprefix(CONTINUING)) == 1


def _renumber(tokenizer: dict[str, Any], new: Mapping[str, int]) -> None:
    """Give vocabulary, added tokens and the frame around each sentence their new numbers."""
    tokenizer["model"]["vocab"] = dict(new)
    for each in tokenizer["added_tokens"]:
        each["id"] = new[str(each["content"])]
    frame = tokenizer.get("post_processor") or {}
    for each in frame.get("special_tokens", {}).values():
        each["ids"] = [new[name] for name in each["tokens"]]
    for side in ("sep", "cls"):
        if isinstance(frame.get(side), list):
            frame[side][1] = new[frame[side][0]]
    if tokenizer.get("padding"):
        tokenizer["padding"]["pad_id"] = new[tokenizer["padding"]["pad_token"]]


def _write_weights(source: Path, target: Path, rows: Sequence[int]) -> None:
    weights = load_file(source / WEIGHTS)
    names = [name for name in weights if name.endswith(EMBEDDINGS)]
    if len(names) != 1:
        raise BadFile(f"{source / WEIGHTS}: it has no table {EMBEDDINGS}", "prune the vocabulary of a BERT model")
    weights[names[0]] = np.ascontiguousarray(weights[names[0]][list(rows)])
    save_file(weights, target / WEIGHTS, metadata={"format": "pt"})


def _write_config(source: Path, target: Path, new: Mapping[str, int], old: Mapping[str, int]) -> None:
    config = read_config(source)
    name_by_id = {number: name for name, number in old.items()}
    for key in ("pad_token_id", "bos_token_id", "eos_token_id"):
        if config.get(key) is not None:
            config[key] = new.get(name_by_id.get(config[key], ""))
    config["vocab_size"] = len(new)
    (target / "config.json").write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
