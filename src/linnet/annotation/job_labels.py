"""Checks the labels that options of an annotation job name against those that the job can find."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from linnet.annotation.steps import GIVEN, NAMES
from linnet.contracts.linking import LINKING, NamedVocabulary, linkings
from linnet.errors import BadSetting
from linnet.models.model_folder import read_facts
from linnet.settings.annotation import AnnotateSettings

__all__ = ["check_labels"]


def check_labels(settings: AnnotateSettings) -> None:
    """Refuse a label that no mention of the job can have; the model was located.

    Nothing is refused where the labels are those of the input, which nobody knows before it was read.

    Raises:
        BadSetting: with the labels that the job finds.
    """
    linked = [label for label, _ in map(NamedVocabulary.parse, settings.link) if label]
    if not settings.keep_labels and not linked:
        return
    known = _find_labels(settings)
    _refuse_unknown("--keep-labels", settings.keep_labels, known)
    _refuse_unknown("--link", linked, known)
    left_out = [label for label in linked if settings.keep_labels and label not in settings.keep_labels]
    if left_out:
        raise BadSetting(
            f"--link names {', '.join(map(repr, left_out))}, which --keep-labels leaves out",
            "keep these labels too, or leave their vocabularies out",
        )


def _find_labels(settings: AnnotateSettings) -> list[str]:
    """Return the labels of the model and of names that are added; none where they are those of the input."""
    names = list(settings.also_names)
    if settings.model.startswith(NAMES):
        names.append(settings.model.removeprefix(NAMES))
        own = []
    elif settings.model == GIVEN:
        return []
    else:
        own = read_facts(Path(settings.model)).label_set.labels
        if not own:  # it works on the mentions of the input, e.g. a trained linker
            return []
    of_names = linkings.get(LINKING).open_names(names).labels if names else ()
    return sorted({*own, *of_names})


def _refuse_unknown(option: str, named: Sequence[str], known: Sequence[str]) -> None:
    unknown = [label for label in named if label not in known] if known else []
    if unknown:
        spelled = {label.lower(): label for label in known}
        near = [spelled[found] for label in unknown for found in get_close_matches(label.lower(), spelled, n=1)]
        hint = f"did you mean {', '.join(map(repr, dict.fromkeys(near)))}? " if near else ""
        raise BadSetting(
            f"{option} names {', '.join(map(repr, unknown))}, which the job does not find",
            f"{hint}it finds {', '.join(known)}",
        )
