"""Settings of linking."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from linnet.tasks.linking.settings import LinkingSettings
from linnet.tasks.linking.training.features import GROUPS
from tests.tasks.linking.corpora import linking_settings


def test_every_group_of_features_can_be_left_out(tmp_path: Path) -> None:
    assert linking_settings(tmp_path, without=tuple(GROUPS)).without == tuple(GROUPS)
    with pytest.raises(ValidationError):
        LinkingSettings(data="x", output="y", without=("magic",))


def test_groups_of_features_may_be_one_text() -> None:
    plain = {"data": "demo", "output": "x", "vocabulary": "demo"}

    assert LinkingSettings(**plain, without="learned, similar").without == ("learned", "similar")
    assert LinkingSettings(**plain, without=("learned",)).without == ("learned",)
    with pytest.raises(ValueError, match="names"):
        LinkingSettings(**plain, without="lerned")
