"""Short names (aliases) of encoders. Listing them needs no torch."""

from dataclasses import dataclass

__all__ = ["ALIASES", "Alias"]


@dataclass(frozen=True)
class Alias:
    """A short name for an encoder."""

    hub_name: str  # or, with an archive, the folder that it holds
    what: str
    archive: str | None = None  # address, of an encoder that no hub has


ALIASES = {
    "minilm": Alias("sentence-transformers/all-MiniLM-L6-v2", "MiniLM-L6, 22.7M, general, extra `minilm`, no network"),
    "biobert": Alias("dmis-lab/biobert-v1.1", "BioBERT v1.1, 108M, cased, PubMed"),
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
    "sapbert": Alias(
        "cambridgeltl/SapBERT-from-PubMedBERT-fulltext", "SapBERT, 109M, PubMedBERT trained on UMLS synonyms"
    ),
    "bioformer": Alias("bioformers/bioformer-8L", "Bioformer-8L, 42M, cased, PubMed + PMC"),
    "bioclinical-modernbert": Alias(
        "thomas-sounack/BioClinical-ModernBERT-base", "BioClinical ModernBERT, 150M, PubMed, PMC and clinical notes"
    ),
    "clinical-modernbert": Alias("Simonlee711/Clinical_ModernBERT", "Clinical ModernBERT, 137M, PubMed and MIMIC-IV"),
    "gte-small": Alias("thenlper/gte-small", "GTE small, 33M, general"),
    "mpnet": Alias("sentence-transformers/all-mpnet-base-v2", "MPNet, 109M, general"),
    "biolinkbert": Alias("michiyasunaga/BioLinkBERT-base", "BioLinkBERT, 108M, PubMed with links"),
    "biomed-roberta-large": Alias(
        "RoBERTa-large-PM-M3-Voc-hf",
        "Bio-LM RoBERTa-large, 355M, PubMed + PMC + MIMIC-III: unpack its archive in the working directory",
        "https://dl.fbaipublicfiles.com/biolm/RoBERTa-large-PM-M3-Voc-hf.tar.gz",
    ),
}
