"""Small sources of vocabularies for tests."""

from pathlib import Path

from linnet.tasks.linking.vocabularies.building import Built, build_vocabulary
from linnet.tasks.linking.vocabularies.filters import parse_filters

TABLE = (
    "id\tname\tsynonyms\txrefs\tparents\tretired\n"
    "MESH:D001943\tBreast Neoplasms\tBreast Cancer|Breast Tumors\tDOID:1612\tmesh:D009369\tmesh:D000001\n"
    "mesh:D010051\tOvarian Neoplasms\tOvarian Cancer\t\tmesh:D009369\n"
    "mesh:D009369\tNeoplasms\tCancer|Tumors\n"
    "mesh:D016559\tTacrolimus\tFK 506\n"
)
OBO = (
    "format-version: 1.2\ndata-version: releases/2016-03-04\n\n"
    "[Term]\nid: DOID:1612\nname: breast cancer\nalt_id: DOID:99\n"
    'synonym: "mammary \\"cancer\\"" EXACT [X:1]\nsynonym: "cancer" BROAD []\n'
    "xref: MESH:D001943\nis_a: DOID:162 ! cancer\n\n"
    "[Term]\nid: DOID:162\nname: cancer\n\n"
    "[Term]\nid: DOID:7\nname: old term\nis_obsolete: true\nreplaced_by: DOID:1612\n\n"
    "[Term]\nid: DOID:8\nname: older term\nis_obsolete: true\n\n"
    "[Typedef]\nid: part_of\nname: part of\n"
)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def build(folder: Path, *texts: str, keep: tuple[str, ...] = ()) -> Built:
    """Build a vocabulary from the texts of its sources, by default the table."""
    sources = [write(folder, f"source{number}.txt", text) for number, text in enumerate(texts or (TABLE,))]
    return build_vocabulary(sources, folder / "vocabulary", filters=parse_filters(keep))
