"""A spaCy component that annotates the documents of a pipeline with a model.

spaCy finds the factory through the entry point `linnet` of the group `spacy_factories`, and looks it up
whenever a pipeline is created. So this module starts without spaCy, and heavy packages are imported with the component.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from linnet.contracts.linking import LINKING, DocumentLinker, linkings
from linnet.documents.document import Document, Sentence
from linnet.documents.sentences import split_sentences
from linnet.errors import BadFile, BadSetting
from linnet.settings.annotation import list_vocabularies
from linnet.settings.thresholds import Thresholds
from linnet.storage.files import new_file

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

__all__ = ["LinnetComponent", "make_component"]

NAME = "linnet"
SCORE = "linnet_score"  # the extension of spans with the confidence of a mention
MODEL = "model.json"  # in the component's folder of a saved pipeline
SEVERAL = "|"  # between the identifiers of a mention that names several concepts, as in PubTator
DEFAULTS = {
    "engine": None,
    "device": None,
    "threads": None,
    "overwrite": True,
    "labels": None,
    "label": None,
    "link": None,
    "min_score": None,
}
BATCH_SIZE = 1000  # spaCy's own

Vocabularies = str | list[str] | dict[str, str] | None  # one or several, or by label
ErrorHandler = Callable[[str, Any, "list[Doc]", Exception], None]


def __getattr__(name: str) -> Any:
    """Register the factory when spaCy asks for it: spaCy is an extra, and nothing happens on import."""
    if name != "factory":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from spacy.language import Language

    assigns = ["doc.ents", "doc.spans", "token.ent_iob", "token.ent_type", "token.ent_kb_id", f"span._.{SCORE}"]
    return Language.factory(NAME, default_config=DEFAULTS, assigns=assigns, func=make_component)


def make_component(  # noqa: PLR0913 — each is a setting of the component
    nlp: Any,  # Any: spaCy checks settings against these types, when it may not have been imported here
    name: str,
    *,
    model: str,
    engine: str | None,
    device: str | None,
    threads: int | None,
    overwrite: bool,
    labels: str | None = None,
    label: str | None = None,
    link: Vocabularies = None,
    min_score: float | dict[str, float] | None = None,
) -> "LinnetComponent":
    """Return the component for `nlp.add_pipe("linnet", config={"model": "runs/ncbi"})`.

    Args:
        nlp: the pipeline.
        name: of the component in it.
        model: folder of a trained or exported model, or the hub name of a tagger.
        engine: `torch` or `onnx`; by the model folder if not given.
        device: for the engine `torch`; a GPU where there is one if not given.
        threads: of the CPU; the engine's own choice if not given.
        overwrite: whether a mention replaces entities that it overlaps; otherwise it is left out.
        labels: file with the tags of the outputs in their order, for taggers of others that do not name them.
        label: of the bare B/I/O tags of such a tagger.
        link: vocabulary or trained linker to link mentions with, a list, or one by label: `{"Disease": "demo"}`.
        min_score: least confidence of mentions: a number for all labels, or a number by label; `*` for all others.
    """
    from linnet.models.published.opening import model_folder

    folder = str(model_folder(model, labels=labels, label=label))  # of a hub name, the folder with its files
    return LinnetComponent(
        name, folder, engine=engine, device=device, threads=threads, overwrite=overwrite, link=link, min_score=min_score
    )


class LinnetComponent:
    """Sets `doc.ents`, `doc.spans[name]` and `span._.linnet_score`; with a vocabulary, `span.kb_id_` as well."""

    def __init__(
        self,
        name: str,
        model: str,
        *,
        engine: str | None = None,
        device: str | None = None,
        threads: int | None = None,
        overwrite: bool = True,
        link: Vocabularies = None,
        min_score: Thresholds | None = None,
    ) -> None:
        from spacy.tokens import Span

        from linnet.models.loading import load

        self.name = name
        self.model = model
        self.overwrite = overwrite
        self.link = [str(place) for place in list_vocabularies(link) or ()]
        self.options: dict[str, Any] = {  # as `load` has them
            "engine": engine, "device": device, "threads": threads, "min_score": min_score
        }  # fmt: skip
        self.predictor: Any = load(model, **self.options)  # Any: it has labels
        if not self.predictor.annotates:
            raise BadSetting(
                f"{model}: this model predicts values for whole texts, it does not annotate documents",
                "give the component a model that finds mentions",
            )
        self.linker = _open_linker(self.link)
        self.error_handler: ErrorHandler = _raise
        if not Span.has_extension(SCORE):
            Span.set_extension(SCORE, default=None)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the path of the model, not the model: processes that get a copy load it themselves."""
        return _rebuild, (self.name, self.model, {**self.options, "overwrite": self.overwrite, "link": self.link})

    @property
    def labels(self) -> tuple[str, ...]:
        """The entity types that the model can find."""
        return tuple(self.predictor.label_set.labels)

    def __call__(self, doc: "Doc") -> "Doc":
        """Return the document with the mentions that the model finds."""
        next(self.pipe([doc]), None)
        return doc

    def pipe(self, stream: "Iterable[Doc]", *, batch_size: int = BATCH_SIZE) -> "Iterator[Doc]":
        """Yield the documents with the mentions that the model finds, in order, in batches of this size."""
        source = iter(stream)
        while docs := list(islice(source, batch_size)):
            try:
                found = list(self._find(map(_to_document, docs)))
            except Exception as error:  # the pipeline's handler decides whether to go on without these documents
                self.error_handler(self.name, self, docs, error)
                continue
            for doc, document in zip(docs, found, strict=True):
                self._mark(doc, document)
                yield doc

    def set_error_handler(self, error_handler: ErrorHandler) -> None:
        """Set the error handler; `nlp.set_error_handler` calls this for all components."""
        self.error_handler = error_handler

    def to_disk(self, path: str | Path, *, exclude: Sequence[str] = ()) -> None:
        """Write the path of the model, a digest of its weights, and those of the vocabularies; not the weights."""
        with new_file(Path(path) / MODEL) as file:
            json.dump({"model": self.model, "fingerprint": self._fingerprint(), **self._linked_with()}, file)

    def from_disk(self, path: str | Path, *, exclude: Sequence[str] = ()) -> "LinnetComponent":
        """Check that model and vocabularies are those that the pipeline was saved with, unless others were named."""
        kept = json.loads((Path(path) / MODEL).read_text(encoding="utf-8"))
        if kept["model"] == self.model and kept["fingerprint"] != self._fingerprint():
            raise BadFile(
                f"{self.model}: this is not the model that the pipeline was saved with",
                "make and save the pipeline again with `add_pipe`, or put the former model back",
            )
        linked_with = self._linked_with()
        if kept.get("link", []) == self.link and kept.get("linker", {}) != linked_with.get("linker", {}):
            raise BadFile(
                f"{', '.join(self.link)}: this is not the vocabulary that the pipeline was saved with",
                "make and save the pipeline again with `add_pipe`, or put the former vocabulary back",
            )
        return self

    def _fingerprint(self) -> str:
        from linnet.models.model_folder import model_fingerprint

        return model_fingerprint(Path(self.model))

    def _linked_with(self) -> dict[str, Any]:
        """Return what a saved pipeline keeps about links; nothing if there are none."""
        return {"link": self.link, "linker": dict(self.linker.infons)} if self.linker else {}

    def _find(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents with the mentions of the model, and with links if there is a vocabulary."""
        found: Iterator[Document] = self.predictor.annotate(documents)
        return found if self.linker is None else self.linker.link_documents(found)

    def _mark(self, doc: "Doc", document: Document) -> None:
        from spacy.tokens import Span

        first_by_start = {token.idx: token.i for token in doc}
        end_by_end = {token.idx + len(token): token.i + 1 for token in doc}
        mentions = []
        for span in document.spans:
            concept = SEVERAL.join(link.identifier for link in span.links)
            mention = Span(doc, first_by_start[span.start], end_by_end[span.end], label=span.label, kb_id=concept)
            mention._.set(SCORE, span.score)
            mentions.append(mention)
        doc.spans[self.name] = mentions
        entities = list(doc.ents)
        if self.overwrite:
            for token in (token for entity in entities for token in entity):
                token.ent_id = 0  # or a mention would keep the identifier of the entity that it replaces
            doc.set_ents([*mentions, *_without_overlap(entities, mentions)])
        else:
            doc.set_ents([*entities, *_without_overlap(mentions, entities)])


def _rebuild(name: str, model: str, options: dict[str, Any]) -> LinnetComponent:
    return LinnetComponent(name, model, **options)


def _open_linker(vocabularies: Sequence[str]) -> DocumentLinker | None:
    """Return the linker of the vocabularies; None if there are none."""
    if not vocabularies:
        return None
    return linkings.get(LINKING).open_linker(vocabularies, min_score=None, candidates=0)


def _raise(name: str, component: Any, docs: "list[Doc]", error: Exception) -> NoReturn:
    raise error


def _to_document(doc: "Doc") -> Document:
    """Return the text with spaCy's own words and, where it has any, its sentences; so mentions end where words end."""
    rows: Iterable[Iterable[Token]] = doc.sents if doc.has_annotation("SENT_START") else _split(doc)
    words = ([token for token in row if token.text.strip()] for row in rows)
    sentences = (_to_sentence(row) for row in words if row)
    return Document("", doc.text, sentences=tuple(sentences))


def _split(doc: "Doc") -> "list[list[Token]]":
    """Return the tokens of each sentence that our own rules find; a token belongs where it begins."""
    starts = [start for start, _ in split_sentences(doc.text)]
    rows: list[list[Token]] = [[] for _ in range(len(starts) + 1)]
    for token in doc:
        rows[bisect_right(starts, token.idx)].append(token)
    return rows


def _to_sentence(tokens: "Sequence[Token]") -> Sentence:
    places = tuple((token.idx, token.idx + len(token)) for token in tokens)
    return Sentence(places[0][0], places[-1][1], places)


def _without_overlap(spans: "Iterable[Span]", others: "Iterable[Span]") -> "list[Span]":
    """Return the spans that share no token with the others."""
    covered = {place for other in others for place in range(other.start, other.end)}
    return [span for span in spans if covered.isdisjoint(range(span.start, span.end))]
