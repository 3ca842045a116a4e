"""Load of this machine, and the sentence about it."""

import pytest

from linnet.storage.machine_load import describe_load, measure_load


def test_the_load_is_that_of_the_last_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getloadavg", lambda: (2.5, 1.0, 0.5), raising=False)

    assert measure_load() == 2.5


def test_a_system_that_does_not_tell_its_load_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.getloadavg", raising=False)

    assert measure_load() is None


@pytest.mark.parametrize("load", [None, 0.0, 0.99])
def test_only_a_busy_machine_is_worth_a_sentence(load: float | None) -> None:
    assert not describe_load(load)
    assert describe_load(1.0) == "the machine was busy (load 1.0 before the estimate): an idle one is faster"
