"""How does a TensorFlow 1 checkpoint of BERT or ALBERT become a folder that transformers and Linnet open?

What is missing, too much or of another size is refused, all of it listed, before anything is written.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from linnet.errors import BadFile
from linnet.pretraining.tensorflow.config import open_config, shapes_of
from linnet.pretraining.tensorflow.files import find_checkpoint
from linnet.pretraining.tensorflow.names import OPTIONAL_PARTS, Target, is_of_the_optimiser, plain_name, targets
from linnet.pretraining.tensorflow.reading import VariableReader, open_with_tensorflow
from linnet.pretraining.tensorflow.tokenizer import Vocabulary, make_tokenizer, read_vocabulary
from linnet.storage.files import check_overwrite, check_path, new_folder

__all__ = ["Imported", "import_checkpoint"]

# what is written, and was by other versions of transformers; all that a folder may hold to be an older one
WEIGHTS, CONFIG = "model.safetensors", "config.json"
MADE_HERE = {"made_by": "linnet import-checkpoint"}  # in the weights: what was converted may be converted again
WRITTEN = {
    WEIGHTS,
    CONFIG,
    "special_tokens_map.json",
    "spiece.model",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
}
MOST_LISTED = 30


@dataclass(frozen=True)
class Imported:
    """What was converted."""

    family: str  # bert or albert
    checkpoint: str
    others: tuple[str, ...]  # checkpoints of the folder that were not taken
    n_variables: int
    n_of_the_optimiser: int  # left out
    parts: tuple[str, ...]  # of the optional ones: what was there
    lowercase: bool
    n_pieces: int
    n_rows: int  # of the embeddings; those beyond the sub-words are never read
    unused_settings: tuple[str, ...]  # of the configuration, for which transformers has no place

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not taken over, in sentences."""
        notes = []
        if self.others:
            notes.append(f"{self.checkpoint} was taken, others of the folder were not: {', '.join(self.others)}")
        if self.n_of_the_optimiser:
            notes.append(f"{self.n_of_the_optimiser:,} variables of the optimiser were left out")
        if self.n_rows > self.n_pieces:
            notes.append(f"{self.n_rows - self.n_pieces:,} rows of the embeddings belong to no sub-word")
        if self.unused_settings:
            notes.append(f"settings without a place in transformers: {', '.join(self.unused_settings)}")
        if "pooler" not in self.parts:
            notes.append("there is no pooler: a fresh one is made where it is needed")
        return tuple(notes)


@dataclass(frozen=True)
class _Weights:
    tensors: dict[str, torch.Tensor]  # as transformers names and turns them
    parts: tuple[str, ...]
    n_variables: int
    n_of_the_optimiser: int


def import_checkpoint(
    folder: Path,
    output: Path,
    *,
    checkpoint: str | None = None,
    lowercase: bool | None = None,
    overwrite: bool = False,
    open_reader: Callable[[Path], VariableReader] | None = None,
) -> Imported:
    """Write a checkpoint's weights, configuration and tokenizer as transformers has them, and return what was found.

    Args:
        folder: with the checkpoint.
        output: folder that appears when all of it is written.
        checkpoint: its name, if it is not to be the newest.
        lowercase: whether text is read as small letters; if not given, so it is where the vocabulary has no capitals.
        overwrite: whether an older folder may be replaced, if it holds nothing else than such a conversion.
        open_reader: what opens the checkpoint; TensorFlow if not given.

    Raises:
        BadFile: where something is missing, too much or of another size, listing it.
        MissingExtra: without TensorFlow.
    """
    check_path(output)
    _check_output(output, folder, overwrite=overwrite)
    files = find_checkpoint(folder, checkpoint)
    config, unused = open_config(files.config)
    vocabulary = read_vocabulary(files.vocabulary)
    lowercase = not vocabulary.has_capitals if lowercase is None else lowercase
    _fit(config, vocabulary)
    tokenizer = make_tokenizer(vocabulary, lowercase=lowercase, most_positions=config.max_position_embeddings)
    with new_folder(output, overwrite=overwrite) as part:
        reader = (open_reader or open_with_tensorflow)(files.prefix)
        weights = _weights(config, reader, str(files.prefix))
        _save(part, config, weights, output)
        tokenizer.save_pretrained(part)
    return Imported(
        family=config.model_type,
        checkpoint=files.prefix.name,
        others=files.others,
        n_variables=weights.n_variables,
        n_of_the_optimiser=weights.n_of_the_optimiser,
        parts=weights.parts,
        lowercase=lowercase,
        n_pieces=len(vocabulary.pieces),
        n_rows=config.vocab_size,
        unused_settings=unused,
    )


def _check_output(output: Path, folder: Path, *, overwrite: bool) -> None:
    """Refuse to replace anything else than an earlier conversion into which nobody has put anything since."""
    found = {path.name for path in output.iterdir()} if output.is_dir() else set()
    is_older = {WEIGHTS, CONFIG} <= found <= WRITTEN and _is_made_here(output / WEIGHTS)
    check_overwrite(
        output,
        source=folder,
        is_older=is_older,
        overwrite=overwrite,
        what="converted checkpoint",
        original="checkpoint",
    )


