"""A service with models that need no network, and a client in the same process."""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from starlette.testclient import TestClient

from linnet.annotation.provenance import Provenance
from linnet.documents.document import Document, Link, Span
from linnet.documents.texts import Prediction
from linnet.errors import BadSetting
from linnet.models.engines import compute_batches
from linnet.serving.http.application import build_application
from linnet.serving.http.batching import Limits
from linnet.serving.http.guarding import Access
from linnet.serving.http.linking import SharedLinker
from linnet.serving.http.served_models import ServedModel, serve_model
from linnet.serving.http.service import Service
from linnet.settings.serving import ServeSettings

__all__ = ["Finder", "Judge", "Marker", "client_of", "make_service", "served", "settings"]

WORD = re.compile(r"\b[A-Z]\w*")
SURE, UNSURE = 0.9, 0.4


@dataclass(frozen=True)
class Prepared:
    documents: list[Document]

    @property
    def n_words(self) -> int:
        return sum(len(document.text.split()) for document in self.documents)


class Finder:
    """Finds words in capitals: those of one letter are of type Letter, others of type Name."""

    annotates = True

    def __init__(self, *, seconds: float = 0.0, breaks_on: str = "\x00") -> None:
        self.seconds, self.breaks_on = seconds, breaks_on
        self.calls: list[list[str]] = []  # ids of the documents of each call
        self.n_batches = 0

    def prepare(self, documents: list[Document]) -> Prepared:
        self.calls.append([document.id for document in documents])
        return Prepared(documents)

    def infer(self, prepared: Prepared) -> list[list[Span]]:
        return list(compute_batches(self._compute, [document.text for document in prepared.documents], n_parallel=1))

    def _compute(self, text: str) -> list[Span]:
        time.sleep(self.seconds)
        self.n_batches += 1
        if self.breaks_on in text:
            raise RuntimeError(f"cannot read {text}")
        return [
            Span(found.start(), found.end(), "Letter", score=UNSURE)
            if len(found.group()) == 1
            else Span(found.start(), found.end(), "Name", score=SURE)
            for found in WORD.finditer(text)
        ]

    def finish(self, prepared: Prepared, scores: list[list[Span]]) -> list[Document]:
        return [
            replace(document, spans=tuple(replace(s, id=f"T{n}") for n, s in enumerate(spans, 1)), relations=())
            for document, spans in zip(prepared.documents, scores, strict=True)
        ]

    def annotate(self, texts: Iterable[str | Document]) -> Iterator[Document]:
        raise NotImplementedError

    def predict(self, texts: Iterable[Any]) -> list[Any]:
        raise BadSetting("this model finds mentions in documents", "call `annotate(texts)`")

    def questions(self, *_: object, **__: object) -> Any:
        raise NotImplementedError


class Judge:
    """Predicts the number of words of each text."""

    annotates = False

    def predict(self, texts: Iterable[Any]) -> list[Any]:
        return [
            Prediction(str(number), str(text), None, float(len(str(text).split())))
            for number, text in enumerate(texts, 1)
        ]

    def annotate(self, texts: Iterable[str | Document]) -> Iterator[Document]:
        raise NotImplementedError

    def questions(self, *_: object, **__: object) -> Any:
        raise NotImplementedError


class Marker:
    """Links every mention to the concept of its own text."""

    description, infons, labels = "vocabulary letters", {"vocabulary": "v1"}, ()

    def __init__(self, candidates: int = 0) -> None:
        self.candidates = candidates

    def link_documents(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            yield replace(document, spans=tuple(self._link(span, text) for span, text in document.mentions()))

    def _link(self, span: Span, text: str) -> Span:
        kept = {"candidates": str(self.candidates)} if self.candidates else {}
        return replace(span, links=(Link(text.lower(), "X"),), infons={**span.infons, **kept})


def settings(**given: Any) -> ServeSettings:
    return ServeSettings(models=("m",), **given)


def served(model: Any, name: str, limits: Limits | None = None) -> ServedModel:
    task, labels = ("ner", ("Letter", "Name")) if model.annotates else ("counting", ())
    provenance = Provenance(f"Linnet; model {name}", f"fingerprint-of-{name}")
    limits = limits or Limits(wait_seconds=0.0)
    return serve_model(model, name=name, task=task, labels=labels, provenance=provenance, limits=limits)


def make_service(*models: Any, links: bool = False, limits: Limits | None = None, **given: Any) -> Service:
    chosen = models or (Finder(), Judge())
    named = {"finder" if each.annotates else "judge": each for each in chosen}
    linker = SharedLinker(Marker, ["letters"]) if links else None
    return Service(settings(**given), {name: served(each, name, limits) for name, each in named.items()}, linker)


def client_of(service: Service, access: Access | None = None, **options: Any) -> TestClient:
    make: Callable[..., TestClient] = TestClient
    return make(build_application(service, access or Access()), base_url="http://localhost", **options)
