"""What a reader does with the page of the server, and a model and a linker whose answers are known."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from linnet.documents.document import Document, Link, Span
from tests.browser import Page
from tests.serving.http.services import Finder, Marker

__all__ = [
    "CONCEPTS",
    "NESTED",
    "Lister",
    "Scripted",
    "annotate",
    "choose_file",
    "drag",
    "drop_file",
    "press_with_control",
    "wait_for",
]

NESTED = "Breast or ovarian cancer of BRCA1 carriers"  # two mentions share a word, one holds another
CONCEPTS = {
    "Mesh": ("mesh:D003920", "https://meshb.nlm.nih.gov/record/ui?ui=D003920"),
    "Gene": ("ncbigene:672", "https://www.ncbi.nlm.nih.gov/gene/672"),
    "Taxon": ("ncbitaxon:9606", "https://www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?id=9606"),
    "Omim": ("omim:114480", "https://omim.org/entry/114480"),
    "Doid": ("doid:1612", "https://purl.obolibrary.org/obo/DOID_1612"),
    "Cell": ("cellosaurus:CVCL_0030", "https://www.cellosaurus.org/CVCL_0030"),
    "Other": ("x:1", ""),
}


class Scripted(Finder):
    """Finds nested and discontinuous mentions in one text, and words in capitals in all others."""

    def _compute(self, text: str) -> list[Span]:
        if text != NESTED:
            return super()._compute(text)
        return [
            Span(0, 24, "Disease", fragments=((0, 6), (18, 24)), score=0.8),
            Span(10, 24, "Disease", score=0.9),
            Span(10, 42, "Person", score=0.7),
            Span(28, 33, "Gene", score=0.95),
        ]


class Lister(Marker):
    """Links words to concepts of several vocabularies, with two further candidates."""

    def link_documents(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            yield replace(document, spans=tuple(self._link(span, text) for span, text in document.mentions()))

    def _link(self, span: Span, text: str) -> Span:
        identifier = CONCEPTS.get(text, CONCEPTS["Other"])[0]
        candidates = [
            {"id": identifier, "name": f"The {text}", "score": 0.9},
            {"id": "mesh:D000001", "name": "Second", "score": 0.4},
            {"id": "mesh:D000002", "name": "Third", "score": 0.3},
        ]
        kept = {"candidates": json.dumps([candidates])} if self.candidates else {}
        link = Link(identifier, identifier.partition(":")[0].upper(), name=f"The {text}", score=0.9)
        return replace(span, links=(link,), infons={**span.infons, **kept})


def annotate(page: Page, text: str) -> None:
    """Paste a text and press the button."""
    wait_for(page, "!document.getElementById('annotate').disabled")
    page.evaluate(f"document.getElementById('input').value = {json.dumps(text)}")
    page.click("#annotate")
    wait_for(page, "!document.getElementById('result').hidden && document.getElementById('busy').hidden")


def wait_for(page: Page, condition: str) -> None:
    """Wait until a condition holds, which depends on an answer of the server."""
    found = page.evaluate(
        "new Promise((done) => { const end = Date.now() + 30_000; const look = () => {"
        f" if ({condition}) done(true); else if (Date.now() > end) done(false);"
        " else setTimeout(look, 5); }; look(); })"
    )
    assert found, (condition, page.html())
    page.settle()


def press_with_control(page: Page, key: str, *, shift: bool = False) -> None:
    """Press a key together with Ctrl, and with Shift if wanted."""
    for kind in ("rawKeyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key=key, modifiers=2 + (8 if shift else 0))
    page.settle()


def drag(page: Page, first: str, last: str) -> None:
    """Select with the mouse from the beginning of one word to the end of another."""
    place = (
        "(() => { const walker = document.createTreeWalker(document.getElementById('text'), NodeFilter.SHOW_TEXT);"
        " for (let node = walker.nextNode(); node; node = walker.nextNode()) {"
        " const at = node.data.indexOf(WORD); if (at < 0) continue; const range = document.createRange();"
        " range.setStart(node, at); range.setEnd(node, at + WORD.length); const box = range.getBoundingClientRect();"
        " return [box.left, box.right, box.top + box.height / 2]; } return null; })()"
    )
    left, _, top = page.evaluate(place.replace("WORD", json.dumps(first)))
    _, right, bottom = page.evaluate(place.replace("WORD", json.dumps(last)))
    page.call("Input.dispatchMouseEvent", type="mousePressed", x=left + 0.5, y=top, button="left", clickCount=1)
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=right - 0.5, y=bottom, button="left", buttons=1)
    page.call("Input.dispatchMouseEvent", type="mouseReleased", x=right - 0.5, y=bottom, button="left", clickCount=1)
    page.evaluate("new Promise((done) => setTimeout(done, 20))")
    page.settle()


def choose_file(page: Page, path: Path) -> None:
    """Choose a file in the dialog of the page."""
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    node = page.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    page.call("DOM.setFileInputFiles", files=[str(path)], nodeId=node)


def drop_file(page: Page, path: Path) -> None:
    """Drop a file on the page."""
    data: dict[str, Any] = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        page.call("Input.dispatchDragEvent", type=kind, x=300, y=300, data=data)
