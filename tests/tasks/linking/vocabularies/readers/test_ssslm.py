"""SSSLM tables."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.readers.ssslm import Ssslm
from tests.tasks.linking.sources import write

HEADER = "text\tcurie\tname\tpredicate\ttaxon\n"


def test_rows_of_one_concept_are_joined(tmp_path: Path) -> None:
    rows = (
        "pyrexia\tDOID:1\t\toboInOwl:hasExactSynonym\t\npain\tDOID:2\tPain\t\t\n"
        "fever\tDOID:1\t\trdfs:label\tNCBITaxon:9606\n"
    )

    fever, pain = Ssslm().read(write(tmp_path, "s", HEADER + rows))

    assert (fever.identifier, fever.names, fever.species) == ("doid:1", ("fever", "pyrexia"), "9606")
    assert pain.names == ("Pain", "pain")


def test_a_row_without_curie_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="s:2"):
        list(Ssslm().read(write(tmp_path, "s", HEADER + "fever\t\n")))


def test_issue_27_a_table_without_the_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no columns `text` and `curie`"):
        list(Ssslm().read(write(tmp_path, "s", "curie\tpredicate\nX:1\trdfs:label\n")))
