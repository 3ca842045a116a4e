"""A format of one's own: an id, a tab and a text on each line; it cannot hold annotations, and says so."""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile, WouldLose
from linnet.formats.reading import convert_documents, read_documents
from linnet.storage.files import new_file, read_lines


class TextLines:
    """One text per line."""

    name = "textlines"
    suffixes: tuple[str, ...] = (".textlines",)
    description = "an id, a tab and a text on each line; no annotations"

    def recognises(self, path: Path, head: str) -> bool:
        """Only by name: any file with two columns would look like it."""
        return path.suffix in self.suffixes

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents."""
        for number, line in read_lines(path):
            name, tab, text = line.partition("\t")
            if not tab:
                raise BadFile(f"{path}:{number}: found {line[:80]!r} without a tab", "write the id, a tab and the text")
            yield Document(name, text)

    def losses(self, document: Document) -> Iterator[tuple[str, int]]:
        """Name what a line cannot hold."""
        yield "mentions", len(document.spans)
        yield "relations", len(document.relations)
        yield "passages, sentences and infons", len([*document.passages, *document.sentences, *document.infons])
        yield "line breaks", document.text.count("\n")

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write as the documents come; `new_file` gives the file its name when all went well."""
        with new_file(path) as file:
            for document in documents:
                line = document.text.replace("\n", " ")
                file.write(f"{document.id}\t{line}\n")


formats.register("textlines")(TextLines())

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "notes.textlines"
        convert_documents([Document("1", "No fever."), Document("2", "Sepsis.")], target, to=formats.get("textlines"))
        print([document.text for document in read_documents(target)])
        sample = read_documents(Path(__file__).with_name("sample.pubtator"))
        try:
            convert_documents(sample, target, to=formats.get("textlines"))
        except WouldLose as error:
            print(error.problem)
