"""The contract of an export: every task opens its models as `Exportable` and compares them as `Parity`."""

import inspect

import pytest

from linnet.contracts import Exportable, Parity
from linnet.tasks.ner import exporting as ner_exporting
from linnet.tasks.texts import exporting as text_exporting


def members(contract: type) -> set[str]:
    return {name for name in vars(contract) if not name.startswith("_")}


@pytest.mark.parametrize("module", [ner_exporting, text_exporting])
@pytest.mark.parametrize("contract", [Exportable, Parity])
def test_a_task_has_a_class_with_every_member_of_the_contract(module: object, contract: type) -> None:
    classes = [kind for _, kind in inspect.getmembers(module, inspect.isclass) if kind.__module__ == module.__name__]  # type: ignore[attr-defined]
    found = [{*dir(kind), *inspect.get_annotations(kind)} for kind in classes]

    assert any(members(contract) <= names for names in found)
