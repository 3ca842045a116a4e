"""Processors are counted, and an address without a Ray cluster is refused soon."""

import os
import signal
import sys
from types import SimpleNamespace

import pytest

from linnet.errors import BadSetting, MissingExtra
from linnet.storage.processors import connect_to_ray, count_processors


def test_only_processors_of_this_process_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3}, raising=False)

    assert count_processors() == 2


@pytest.mark.parametrize(("n_found", "expected"), [(8, 8), (None, 1)])
def test_systems_without_affinity_count_all(
    n_found: int | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: n_found)

    assert count_processors() == expected


def test_without_ray_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(MissingExtra, match="running on a cluster needs Ray") as refused:
        connect_to_ray("auto")

    assert "[ray]'" in refused.value.remedy


@pytest.mark.parametrize("answers", [True, False])
def test_ray_does_not_change_what_sigterm_does(answers: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def init(**_: object) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(15))  # as Ray 2.60 does before it connects
        if not answers:
            raise ConnectionError("nobody there")

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(init=init, util=SimpleNamespace(get_node_ip_address=str)))
    before = signal.getsignal(signal.SIGTERM)

    if answers:
        connect_to_ray("local")
    else:
        with pytest.raises(BadSetting, match="nobody there"):
            connect_to_ray("local")

    assert signal.getsignal(signal.SIGTERM) is before


def test_an_address_at_which_nothing_listens_is_refused() -> None:
    pytest.importorskip("ray")

    with pytest.raises(BadSetting, match="no Ray cluster answers there"):
        connect_to_ray("ray://127.0.0.1:1")
