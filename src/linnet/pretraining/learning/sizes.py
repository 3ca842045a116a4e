"""Sizes of fresh encoders, by name.

Sizes are those of the papers. The `tiny` ones, except BERT's, are our own and meant for trials. The size of the
vocabulary comes from the tokenizer. What all sizes of a family have in common is in its record (`models/families`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from linnet.errors import UnknownName

__all__ = ["SIZES", "Size", "find_size"]


@dataclass(frozen=True)
class Size:
    """The configuration of a fresh network."""

    family: str  # `model_type` of transformers
    what: str  # description
    options: Mapping[str, Any] = field(default_factory=dict)
    positions: int = 512  # longest sequence in sub-words


def _options(layers: int, hidden: int, heads: int, **own: Any) -> dict[str, Any]:
    return {
        "num_hidden_layers": layers,
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "intermediate_size": 4 * hidden,
        **own,
    }


SIZES = {
    # Turc et al. 2019, table 1 (their `tiny`, `mini`, `small`, `medium`); base and large: Devlin et al. 2019, section 3
    "bert-tiny": Size("bert", "2 layers of 128", _options(2, 128, 2)),
    "bert-mini": Size("bert", "4 layers of 256", _options(4, 256, 4)),
    "bert-small": Size("bert", "4 layers of 512", _options(4, 512, 8)),
    "bert-medium": Size("bert", "8 layers of 512", _options(8, 512, 8)),
    "bert-base": Size("bert", "12 layers of 768", _options(12, 768, 12)),
    "bert-large": Size("bert", "24 layers of 1,024", _options(24, 1024, 16)),
    # Lan et al. 2020, table 1; all layers share their weights
    "albert-tiny": Size("albert", "2 passes of 128, our own", _options(2, 128, 2, embedding_size=64)),
    "albert-base": Size("albert", "12 passes of 768", _options(12, 768, 12, embedding_size=128)),
    "albert-large": Size("albert", "24 passes of 1,024", _options(24, 1024, 16, embedding_size=128)),
    "albert-xlarge": Size("albert", "24 passes of 2,048", _options(24, 2048, 16, embedding_size=128)),
    "albert-xxlarge": Size("albert", "12 passes of 4,096", _options(12, 4096, 64, embedding_size=128)),
    # Liu et al. 2019, table 9
    "roberta-tiny": Size("roberta", "2 layers of 128, our own", _options(2, 128, 2)),
    "roberta-base": Size("roberta", "12 layers of 768", _options(12, 768, 12)),
    "roberta-large": Size("roberta", "24 layers of 1,024", _options(24, 1024, 16)),
    # Clark et al. 2020, table 6; embeddings of 128 in the small one
    "electra-tiny": Size("electra", "2 layers of 128, our own", _options(2, 128, 2, embedding_size=64)),
    "electra-small": Size("electra", "12 layers of 256", _options(12, 256, 4, embedding_size=128)),
    "electra-base": Size("electra", "12 layers of 768", _options(12, 768, 12, embedding_size=768)),
}


def find_size(name: str) -> Size:
    """Return the size of a name.

    Raises:
        UnknownName: if there is none, with the nearest name.
    """
    if name not in SIZES:
        near = get_close_matches(name, SIZES, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise UnknownName(f"there is no size called {name!r}", f"{hint}known sizes: {', '.join(SIZES)}")
    return SIZES[name]
