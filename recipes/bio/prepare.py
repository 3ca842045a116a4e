"""Prepares the corpora of the embedded model `bio` from their published files.

python recipes/bio/prepare.py CORPORA OUT

CORPORA holds the published files under the names in `SOURCES`. OUT gets one folder per corpus, with JSON Lines files
for train, devel and test, six entity types, and only those of them that the corpus annotates. OUT/abstracts.jsonl gets
a sample of PubMed's abstracts without annotations: the texts of a distillation.

No document that is scored is learned from: a PMID of any test split, of the devel split of BioRED, or of another
corpus's devel part is removed from all training parts. Most sentences of LINNAEUS and most captions of BioID have no
mention; only some of them are kept for training, so that an epoch is spent on text that teaches something.
"""

import gzip
import json
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from linnet.contracts import Notes, ReadOptions
from linnet.documents.document import Document
from linnet.formats.reading import convert_documents, format_for_output, read_documents
from linnet.formats.relabelling import LabelChange, LabelCounts, relabel

SEED = 28
ABSTRACTS = "text/pubmed-abstracts.jsonl.gz"  # lines with pmid, title, abstract and year
N_ABSTRACTS = 9000
SINCE = 2000  # of the abstracts; earlier ones know few genes and no variants
BIORED = {
    "GeneOrGeneProduct": "Gene",
    "DiseaseOrPhenotypicFeature": "Disease",
    "ChemicalEntity": "Chemical",
    "OrganismTaxon": "Species",
    "SequenceVariant": "Variant",
    "CellLine": "CellLine",
}
NCBI = dict.fromkeys(("SpecificDisease", "DiseaseClass", "Modifier", "CompositeMention"), "Disease")
VARIANTS = "AcidChange DNAAllele DNAMutation OtherMutation ProteinAllele ProteinMutation SNP".split()
TMVAR = {**dict.fromkeys(VARIANTS, "Variant"), **{name: name for name in ("Disease", "Gene", "Species", "CellLine")}}


@dataclass(frozen=True)
class Source:
    """A published corpus: its files by split, and the labels that are kept, by the names that they get."""

    name: str
    files: Mapping[str, str]
    labels: Mapping[str, str]
    held_out: int | None = None  # documents of devel (of train, where there is none) to choose by; the rest is learned
    empty: float | None = None  # documents without a mention that are learned from, for each with one; all if not given
    notes: Notes = field(default_factory=Notes)


SOURCES = (
    Source("biored", {"train": "linking/biored/Train.PubTator", "devel": "linking/biored/Dev.PubTator"}, labels=BIORED),
    Source(
        "ncbi-disease",
        {
            "train": "linking/ncbi-disease/NCBItrainset_corpus.txt",
            "devel": "linking/ncbi-disease/NCBIdevelopset_corpus.txt",
            "test": "linking/ncbi-disease/NCBItestset_corpus.txt",
        },
        labels=NCBI,
        held_out=60,
    ),
    Source(
        "bc5cdr",
        {
            "train": "linking/bc5cdr/CDR_TrainingSet.PubTator.txt",
            "devel": "linking/bc5cdr/CDR_DevelopmentSet.PubTator.txt",
            "test": "linking/bc5cdr/CDR_TestSet.PubTator.txt",
        },
        labels={"Chemical": "Chemical", "Disease": "Disease"},
        held_out=100,
    ),
    Source(
        "gnormplus",
        {"train": "documents/gnormplus/train.PubTator", "test": "documents/gnormplus/test.PubTator"},
        labels={"Gene": "Gene"},
        held_out=40,
    ),
    Source("nlm-gene", {"train": "documents/nlm-gene/train.PubTator"}, labels={"Gene": "Gene"}, held_out=40),
    Source("tmvar3", {"train": "documents/tmvar3/train.PubTator"}, labels=TMVAR, held_out=30),
    Source(
        "bioid",
        {"train": "documents/bioid/train.PubTator", "test": "documents/bioid/test.PubTator"},
        labels={"CellLine": "CellLine"},
        held_out=800,
        empty=0.1,
    ),
    Source(
        "linnaeus",
        {"train": "ner/linnaeus/train.tsv", "devel": "ner/linnaeus/devel.tsv", "test": "ner/linnaeus/test.tsv"},
        labels={"Species": "Species"},
        held_out=1500,
        empty=1.5,
    ),
)


