"""OBO."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.readers.obo import Obo
from tests.tasks.linking.sources import OBO, write


def test_terms_become_concepts(tmp_path: Path) -> None:
    breast, cancer, old, older = Obo().read(write(tmp_path, "o", OBO))

    assert (breast.identifier, breast.names) == ("doid:1612", ("breast cancer", 'mammary "cancer"'))
    assert (breast.cross_references, breast.retired, breast.parents) == (("mesh:D001943",), ("doid:99",), ("doid:162",))
    assert cancer.name == "cancer"
    assert (old.is_obsolete, old.replaced_by) == (True, "doid:1612")
    assert (older.is_obsolete, older.replaced_by) == (True, "")


def test_the_version_is_that_of_the_data() -> None:
    assert Obo().version(OBO) == "releases/2016-03-04"


@pytest.mark.parametrize("stanza", ["[Term]\nname: fever\n", "[Term]\nid: X:1\nfever\n"])
def test_a_term_without_id_or_tag_is_refused(tmp_path: Path, stanza: str) -> None:
    with pytest.raises(BadFile, match="o:"):
        list(Obo().read(write(tmp_path, "o", stanza)))


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("name: fever\nid: X:2\nname: pain\n", "`id` 2 times"),  # the line `[Term]` is missing between two terms
        ("name: fever\nname: pain\n", "`name` 2 times"),
        ("name: fever\nsynonym: pyrexia EXACT []\n", "synonym of this term"),
        ('name: fever\nsynonym: "pyrexia" EXAC [] \n', "synonym of this term"),
    ],
)
def test_issue_27_no_name_is_dropped_silently(tmp_path: Path, lines: str, found: str) -> None:
    with pytest.raises(BadFile, match=found):
        list(Obo().read(write(tmp_path, "o", f"[Term]\nid: X:1\n{lines}")))
