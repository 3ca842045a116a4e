"""Conversion of a TensorFlow 1 checkpoint of BERT or ALBERT to a folder that transformers and Linnet open.

Missing variables, unexpected ones and wrong shapes are listed and refused before anything is written.
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
from linnet.pretraining.tensorflow.config import compute_shapes, open_config
from linnet.pretraining.tensorflow.files import CheckpointFiles, find_checkpoint
from linnet.pretraining.tensorflow.layouts import PROJECTION, layout_of
from linnet.pretraining.tensorflow.names import (
    OPTIONAL_PARTS,
    Target,
    find_targets,
    is_optimiser_variable,
    strip_hub_prefix,
)
from linnet.pretraining.tensorflow.reading import VariableReader, open_with_tensorflow
from linnet.pretraining.tensorflow.tokenizer import Vocabulary, make_tokenizer, read_vocabulary
from linnet.storage.files import check_overwrite, check_path, new_folder

__all__ = ["ImportedCheckpoint", "import_checkpoint"]

# files that this and other versions of transformers write; a folder with any other file is not overwritten
WEIGHTS, CONFIG = "model.safetensors", "config.json"
MADE_HERE = {"made_by": "linnet import-checkpoint"}  # metadata of the weights: only conversions are overwritten
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
class ImportedCheckpoint:
    """Summary of a converted checkpoint."""

    family: str  # `model_type` of transformers
    checkpoint: str
    others: tuple[str, ...]  # checkpoints of the folder that were not used
    n_variables: int
    n_of_the_optimiser: int  # variables that were left out
    parts: tuple[str, ...]  # optional parts that the checkpoint has
    lowercase: bool
    n_pieces: int
    n_rows: int  # of the embeddings; those beyond the sub-words are never used
    unused_settings: tuple[str, ...]  # of the configuration, which transformers does not have

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was left out."""
        notes = []
        if self.others:
            notes.append(f"{self.checkpoint} was used, others of the folder were not: {', '.join(self.others)}")
        if self.n_of_the_optimiser:
            notes.append(f"{self.n_of_the_optimiser:,} variables of the optimiser were left out")
        if self.n_rows > self.n_pieces:
            notes.append(f"{self.n_rows - self.n_pieces:,} rows of the embeddings belong to no sub-word")
        if self.unused_settings:
            notes.append(f"settings that transformers does not have: {', '.join(self.unused_settings)}")
        if "pooler" not in self.parts:
            notes.append("there is no pooler: a fresh one is created where it is needed")
        return tuple(notes)


@dataclass(frozen=True)
class _Weights:
    tensors: dict[str, torch.Tensor]  # with the names and shapes of transformers
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
) -> ImportedCheckpoint:
    """Write a checkpoint's weights, configuration and tokenizer for transformers, and return a summary.

    Args:
        folder: with the checkpoint.
        output: folder to write, which appears when it is complete.
        checkpoint: its name; the newest one if not given.
        lowercase: whether text is lower-cased; by default if the vocabulary has no capitals.
        overwrite: whether an earlier conversion may be replaced; a folder with anything else never is.
        open_reader: opens the checkpoint; TensorFlow if not given.

    Raises:
        BadFile: with all variables that are missing, unexpected or of a wrong shape.
        MissingExtra: without TensorFlow.
    """
    check_path(output)
    _check_output(output, folder, overwrite=overwrite)
    files = find_checkpoint(folder, checkpoint)
    config, unused = open_config(files.config)
    vocabulary = read_vocabulary(files.vocabulary)
    lowercase = not vocabulary.has_capitals if lowercase is None else lowercase
    _fit_to_vocabulary(config, vocabulary)
    tokenizer = make_tokenizer(vocabulary, lowercase=lowercase, most_positions=config.max_position_embeddings)
    with new_folder(output, overwrite=overwrite) as part:
        reader = (open_reader or open_with_tensorflow)(files.prefix)
        weights = _read_weights(config, reader, str(files.prefix))
        _save_weights(part, config, weights, output)
        tokenizer.save_pretrained(part)
    return _summarise(files, config, vocabulary, weights, lowercase=lowercase, unused=unused)


def _check_output(output: Path, folder: Path, *, overwrite: bool) -> None:
    """Refuse to replace anything but an earlier conversion without other files."""
    names = {path.name for path in output.iterdir()} if output.is_dir() else set()
    is_older = {WEIGHTS, CONFIG} <= names <= WRITTEN and _is_made_here(output / WEIGHTS)
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


