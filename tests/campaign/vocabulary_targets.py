"""Sources of vocabularies, vocabulary folders and trained linkers as targets of fuzzing."""

import math
import shutil
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from linnet.documents.document import Document, Span
from linnet.models.loading import load
from linnet.tasks.linking.candidates import CandidateFinder
from linnet.tasks.linking.linker import open_linker
from linnet.tasks.linking.training.ranker import LINKER, TrainedRanker
from linnet.tasks.linking.vocabularies.building import build_vocabulary
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.normalisation import normalise
from linnet.tasks.linking.vocabularies.reading import vocabulary_readers
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary, open_vocabulary
from tests.campaign.counts import Held, visible
from tests.campaign.target import Contradiction, Target
from tests.campaign.vocabulary_counts import COUNTERS, count_linker
from tests.campaign.vocabulary_samples import linker_folder, sources, vocabulary_folder

__all__ = ["vocabulary_targets"]

QUERIES = ("breast cancer", "Tumour", "FK506", "renal cancer", "β", "x" * 300)
MENTIONS = ("breast cancer", "tumors", "FK 506", "nothing known")
MOST_NAMES = 40  # that are searched for


def vocabulary_targets() -> Iterable[Target]:
    """Yield a target for each reader, for building with it, and for folders."""
    whole: list[bytes] = []
    for name in vocabulary_readers.names():
        suffix, files = sources(name)
        whole += files
        yield Target(f"vocabulary {name}", suffix, files, _reader(name), COUNTERS.get(name))
    yield Target("vocabulary build", ".txt", tuple(whole), _build, _count_concepts)
    files = tuple(bytes([place]) + path.read_bytes() for place, path in enumerate(_files(vocabulary_folder())))
    yield Target("vocabulary folder", ".damage", files, _read_folder)
    run = linker_folder()
    yield Target("linker.json", ".json", ((run / LINKER).read_bytes(),), _read_linker, count_linker)
    yield Target("linnet.json of a linker", ".json", ((run / "linnet.json").read_bytes(),), _read_linker_facts)


def _reader(name: str) -> Callable[[Path], Held]:
    def read(path: Path) -> Held:
        found: list[Concept] = list(vocabulary_readers.get(name).read(path))
        lists = ((c.equivalents, c.cross_references, c.retired, c.parents, c.trees) for c in found)
        return {
            "concepts": len(found),
            "obsolete": sum(concept.is_obsolete for concept in found),
            "names": sum(visible(concept.name) for concept in found),
            "synonyms": sum(visible(text) for concept in found for text in concept.synonyms),
            "references": sum(len(each) for all_of_one in lists for each in all_of_one),
        }

    return read


def _build(path: Path) -> Held:
    """Build a vocabulary, whose form is detected, open it and look for its names."""
    folder = path.with_name("built")
    shutil.rmtree(folder, ignore_errors=True)
    with patch("linnet.storage.durable.sync"):  # nobody cuts the power
        facts = build_vocabulary([path], folder).facts
    _find_names(open_vocabulary(folder))
    n_concepts: int = facts["concepts"] + facts["without_name"] + facts["obsolete"]
    return {f"concepts of {facts['sources'][0]['form']}": n_concepts}


def _count_concepts(content: bytes) -> Held:
    """Count the concepts that a file has in each form; which of them it has, the reader says."""
    found = {name: count(content) or {} for name, count in COUNTERS.items()}
    return {f"concepts of {name}": held["concepts"] for name, held in found.items() if "concepts" in held}


def _find_names(vocabulary: Vocabulary) -> None:
    """Refuse a vocabulary in which a name does not lead to its concept."""
    finder = CandidateFinder(vocabulary)
    for concept in range(min(vocabulary.n_concepts, MOST_NAMES)):
        if vocabulary.find(vocabulary.identifier(concept)) != concept:
            raise Contradiction(f"{vocabulary.identifier(concept)} is not found")
        for name in filter(normalise, vocabulary.names_of(concept)[:MOST_NAMES]):
            rows = vocabulary.rows_named(normalise(name))
            if concept not in [int(vocabulary.concept_of_row[row]) for row in rows]:
                raise Contradiction(f"the name {name!r} does not lead to its concept")
        found = finder.search(vocabulary.name(concept))
        if normalise(vocabulary.name(concept)) and not (found and math.isclose(found[0].score, 1.0)):
            raise Contradiction(f"the name {vocabulary.name(concept)!r} is not its best candidate")


def _read_folder(path: Path) -> None:
    """Open a vocabulary with a damaged file; it is refused, or answers like the whole one."""
    content, folder = path.read_bytes(), path.with_name("vocabulary")
    if not folder.is_dir():
        shutil.copytree(vocabulary_folder(), folder)
    files = _files(vocabulary_folder())
    whole = files[content[0] % len(files)] if content else files[0]  # the first byte chooses the file
    (folder / whole.name).write_bytes(content[1:])
    try:
        if _ask(folder) != _whole_answers():
            raise Contradiction("other answers than those of the whole vocabulary")
    finally:
        shutil.copyfile(whole, folder / whole.name)


@cache
def _whole_answers() -> list[Any]:
    return _ask(vocabulary_folder())


def _ask(folder: Path) -> list[Any]:
    """Return all that a vocabulary holds, and what it answers."""
    vocabulary = open_vocabulary(folder)
    finder = CandidateFinder(vocabulary)
    return [
        vocabulary.n_names,
        [
            (
                vocabulary.identifiers(concept),
                vocabulary.names_of(concept),
                vocabulary.parents(concept),
                vocabulary.species(concept),
                vocabulary.find(vocabulary.identifier(concept)),
            )
            for concept in range(min(vocabulary.n_concepts, MOST_NAMES))
        ],
        [[each.as_dict() for each in finder.search(text)] for text in QUERIES],
    ]


def _files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def _read_linker(path: Path) -> Held:
    """Open a linker with a damaged `linker.json` and let it link."""
    linker = open_linker(_linker_with(path, LINKER), candidates=2)
    _check_links(linker.link(_document(), _document().spans))
    ranker = linker.ranker
    assert isinstance(ranker, TrainedRanker)
    learned = ranker.learned
    sizes = {"forms": len(learned.by_form), "texts": len(learned.by_text), "names": len(learned.name_of)}
    return {**sizes, "weights": len(ranker.weights)}


def _read_linker_facts(path: Path) -> None:
    """Open a linker with a damaged `linnet.json` and let it link."""
    model: Any = load(_linker_with(path, "linnet.json"))
    for document in model.annotate([_document()]):
        _check_links(document)


def _linker_with(path: Path, name: str) -> Path:
    folder = path.with_name("linker")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(linker_folder(), folder)
    (folder / name).write_bytes(path.read_bytes())
    return folder


@cache
def _document() -> Document:
    text = "; ".join(MENTIONS)
    starts = [text.index(mention) for mention in MENTIONS]
    spans = [Span(start, start + len(each), "Disease") for start, each in zip(starts, MENTIONS, strict=True)]
    return Document("1", text, tuple(spans))


def _check_links(document: Document) -> None:
    for link in (link for span in document.spans for link in span.links):
        if link.score is None or not 0 <= link.score <= 1:
            raise Contradiction(f"a link has the score {link.score}")
