"""Compares mentions and names by meaning: the cosine of the vectors that an encoder makes of them.

A vector is the mean over the sub-words of a text; SapBERT's is that of the first one, as it was trained. The encoder is
used as it is, or after contrastive training, and then it stands in the run folder. It finds no candidates, it only
helps to order them. It needs torch, which is imported when it is first used.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from linnet.errors import BadFile
from linnet.metrics.mentions.tally import Array

__all__ = ["FIRST", "LONGEST", "OWN", "OWN_ENCODER", "EncoderMeaning", "Meaning", "pool", "takes_first"]

BATCH = 64  # texts
LONGEST = 32  # sub-words of a text
MOST_KNOWN = 200_000  # vectors that are kept in memory
DIGITS = 4  # of cosines: what differs behind them depends on the other texts of a batch
OF_FIRST_SUBWORD = ("sapbert",)
FIRST = "first"  # what the file of a linker says of such an encoder
OWN_ENCODER = "encoder"  # folder in the run, with what contrastive training has made
OWN = f"./{OWN_ENCODER}"  # its name in the file of the linker


class Meaning(Protocol):
    """Compares texts by meaning."""

    @property
    def origin(self) -> dict[str, str]:
        """Name and fingerprint of what compares them, for the run folder."""
        ...

    def learn(self, texts: Iterable[str], /) -> None:
        """Make the vectors of several texts at once, which is quicker than one by one."""
        ...

    def compare(self, text: str, names: Sequence[str], /) -> list[float]:
        """Return the cosine of a text and each name."""
        ...


class EncoderMeaning:
    """The vectors of an encoder."""

    def __init__(
        self, name: str, weights: str | None = None, *, run: Path | None = None, of_first: bool | None = None
    ) -> None:
        """Name an encoder, which is opened when it is first used.

        Args:
            name: an alias, a folder or a hub name.
            weights: the fingerprint that it must have.
            run: the folder of the run, for an encoder that stands in it.
            of_first: take the vector of the first sub-word instead of the mean; as the name says if not given.
        """
        self.name = name
        self.of_first = takes_first(name) if of_first is None else of_first
        self._place = str(run / OWN_ENCODER) if run is not None and name == OWN else name
        self._weights = weights
        self._known: dict[str, Array] = {}

    @classmethod
    def of_network(cls, encoder: Any, network: Any, *, of_first: bool) -> "EncoderMeaning":
        """Return the meaning of an encoder that was found, by a network as it is now."""
        found = cls(encoder.name, of_first=of_first)
        found.__dict__ |= {"_encoder": encoder, "_network": network.eval()}  # instead of opening them
        return found

    @property
    def origin(self) -> dict[str, str]:
        """The name as it was given, the fingerprint of the weights, and which vector is taken if not the mean."""
        first = {"vector": FIRST} if self.of_first else {}
        return {"encoder": self.name, "weights": self._encoder.origin["weights"], **first}

    def learn(self, texts: Iterable[str], /) -> None:
        """Make the vectors of the texts that have none yet."""
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        new = sorted({text for text in texts if text not in self._known}, key=lambda text: (len(text), text))
        for start in range(0, len(new), BATCH):
            some = new[start : start + BATCH]
            self._known.update(zip(some, self._vectors(some), strict=True))

    def compare(self, text: str, names: Sequence[str], /) -> list[float]:
        """Return the cosine of a text and each name."""
        self.learn([text, *names])
        own = self._known[text]
        return [round(float(self._known[name] @ own), DIGITS) for name in names]

    @cached_property
    def _encoder(self) -> Any:  # its module needs transformers
        from linnet.models.encoders import find_encoder

        found = find_encoder(self._place)
        weights = found.origin["weights"]
        if self._weights is not None and weights != self._weights:
            raise BadFile(
                f"the encoder {self.name} has other weights than the linker was trained with: {weights} instead of "
                f"{self._weights}",
                "provide the same encoder, or train the linker again",
            )
        return found

    @cached_property
    def _network(self) -> Any:  # of torch
        from transformers import AutoModel

        from linnet.models.encoders import open_network

        network: Any = open_network(self._encoder, AutoModel)
        return network.eval()

    def _vectors(self, texts: Sequence[str]) -> list[Array]:
        import torch

        from linnet.models.precision import computing_in

        given = self._encoder.tokenizer(
            list(texts), padding=True, truncation=True, max_length=LONGEST, return_tensors="pt"
        )
        with torch.inference_mode(), computing_in("float32", "cpu"):
            hidden = self._network(**given).last_hidden_state
            vectors = pool(hidden, given["attention_mask"], of_first=self.of_first).numpy()
        return list(np.asarray(vectors, dtype=np.float64))


def takes_first(name: str) -> bool:
    """Is the vector of a text that of its first sub-word, as this encoder was trained?"""
    return name in OF_FIRST_SUBWORD


def pool(hidden: Any, mask: Any, *, of_first: bool) -> Any:  # Any: tensors
    """Return a vector of length 1 for each text: (texts, width).

    Args:
        hidden: (texts, sub-words, width) of the encoder.
        mask: (texts, sub-words) 0 where a text has ended.
        of_first: take the first sub-word, not the mean.
    """
    import torch

    weights = mask.unsqueeze(-1).to(hidden.dtype)
    pooled = hidden[:, 0] if of_first else (hidden * weights).sum(1) / weights.sum(1)
    return torch.nn.functional.normalize(pooled.float(), dim=1)
