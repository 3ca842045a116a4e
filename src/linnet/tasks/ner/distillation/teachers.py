"""Teachers of a distillation: their tags, and which tag of the student each of them stands for.

A teacher speaks only for its own entity types. Its types that the student does not learn count as O. What the student
learns and a teacher does not know is left open by that teacher, as corpora with partial labels leave it open.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import OUTSIDE, split_tag
from linnet.models.model_folder import model_fingerprint, read_facts
from linnet.models.published.opening import model_folder
from linnet.tasks.ner.corpora.agreement import bare_name
from linnet.tasks.ner.distillation.settings import DistillSettings
from linnet.tasks.ner.model_checks import check_facts

__all__ = ["Teacher", "find_teachers", "student_tags", "teacher_problems"]

DETAIL = {"io": 0, "iob1": 0, "iob2": 1, "iobes": 2, "bilou": 2}  # what the taggings tell apart
INSTEAD = {  # prefixes of the student's tagging for one of the teacher's, the first that it has
    "B": "BI",
    "I": "I",
    "E": "ELI",
    "L": "LEI",
    "S": "SUBI",
    "U": "USBI",
}


@dataclass(frozen=True)
class Teacher:
    """A tagger that a student learns from."""

    name: str  # as the recipe names it
    folder: Path
    fingerprint: str
    tags: tuple[str, ...]  # in the order of its outputs
    tagging: str
    names: Mapping[str, str]  # of labels, by the names in the model

    def label_of(self, tag: str) -> str:
        """Return the label of a tag by the name that the student knows, empty for O."""
        label = split_tag(tag)[1]
        return self.names.get(label, label)

    @property
    def labels(self) -> list[str]:
        """Its entity types by the names that the student knows."""
        return sorted({self.label_of(tag) for tag in self.tags} - {""})


def find_teachers(settings: DistillSettings) -> list[Teacher]:
    """Return the teachers of a recipe; no network is loaded.

    Raises:
        BadFile: where a folder holds no tagger.
        BadSetting: where `map` renames a label that no teacher has.
    """
    names = settings.map or {}
    found = [_find_teacher(name, names) for name in settings.teachers]
    known = {split_tag(tag)[1] for teacher in found for tag in teacher.tags} - {""}
    unknown = sorted(set(names) - known)
    if unknown:
        raise BadSetting(
            f"distill.map renames {', '.join(unknown)}, which no teacher has", f"they have {', '.join(sorted(known))}"
        )
    return found


def teacher_problems(
    teachers: Sequence[Teacher], label_set: LabelSet, tagging: str, wanted: Sequence[str]
) -> Iterator[LinnetError]:
    """Yield why a student cannot learn from these teachers.

    Args:
        teachers: with the names of labels that the student knows.
        label_set: the tags of the student.
        tagging: of the student.
        wanted: labels that are learned from teachers alone.
    """
    missing = sorted(set(wanted).difference(*(teacher.labels for teacher in teachers)))
    if missing:
        known = sorted({label for teacher in teachers for label in teacher.labels})
        yield BadSetting(
            f"distill.labels has {', '.join(missing)}, which no teacher marks", f"they mark {', '.join(known)}"
        )
    for teacher in teachers:
        if DETAIL[teacher.tagging] < DETAIL[tagging]:
            yield BadSetting(
                f"teacher {teacher.name!r} has {teacher.tagging} tags, which tell less apart than the student's "
                f"{tagging}",
                f'train the student with `tagging = "{teacher.tagging}"`, or leave the teacher out',
            )
        yield from _label_problems(teacher, label_set.labels)


def student_tags(teacher: Teacher, label_set: LabelSet) -> list[str]:
    """Return for each tag of the teacher the tag of the student that it stands for."""
    return [_student_tag(tag, teacher.label_of(tag), label_set) for tag in teacher.tags]


def _find_teacher(name: str, names: Mapping[str, str]) -> Teacher:
    folder = model_folder(name)
    facts = read_facts(folder)
    if facts.task != "ner":
        raise BadFile(f"{folder}: this model is for {facts.task}, and has no tags to teach", "give a tagger")
    check_facts(facts, folder)
    return Teacher(
        name=name,
        folder=folder,
        fingerprint=model_fingerprint(folder),
        tags=facts.tags,
        tagging=facts.tagging,
        names=names,
    )


def _label_problems(teacher: Teacher, learned: Sequence[str]) -> Iterator[LinnetError]:
    names = {bare_name(label): label for label in learned}
    twins = [label for label in teacher.labels if label not in learned and bare_name(label) in names]
    for label in twins:
        yield BadSetting(
            f"teacher {teacher.name!r} marks {label!r}, the student learns {names[bare_name(label)]!r}",
            f'rename it: `map = {{ "{label}" = "{names[bare_name(label)]}" }}` in [distill] where both mean the same, '
            "else to a name that differs",
        )
    if not twins and not set(teacher.labels) & set(learned):
        yield BadSetting(
            f"teacher {teacher.name!r} marks {', '.join(teacher.labels)}, the student learns {', '.join(learned)}: "
            "there is nothing to teach",
            "rename labels that mean the same with `map` in [distill], add them to its `labels`, or leave it out",
        )


def _student_tag(tag: str, label: str, label_set: LabelSet) -> str:
    candidates = [f"{prefix}-{label}" for prefix in INSTEAD.get(tag[:1], "")] if label else []
    return next((each for each in candidates if each in label_set), OUTSIDE)
