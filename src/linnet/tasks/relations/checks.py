"""Checks of relations, and of the settings about them, before training.

Reading does not check this, because files that are only predicted are read in the same way.
"""

from collections.abc import Sequence

from linnet.contracts import Notes
from linnet.documents.texts import TextExample
from linnet.errors import BadFile, BadSetting
from linnet.tasks.relations.documents import NONE, describe_unreached
from linnet.tasks.relations.settings import RelationSettings
from linnet.tasks.relations.unreached import reason_of
from linnet.tasks.texts.reading.unreached import candidates_in, is_unreached

__all__ = ["check_training", "refuse_settings_of_documents"]


def check_training(training: Sequence[TextExample], settings: RelationSettings) -> None:
    """Refuse a training split, as it was read, that the settings do not fit or that holds no relation.

    Raises:
        BadFile: where no pair of documents has a relation.
        BadSetting: where settings are for documents and the examples come from tables, or the negative label is none
            that they have.
    """
    if any("document" in example.details for example in training):
        _check_relations(training, settings)
    elif training:
        refuse_settings_of_documents(training[0].place, settings)
        _check_negative(training, settings)


def refuse_settings_of_documents(place: str, settings: RelationSettings) -> None:
    """Refuse all settings about pairs of documents, where there are rows of a table.

    Args:
        place: of the table.
        settings: of a recipe, or of a model.

    Raises:
        BadSetting: with all of them.
    """
    given = {
        "pairs": bool(settings.pairs),
        "unit": settings.unit is not None,
        "level": settings.level != RelationSettings().level,
        "negatives": settings.negatives is not None,
    }
    names = ", ".join(f"`text.{name}`" for name, is_given in given.items() if is_given)
    if names:
        raise BadSetting(
            f"{place}: this is a table, whose pairs are marked already, but how pairs of documents are made and drawn "
            f"is set ({names})",
            f"leave {names} out, or give documents",
        )


def _check_relations(training: Sequence[TextExample], settings: RelationSettings) -> None:
    pairs = candidates_in(training)
    if all(example.gold in (settings.negative or NONE, None, ()) for example in pairs):
        notes = Notes()
        for example in filter(is_unreached, training):
            notes.add(describe_unreached("train", reason_of(example)), example.place)
        raise BadFile(
            f"no pair of the {len(pairs):,} in the training split has a relation",
            "; ".join(notes.sentences()) or "give documents with relations to learn from, each with its type",
        )


def _check_negative(training: Sequence[TextExample], settings: RelationSettings) -> None:
    known = {example.gold for example in training if isinstance(example.gold, str)}
    if known and settings.negative is not None and settings.negative not in known:
        raise BadSetting(
            f"`text.negative` is {settings.negative!r}, which is no label of the training split",
            f"give one of its labels ({', '.join(sorted(known))}), or leave it out",
        )
