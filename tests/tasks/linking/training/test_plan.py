"""The plan of a linker."""

from pathlib import Path

from linnet.tasks.linking.training.plan import LinkingPlan
from linnet.tasks.linking.training.prepared import prepare
from tests.tasks.linking.corpora import linking_settings


def test_a_plan_has_no_network_and_no_stages(tmp_path: Path) -> None:
    plan = LinkingPlan(prepare(linking_settings(tmp_path)))

    plan.build()

    assert list(plan.jobs(None, tmp_path, None)) == []
