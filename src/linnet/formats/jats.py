"""JATS XML format: full text of journal articles, as PubMed Central and publishers distribute it.

A file is one `article`, or a `pmc-articleset` as E-utilities return it. The text is the title, the sections of the
abstract, the sections of the body and of appendices, and the captions of figures and tables, each a passage on lines of
its own. A section of the body begins with its heading and has a line for each paragraph; its subsections are passages
of their own. The infon `type` is title, abstract, section, figure or table, `section` has the headings above
(`Methods > Patients`) and `category` the type that the publisher assigned. Markup is replaced by its text. The id is
the PMC id, else the PMID, the DOI, or the name of the file.

Not read: cells of tables, formulas in TeX, footnotes, references and all other back matter.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lxml import etree

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats, writable_formats
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting
from linnet.formats.unique_ids import UniqueDocuments
from linnet.formats.xml_sections import Section, join_sections, read_text, without_layout
from linnet.formats.xml_stream import has_root, local_name, read_elements
from linnet.storage.compression import unpacked_name

__all__ = ["JATS"]

SET, ARTICLE = "pmc-articleset", "article"
SIGNS = ("<front", "article-meta", "JATS", "DTD Journal", "jats.nlm.nih.gov")  # other XML has articles, too
FLOATS = {"fig": "figure", "table-wrap": "table", "boxed-figure": "figure"}
GROUPS = frozenset(("fig-group", "table-wrap-group", "floats-group"))
SKIPPED = frozenset(
    "tex-math annotation fn fn-group table-wrap-foot table ref-list label object-id graphic media permissions "
    "supplementary-material alternatives-id sec-meta notes glossary".split()
)
LINES = frozenset("p list list-item disp-quote boxed-text def-list def-item verse-group statement disp-formula".split())
LINE_END = "\x1e"  # no XML file can hold this character
ID_TYPES = {"pmc": "pmcid", "pmcid": "pmcid", "pmid": "pmid", "doi": "doi"}
BETWEEN_HEADINGS = " > "
SEE_JATS = "correct the file, or fetch it again; https://jats.nlm.nih.gov describes the elements"


class JATS:
    """Full text of articles."""

    name = "jats"
    suffixes: tuple[str, ...] = ()
    description = "JATS XML full text of articles: title, abstract, sections and captions; can only be read"
    reads_unique_ids = True
    can_write = False

    def recognises(self, path: Path, head: str) -> bool:
        """Is the first element a set of articles, or an article with what JATS has?"""
        return has_root(head, SET) or (has_root(head, ARTICLE) and any(sign in head for sign in SIGNS))

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the articles."""
        unique = UniqueDocuments(options, notes)
        number = 0
        elements = read_elements(path, root=SET, tags=(ARTICLE,), notes=notes, is_alone_allowed=True)
        for number, article in enumerate(elements, 1):
            try:
                document = _build_document(article, path, number, notes)
            except RecursionError:
                raise BadFile(f"{path}: article {number} has elements that are nested too deeply", SEE_JATS) from None
            if unique.is_new(document, f"{path}: {document.id}"):
                yield document
        if not number:
            raise BadFile(f"{path}: holds no article", SEE_JATS)

    def losses(self, document: Document) -> Iterable[tuple[str, int]]:
        """Refuse: the format can only be read."""
        raise _read_only_error()

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Refuse: an article needs much that a document does not have."""
        raise _read_only_error()


formats.register("jats")(JATS())


def _read_only_error() -> BadSetting:
    return BadSetting("jats can only be read", f"write one of {', '.join(writable_formats())}")


def _build_document(article: etree._Element, path: Path, number: int, notes: Notes) -> Document:
    infons = _read_ids(article)
    name = infons.get("pmcid") or infons.get("pmid") or infons.get("doi")
    if name is None:
        stem = unpacked_name(path).stem
        name = stem if number == 1 else f"{stem}-{number}"
        notes.add("articles without an id, named after their file", str(path))
    for tag in ("sub-article", "response"):
        if left_out := article.findall(f"{{*}}{tag}"):
            notes.add(f"elements left out (<{tag}>)", f"{path}: {name}", len(left_out))
    sections = [*_read_front(article), *_read_rest(article)]
    if not sections:
        notes.add("articles without text", f"{path}: {name}")
    text, passages = join_sections(sections)
    return Document(name, text, passages=passages, infons=infons)


def _read_ids(article: etree._Element) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in article.findall("{*}front/{*}article-meta/{*}article-id"):
        kind, value = ID_TYPES.get(element.get("pub-id-type", "")), read_text(element)
        if kind == "pmcid" and value.isdigit():
            value = f"PMC{value}"
        if kind and value:
            found.setdefault(kind, value)
    return found


def _read_front(article: etree._Element) -> Iterator[Section]:
    meta = article.find("{*}front/{*}article-meta")
    if meta is None:
        return
    title = meta.find("{*}title-group/{*}article-title")
    if title is not None and (lines := _read_lines(title)):
        yield " ".join(lines), {"type": "title"}
    for abstract in meta.findall("{*}abstract"):
        yield from _read_abstract(abstract, _infons("abstract", (), abstract.get("abstract-type", "")))


def _read_abstract(abstract: etree._Element, infons: Mapping[str, str]) -> Iterator[Section]:
    """Yield a section for each part of the abstract; headings are not part of the text, as in PubMed's files."""
    own: list[str] = []
    for child in abstract:
        tag = local_name(child)
        if tag == "sec":
            if own:
                yield "\n".join(own), infons
                own = []
            heading = _read_heading(child)
            yield from _read_abstract(child, {**infons, **({"section": heading} if heading else {})})
        elif tag != "title":
            own += _read_lines(child)
    if own:
        yield "\n".join(own), infons


