"""How is a model folder opened, whatever its task?"""

from pathlib import Path
from typing import TYPE_CHECKING, Union

from linnet.errors import BadSetting
from linnet.extras import explain_missing_extras
from linnet.models.model_folder import read_facts
from linnet.models.published.opening import model_folder

if TYPE_CHECKING:
    from linnet.tasks.ner.predictor import Predictor
    from linnet.tasks.texts.predictor import TextPredictor

__all__ = ["load"]


def load(
    folder: str | Path,
    *,
    decoding: str | None = None,
    device: str | None = None,
    engine: str | None = None,
    threads: int | None = None,
    labels: str | Path | None = None,
    label: str | None = None,
) -> Union["Predictor", "TextPredictor"]:
    """Return what annotates or answers with a model folder; what `linnet.load` is in Python.

    Args:
        folder: of the model, or the hub name of a tagger.
        decoding: for mentions: `valid` or `argmax`; the model's own if not given.
        device: for the engine `torch`; a GPU where there is one if not given.
        engine: `torch` or, for exported models that find mentions, `onnx`; as the folder is, if not given.
        threads: of the CPU; the engine's own choice if not given.
        labels: file with the tags of the outputs in their order, for taggers of others that do not name them.
        label: what bare B/I/O tags of such a tagger mark.
    """
    folder = model_folder(folder, labels=labels, label=label)
    task = read_facts(folder).task
    if task == "ner":  # looked at here, so that exported models run without torch
        from linnet.tasks.ner.predictor import load as load_tagger

        return load_tagger(folder, decoding=decoding, device=device, engine=engine, threads=threads)
    if decoding is not None or engine not in (None, "torch"):
        raise BadSetting(f"{folder}: the task {task!r} has one engine and no decoding", "leave both out")
    with explain_missing_extras():
        from linnet.tasks.texts.predictor import load_texts

    return load_texts(folder, device=device, threads=threads)
