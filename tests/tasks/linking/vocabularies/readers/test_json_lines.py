"""JSON lines."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.readers.json_lines import JsonLines
from tests.tasks.linking.sources import write


def test_objects_become_concepts(tmp_path: Path) -> None:
    line = '{"id": "MESH:D1", "name": "Fever", "synonyms": ["Pyrexia"], "xrefs": ["DOID:1"], "obsolete": true}'

    (concept,) = JsonLines().read(write(tmp_path, "j", line + "\n\n"))

    assert (concept.identifier, concept.names) == ("mesh:D1", ("Fever", "Pyrexia"))
    assert (concept.cross_references, concept.is_obsolete) == (("doid:1",), True)


@pytest.mark.parametrize(
    "line",
    ["[]", "{", '{"name": "x"}', '{"id": "1", "id": "2"}', '{"id": "1", "synonyms": "x"}', '{"id": "1", "title": "x"}'],
)
def test_anything_else_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(BadFile, match="j:1"):
        list(JsonLines().read(write(tmp_path, "j", line)))


@pytest.mark.parametrize(
    "value",
    ['"name": null', '"name": ["Fever"]', '"obsolete": "true"', '"replaced_by": null', '"species": true', '"name": 5'],
)
def test_issue_27_a_value_of_another_kind_is_refused_and_made_no_text(tmp_path: Path, value: str) -> None:
    with pytest.raises(BadFile, match="j:1: `"):
        list(JsonLines().read(write(tmp_path, "j", f'{{"id": "1", {value}}}')))


@pytest.mark.parametrize("value", ["null", "true", "[1]"])
def test_issue_27_an_id_is_a_text_or_a_number(tmp_path: Path, value: str) -> None:
    with pytest.raises(BadFile, match="j:1: `id`"):
        list(JsonLines().read(write(tmp_path, "j", f'{{"id": {value}, "name": "Fever"}}')))
