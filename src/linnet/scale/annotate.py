"""How is a file or folder annotated, start to end?"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from linnet.contracts import Notes, formats
from linnet.documents.document import Document
from linnet.documents.sentences import with_sentences
from linnet.errors import BadFile
from linnet.formats.reading import convert_documents, format_for_output
from linnet.predictor import load
from linnet.scale.inputs import read_inputs

__all__ = ["Annotated", "annotate_path"]


@dataclass
class Annotated:
    """What was done."""

    documents: int = 0
    mentions: int = 0
    tokens: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    @property
    def tokens_per_second(self) -> float:
        """Words per second, reading and writing included, loading the model not."""
        return self.tokens / self.seconds if self.seconds else 0.0

    def as_dict(self) -> dict[str, int | float]:
        """Return plain values for JSON."""
        return {
            "documents": self.documents,
            "mentions": self.mentions,
            "tokens": self.tokens,
            "seconds": self.seconds,
            "tokens_per_second": self.tokens_per_second,
        }


def annotate_path(
    source: Path,
    *,
    model: Path,
    output: Path,
    source_format: str | None = None,
    target_format: str | None = None,
    threads: int | None = None,
    watcher: Callable[[], None] | None = None,
) -> Annotated:
    """Annotate what is at `source` and write it to `output`, which appears when all is done."""
    if str(source) != "-" and not source.exists():
        raise BadFile(f"{source}: there is no such file or folder", "check the name")
    to = formats.get(target_format) if target_format else format_for_output(output)
    if threads:
        import torch

        torch.set_num_threads(threads)
    predictor = load(model)
    done, notes = Annotated(), Notes()
    started = time.perf_counter()
    documents = predictor.annotate(_noted(read_inputs(source, format=source_format, notes=notes), done, notes))
    conversion = convert_documents(_counted(documents, done, watcher), output, to=to, is_lossy=True, notes=notes)
    done.seconds = time.perf_counter() - started
    lost = [f"{to.name} cannot hold {what}: {number:,} left out" for what, number in conversion.lost.items()]
    done.notes = [*notes.sentences(), *lost]
    return done


def _noted(documents: Iterable[Document], done: Annotated, notes: Notes) -> Iterator[Document]:
    for document in documents:
        if document.spans:
            notes.add("mentions of the input, replaced by predicted ones", document.id, len(document.spans))
        done.tokens += sum(len(sentence.tokens) for sentence in with_sentences(document.with_spans(())))
        yield document


def _counted(documents: Iterable[Document], done: Annotated, watcher: Callable[[], None] | None) -> Iterator[Document]:
    for document in documents:
        done.documents += 1
        done.mentions += len(document.spans)
        if watcher is not None:
            watcher()
        yield document
