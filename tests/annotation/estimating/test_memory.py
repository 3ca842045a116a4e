"""Memory of a job, computed from that of a sample."""

from pathlib import Path

import pytest

from linnet.annotation.estimating import memory
from linnet.annotation.estimating.memory import Memory, measure_mapped, measure_peak, measure_thread
from linnet.annotation.steps import GivenMentions
from linnet.documents.document import Document


def test_memory_is_bounded_by_what_each_thread_or_process_needs() -> None:
    one = Memory(150, 50)

    assert one.bound(0, n_workers=1, is_ray=False) == pytest.approx(1.3 * 150)
    assert one.bound(1000, n_workers=3, is_ray=False) == pytest.approx(1.3 * 250 + 10 * 1000)
    assert one.bound(0, n_workers=3, is_ray=True) == pytest.approx(1.3 * 450)
    assert Memory(None, None).bound(0, n_workers=1, is_ray=False) is None


def test_processes_share_what_is_mapped() -> None:
    assert Memory(150, 50, mapped=100).bound(0, n_workers=3, is_ray=True) == pytest.approx(1.3 * (150 + 2 * 50))


def test_a_thread_is_measured_and_systems_that_tell_nothing_are_borne(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = measure_thread([Document("1", "a")], GivenMentions())
    (tmp_path / "status").write_text("Name:\tpython\nRssFile:\t    12 kB\n", encoding="ascii")

    assert needed is None or needed >= 0
    monkeypatch.setattr(memory, "STATUS", tmp_path / "status")
    assert measure_mapped() == 12 * 1024
    monkeypatch.setattr(memory, "STATUS", tmp_path / "nowhere")
    assert measure_mapped() == 0
    assert (measure_peak() or 1) > 0
