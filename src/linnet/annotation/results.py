"""Puts the outputs of an annotation job together from its finished blocks, and counts what was annotated."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from linnet.annotation.other_outputs import OtherOutputs
from linnet.annotation.output import Output
from linnet.annotation.provenance import Provenance
from linnet.annotation.work import Work
from linnet.contracts import Notes, WriteOptions
from linnet.documents.document import Document
from linnet.documents.left_out import describe_left_out
from linnet.formats.link_details import describe_loss

__all__ = ["Annotated", "put_together"]


@dataclass
class Annotated:
    """What a job has annotated: counts, time and notes."""

    documents: int = 0
    mentions: int = 0
    tokens: int = 0
    kept_documents: int = 0  # from before a job was resumed
    kept_tokens: int = 0
    failures: int = 0
    linked: int | None = None  # mentions with a link, where mentions were linked
    labels: Counter[str] = field(default_factory=Counter)  # mentions of each label
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)  # mentions by reason and label
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)
    model: str = ""  # its name, with the version of an embedded one

    @property
    def tokens_per_second(self) -> float:
        """Words per second that this process annotated, with reading and writing, without loading the model."""
        return (self.tokens - self.kept_tokens) / self.seconds if self.seconds else 0.0

    def as_dict(self) -> dict[str, int | float | str]:
        """Return plain values for JSON."""
        linked = {} if self.linked is None else {"linked": self.linked}
        return {
            "documents": self.documents,
            "mentions": self.mentions,
            **linked,
            "tokens": self.tokens,
            "failures": self.failures,
            "seconds": self.seconds,
            "tokens_per_second": self.tokens_per_second,
            "model": self.model,
        }


def put_together(
    output: Output,
    others: OtherOutputs,
    work: Work,
    provenance: Provenance,
    notes: Notes,
    kept: Collection[int] = (),
) -> Annotated:
    """Write the outputs from the finished blocks; those that were kept from before are counted apart."""
    done, n_linked = Annotated(), 0

    def documents() -> Iterator[Document]:
        nonlocal n_linked
        for block in work.blocks():
            done.tokens += block.n_words
            if block.number in kept:
                done.kept_documents += len(block.documents)
                done.kept_tokens += block.n_words
            done.failures += len(block.failures)
            done.left_out += block.left_out
            for document in block.documents:
                done.documents += 1
                done.mentions += len(document.spans)
                done.labels.update(span.label for span in document.spans)
                n_linked += sum(bool(span.links) for span in document.spans)
                yield document

    stage, options = work.new_stage(), WriteOptions(model=provenance.fingerprint, are_ids_unique=True)
    lost = [(output, output.write(provenance.add(documents(), output.to), stage, options))]
    output.put_in_place(stage, work.failures())
    lost += others.put_together(work, provenance, options)
    left_out = [describe_loss(to.to.name, what, number) for to, counts in lost for what, number in counts.items()]
    done.linked = n_linked if provenance.more or n_linked else None  # names of a vocabulary are linked, too
    on_request = [describe_left_out(*what, number) for what, number in sorted(done.left_out.items())]
    done.notes = [*notes.sentences(), *on_request, *left_out]
    return done
