"""Checks the folder of a model about texts when it is opened: its `linnet.json`, and that its scores are usable."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.models.checks.fields import Field, check_fields
from linnet.models.checks.guard import refuse_not_finite, refuse_unusable
from linnet.models.checks.window import check_capacity, check_window
from linnet.models.model_folder import FACTS, ModelFacts, read_config
from linnet.tasks.texts.kinds import KINDS, Scale, find_kind
from linnet.tasks.texts.networks.shape import Shape
from linnet.tasks.texts.read_texts import read_texts
from linnet.tasks.texts.settings import TextSettings

if TYPE_CHECKING:
    from linnet.tasks.texts.predictor import TextPredictor
    from linnet.tasks.texts.task import TextTask

__all__ = ["check_scores", "open_scale", "open_settings", "open_shape", "open_thresholds"]

AGAIN = "train or copy the model again"
TRIED = "a"  # short, for this is computed whenever a model is opened
STRANGE = f"\N{SNOWMAN} {'ab' * 100}"  # a word that the tokenizer may not know, and one that may be too long
TEXT: Mapping[str, Field] = {
    "shape": Field(kind=dict, is_needed=True),
    "settings": Field(kind=dict, is_needed=True),
    "thresholds": Field(kind=dict, is_needed=True),
    "range": Field(kind=list, is_needed=True),
}  # of `text` in `linnet.json`
SHAPE: Mapping[str, Field] = {
    "kind": Field(kind=str, choices=tuple(KINDS), is_needed=True),
    "pooling": Field(kind=str, choices=("cls", "mean", "markers"), is_needed=True),
    "windows": Field(kind=str, choices=("mean", "max"), is_needed=True),
    "method": Field(kind=str, choices=("cross", "bi"), is_needed=True),
}
THRESHOLD = Field(kind=int | float, least=0, most=1)
NUMBER = Field(kind=int | float)


def open_shape(facts: ModelFacts, folder: Path) -> Shape:
    """Return the shape of the network that `linnet.json` describes, all parts of its `text` checked."""
    place = folder / FACTS
    check_fields(facts.text, TEXT, place)
    saved = facts.text["shape"]
    check_fields(saved, SHAPE, place)
    strange = sorted(saved.keys() - SHAPE.keys())
    if strange:
        raise BadFile(f"{place}: the shape of the network has an unknown field {strange[0]!r}", AGAIN)
    if saved["method"] == "bi" and not find_kind(saved["kind"]).can_compare_apart:
        raise BadFile(f"{place}: 'method' is 'bi', which models of the kind {saved['kind']!r} do not have", AGAIN)
    config = read_config(folder)
    stated, expected = config.get("problem_type"), find_kind(saved["kind"]).problem_type
    if None not in (stated, expected) and stated != expected:
        raise BadFile(f"{place}: 'kind' is {saved['kind']!r}, but config.json says {str(stated)[:60]!r}", AGAIN)
    check_window(facts.max_length, facts.overlap, config, place)
    return Shape.from_dict(saved)


def open_thresholds(facts: ModelFacts, folder: Path) -> dict[str, float]:
    """Return the thresholds, all from 0 to 1: none, or one of each label."""
    found = facts.text["thresholds"]
    check_fields(found, dict.fromkeys(facts.tags, THRESHOLD), folder / FACTS)
    if found and found.keys() != set(facts.tags):
        raise BadFile(f"{folder / FACTS}: 'thresholds' has other labels than 'tags'", AGAIN)
    return dict(found)


def open_scale(facts: ModelFacts, folder: Path) -> Scale:
    """Return the lowest and highest number that was learned from."""
    found = facts.text["range"]
    is_pair = len(found) == 2 and all(map(NUMBER.accepts, found))  # the lowest and the highest
    if not is_pair or not found[0] < found[1]:
        raise BadFile(f"{folder / FACTS}: 'range' is {str(found)[:60]}, expected two rising numbers", AGAIN)
    return Scale(*found)


def open_settings(task: "TextTask[Any]", facts: ModelFacts, folder: Path) -> TextSettings:
    """Return the settings that a model was saved with; older models also kept those of other tasks."""
    saved = facts.text["settings"]
    try:
        return task.section(**{name: value for name, value in saved.items() if name in task.section.model_fields})
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise BadFile(f"{folder / FACTS}: the setting {name!r} of `text` is wrong ({first['msg']})", AGAIN) from None


def check_scores(predictor: "TextPredictor", folder: Path) -> None:
    """Refuse a model that cannot predict a short text, or whose network has another number of outputs than labels."""
    encoder, shape, labels = predictor.encoder, predictor.shape, predictor.output_facts.labels
    is_pair = predictor.task.needs_pairs or shape.kind.has_positions
    frame = encoder.pair if is_pair and shape.method == "cross" else encoder.single
    check_capacity(encoder.max_length, frame.size, folder / FACTS, least=2 if is_pair else 1)
    example = TextExample("1", TRIED, TRIED if is_pair else None)
    with refuse_unusable(folder, "the tokenizer and the network cannot be used together"):
        encoder.encode([(STRANGE, None)])
        (read,) = read_texts(encoder, [example], method=shape.method, pooling=shape.pooling)
        scores = predictor.try_windows(read.windows)
        refuse_not_finite(scores, folder)
        if shape.method == "cross" and not shape.kind.has_positions and scores.shape[1:] != (len(labels),):
            n_outputs = scores.shape[-1]
            raise BadFile(
                f"{folder}: the network has {n_outputs:,} outputs, but there are {len(labels):,} labels", AGAIN
            )
        shape.kind.decide(predictor.output(example, read, list(scores)), predictor.output_facts.thresholds)
