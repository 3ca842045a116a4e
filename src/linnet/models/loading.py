"""Opens a model folder by the task that its `linnet.json` names."""

from pathlib import Path

from linnet.contracts import Model, tasks
from linnet.models.model_folder import read_facts
from linnet.models.published.opening import model_folder

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
) -> Model:
    """Return a model that annotates documents or predicts values; what `linnet.load` is in Python.

    Args:
        folder: of the model, or the hub name of a tagger.
        decoding: for mentions: `valid` or `argmax`; the model's own if not given.
        device: for the engine `torch`; a GPU where there is one if not given.
        engine: `torch` or, for exported models, `onnx`; as the folder is, if not given.
        threads: of the CPU; the engine's own choice if not given.
        labels: file with the tags of the outputs in their order, for taggers of others that do not name them.
        label: what bare B/I/O tags of such a tagger mark.
    """
    place = model_folder(folder, labels=labels, label=label)
    task = tasks.get(read_facts(place).task)
    return task.load(place, decoding=decoding, device=device, engine=engine, threads=threads)
