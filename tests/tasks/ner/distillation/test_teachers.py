"""Teachers: which tags of the student theirs stand for, and which teachers are refused."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from linnet.errors import BadFile, BadSetting
from linnet.labels.label_set import LabelSet
from linnet.tasks.ner.distillation.teachers import Teacher, find_teachers, student_tags, teacher_problems
from tests import text_corpora
from tests.tasks.ner.distillation import taught


def problems(
    *teachers: Teacher, learned: Sequence[str], tagging: str = "iob2", wanted: Sequence[str] = ()
) -> list[str]:
    label_set = LabelSet.of_tags(learned, tagging)
    return [str(error) for error in teacher_problems(teachers, label_set, tagging, wanted)]


def test_a_teacher_is_a_folder_with_a_tagger() -> None:
    (found,) = find_teachers(taught.settings(map={"Disease": "Disorder"}))

    assert found.labels == ["Chemical", "Disorder"]
    assert found.folder == taught.teacher()
    assert len(found.fingerprint) == 64


def test_the_embedded_model_can_teach() -> None:
    (found,) = find_teachers(taught.settings(teachers=["bio"], map={"Disease": "Disorder"}))

    assert found.labels == ["CellLine", "Chemical", "Disorder", "Gene", "Species", "Variant"]


def test_a_folder_without_a_tagger_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile):
        find_teachers(taught.settings(teachers=[str(tmp_path / "none")]))
    with pytest.raises(BadFile, match="is for classification, and has no tags to teach"):
        find_teachers(taught.settings(teachers=[str(text_corpora.trained("classification"))]))


def test_a_map_from_a_label_that_no_teacher_has_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"distill\.map renames Gene, which no teacher has"):
        find_teachers(taught.settings(map={"Gene": "Disease"}))


def test_types_that_the_student_does_not_learn_count_as_outside() -> None:
    label_set = LabelSet.of_tags(["Disease"], "iob2")

    found = dict(zip(taught.IOB2.names, student_tags(taught.make_teacher(), label_set), strict=True))

    assert found == {"O": "O", "B-Chemical": "O", "I-Chemical": "O", "B-Disease": "B-Disease", "I-Disease": "I-Disease"}


@pytest.mark.parametrize(
    ("tagging", "student", "expected"),
    [
        ("iobes", "iob2", {"B-X": "B-X", "I-X": "I-X", "E-X": "I-X", "S-X": "B-X", "O": "O"}),
        ("bilou", "iobes", {"B-X": "B-X", "I-X": "I-X", "L-X": "E-X", "U-X": "S-X", "O": "O"}),
        ("iob2", "io", {"B-X": "I-X", "I-X": "I-X", "O": "O"}),
    ],
)
def test_finer_taggings_are_joined(tagging: str, student: str, expected: dict[str, str]) -> None:
    tags = LabelSet.of_tags(["X"], tagging).names
    teacher = taught.make_teacher(tags, tagging=tagging)

    assert dict(zip(tags, student_tags(teacher, LabelSet.of_tags(["X"], student)), strict=True)) == expected


def test_a_coarser_tagging_than_the_students_is_refused() -> None:
    (problem,) = problems(taught.make_teacher(), learned=["Disease"], tagging="bilou")

    assert "teacher 'one' has iob2 tags, which tell less apart than the student's bilou" in problem


def test_a_teacher_for_none_of_the_students_types_is_refused() -> None:
    (problem,) = problems(taught.make_teacher(), learned=["Gene"])

    assert "teacher 'one' marks Chemical, Disease, the student learns Gene: there is nothing to teach" in problem


def test_teachers_that_contradict_each_other_about_a_name_are_told_apart() -> None:
    other = taught.make_teacher(("O", "B-DISEASE", "I-DISEASE"), name="other")

    (problem,) = problems(taught.make_teacher(), other, learned=["Disease"])

    assert "teacher 'other' marks 'DISEASE', the student learns 'Disease'" in problem
    assert 'map = { "DISEASE" = "Disease" }' in problem
    assert problems(taught.make_teacher(other.tags, DISEASE="Disease"), learned=["Disease"]) == []


def test_labels_that_no_teacher_marks_are_refused() -> None:
    (problem,) = problems(taught.make_teacher(), learned=["Disease", "Gene"], wanted=["Gene"])

    assert "distill.labels has Gene, which no teacher marks" in problem
