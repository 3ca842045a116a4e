"""Writes the encoder that contrastive training has made into the run folder."""

from pathlib import Path
from typing import Any

from linnet.models.quiet import quietly
from linnet.storage.files import new_folder
from linnet.tasks.linking.training.contrastive import NameNetwork
from linnet.tasks.linking.training.meaning import OWN, OWN_ENCODER, EncoderMeaning

__all__ = ["write_encoder"]


def write_encoder(output: Path, tokenizer: Any, model: NameNetwork) -> EncoderMeaning:
    """Write network and tokenizer, as Hugging Face has them, and return what compares texts by them."""
    with quietly(), new_folder(output / OWN_ENCODER, overwrite=True) as folder:
        network: Any = model.network
        network.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    return EncoderMeaning(OWN, run=output, of_first=model.of_first)
