"""Valid sources of vocabularies in every form, a vocabulary, and a trained linker, all small."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from linnet.models.model_folder import ModelFacts, write_facts
from linnet.tasks.linking.training.features import FEATURES
from linnet.tasks.linking.training.learned import LearnedMention, LearnedMentions
from linnet.tasks.linking.training.ranker import TrainedRanker, write_ranker
from linnet.tasks.linking.vocabularies.building import build_vocabulary
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary

__all__ = ["SOURCES", "linker_folder", "sources", "vocabulary_folder"]

TABLE = (
    "id\tname\tsynonyms\txrefs\tequivalents\tparents\tretired\tspecies\n"
    "MESH:D001943\tBreast Neoplasms\tBreast Cancer|Breast Tumors\tDOID:1612\tomim:5\tmesh:D009369\tmesh:D000001\t\n"
    "mesh:D010051\tOvarian Neoplasms\tOvarian Cancer\t\t\tmesh:D009369\n"
    "mesh:D009369\tNeoplasms\tCancer|Tumors|β-tumour\n"
    "mesh:D016559\tTacrolimus\tFK 506\t-\t\t\t\t9606\n"
)
PLAIN = "id\tname\n1\tLung cancer\n2\tRenal cancer\n\n3\tKidney cancer\n"
SSSLM = (
    "text\tcurie\tname\tpredicate\ttaxon\n"
    "Breast Neoplasms\tMESH:D001943\t\trdfs:label\t\n"
    "breast cancer\tmesh:D001943\t\toboInOwl:hasExactSynonym\t\n"
    "BRCA1\tncbigene:672\tBRCA1 gene\t\tNCBITaxon:9606\n"
)
OBO = (
    "format-version: 1.2\ndata-version: releases/2016-03-04\n\n"
    "[Term]\nid: DOID:1612\nname: breast cancer\nalt_id: DOID:99\n"
    'synonym: "mammary \\"cancer\\"" EXACT [X:1]\nsynonym: "cancer" BROAD []\nsynonym: "breast tumour" RELATED []\n'
    "xref: MESH:D001943\nis_a: DOID:162 ! cancer\n\n"
    "[Term]\nid: DOID:162\nname: cancer\n\n"
    "[Term]\nid: DOID:7\nname: old term\nis_obsolete: true\nreplaced_by: DOID:1612\n\n"
    "[Typedef]\nid: part_of\nname: part of\n"
)
MESH_TABLE = (
    "D000002\tTemefos\tTemephos|Abate\tD02.705.400|D02.886\n"
    "D000013\tCongenital Abnormalities\tDeformities\tC16.131\n"
    "C000015\tabc syndrome\t-\t*D000013\n"
)
DESCRIPTORS = """<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "desc2025.dtd">
<DescriptorRecordSet LanguageCode="eng">
<DescriptorRecord DescriptorClass="1"><DescriptorUI>D000001</DescriptorUI>
<DescriptorName><String>Calcimycin &amp; more</String></DescriptorName>
<TreeNumberList><TreeNumber>D03.633</TreeNumber></TreeNumberList>
<ConceptList><Concept PreferredConceptYN="Y"><ConceptUI>M1</ConceptUI>
<ConceptName><String>Calcimycin</String></ConceptName>
<TermList><Term><TermUI>T1</TermUI><String>Calcimycin</String></Term>
<Term><TermUI>T2</TermUI><String>A-23187</String></Term></TermList></Concept></ConceptList></DescriptorRecord>
<DescriptorRecord><DescriptorUI>D000002</DescriptorUI><DescriptorName><String>Temefos</String></DescriptorName>
</DescriptorRecord>
</DescriptorRecordSet>
"""
SUPPLEMENTS = """<?xml version="1.0"?>
<SupplementalRecordSet>
<SupplementalRecord><SupplementalRecordUI>C000002</SupplementalRecordUI>
<SupplementalRecordName><String>bevonium</String></SupplementalRecordName>
<HeadingMappedToList><HeadingMappedTo><DescriptorReferredTo><DescriptorUI>*D001561</DescriptorUI>
<DescriptorName><String>Benzilates</String></DescriptorName></DescriptorReferredTo></HeadingMappedTo></HeadingMappedToList>
<ConceptList><Concept><TermList><Term><String>CG-201</String></Term></TermList></Concept></ConceptList>
</SupplementalRecord>
</SupplementalRecordSet>
"""
MEDIC = (
    "D001260|208900||Ataxia Telangiectasia|Louis-Bar Syndrome\n"
    "D009369||Neoplasms|Cancer\n"
    "MESH:C000657|OMIM:5||Rare illness\n"
)
CTD = (
    "# Report created: Tue Jan 5\n#\n# Fields:\n"
    "# DiseaseName\tDiseaseID\tAltDiseaseIDs\tDefinition\tParentIDs\tTreeNumbers\tParentTreeNumbers\tSynonyms\n#\n"
    "Abscess\tMESH:D000038\tOMIM:9\tPus.\tMESH:D013492\tC01.1/D5|C02\tC01\tAbscesses|Boil\n"
    "Achondroplasia\tOMIM:100800\n"
)
GENES = (
    "#tax_id\tGeneID\tSymbol\tLocusTag\tSynonyms\tdbXrefs\tchromosome\tmap_location\tdescription\ttype_of_gene\t"
    "Symbol_from_nomenclature_authority\tFull_name_from_nomenclature_authority\tNomenclature_status\t"
    "Other_designations\tModification_date\tFeature_type\n"
    "9606\t672\tBRCA1\t-\tBRCC1|FANCS\tMIM:113705|HGNC:HGNC:1100\t17\t17q21\tBRCA1 DNA repair\tprotein-coding\tBRCA1\t"
    "BRCA1 DNA repair associated\tO\tbreast cancer 1|protein 53\t20250101\t-\n"
    "10090\t12189\tBrca1\t-\t-\t-\t11\t-\tbreast cancer 1\tprotein-coding\t-\t-\t-\t-\t20250101\t-\n"
)
LINES = (
    '{"id": "mesh:D003920", "name": "Diabetes Mellitus", "synonyms": ["Diabetes", "sugar illness"], "xrefs": ["X:1"]}\n'
    '{"id": 7, "name": "Renal cancer", "parents": ["mesh:D003920"], "retired": ["8"], "species": "9606"}\n'
    '{"id": "9", "name": "old", "obsolete": true, "replaced_by": "7"}\n'
)
SOURCES: dict[str, tuple[str, tuple[str, ...]]] = {
    "table": (".tsv", (TABLE, PLAIN)),
    "ssslm": (".tsv", (SSSLM,)),
    "obo": (".obo", (OBO,)),
    "mesh-table": (".tsv", (MESH_TABLE,)),
    "mesh-xml": (".xml", (DESCRIPTORS, SUPPLEMENTS)),
    "medic": (".txt", (MEDIC,)),
    "ctd": (".tsv", (CTD,)),
    "gene_info": (".tsv", (GENES,)),
    "jsonl": (".jsonl", (LINES,)),
}


def sources(name: str) -> tuple[str, tuple[bytes, ...]]:
    """Return the suffix and the files of a reader; one without files of its own gets those of all."""
    suffix, texts = SOURCES.get(name, (".txt", tuple(text for _, each in SOURCES.values() for text in each)))
    return suffix, tuple(text.encode() for text in texts)


@cache
def vocabulary_folder() -> Path:
    """Return the folder of a vocabulary."""
    table = _shelf() / "table.tsv"
    table.write_text(TABLE, encoding="utf-8")
    return build_vocabulary([table], _shelf() / "vocabulary").folder


@cache
def linker_folder() -> Path:
    """Return the folder of a linker that has learned two mentions."""
    folder = _shelf() / "linker"
    folder.mkdir()
    learned = [
        LearnedMention("tumors", "tumor", ("mesh:D010051",), 0),
        LearnedMention("fk", "fk", ("mesh:D016559",), 1),
    ]
    weights = {name: 0.5 for name in FEATURES if not name.startswith("meaning")}
    vocabulary = open_vocabulary(vocabulary_folder())
    write_ranker(folder, TrainedRanker(vocabulary, LearnedMentions.learn(learned), weights, nil=0.5, min_score=0.2))
    (folder / "config.json").write_text('{"model_type": "linnet-linker"}', encoding="utf-8")
    facts = ModelFacts(
        task="linking", tagging="", tags=(), max_length=1, decoding="", seed=1, corpus="tiny", fingerprints={},
        versions={}, text={"label": "Disease", "vocabulary": vocabulary.hash},
    )  # fmt: skip
    write_facts(folder, facts)
    return folder


@cache
def _shelf() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="linnet-campaign-vocabularies-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
