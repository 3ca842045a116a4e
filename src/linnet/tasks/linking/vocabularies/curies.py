"""CURIEs: identifiers with the prefix of their database (`mesh:D003920`), after the Bioregistry.

| prefix | database | also written |
|---|---|---|
| `mesh` | MESH | `MESH:`, `MSH:`, bare `D003920` and `C063008` |
| `omim` | OMIM | `OMIM:`, `MIM:` |
| `ncbigene` | NCBIGene | `GeneID:`, `NCBIGene:`, `EntrezGene:` |
| `ncbitaxon` | NCBITaxon | `NCBITaxon:`, `TaxID:` |
| `doid` `hp` `mondo` `chebi` `go` `cl` `uberon` `efo` | DOID HP MONDO CHEBI GO CL UBERON EFO | the same in capitals |
| `umls` | UMLS | `UMLS:`, `UMLS_CUI:` |
| `hgnc` `ensembl` `uniprot` | HGNC Ensembl UniProt | |
| `cellosaurus` `orphanet` `ncit` | Cellosaurus Orphanet NCIT | `CVCL:`, `ORDO:`, `NCI:` |
| `snomedct` `icd10cm` `icd9cm` | SNOMEDCT ICD10CM ICD9CM | `SNOMEDCT_US_2015_03_01:` and the like |

Another prefix stays as it is written, and so does an identifier without one.
"""

import re
from types import MappingProxyType

from linnet.errors import BadSetting

__all__ = ["DATABASES", "database_of", "normalise_identifier", "prefix_of", "with_prefix"]

DATABASES = MappingProxyType(
    {
        "cellosaurus": "Cellosaurus", "chebi": "CHEBI", "cl": "CL", "doid": "DOID", "efo": "EFO", "ensembl": "Ensembl",
        "go": "GO", "hgnc": "HGNC", "hp": "HP", "icd10cm": "ICD10CM", "icd9cm": "ICD9CM", "mesh": "MESH",
        "mondo": "MONDO", "ncbigene": "NCBIGene", "ncbitaxon": "NCBITaxon", "ncit": "NCIT", "omim": "OMIM",
        "orphanet": "Orphanet", "snomedct": "SNOMEDCT", "uberon": "UBERON", "umls": "UMLS", "uniprot": "UniProt",
    }
)  # fmt: skip  # by prefix
ALSO_WRITTEN = MappingProxyType(
    {
        "cvcl": "cellosaurus", "do": "doid", "entrez": "ncbigene", "entrezgene": "ncbigene",
        "geneid": "ncbigene", "gene": "ncbigene",
        "hpo": "hp", "mim": "omim", "msh": "mesh", "nci": "ncit", "ordo": "orphanet", "ncbi_gene": "ncbigene",
        "taxid": "ncbitaxon", "taxonomy": "ncbitaxon", "umls_cui": "umls",
    }
)  # fmt: skip
DATED = re.compile(r"(snomedct|icd10cm|icd9cm|mesh|nci)(?:_us)?(?:_\d{4}(?:_\d{2}_\d{2})?)?")
PREFIX = re.compile(r"[A-Za-z0-9_.-]+")
BARE_MESH = re.compile(r"D\d{6}(?:\d{3})?|C\d{6}(?:\d{3})?")


def normalise_identifier(identifier: str) -> str:
    """Return the identifier as a CURIE with the prefix of the table, if its database is known.

    >>> [normalise_identifier(each) for each in ("MESH:D003920", "D003920", "OMIM:215600", "HGNC:HGNC:5", "x:1", "7")]
    ['mesh:D003920', 'mesh:D003920', 'omim:215600', 'hgnc:5', 'x:1', '7']
    """
    given = identifier.strip()
    prefix, colon, local = given.partition(":")
    if not colon:
        return f"mesh:{given}" if BARE_MESH.fullmatch(given) else given
    known = _known_prefix(prefix.lower())
    if known is None or not local.strip():
        return given
    local = local.strip()
    repeated, colon, rest = local.partition(":")
    return f"{known}:{rest if colon and _known_prefix(repeated.lower()) == known else local}"


def with_prefix(identifier: str, prefix: str) -> str:
    """Return a bare identifier with this prefix; one that has a prefix is only normalised."""
    return normalise_identifier(identifier if ":" in identifier else f"{prefix}:{identifier.strip()}")


def check_prefix(prefix: str) -> None:
    """Refuse a prefix that would not stay one word before the colon of an identifier."""
    if not PREFIX.fullmatch(prefix):
        raise BadSetting(
            f"the prefix is {prefix!r:.60}, expected letters, digits, dots, hyphens and underscores",
            "give it without a colon, e.g. `--prefix mesh`",
        )


def prefix_of(identifier: str) -> str:
    """Return the prefix of an identifier, or an empty text."""
    prefix, colon, _ = identifier.partition(":")
    return prefix if colon else ""


def database_of(identifier: str) -> str:
    """Return the name of the database that an identifier belongs to, or an empty text.

    >>> database_of("mesh:D003920")
    'MESH'
    """
    prefix = prefix_of(identifier)
    return DATABASES.get(prefix.lower(), prefix)


def _known_prefix(prefix: str) -> str | None:
    plain = ALSO_WRITTEN.get(prefix, prefix)
    dated = DATED.fullmatch(plain)
    if dated:
        plain = ALSO_WRITTEN.get(dated.group(1), dated.group(1))
    return plain if plain in DATABASES else None
