"""Compares mentions and names by meaning: the cosine of the vectors that an encoder makes of them.

A vector is the mean over the sub-words of a text; SapBERT's is that of the first one, as it was trained. The encoder is
used as it is. It finds no candidates, it only helps to order them. It needs torch, which is imported when it is first
used.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from linnet.errors import BadFile
from linnet.metrics.mentions.tally import Array

__all__ = ["EncoderMeaning", "Meaning"]

BATCH = 64  # texts
LONGEST = 32  # sub-words of a text
MOST_KNOWN = 200_000  # vectors that are kept in memory
DIGITS = 4  # of cosines: what differs behind them depends on the other texts of a batch
OF_FIRST_SUBWORD = ("sapbert",)


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

    def __init__(self, name: str, weights: str | None = None) -> None:
        """Name an encoder, which is opened when it is first used.

        Args:
            name: an alias, a folder or a hub name.
            weights: the fingerprint that it must have.
        """
        self.name = name
        self._weights = weights
        self._known: dict[str, Array] = {}

    @property
    def origin(self) -> dict[str, str]:
        """The name as it was given, and the fingerprint of the weights."""
        return {"encoder": self.name, "weights": self._encoder.origin["weights"]}

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

        found = find_encoder(self.name)
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

        given = self._encoder.tokenizer(
            list(texts), padding=True, truncation=True, max_length=LONGEST, return_tensors="pt"
        )
        with torch.inference_mode():
            hidden = self._network(**given).last_hidden_state  # (texts, sub-words, width)
            mask = given["attention_mask"].unsqueeze(-1).to(hidden.dtype)
            is_first = self.name in OF_FIRST_SUBWORD
            pooled = hidden[:, 0] if is_first else (hidden * mask).sum(1) / mask.sum(1)
            vectors = torch.nn.functional.normalize(pooled.float(), dim=1).numpy()
        return list(np.asarray(vectors, dtype=np.float64))
