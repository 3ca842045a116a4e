"""MEDIC."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.readers.medic import Medic
from tests.tasks.linking.sources import write


def test_identifiers_and_names_are_split_and_mesh_comes_first(tmp_path: Path) -> None:
    (concept,) = Medic().read(write(tmp_path, "m", "208900|D001260||Ataxia Telangiectasia|Louis-Bar Syndrome\n"))

    assert (concept.identifier, concept.equivalents) == ("mesh:D001260", ("omim:208900",))
    assert concept.names == ("Ataxia Telangiectasia", "Louis-Bar Syndrome")


def test_a_line_without_identifiers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="m:1"):
        list(Medic().read(write(tmp_path, "m", "Ataxia\n")))
