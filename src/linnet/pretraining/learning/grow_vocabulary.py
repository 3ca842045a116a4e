"""Growing the embeddings of a pretrained network for a vocabulary that was learned or extended.

A sub-word that the old vocabulary has too keeps its embedding. A new one starts with the mean of the old pieces that it
was split into, at the start of a word or inside one. The same holds for the output layer: its biases, and its rows if
they are not tied to the embeddings.
"""

from collections.abc import Callable
from typing import Any

import torch
from tokenizers import Tokenizer, models
from torch import Tensor

from linnet.models.encoders import quietly
from linnet.pretraining.learning.masking import inspect_subwords

__all__ = ["find_old_pieces", "use_vocabulary"]


def use_vocabulary(network: Any, new: Tokenizer, old: Tokenizer) -> list[str]:  # Any: a transformers model
    """Give the network an embedding for each sub-word of the new vocabulary, and return notes for the user."""
    pieces = find_old_pieces(new, old)
    table, output = network.get_input_embeddings(), network.get_output_embeddings()
    rows = _average_rows(table.weight.detach(), pieces)
    is_tied = output.weight is table.weight
    own_rows = None if is_tied else _average_rows(output.weight.detach(), pieces)
    bias = getattr(output, "bias", None)
    biases = None if bias is None else _average_rows(bias.detach().unsqueeze(1), pieces).squeeze(1)
    size = max(len(pieces), int(network.config.vocab_size) if _is_extension(new, old) else 0)
    with quietly():
        network.resize_token_embeddings(size, mean_resizing=False)
    changed = network.get_input_embeddings()
    with torch.no_grad():
        changed.weight[: len(pieces)] = rows
        if own_rows is not None:
            network.get_output_embeddings().weight[: len(pieces)] = own_rows
        if biases is not None:
            network.get_output_embeddings().bias[: len(pieces)] = biases
    network.config.pad_token_id = changed.padding_idx = inspect_subwords(new).special_ids["pad"]
    n_new = len(pieces) - len(new.get_vocab().keys() & old.get_vocab().keys())
    if not n_new:
        return []
    return [
        f"{n_new:,} sub-words are new: each starts with the mean embedding of the old pieces that it was split into"
    ]


def find_old_pieces(new: Tokenizer, old: Tokenizer) -> list[list[int]]:
    """Return the old ids for each new sub-word: of its role, of the same sub-word, or of the pieces of its text."""
    known = old.get_vocab(with_added_tokens=True)
    before, subwords = inspect_subwords(old), inspect_subwords(new)
    role_of = {number: role for role, number in subwords.special_ids.items()}
    split_inside = _make_splitter_inside_words(old)
    pieces: list[list[int]] = []
    for number, is_start in enumerate(subwords.is_start):
        token, role = new.id_to_token(number), role_of.get(number)
        if token is None:  # a gap in the ids
            pieces.append([])
        elif role is not None and role in before.special_ids:
            pieces.append([before.special_ids[role]])
        elif token in known and before.is_start[known[token]] == is_start:  # kinds of vocabularies mark it differently
            pieces.append([known[token]])
        else:
            text = new.decode([number], skip_special_tokens=False).removeprefix("##")
            pieces.append(old.encode(text, add_special_tokens=False).ids if is_start else split_inside(text))
    return pieces


def _make_splitter_inside_words(tokenizer: Tokenizer) -> Callable[[str], list[int]]:
    """Return a function that splits text as a continuation of a word, if the kind of vocabulary makes a difference."""
    model, normalizer = tokenizer.model, tokenizer.normalizer
    if isinstance(model, models.WordPiece):
        prefix, known = model.continuing_subword_prefix, tokenizer.get_vocab(with_added_tokens=True)
        inside = {piece.removeprefix(prefix): number for piece, number in known.items() if piece.startswith(prefix)}
        if model.unk_token in known:
            inside[model.unk_token] = known[model.unk_token]
        model = models.WordPiece(inside, unk_token=model.unk_token, continuing_subword_prefix="")
    elif not isinstance(model, models.Unigram):  # byte-level BPE would need bytes mapped to characters first
        return lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    return lambda text: [token.id for token in model.tokenize(normalizer.normalize_str(text) if normalizer else text)]


def _average_rows(rows: Tensor, pieces: list[list[int]]) -> Tensor:
    """Return the mean row of each list of pieces; the mean of all rows for an empty list."""
    overall = rows.mean(dim=0)
    return torch.stack([rows[ids].mean(dim=0) if ids else overall for ids in pieces])


def _is_extension(new: Tokenizer, old: Tokenizer) -> bool:
    """Do all old sub-words keep their ids?"""
    ids = new.get_vocab(with_added_tokens=True)
    return all(ids.get(token) == number for token, number in old.get_vocab(with_added_tokens=True).items())
