"""Detection of the form of a vocabulary file."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.curies import DATABASES
from linnet.tasks.linking.vocabularies.reading import detect_reader, read_start, vocabulary_readers
from tests.tasks.linking.sources import OBO, TABLE, write

HEADS = {
    "table": TABLE,
    "obo": OBO,
    "ssslm": "text\tcurie\tname\tpredicate\nfever\tdoid:1\tfever\trdfs:label\n",
    "jsonl": '{"id": "x:1", "name": "fever"}\n',
    "gene_info": "#tax_id\tGeneID\tSymbol\tLocusTag\tSynonyms\tdbXrefs\n",
    "medic": "D001260|208900||Ataxia Telangiectasia|Louis-Bar Syndrome\n",
    "ctd": "# Report created: today\n# Fields:\n# DiseaseName\tDiseaseID\tAltDiseaseIDs\n",
    "mesh-table": "D000002\tTemefos\tTemephos\tD02.705.400|D02.705.539\t\n",
    "mesh-xml": '<?xml version="1.0"?>\n<DescriptorRecordSet LanguageCode="eng">\n',
}


def test_every_reader_has_an_example() -> None:
    assert sorted(HEADS) == vocabulary_readers.names()


def test_the_page_lists_every_form_and_prefix() -> None:
    page = (Path(__file__).parents[4] / "docs" / "vocabularies.md").read_text(encoding="utf-8")

    assert not [name for name in vocabulary_readers.names() if f"| `{name}` |" not in page]
    assert not [prefix for prefix in DATABASES if f"`{prefix}`" not in page]


@pytest.mark.parametrize("name", sorted(HEADS))
def test_the_form_is_detected_by_content(name: str) -> None:
    assert detect_reader(Path("x"), HEADS[name]).name == name


def test_an_unknown_form_is_refused_with_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="looked for") as refused:
        detect_reader(tmp_path / "x", "Dear reader,\n")

    assert all(name in str(refused.value) for name in HEADS)


def test_a_file_that_is_missing_empty_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile):
        read_start(tmp_path / "missing")
    with pytest.raises(BadFile, match="folder"):
        read_start(tmp_path)
    with pytest.raises(BadFile, match="no form"):
        detect_reader(tmp_path / "x", read_start(write(tmp_path, "x", "")))


def test_the_start_ends_with_a_whole_line(tmp_path: Path) -> None:
    path = write(tmp_path, "long", "\ufeff" + "one line\r\n" * 20_000)

    assert set(read_start(path).split("\n")) <= {"one line", ""}
