"""Opens models of others: a hub name, weights in PyTorch's own format, outputs without names.

Folders that Linnet wrote are returned as they are, and nothing heavy is imported for them.
"""

from itertools import islice
from pathlib import Path

from linnet.errors import BadFile, BadSetting
from linnet.models.embedded import open_embedded
from linnet.models.model_folder import FACTS, check_tags, tags_of
from linnet.models.published.relabelling import Relabelling, has_bare_tags, read_labels
from linnet.settings.annotation import DEFAULT_MODEL

__all__ = ["conversion_notes", "is_of_others", "model_folder"]

GIVE_A_FOLDER = "give the folder that `linnet train` wrote"
OWN_LABELS = "this model names its own labels"
MOST_NAMED = 8  # models in a message
EMBEDDED = f"`{DEFAULT_MODEL}`, the embedded model"


def model_folder(
    model: str | Path,
    *,
    labels: str | Path | None = None,
    label: str | None = None,
    may_be_of_corpus: bool = False,
) -> Path:
    """Return a folder that can be read and opened, of a model that is named by a folder or by a name.

    Args:
        model: a folder, the name of an embedded model, or a name of the model hub.
        labels: file with the tags of the model's outputs, one a line, in their order; for models without names.
        label: what bare B/I/O tags of the model mark.
        may_be_of_corpus: may the label be meant for bare tags of a corpus instead? Then no model refuses it.

    Raises:
        BadFile: where there is no such model, or it cannot be opened.
        BadSetting: where the labels do not fit.
    """
    folder = open_embedded(model) or Path(model)
    if not is_of_others(folder):
        if labels is not None:
            raise BadSetting(f"{folder}: {OWN_LABELS}", "leave `--labels` out")
        if label is not None and not may_be_of_corpus:
            _refuse_label(folder, label)
        return folder
    beside = [] if folder.exists() else _models_beside(folder)
    if beside:
        raise BadFile(
            f"{folder}: there is no such model folder; {folder.parent} has {', '.join(beside)}",
            f"give one of these, or {EMBEDDED}",
        )
    if not folder.exists() and not _can_fetch():
        raise BadFile(f"{folder}: there is no such model folder", f"{GIVE_A_FOLDER}, or {EMBEDDED}")
    from linnet.models.published.hub import locate_files

    try:
        located = locate_files(str(model))
    except BadSetting as error:
        raise BadFile(
            f"{model}: there is no such model folder ({error.problem})",
            f"{GIVE_A_FOLDER}, {EMBEDDED}, or the hub name of a tagger: {error.remedy}",
        ) from None
    from linnet.models.published.standard_form import bring_into_standard_form, read_config  # needs torch

    config = read_config(located.folder)
    tags = read_labels(Path(labels)) if labels is not None else None
    is_bare = has_bare_tags(tags or tags_of(config))
    if label is not None and not is_bare and not may_be_of_corpus:
        _refuse_label(model, label)
    bare = label if is_bare else None
    relabelling = Relabelling(tags, bare, str(labels))
    if not relabelling:
        check_tags(tags_of(config), Path(model))  # by the name that the user gave
    return bring_into_standard_form(located, relabelling or None).folder


def conversion_notes(folder: Path) -> tuple[str, ...]:
    """Return what was done to open a model of others, in sentences; nothing for models that needed none."""
    if not (folder / "source.json").is_file():
        return ()
    from linnet.models.published.standard_form import read_notes

    return tuple(f"model: {note}" for note in read_notes(folder / "source.json"))


def is_of_others(model: str | Path) -> bool:
    """Return whether a model was not written by Linnet; the folder of an unfinished training was."""
    return not any((Path(model) / name).exists() for name in (FACTS, "recipe.toml"))


def _refuse_label(model: str | Path, label: str) -> None:
    raise BadSetting(
        f"{model}: {OWN_LABELS}, and a label is for bare B/I/O tags",
        f"leave `--label` out; `linnet annotate --keep-labels {label}` keeps only mentions of one label",
    )


def _models_beside(folder: Path) -> list[str]:
    """Return the names of models in the folder in which a missing one was looked for, at most eight."""
    if folder.parent == Path():  # `biobert` is more likely a name of the hub
        return []
    return sorted(each.parent.name for each in islice(folder.parent.glob(f"*/{FACTS}"), MOST_NAMED))


def _can_fetch() -> bool:
    from importlib.util import find_spec

    return find_spec("huggingface_hub") is not None
