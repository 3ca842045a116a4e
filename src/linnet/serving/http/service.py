"""The service behind the routes: finds the model, annotates, links, predicts and answers."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from linnet import __version__
from linnet.annotation.provenance import Provenance, describe_choice
from linnet.documents.document import Document
from linnet.documents.texts import Prediction
from linnet.serving.http.answers import IN_UTF16, choose_spans, write_answer
from linnet.serving.http.batching import Batcher, Limits
from linnet.serving.http.bodies import Body, parse_json, read_body, read_texts
from linnet.serving.http.label_tools import doccano_labels, label_studio_answer, read_label_config, read_tasks
from linnet.serving.http.linking import SharedLinker, open_link_queue
from linnet.serving.http.media_types import (
    JSON,
    JSON_LINES,
    answer_format,
    media_type_of,
    request_format,
    writable_names,
)
from linnet.serving.http.metrics import Metrics
from linnet.serving.http.refusals import Refusal
from linnet.serving.http.requests import (
    ANNOTATING,
    CONVERTING,
    LINKING,
    Options,
    UntilGone,
    check_size,
    compute,
    limits_of,
    parse_options,
    read_content,
    run,
    texts_of,
    wait_until_gone,
)
from linnet.serving.http.served_models import ServedModel, check_labels, find_model
from linnet.serving.http.streaming import LineBody, LineResponse
from linnet.settings.serving import ServeSettings
from linnet.settings.thresholds import ALL_LABELS

__all__ = ["Service"]

ALWAYS_LARGE = 10**9  # formats are read from files and written to files
CHARACTERS_OF_SPAN = 100  # in an answer
LINKS = "(links)"  # the queue of linking among those of models


@dataclass
class Service:
    """Models, vocabularies, limits and counters of a running service."""

    settings: ServeSettings
    models: Mapping[str, ServedModel]
    linker: SharedLinker | None = None
    metrics: Metrics = field(default_factory=Metrics)
    is_ready: bool = True

    def __post_init__(self) -> None:
        limits = Limits(waiting=self.settings.max_waiting, wait_seconds=0.0)
        self._links = None if self.linker is None else open_link_queue(self.linker, limits)

    async def annotate(self, request: Request) -> Response:
        """Answer with the mentions that a model finds."""
        options = parse_options(request.query_params, ANNOTATING)
        model = find_model(self.models, options.model, annotates=True)
        check_labels(options.labels, model)
        linker = self._find_linker(options, is_wanted=self.linker is not None)
        if _is_stream(request, options):
            return await self._annotate_lines(request, options, model, linker)
        body, to = await self._read(request, options)
        until_gone = partial(wait_until_gone, request)
        found = await self._annotate(body.documents, model, until_gone, options.min_score)
        linked = await self._choose_and_link(found, options, linker, until_gone)
        return await self._answer(linked, to, options, body.notes, model=model, linker=linker)

    async def link(self, request: Request) -> Response:
        """Answer with links for the mentions that the documents bring."""
        options = parse_options(request.query_params, LINKING)
        linker = self._find_linker(options, is_wanted=True)
        body, to = await self._read(request, options)
        linked = await self._link(body.documents, options, partial(wait_until_gone, request))
        return await self._answer(linked, to, options, body.notes, linker=linker)

    async def convert(self, request: Request) -> Response:
        """Answer with the documents in another format; they stay as they are."""
        options = parse_options(request.query_params, CONVERTING)
        body, to = await self._read(request, options)
        counted = replace(options, is_utf16=options.is_utf16 and to in IN_UTF16)  # the body may count so, too
        return await self._answer(body.documents, to, counted, body.notes)

    async def predict(self, request: Request) -> Response:
        """Answer with the values that a model predicts for texts; tasks of Label Studio get regions."""
        options = parse_options(request.query_params, ("model",))
        content = await read_content(request, self.settings)
        found = await run(parse_json, content, size=len(content))
        if isinstance(found, dict) and "tasks" in found:
            return await self._predict_tasks(found, options, request)
        model = find_model(self.models, options.model, annotates=False)
        texts = read_texts(found)
        check_size([text if isinstance(text, str) else "".join(text) for text in texts], self.settings)
        predictions = await compute(texts, model.batcher, partial(wait_until_gone, request), self.settings)
        self.metrics.count_documents(model.name, len(texts), len(content))
        rows = [_as_row(each) for each in predictions]
        about = {"model": model.name, "fingerprint": model.provenance.fingerprint, "task": model.task}
        return JSONResponse({"predictions": rows, **about})

    async def set_up(self, request: Request) -> Response:
        """Answer Label Studio's question for the version of the model."""
        content = await read_content(request, self.settings)
        found = await run(parse_json, content, size=len(content))
        if not isinstance(found, dict):
            raise Refusal(400, "expected an object", 'send {"schema": "<View>...</View>"}', where="body")
        read_label_config(found.get("schema"))
        return JSONResponse({"model_version": self._version(find_model(self.models, None, annotates=True))})

    async def label_for_doccano(self, request: Request) -> Response:
        """Answer with the labels of one text, as doccano's auto-labelling wants them."""
        options = parse_options(request.query_params, ("model", "min_score", "labels"))
        model = find_model(self.models, options.model, annotates=True)
        body = await self._read_body(request, options)
        until_gone = partial(wait_until_gone, request)
        found = await self._annotate(body.documents[:1], model, until_gone, options.min_score)
        (document,) = choose_spans(found, labels=options.labels, min_score=options.min_score)
        return JSONResponse(doccano_labels(document))

    def describe(self) -> dict[str, Any]:
        """Return what clients may know of the service."""
        return {
            "service": "linnet",
            "version": __version__,
            "models": [model.as_dict() for model in self.models.values()],
            "default": {
                "annotate": next((name for name, model in self.models.items() if model.annotates), None),
                "predict": next((name for name, model in self.models.items() if not model.annotates), None),
            },
            "vocabularies": [] if self.linker is None else self.linker.vocabularies,
            "limits": limits_of(self.settings),
        }

    def measure(self) -> str:
        """Return the counters for Prometheus."""
        queues: dict[str, Batcher[Any, Any]] = {name: model.batcher for name, model in self.models.items()}
        if self._links is not None:
            queues[LINKS] = self._links
        return self.metrics.as_text(
            {
                "linnet_waiting_characters": {name: queue.waiting for name, queue in queues.items()},
                "linnet_batches": {name: queue.n_batches for name, queue in queues.items()},
                "linnet_jobs": {name: queue.n_jobs for name, queue in queues.items()},
            }
        )

    def close(self) -> None:
        """Finish what was taken."""
        self.is_ready = False
        for queue in (*(model.batcher for model in self.models.values()), self._links):
            if queue is not None:
                queue.close()

    async def _read(self, request: Request, options: Options) -> tuple[Body, str]:
        answer_format(request.headers.get("accept", ""), options.to, JSON)  # before the body is read
        body = await self._read_body(request, options)
        default = body.format if body.format == JSON or body.format in writable_names() else JSON
        return body, answer_format(request.headers.get("accept", ""), options.to, default)

    async def _read_body(self, request: Request, options: Options) -> Body:
        source = request_format(request.headers.get("content-type", ""), options.source)
        content = await read_content(request, self.settings)
        size = len(content) if source == JSON else ALWAYS_LARGE
        body = await run(read_body, content, source, size=size, name=options.name, is_utf16=options.is_utf16)
        check_size(texts_of(body.documents), self.settings)
        return body

    async def _annotate_lines(
        self, request: Request, options: Options, model: ServedModel, linker: SharedLinker | None
    ) -> Response:
        """Answer JSON lines as they arrive."""
        body = LineBody(request, self.settings)

        async def answer(documents: list[Document]) -> bytes:
            found = await self._annotate(documents, model, body.wait_until_gone, options.min_score)
            linked = await self._choose_and_link(found, options, linker, body.wait_until_gone)
            return (await self._write(linked, JSON_LINES, options, model=model, linker=linker))[0]

        response = LineResponse(body, answer, media_type=media_type_of(JSON_LINES))
        await response.begin()
        return response

    async def _annotate(
        self,
        documents: Sequence[Document],
        model: ServedModel,
        until_gone: UntilGone,
        min_score: float | None = None,
    ) -> list[Document]:
        given = [(document, min_score) for document in documents]
        found = await compute(given, model.batcher, until_gone, self.settings)
        self.metrics.count_documents(model.name, len(documents), sum(map(len, texts_of(documents))))
        return found

    async def _choose_and_link(
        self, documents: list[Document], options: Options, linker: SharedLinker | None, until_gone: UntilGone
    ) -> list[Document]:
        chosen = choose_spans(documents, labels=options.labels, min_score=options.min_score)
        return chosen if linker is None else await self._link(chosen, options, until_gone)

    async def _link(self, documents: list[Document], options: Options, until_gone: UntilGone) -> list[Document]:
        assert self._links is not None
        given = [(document, options.n_candidates) for document in documents]
        return await compute(given, self._links, until_gone, self.settings)

    async def _predict_tasks(self, found: dict[str, Any], options: Options, request: Request) -> Response:
        model = find_model(self.models, options.model, annotates=True)
        config = read_label_config(found.get("label_config"))
        documents = read_tasks(found, config)
        check_size(texts_of(documents), self.settings)
        until_gone = partial(wait_until_gone, request)
        annotated = await self._annotate(documents, model, until_gone) if documents else []
        return JSONResponse(label_studio_answer(annotated, config, self._version(model)))

    def _find_linker(self, options: Options, *, is_wanted: bool) -> SharedLinker | None:
        """Return the linker of a request, if it wants links."""
        wants_links = is_wanted if options.is_linked is None else options.is_linked
        if wants_links and self.linker is None:
            raise Refusal(
                409, "no vocabulary is loaded", "start the service with `--link VOCABULARY`", where="parameter link"
            )
        return self.linker if wants_links else None

    async def _answer(
        self,
        documents: list[Document],
        to: str,
        options: Options,
        notes: Sequence[str],
        *,
        model: ServedModel | None = None,
        linker: SharedLinker | None = None,
    ) -> Response:
        content, lost = await self._write(documents, to, options, model=model, linker=linker)
        said = "; ".join((*notes, *lost)).encode("ascii", "replace").decode()[:2000]
        headers = {"linnet-notes": said.replace("\n", " ")} if said else {}
        return Response(content, media_type=media_type_of(to), headers=headers)

    async def _write(
        self,
        documents: list[Document],
        to: str,
        options: Options,
        *,
        model: ServedModel | None,
        linker: SharedLinker | None,
    ) -> tuple[bytes, tuple[str, ...]]:
        """Return the content of an answer, and notes about what its format cannot hold."""
        infons = {} if linker is None else linker.infons
        found = Provenance("", "") if model is None else model.provenance
        about = {
            "model": None if model is None else model.name,
            "fingerprint": found.fingerprint or None,
            "vocabulary": infons.get("vocabulary"),
        }
        usual = {} if model is None else model.min_score
        least = usual if options.min_score is None else {ALL_LABELS: options.min_score}
        maker = "; ".join((found.maker, *describe_choice(least, options.labels)))
        provenance = replace(found, maker=maker, more=infons)
        n_characters = sum(len(document.text) + CHARACTERS_OF_SPAN * len(document.spans) for document in documents)
        size = n_characters if to == JSON else ALWAYS_LARGE
        return await run(
            write_answer, documents, to, size=size, provenance=provenance, about=about, is_utf16=options.is_utf16
        )

    def _version(self, model: ServedModel) -> str:
        return f"{model.name}-{model.provenance.fingerprint[:12]}"


def _is_stream(request: Request, options: Options) -> bool:
    """Are both the body and the answer JSON lines?"""
    source = request_format(request.headers.get("content-type", ""), options.source)
    return source == answer_format(request.headers.get("accept", ""), options.to, source) == JSON_LINES


def _as_row(prediction: Prediction) -> dict[str, Any]:
    row = asdict(prediction)
    kept = {"id", "predicted", "score"} | {key for key in ("group", "details") if row[key]}
    return {key: value for key, value in row.items() if key in kept}
