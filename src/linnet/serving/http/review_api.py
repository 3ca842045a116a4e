"""The OpenAPI description of the routes that only a review has; they are described where a review is served."""

from linnet.serving.http.openapi import ERRORS_OF_PAGES, Json, describe_operation, json_content

__all__ = ["describe_review_routes"]

WRONG = {"400": "The request is wrong; `where` says in which place."}
ERRORS = {**ERRORS_OF_PAGES, **WRONG, "404": "There is no document with this number."}
ERRORS_OF_DECISIONS = {
    **ERRORS,
    "409": "The document has another version by now.",
    "422": "A mention cannot be read, or lies outside of the text.",
    "507": "The decision could not be kept on the disk.",
}
COUNT, NAME = {"type": "integer", "minimum": 0}, {"type": "string"}
SHARE, NAME_OR_NULL = {"type": ["number", "null"]}, {"type": ["string", "null"]}
NAMES = {"type": "array", "items": NAME}
SPANS = {"type": "array", "items": {"$ref": "#/components/schemas/Span"}}
VERSION = {**COUNT, "description": "0 before the first decision."}
AGREEMENT = {  # about the documents that are decided
    "unchanged_documents": {**COUNT, "description": "Documents whose mentions are those that were proposed."},
    "proposed": {**COUNT, "description": "Mentions that were proposed."},
    "kept": {**COUNT, "description": "Mentions that were proposed and are there after the decisions."},
    "mentions_after": {**COUNT, "description": "Mentions after the decisions."},
    "precision": {**SHARE, "description": "`kept` divided by `proposed`."},
    "recall": {**SHARE, "description": "`kept` divided by `mentions_after`."},
    "f1": {**SHARE, "description": "F1 of precision and recall."},
}
PROGRESS = {
    "documents": {**COUNT, "description": "Number of documents."},
    "decided": {**COUNT, "description": "How many of them are decided."},
    "next": {"type": ["integer", "null"], "description": "The next document without a decision."},
    "agreement": {"type": "object", "properties": AGREEMENT},
    "labels": {**NAMES, "description": "Labels to choose from."},
    "source": {**NAME, "description": "Name of the file with the documents."},
    "output": {**NAME, "description": "Name of the file that is written."},
    "beside": {**NAME_OR_NULL, "description": "Name of the other annotation."},
    "has_model": {"type": "boolean", "description": "Does a model propose the mentions?"},
    "replaced": {**COUNT, "description": "Mentions of the file that the model's stand in place of."},
    "training": {**NAMES, "description": "Commands that train on the output."},
}
SHOWN = {
    "number": COUNT,
    "version": VERSION,
    "document": {"$ref": "#/components/schemas/Document"},
    "beside": {**SPANS, "type": ["array", "null"], "description": "Mentions of the other annotation, if there is one."},
}
DECISION = {
    "version": {**VERSION, "description": "Of the document that was shown."},
    "spans": {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["start", "end", "label"],
            "properties": {"start": COUNT, "end": COUNT, "label": NAME},
        },
    },
}
NUMBER = {"name": "number", "in": "path", "required": True, "description": "From 0, in the order of the review."}
OFFSETS = {"name": "offsets", "in": "query", "description": "How offsets are counted."}
COUNTINGS = {"enum": ["characters", "utf16"], "default": "characters"}


def describe_review_routes() -> Json:
    """Return the description of the routes, by their paths."""
    answers = {
        "progress": PROGRESS,
        "ids": {"ids": NAMES},
        "document": SHOWN,
        "decided": {"version": VERSION, **PROGRESS},
        "written": {"documents": COUNT, "output": NAME, "notes": NAMES},
    }
    of = {name: json_content({"type": "object", "properties": fields}) for name, fields in answers.items()}
    body = {"type": "object", "required": list(DECISION), "additionalProperties": False, "properties": DECISION}
    decide = describe_operation("Keep a decision on a document.", of["decided"], ERRORS_OF_DECISIONS)
    errors = {**ERRORS_OF_PAGES, **WRONG}
    return {
        "/review": {"get": describe_operation("Progress of the review.", of["progress"], errors)},
        "/review/documents": {"get": describe_operation("Ids of all documents, by number.", of["ids"], errors)},
        "/review/{number}": {
            "parameters": [{**NUMBER, "schema": COUNT}, {**OFFSETS, "schema": COUNTINGS}],
            "get": describe_operation("A document as it stands, and its version.", of["document"], ERRORS),
            "post": {**decide, "requestBody": {"required": True, "content": json_content(body)}},
        },
        "/review/output": {"post": describe_operation("Write the output.", of["written"], errors)},
    }