def _fit_to_vocabulary(config: Any, vocabulary: Vocabulary) -> None:
    """Refuse more sub-words than embeddings, and write the ids of special sub-words to the configuration."""
    pieces = vocabulary.pieces
    if len(pieces) > config.vocab_size:
        raise BadFile(
            f"{vocabulary.path}: {len(pieces):,} sub-words, but the configuration has {config.vocab_size:,}",
            "give the vocabulary that the checkpoint was trained with",
        )
    config.pad_token_id = pieces.index(vocabulary.padding)
    for setting, piece in layout_of(config).special_ids.items():
        setattr(config, setting, pieces.index(piece))


def _read_weights(config: Any, reader: VariableReader, place: str) -> _Weights:
    """Return the checkpoint's weights, after their names and shapes are checked."""
    shape_by_name = reader.get_variable_to_shape_map()
    shapes = {strip_hub_prefix(name): (name, tuple(shape)) for name, shape in shape_by_name.items()}
    variables = {name: shape for name, shape in shapes.items() if not is_optimiser_variable(name)}
    by_part = find_targets(config)
    parts = tuple(part for part in OPTIONAL_PARTS if by_part[part].keys() & variables.keys())
    expected = {
        name: target
        for part, its_targets in by_part.items()
        if part not in OPTIONAL_PARTS or part in parts
        for name, target in its_targets.items()
    }
    _check_names(expected, variables, place)
    _check_shapes(config, expected, {name: shape for name, (_, shape) in variables.items()}, place)
    tensors = {
        target.name: _read_tensor(reader, variables[name][0], target, place) for name, target in expected.items()
    }
    for _, module, _ in layout_of(config).rows.get(PROJECTION, ()):
        if PROJECTION not in by_part:
            tensors |= _make_identity(module, config.hidden_size)
    return _Weights(tensors, parts, len(variables), len(shapes) - len(variables))


def _save_weights(part: Path, config: Any, weights: _Weights, output: Path) -> None:
    config.architectures = [_find_architecture(config.model_type, weights.parts)]
    config.dtype = "float32"
    try:
        save_file(weights.tensors, part / WEIGHTS, metadata={"format": "pt", **MADE_HERE})
    except SafetensorError as error:
        raise BadFile(f"{output}: cannot be written ({error})", "check the space left there") from None
    config.save_pretrained(part)


def _summarise(
    files: CheckpointFiles,
    config: Any,
    vocabulary: Vocabulary,
    weights: _Weights,
    *,
    lowercase: bool,
    unused: tuple[str, ...],
) -> ImportedCheckpoint:
    return ImportedCheckpoint(
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


def _check_names(expected: Iterable[str], found: Iterable[str], place: str) -> None:
    missing, extra = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    problems = [f"{len(missing):,} tensors are missing:{_list_lines(missing)}"] if missing else []
    problems += [f"{len(extra):,} tensors do not belong to such a model:{_list_lines(extra)}"] if extra else []
    if problems:
        raise BadFile(
            f"{place}: " + "\n  ".join(problems),
            "give a checkpoint from pretraining, not one that was fine-tuned, and the *config.json that belongs to it",
        )


def _check_shapes(
    config: Any, expected: Mapping[str, Target], found: Mapping[str, tuple[int, ...]], place: str
) -> None:
    shapes, wrong = compute_shapes(config), []
    for name, target in expected.items():
        shape = shapes[target.name][::-1] if target.is_transposed else shapes[target.name]
        if found[name] != shape:
            wrong.append(f"{name}: {found[name]}, by the configuration {shape}")
    if wrong:
        raise BadFile(
            f"{place}: {len(wrong):,} tensors have another shape than the configuration says:{_list_lines(wrong)}",
            "give the *config.json that belongs to the checkpoint",
        )


def _list_lines(names: Sequence[str]) -> str:
    more = len(names) - MOST_LISTED
    return "".join(
        f"\n    {line}" for line in [*names[:MOST_LISTED], *([f"... and {more:,} more"] if more > 0 else [])]
    )


def _read_tensor(reader: VariableReader, name: str, target: Target, place: str) -> torch.Tensor:
    values = np.asarray(reader.get_tensor(name)).astype(np.float32)
    if not np.isfinite(values).all():
        raise BadFile(f"{place}: {name} has values that are not finite", "use an earlier checkpoint")
    return torch.from_numpy(np.ascontiguousarray(values.T if target.is_transposed else values))


def _make_identity(module: str, size: int) -> dict[str, torch.Tensor]:
    """Return the weights of a projection that changes nothing, which a checkpoint omits if the sizes are equal."""
    return {f"{module}.weight": torch.eye(size), f"{module}.bias": torch.zeros(size)}


def _find_architecture(family: str, parts: Sequence[str]) -> str:
    """Return the class of transformers that has all parts of the checkpoint."""
    kind = "Model" if "predictions" not in parts else "ForPreTraining" if "seq_relationship" in parts else "ForMaskedLM"
    return f"{family.capitalize()}{kind}"
