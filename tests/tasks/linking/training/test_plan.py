"""The plan of a linker."""

from pathlib import Path

from linnet.tasks.linking.training.plan import LinkingPlan
from linnet.tasks.linking.training.prepared import prepare
from linnet.training.job import SilentWatcher
from tests.tasks.linking.corpora import linking_settings


def test_a_plan_has_no_network_and_no_stages(tmp_path: Path) -> None:
    plan = LinkingPlan(prepare(linking_settings(tmp_path)))

    model = plan.build()

    assert model is None
    assert list(plan.jobs(model, tmp_path, SilentWatcher())) == []
