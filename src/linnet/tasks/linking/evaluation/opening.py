"""Opens what is evaluated as a linker: a vocabulary, a trained run, or a model that finds mentions and a vocabulary."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from linnet.documents.document import Document
from linnet.errors import BadSetting
from linnet.tasks.linking.evaluation.evaluating import LinkingEvaluation, evaluate_linker
from linnet.tasks.linking.linker import Linker, open_linker
from linnet.tasks.linking.training.ranker import LINKER, read_ranker
from linnet.tasks.linking.vocabularies.embedded import find_vocabulary
from linnet.tasks.linking.vocabularies.folder import FACTS as VOCABULARY
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary

__all__ = ["evaluate_model"]


def evaluate_model(  # noqa: PLR0913 — each is an option of the command
    model: str | Path,
    corpus: str | Path,
    *,
    split: str | None = None,
    repair: bool = False,
    vocabulary: str | Path | None = None,
    documents: str | Path | None = None,
    label: str | None = None,
    format: str | None = None,
    threads: int | None = None,
) -> LinkingEvaluation:
    """Return how good a linker is, or a model that finds mentions together with a linker.

    Args:
        model: folder of a vocabulary (no training) or `demo`, of a linking run, or of a model that finds mentions.
        corpus: whose mentions have identifiers.
        split: `test` if not given; a single file is scored whole.
        repair: mend what can be mended by a stated rule.
        vocabulary: another place of the run's vocabulary; for a model that finds mentions, the vocabulary or linking
            run that links them.
        documents: file with mentions to link end to end.
        label: the entity type to score; that of the run if not given.
        format: of the corpus.
        threads: of the CPU, for a model that finds mentions.
    """
    place = find_vocabulary(model)
    if (place / LINKER).is_file():
        linker, label = _open_trained(place, vocabulary), label or _label_of(place)
        seen = _seen_by(linker)
        return evaluate_linker(
            linker, corpus, split=split, label=label, format=format, repair=repair, documents=documents, seen=seen
        )
    if (place / VOCABULARY).is_file():
        if vocabulary is not None:
            raise BadSetting(f"{place} is a vocabulary, and {vocabulary} is given beside it", "give one vocabulary")
        linker, own = open_linker(place), documents
        return evaluate_linker(linker, corpus, split=split, label=label, format=format, repair=repair, documents=own)
    linker, find = _open_beside(place, vocabulary, documents), partial(_annotate, model, threads)
    return evaluate_linker(linker, corpus, split=split, label=label, format=format, repair=repair, documents=find)


def _open_trained(place: Path, vocabulary: str | Path | None) -> Linker:
    ranker = read_ranker(place, None if vocabulary is None else open_vocabulary(vocabulary))
    return Linker(ranker.vocabulary, ranker=ranker)


def _open_beside(place: Path, vocabulary: str | Path | None, documents: str | Path | None) -> Linker:
    if vocabulary is None:
        raise BadSetting(f"{place}: is no linker", "give a vocabulary or a linking run, or name one (`--vocabulary`)")
    if documents is not None:
        raise BadSetting(
            f"{place} finds mentions, and {documents} has some", "give a vocabulary as the model, or leave one out"
        )
    return open_linker(vocabulary)


def _annotate(model: str | Path, threads: int | None, documents: Sequence[Document]) -> Iterable[Document]:
    from linnet.models.loading import load

    return load(model, threads=threads, precision="float32").annotate(documents)


def _seen_by(linker: Linker) -> tuple[set[str], set[str]] | None:
    learned = getattr(linker.ranker, "learned", None)
    return None if learned is None else (set(learned.by_form), set(learned.by_identifier))


def _label_of(place: Path) -> str | None:
    from linnet.models.model_folder import read_facts

    found = read_facts(place).text.get("label")
    return None if found is None else str(found)
