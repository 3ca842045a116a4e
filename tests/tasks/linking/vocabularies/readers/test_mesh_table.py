"""Tables of MeSH."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.readers.mesh_table import MeshTable
from tests.tasks.linking.sources import write


def test_descriptors_have_trees_and_supplementary_records_have_parents(tmp_path: Path) -> None:
    text = "D000002\tTemefos\tTemephos\tD02.705.400|D02.886\t\nC000002\tbevonium\tx|y\t*D001561\n"

    descriptor, supplementary = MeshTable().read(write(tmp_path, "m", text))

    assert (descriptor.identifier, descriptor.trees, descriptor.parents) == (
        "mesh:D000002",
        ("D02.705.400", "D02.886"),
        (),
    )
    assert (supplementary.names, supplementary.parents) == (("bevonium", "x", "y"), ("mesh:D001561",))


def test_another_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="m:1"):
        list(MeshTable().read(write(tmp_path, "m", "X1\tTemefos\n")))
