"""PubMed XML format: titles and abstracts of the baseline, the updates and E-utilities.

The id of a document is the PMID. Its text is the title and the sections of the abstract, joined by line breaks. Each is
a passage with the infons `type` (title or abstract), `section` (its label) and `category` (assigned by PubMed). Markup
(italics, subscripts, formulas) is replaced by its text. Line breaks and tabs are layout in XML: with the spaces around
them they become one space, and are removed at the ends of a passage. An abstract in another language or of another kind
(OtherAbstract) is read only if there is no abstract. Copyright notices are not read. Books and lists of deleted
articles are left out and noted.

Of several articles with one PMID in a file (versions, updates) all are kept; later ids get the version, `123.2`.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from lxml import etree

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats, writable_formats
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting
from linnet.formats.inputs.failures import Failure
from linnet.formats.unique_ids import IdSet
from linnet.formats.xml_sections import Section, join_sections, read_text
from linnet.formats.xml_stream import has_root, local_name, read_elements
from linnet.storage.compression import unpacked_name

__all__ = ["PubMedXML"]

ROOT = "PubmedArticleSet"
ARTICLE, BOOK, DELETED = "PubmedArticle", "PubmedBookArticle", "DeleteCitation"
SEE_PUBMED = "correct the file, or fetch it again; https://www.nlm.nih.gov/databases/dtd describes what PubMed writes"


class PubMedXML:
    """Titles and abstracts as PubMed distributes them."""

    name = "pubmed-xml"
    suffixes: tuple[str, ...] = ()
    description = "PubMed/MEDLINE XML: PMID, title and abstract sections, as baseline files have them; can only be read"
    reads_unique_ids = True
    can_write = False

    def recognises(self, path: Path, head: str) -> bool:
        """Is the first element a set of PubMed articles?"""
        return has_root(head, ROOT)

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the articles; an error names the last article that was read."""
        for each in _read_articles(path, notes, is_strict=True):
            if isinstance(each, Document):
                yield each

    def read_leniently(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document | Failure]:
        """Stream the articles, and a failure for each that cannot be read; damage of the XML itself is an error."""
        return _read_articles(path, notes, is_strict=False)

    def losses(self, document: Document) -> Iterable[tuple[str, int]]:
        """Refuse: the format can only be read."""
        raise _read_only_error()

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Refuse: PubMed XML needs much that a document does not have."""
        raise _read_only_error()


formats.register("pubmed-xml")(PubMedXML())


def _read_only_error() -> BadSetting:
    return BadSetting("pubmed-xml can only be read", f"write one of {', '.join(writable_formats())}")


def _read_articles(path: Path, notes: Notes, *, is_strict: bool) -> Iterator[Document | Failure]:
    ids, n_articles, is_empty = IdSet(), 0, True
    last = "no article before that"
    try:
        for element in read_elements(path, root=ROOT, tags=(ARTICLE, BOOK, DELETED), notes=notes):
            is_empty = False
            if local_name(element) != ARTICLE:
                _note_left_out(element, path, notes)
                continue
            n_articles += 1
            try:
                document = _build_document(element, ids, path, notes)
            except BadFile as error:
                if is_strict:
                    raise
                yield Failure(_name_article(element, path, n_articles), f"{error.problem}; {last}")
                continue
            ids.add(document.id)
            last = f"the last article before that is PMID {document.infons.get('pmid', document.id)}"
            yield document
    except BadFile as error:
        raise BadFile(f"{error.problem}; {last}", error.remedy) from None
    if is_empty:
        raise BadFile(f"{path}: holds no article", SEE_PUBMED)


def _name_article(article: etree._Element, path: Path, number: int) -> str:
    """Return the PMID of an article that cannot be read, or its number in the file."""
    found = article.find("{*}MedlineCitation/{*}PMID")
    return (read_text(found) if found is not None else "") or f"{unpacked_name(path).stem}:article {number}"


def _note_left_out(element: etree._Element, path: Path, notes: Notes) -> None:
    pmids = [read_text(pmid) for pmid in element.iter("{*}PMID")]
    place = f"{path}: PMID {pmids[0] if pmids else 'missing'}"
    if local_name(element) == BOOK:
        notes.add("articles of books left out", place)
    else:
        notes.add("deletions of articles (DeleteCitation) left out", place, len(pmids))


def _build_document(article: etree._Element, ids: IdSet, path: Path, notes: Notes) -> Document:
    citation = _find_only(article, "MedlineCitation", str(path))
    number = _find_only(citation, "PMID", str(path))
    if citation is None or number is None or not (pmid := read_text(number)):
        raise BadFile(f"{path}: found an article without a PMID", SEE_PUBMED)
    place = f"{path}: PMID {pmid}"
    version = number.get("Version", "1")
    name = _choose_id(pmid, version, ids)
    if name != pmid:
        notes.add("articles whose PMID came before, kept under an id with their version", place)
    content = _find_only(citation, "Article", place)
    sections = [*_read_title(content, place), *_read_abstract(content, citation, place, notes)]
    if not sections:
        notes.add("articles without title and abstract, whose text is empty", place)
    text, passages = join_sections(sections)
    infons = {"pmid": pmid, "version": version} if name != pmid else {}
    return Document(name, text, passages=passages, infons=infons)


def _choose_id(pmid: str, version: str, ids: IdSet) -> str:
    if pmid not in ids:
        return pmid
    name, number = f"{pmid}.{version}", 1
    while name in ids:
        number += 1
        name = f"{pmid}.{version}-{number}"
    return name


def _find_only(parent: etree._Element | None, tag: str, place: str) -> etree._Element | None:
    """Return the child of this name, None if there is none; reading one of several would drop the others."""
    found = parent.findall(f"{{*}}{tag}") if parent is not None else []
    if len(found) > 1:
        raise BadFile(f"{place}: found {len(found)} elements <{tag}> side by side, expected one", SEE_PUBMED)
    return found[0] if found else None


def _read_title(article: etree._Element | None, place: str) -> Iterator[Section]:
    title = _find_only(article, "ArticleTitle", place)
    if title is not None and (text := read_text(title)):
        yield text, {"type": "title"}


def _read_abstract(article: etree._Element | None, citation: etree._Element, place: str, notes: Notes) -> list[Section]:
    """Return the sections of the abstract, or of the first other abstract that has any."""
    abstract = _find_only(article, "Abstract", place)
    sections = list(_read_sections(abstract)) if abstract is not None else []
    n_left_out = 0
    for other in citation.findall("{*}OtherAbstract"):
        if sections:
            n_left_out += 1
        else:
            sections = list(_read_sections(other))
    if n_left_out:
        notes.add("further abstracts (OtherAbstract) left out", place, n_left_out)
    return sections


def _read_sections(abstract: etree._Element) -> Iterator[Section]:
    language = abstract.get("Language", "")
    for section in abstract.findall("{*}AbstractText"):
        named = {"section": section.get("Label", ""), "category": section.get("NlmCategory", ""), "language": language}
        infons = {key: value for key, value in named.items() if value}
        if text := read_text(section):
            yield text, {"type": "abstract", **infons}
