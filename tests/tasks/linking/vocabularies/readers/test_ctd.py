"""CTD's vocabularies."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.readers.ctd import Ctd
from tests.tasks.linking.sources import write

TEXT = (
    "# Report created: Tue Jun 06 2017\n#\n# Fields:\n"
    "# DiseaseName\tDiseaseID\tAltDiseaseIDs\tDefinition\tParentIDs\tTreeNumbers\tParentTreeNumbers\tSynonyms\n#\n"
)
ROW = "Ataxia\tMESH:D001259\tDO:DOID:1|OMIM:1\t\tMESH:D020820\tC10.597/1|C23\t\tAtaxy|Dyssynergia\n"


def test_rows_become_concepts(tmp_path: Path) -> None:
    (concept,) = Ctd().read(write(tmp_path, "c", TEXT + ROW))

    assert (concept.identifier, concept.names) == ("mesh:D001259", ("Ataxia", "Ataxy", "Dyssynergia"))
    assert (concept.equivalents, concept.parents) == (("doid:1", "omim:1"), ("mesh:D020820",))
    assert concept.trees == ("C10.597", "C23")


def test_the_version_is_the_date_of_the_report() -> None:
    assert Ctd().version(TEXT) == "Tue Jun 06 2017"


def test_a_row_without_identifier_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="c:6"):
        list(Ctd().read(write(tmp_path, "c", TEXT + "Ataxia\n")))


def test_issue_27_a_row_with_more_cells_than_the_header_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"c:6: has 9 cells, the header has 8"):
        list(Ctd().read(write(tmp_path, "c", TEXT + ROW.replace("\n", "\tmore\n"))))


def test_issue_27_a_header_with_a_column_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"c:4: the column 'ParentIDs' stands twice"):
        list(Ctd().read(write(tmp_path, "c", TEXT.replace("ParentIDs", "ParentIDs\tParentIDs", 1) + ROW)))
