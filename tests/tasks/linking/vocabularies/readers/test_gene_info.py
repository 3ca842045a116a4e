"""NCBI gene_info."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.readers.gene_info import HEADER, GeneInfo
from tests.tasks.linking.sources import write

ROW = (
    "9606\t1\tA1BG\t-\tA1B|ABG\tMIM:138670|HGNC:HGNC:5\t19\t19q13.43\talpha-1-B glycoprotein\tprotein-coding\tA1BG\t"
    "alpha-1-B glycoprotein\tO\tHEL-S-163pA|other\t20210708\t-\n"
)


def test_genes_have_symbol_synonyms_and_descriptions(tmp_path: Path) -> None:
    (gene,) = GeneInfo().read(write(tmp_path, "g", f"{HEADER}\n{ROW}"))

    assert gene.identifier == "ncbigene:1"
    assert gene.names == ("A1BG", "A1B", "ABG", "alpha-1-B glycoprotein", "HEL-S-163pA", "other")
    assert (gene.species, gene.cross_references) == ("9606", ("omim:138670", "hgnc:5"))


def test_a_short_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="g:2"):
        list(GeneInfo().read(write(tmp_path, "g", f"{HEADER}\n9606\t1\tA1BG\n")))