def prepare(corpora: Path, out: Path) -> None:
    """Write all corpora, and print how many documents and mentions each split has."""
    target = SOURCES[0]
    learned = {document.id for document in _read(target, corpora / target.files["train"])}
    found = {source.name: _split(source, corpora, learned) for source in SOURCES}
    scored = {document.id for splits in found.values() for name in ("devel", "test") for document in splits[name]}
    for source in SOURCES:
        splits = found[source.name]
        clean = [document for document in splits["train"] if document.id not in scored]
        n_removed = len(splits["train"]) - len(clean)
        splits["train"] = list(_thin_out(clean, source.empty))
        for name, documents in splits.items():
            if documents:
                _write(documents, out / source.name / f"{name}.jsonl")
        sys.stdout.write(f"{source.name}: {_describe(splits)}; {n_removed} scored elsewhere, removed from train\n")
    abstracts = _sample_abstracts(corpora / ABSTRACTS, scored)
    _write(abstracts, out / "abstracts.jsonl")
    sys.stdout.write(f"abstracts: {len(abstracts):,}\n")


def _sample_abstracts(path: Path, scored: Collection[str]) -> list[Document]:
    """Return abstracts to learn from without annotations; none is scored."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    free = [each for each in records if int(each["year"] or 0) >= SINCE and each["pmid"] not in scored]
    chosen = sorted(np.random.default_rng(SEED).permutation(len(free))[:N_ABSTRACTS].tolist())
    return [Document(free[n]["pmid"], f"{free[n]['title']}\n{free[n]['abstract']}") for n in chosen]


def _split(source: Source, corpora: Path, learned: Collection[str]) -> dict[str, list[Document]]:
    """Return the splits of a corpus; documents that the target learns from are not held out."""
    read = {name: list(_read(source, corpora / file)) for name, file in source.files.items()}
    train, devel = read["train"], read.get("devel", [])
    if source.held_out is not None:
        place = devel or train
        free = [document.id for document in place if document.id not in learned]
        held_out = frozenset(free[-source.held_out :])
        devel = [document for document in place if document.id in held_out]
        rest = [document for document in place if document.id not in held_out]
        train = rest if place is train else [*train, *rest]
    return {"train": train, "devel": devel, "test": read.get("test", [])}


def _read(source: Source, path: Path) -> Iterator[Document]:
    # sentences of LINNAEUS have numbers, not PMIDs: the name of the file makes them different from split to split
    options = ReadOptions(label=next(iter(source.labels.values())), repair=True)
    change = LabelChange(tuple(source.labels), dict(source.labels))
    for document in relabel(read_documents(path, options=options, notes=source.notes), change, LabelCounts()):
        own = document.id if path.parent.parent.name != "ner" else f"{source.name}-{path.stem}-{document.id}"
        yield Document(
            own, document.text, spans=document.spans, passages=document.passages, sentences=document.sentences
        )


def _thin_out(documents: Sequence[Document], share: float | None) -> Iterable[Document]:
    if share is None:
        return documents
    without = [number for number, document in enumerate(documents) if not document.spans]
    n_kept = min(len(without), round(share * (len(documents) - len(without))))
    kept = set(np.random.default_rng(SEED).permutation(without)[:n_kept].tolist())
    return [document for number, document in enumerate(documents) if document.spans or number in kept]


def _write(documents: Sequence[Document], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    convert_documents(documents, path, to=format_for_output(path), is_lossy=True)


def _describe(splits: Mapping[str, Sequence[Document]]) -> str:
    return ", ".join(
        f"{name} {len(documents):,} ({sum(len(document.spans) for document in documents):,} mentions)"
        for name, documents in splits.items()
        if documents
    )


if __name__ == "__main__":
    prepare(Path(sys.argv[1]), Path(sys.argv[2]))
