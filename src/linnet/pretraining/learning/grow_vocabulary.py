"""How does a pretrained network take a vocabulary that was learned or extended?

A sub-word that the old vocabulary has too keeps its embedding; a new one begins with the mean of the old pieces that it
would have been read as, at the start of a word or inside of one. The same holds for the output layer: its biases, and
its rows where they are not those of the embeddings.
"""

from collections.abc import Callable
from typing import Any

import torch
from tokenizers import Tokenizer, models
from torch import Tensor

from linnet.models.encoders import quietly
from linnet.pretraining.learning.masking import subwords_of

__all__ = ["old_pieces", "use_vocabulary"]


def use_vocabulary(network: Any, new: Tokenizer, old: Tokenizer) -> list[str]:  # Any: a transformers model
    """Give the network a row for each sub-word of the new vocabulary; return what the user should know."""
    pieces = old_pieces(new, old)
    table, output = network.get_input_embeddings(), network.get_output_embeddings()
    rows = _means(table.weight.detach(), pieces)
    is_tied = output.weight is table.weight
    own_rows = None if is_tied else _means(output.weight.detach(), pieces)
    bias = getattr(output, "bias", None)
    biases = None if bias is None else _means(bias.detach().unsqueeze(1), pieces).squeeze(1)
    size = max(len(pieces), int(network.config.vocab_size) if _extends(new, old) else 0)
    with quietly():
        network.resize_token_embeddings(size, mean_resizing=False)
    changed = network.get_input_embeddings()
    with torch.no_grad():
        changed.weight[: len(pieces)] = rows
        if own_rows is not None:
            network.get_output_embeddings().weight[: len(pieces)] = own_rows
        if biases is not None:
            network.get_output_embeddings().bias[: len(pieces)] = biases
    network.config.pad_token_id = changed.padding_idx = subwords_of(new).special_ids["pad"]
    n_new = len(pieces) - len(new.get_vocab().keys() & old.get_vocab().keys())
    if not n_new:
        return []
    return [f"{n_new:,} sub-words are new: each begins with the mean of the old pieces that it would have been read as"]


def old_pieces(new: Tokenizer, old: Tokenizer) -> list[list[int]]:
    """Return for each new sub-word the old ones that stand for it: its role, itself, or what its text is read as."""
    known = old.get_vocab(with_added_tokens=True)
    before, subwords = subwords_of(old), subwords_of(new)
    role_of = {number: role for role, number in subwords.special_ids.items()}
    read_inside = _reader_inside_words(old)
    found: list[list[int]] = []
    for number, is_start in enumerate(subwords.is_start):
        token, role = new.id_to_token(number), role_of.get(number)
        if token is None:  # a gap in the numbers
            found.append([])
        elif role is not None and role in before.special_ids:
            found.append([before.special_ids[role]])
        elif token in known and before.is_start[known[token]] == is_start:  # kinds of vocabularies mark it differently
            found.append([known[token]])
        else:
            text = new.decode([number], skip_special_tokens=False).removeprefix("##")
            found.append(old.encode(text, add_special_tokens=False).ids if is_start else read_inside(text))
    return found


def _reader_inside_words(tokenizer: Tokenizer) -> Callable[[str], list[int]]:
    """Return what reads text as if a word had begun before it, where the kind of vocabulary knows the difference."""
    model, normalizer = tokenizer.model, tokenizer.normalizer
    if isinstance(model, models.WordPiece):
        prefix, known = model.continuing_subword_prefix, tokenizer.get_vocab(with_added_tokens=True)
        inside = {piece.removeprefix(prefix): number for piece, number in known.items() if piece.startswith(prefix)}
        if model.unk_token in known:
            inside[model.unk_token] = known[model.unk_token]
        model = models.WordPiece(inside, unk_token=model.unk_token, continuing_subword_prefix="")
    elif not isinstance(model, models.Unigram):  # bytes would have to be written as characters first
        return lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    return lambda text: [each.id for each in model.tokenize(normalizer.normalize_str(text) if normalizer else text)]


def _means(rows: Tensor, pieces: list[list[int]]) -> Tensor:
    """Return a row for each list of pieces; one that has none gets the mean of all."""
    whole = rows.mean(dim=0)
    return torch.stack([rows[each].mean(dim=0) if each else whole for each in pieces])


def _extends(new: Tokenizer, old: Tokenizer) -> bool:
    """Do all old sub-words stay where they were?"""
    numbers = new.get_vocab(with_added_tokens=True)
    return all(numbers.get(token) == number for token, number in old.get_vocab(with_added_tokens=True).items())
