"""The registry of tasks, and the records that tasks fill for comparisons and reports."""

import inspect
import subprocess
import sys

import pytest

from linnet.contracts import PublishedScore, Table, Task, tasks
from linnet.errors import UnknownName
from linnet.settings.training import TrainSettings

VERBS = [name for name, member in vars(Task).items() if inspect.isfunction(member) and not name.startswith("_")]


@pytest.mark.parametrize("name", tasks.names())
def test_a_task_has_every_verb_of_the_contract_with_its_arguments(name: str) -> None:
    task = tasks.get(name)

    assert VERBS
    for verb in VERBS:
        expected = list(inspect.signature(getattr(Task, verb)).parameters.values())[1:]  # without self
        found = inspect.signature(getattr(task, verb)).parameters.values()
        n_positional = sum(each.kind is each.POSITIONAL_ONLY for each in expected)
        named = {each.name for each in expected if each.kind is each.KEYWORD_ONLY}
        assert sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in found) >= n_positional
        assert named <= {each.name for each in found}


@pytest.mark.parametrize("name", tasks.names())
def test_a_task_has_a_description_a_name_and_settings_of_every_training(name: str) -> None:
    task = tasks.get(name)

    assert task.name == name
    assert task.description
    assert "\n" not in task.description
    assert issubclass(task.settings, TrainSettings)


def test_an_unknown_task_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnknownName, match="did you mean 'classification'"):
        tasks.get("clasification")


def test_tasks_are_listed_without_torch() -> None:
    program = "import sys; from linnet.contracts import tasks; print(len(tasks.names()) > 1, 'torch' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["True", "False"]


def test_records_need_only_what_every_task_has() -> None:
    assert Table(title="Scores", columns=("label", "F1"), rows=(("Disease", "0.9"),)).remarks == ()
    assert PublishedScore(value=0.9, source="a paper, table 2").beside == {}
