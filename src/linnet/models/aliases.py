"""Which short names do encoders have? Kept apart from what opens them, so that they can be listed without torch."""

from dataclasses import dataclass

__all__ = ["ALIASES", "Alias"]


@dataclass(frozen=True)
class Alias:
    """A short name for an encoder."""

    hub_name: str
    what: str


ALIASES = {
    "minilm": Alias("sentence-transformers/all-MiniLM-L6-v2", "MiniLM-L6, 22.7M, general, extra `minilm`, no network"),
    "biobert": Alias("dmis-lab/biobert-base-cased-v1.1", "BioBERT v1.1, 108M, PubMed"),
    "pubmedbert": Alias(
        "microsoft/BiomedNLP-BiomedBERT-base-uncased-abstract-fulltext", "PubMedBERT (BiomedBERT), 109M, PubMed + PMC"
    ),
    "bluebert": Alias("bionlp/bluebert_pubmed_mimic_uncased_L-12_H-768_A-12", "BlueBERT, 109M, PubMed + MIMIC-III"),
    "scibert": Alias("allenai/scibert_scivocab_uncased", "SciBERT, 110M, uncased"),
    "scibert-cased": Alias("allenai/scibert_scivocab_cased", "SciBERT, 109M, cased"),
    "bioelectra": Alias("kamalkraj/bioelectra-base-discriminator-pubmed", "BioELECTRA, 109M, PubMed"),
    "bioalbert": Alias(
        "sultan/BioM-ALBERT-xxlarge", "BioM-ALBERT, 223M, PubMed: the hub has no copy of BioALBERT itself"
    ),
    "biolinkbert": Alias("michiyasunaga/BioLinkBERT-base", "BioLinkBERT, 108M, PubMed with links"),
    "biomed-roberta-large": Alias(
        "RoBERTa-large-PM-M3-Voc-hf", "Bio-LM RoBERTa-large, 355M, PubMed + PMC + MIMIC-III: unpack its archive here"
    ),
}