def _read_rest(article: etree._Element) -> Iterator[Section]:
    for place in ("{*}body", "{*}back/{*}app-group/{*}app", "{*}back/{*}app", "{*}floats-group"):
        for element in article.findall(place):
            yield from _read_section(element, ())


def _read_section(element: etree._Element, above: tuple[str, ...]) -> Iterator[Section]:
    """Yield the section's own text, the captions in it and its subsections, in their order."""
    heading = _read_heading(element)
    headings = (*above, heading) if heading else above
    infons = _infons("section", headings, element.get("sec-type", ""))
    lines = [heading] if heading else []
    floats: list[etree._Element] = []
    for child in element:
        if local_name(child) == "sec":
            yield from _finish(lines, infons, floats, headings)
            lines, floats = [], []
            yield from _read_section(child, headings)
        elif local_name(child) != "title":
            floats += _find_floats(child)
            lines += _read_lines(child)
    yield from _finish(lines, infons, floats, headings)


def _finish(
    lines: list[str], infons: Mapping[str, str], floats: list[etree._Element], headings: tuple[str, ...]
) -> Iterator[Section]:
    if lines:
        yield "\n".join(lines), infons
    for element in floats:
        caption = element.find("{*}caption")
        parts = [] if caption is None else _read_lines(caption)
        label = element.find("{*}label")
        if parts:
            named = parts if label is None else [read_text(label), *parts]
            yield " ".join(filter(None, named)), _infons(FLOATS[local_name(element)], headings, "")


def _infons(kind: str, headings: tuple[str, ...], category: str) -> dict[str, str]:
    named = {"type": kind, "section": BETWEEN_HEADINGS.join(headings), "category": category}
    return {key: value for key, value in named.items() if value}


def _read_heading(element: etree._Element) -> str:
    found = element.find("{*}title")
    return "" if found is None else " ".join(_read_lines(found))


def _find_floats(element: etree._Element) -> list[etree._Element]:
    """Return the figures and tables that are this element or stand in it."""
    return [each for each in element.iter() if local_name(each) in FLOATS]


def _read_lines(element: etree._Element) -> list[str]:
    """Return the lines of text in an element: paragraphs, list items and the like, without floats."""
    pieces: list[str] = []
    _collect(element, pieces)
    lines = map(without_layout, "".join(pieces).split(LINE_END))
    return [line for line in lines if line]


def _collect(element: etree._Element, pieces: list[str]) -> None:
    tag = local_name(element)
    if tag in SKIPPED or tag in FLOATS or tag in GROUPS:
        return
    is_line = tag in LINES
    pieces += (LINE_END if is_line else "", element.text or "")
    for child in element:
        _collect(child, pieces)
        pieces.append(child.tail or "")
    pieces.append(LINE_END if is_line else "")