def _is_made_here(weights: Path) -> bool:
    try:
        with safe_open(weights, "pt") as file:
            return MADE_HERE.items() <= (file.metadata() or {}).items()
    except (OSError, SafetensorError):
        return False


def _fit(config: Any, vocabulary: Vocabulary) -> None:
    """Refuse more sub-words than there are embeddings, and let the configuration name the special ones."""
    pieces = vocabulary.pieces
    if len(pieces) > config.vocab_size:
        raise BadFile(
            f"{vocabulary.path}: {len(pieces):,} sub-words, but the configuration has {config.vocab_size:,}",
            "give the vocabulary that the checkpoint was trained with",
        )
    config.pad_token_id = pieces.index(vocabulary.padding)
    if config.model_type == "albert":
        config.bos_token_id, config.eos_token_id = pieces.index("[CLS]"), pieces.index("[SEP]")


def _weights(config: Any, reader: VariableReader, place: str) -> _Weights:
    """Return the checkpoint's weights; whatever is missing, too much or of another size is refused."""
    shapes = {plain_name(name): (name, tuple(shape)) for name, shape in reader.get_variable_to_shape_map().items()}
    found = {name: shape for name, shape in shapes.items() if not is_of_the_optimiser(name)}
    by_part = targets(config)
    parts = tuple(part for part in OPTIONAL_PARTS if by_part[part].keys() & found.keys())
    expected = {
        name: target
        for part, its_targets in by_part.items()
        if part not in OPTIONAL_PARTS or part in parts
        for name, target in its_targets.items()
    }
    _check_names(expected, found, place)
    _check_shapes(config, expected, {name: shape for name, (_, shape) in found.items()}, place)
    tensors = {target.name: _tensor(reader, found[name][0], target, place) for name, target in expected.items()}
    if config.model_type == "albert" and "projection" not in by_part:
        tensors |= _no_projection(config.hidden_size)
    return _Weights(tensors, parts, len(found), len(shapes) - len(found))


def _save(part: Path, config: Any, weights: _Weights, output: Path) -> None:
    config.architectures = [_architecture(config.model_type, weights.parts)]
    config.dtype = "float32"
    try:
        save_file(weights.tensors, part / WEIGHTS, metadata={"format": "pt", **MADE_HERE})
    except SafetensorError as error:
        raise BadFile(f"{output}: cannot be written ({error})", "check the space left there") from None
    config.save_pretrained(part)


def _check_names(expected: Iterable[str], found: Iterable[str], place: str) -> None:
    missing, extra = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    problems = [f"{len(missing):,} tensors are missing:{_lines(missing)}"] if missing else []
    problems += [f"{len(extra):,} tensors do not belong to such a model:{_lines(extra)}"] if extra else []
    if problems:
        raise BadFile(
            f"{place}: " + "\n  ".join(problems),
            "give a checkpoint from pretraining, not one that was fine-tuned, and the *config.json that belongs to it",
        )


def _check_shapes(
    config: Any, expected: Mapping[str, Target], found: Mapping[str, tuple[int, ...]], place: str
) -> None:
    own, wrong = shapes_of(config), []
    for name, target in expected.items():
        shape = own[target.name][::-1] if target.is_turned else own[target.name]
        if found[name] != shape:
            wrong.append(f"{name}: {found[name]}, by the configuration {shape}")
    if wrong:
        raise BadFile(
            f"{place}: {len(wrong):,} tensors have another size than the configuration says:{_lines(wrong)}",
            "give the *config.json that belongs to the checkpoint",
        )


def _lines(names: Sequence[str]) -> str:
    more = len(names) - MOST_LISTED
    return "".join(
        f"\n    {line}" for line in [*names[:MOST_LISTED], *([f"... and {more:,} more"] if more > 0 else [])]
    )


def _tensor(reader: VariableReader, name: str, target: Target, place: str) -> torch.Tensor:
    values = np.asarray(reader.get_tensor(name)).astype(np.float32)
    if not np.isfinite(values).all():
        raise BadFile(f"{place}: {name} holds values that are no numbers", "take an earlier checkpoint")
    return torch.from_numpy(np.ascontiguousarray(values.T if target.is_turned else values))


def _no_projection(size: int) -> dict[str, torch.Tensor]:
    """Return a projection that changes nothing: ALBERT's code leaves it out where the sizes agree."""
    name = "albert.encoder.embedding_hidden_mapping_in"
    return {f"{name}.weight": torch.eye(size), f"{name}.bias": torch.zeros(size)}


def _architecture(family: str, parts: Sequence[str]) -> str:
    """Return the name of the class in transformers that has a place for all that is there."""
    kind = "Model" if "predictions" not in parts else "ForPreTraining" if "seq_relationship" in parts else "ForMaskedLM"
    return f"{family.capitalize()}{kind}"
