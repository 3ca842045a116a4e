"""Aliases: short names that can be typed, each for an encoder of its own."""

from urllib.parse import urlsplit

import pytest

from linnet.models.aliases import ALIASES
from linnet.models.published.hub import is_hub_name


@pytest.mark.parametrize("name", ALIASES)
def test_an_alias_is_lower_case_and_no_path(name: str) -> None:
    assert name == name.lower()  # it is looked up in lower case
    assert "/" not in name


@pytest.mark.parametrize("name", ALIASES)
def test_an_alias_stands_for_a_repository_or_a_folder_in_an_archive(name: str) -> None:
    alias = ALIASES[name]

    assert is_hub_name(alias.hub_name)
    if alias.archive is None:
        assert "/" in alias.hub_name
    else:
        assert urlsplit(alias.archive).scheme == "https"
        assert urlsplit(alias.archive).path.split("/")[-1].startswith(alias.hub_name)


def test_no_two_aliases_stand_for_the_same_encoder() -> None:
    assert len({alias.hub_name for alias in ALIASES.values()}) == len(ALIASES)
