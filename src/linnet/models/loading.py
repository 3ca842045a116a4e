"""Opens a model folder by the task that its `linnet.json` names."""

from pathlib import Path

from linnet.contracts import Model, tasks
from linnet.models.model_folder import read_facts
from linnet.models.published.opening import model_folder
from linnet.settings.annotation import DEFAULT_MODEL
from linnet.settings.thresholds import Thresholds, read_thresholds

__all__ = ["load"]


def load(  # noqa: PLR0913 — each is an option of the commands
    folder: str | Path = DEFAULT_MODEL,
    *,
    decoding: str | None = None,
    device: str | None = None,
    engine: str | None = None,
    threads: int | None = None,
    labels: str | Path | None = None,
    label: str | None = None,
    min_score: Thresholds | None = None,
    same_abbreviations: bool | None = None,
    precision: str | None = None,
) -> Model:
    """Return a model that annotates documents or predicts values; what `linnet.load` is in Python.

    Args:
        folder: of the model, name of an embedded one, or hub name of a tagger; the embedded `bio` if not given.
        decoding: for mentions: `valid` or `argmax`; the model's own if not given.
        device: for the engine `torch`; a GPU where there is one if not given.
        engine: `torch` or, for exported models, `onnx`; as the folder is, if not given.
        threads: of the CPU; the engine's own choice if not given.
        labels: file with the tags of the outputs in their order, for taggers of others that do not name them.
        label: what bare B/I/O tags of such a tagger mark.
        min_score: for mentions: least score of those that are kept, a number for all labels, or a number by label.
        same_abbreviations: for mentions: whether abbreviations get the label of their long forms, and the other way
            round; the model's own choice if not given.
        precision: for mentions, with the engine `torch`: `float32`, `bfloat16`, or `auto`, which is bfloat16 where the
            processor is faster with it; `auto` if not given.
    """
    place = model_folder(folder, labels=labels, label=label)
    task = tasks.get(read_facts(place).task)
    least = None if min_score is None else read_thresholds(min_score)
    options = {"decoding": decoding, "device": device, "engine": engine, "threads": threads, "min_score": least}
    return task.load(place, **options, same_abbreviations=same_abbreviations, precision=precision)
