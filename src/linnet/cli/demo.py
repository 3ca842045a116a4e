"""The command `linnet demo`."""

from collections import Counter
from collections.abc import Iterable, Iterator
from textwrap import fill
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet.documents.document import Document, Sentence, Span

__all__ = ["demo"]

LONGEST = 12  # tokens of a mention that the word list looks for
NEXT_STEPS = """
Next:
  linnet stats CORPUS                what your own corpus holds
  linnet weights demo --scheme welt  what a weighting scheme makes of its tags
  linnet convert IN OUT              from any format to any other, nothing lost
  linnet score GOLD PREDICTED        every matching, with intervals
  linnet --help                      everything else"""


def demo() -> None:
    """Show Linnet at work on the corpus that comes with it."""
    from linnet.cli.printing import print_line, screen_width
    from linnet.cli.score import print_scores
    from linnet.cli.stats import print_statistics
    from linnet.formats.corpus import read_corpus
    from linnet.metrics.scores import score
    from linnet.reports.scoring import units_from_documents
    from linnet.reports.statistics import describe

    corpus = read_corpus("demo")
    print_line("1. What the embedded corpus holds (linnet stats demo)\n")
    print_statistics(describe(corpus))
    print_line("\n2. A document of it, mentions in brackets\n")
    for line in _with_brackets(corpus.test.documents[0]).split("\n"):
        print_line(fill(line, width=screen_width()))
    print_line("\n3. What a word list of the training mentions finds in test (linnet score)\n")
    predicted = _look_up(corpus.test.documents, _word_list(corpus.train.documents))
    print_scores(score(list(units_from_documents(corpus.test.documents, predicted))))
    print_line(NEXT_STEPS)


def _with_brackets(document: "Document") -> str:
    from linnet.documents.spans import without_overlaps

    pieces: list[str] = []
    at = 0
    for span in without_overlaps(document.spans)[0]:
        pieces += [document.text[at : span.start], f"[{document.text[span.start : span.end]} | {span.label}]"]
        at = span.end
    return "".join([*pieces, document.text[at:]])


def _word_list(documents: Iterable["Document"]) -> dict[str, str]:
    """Return the label that each mention's text has most often, upper and lower case alike."""
    labels: dict[str, Counter[str]] = {}
    for document in documents:
        for span, text in document.mentions():
            labels.setdefault(text.casefold(), Counter())[span.label] += 1
    return {text: counts.most_common(1)[0][0] for text, counts in labels.items()}


def _look_up(documents: Iterable["Document"], label_by_text: dict[str, str]) -> list["Document"]:
    """Return the documents with what the list knows in them."""
    from linnet.documents.sentences import with_sentences

    found: list[Document] = []
    for document in documents:
        sentences = with_sentences(document.with_spans(()))
        spans = [span for each in sentences for span in _known_spans(document.text, each, label_by_text)]
        found.append(document.with_spans(tuple(spans)))
    return found


def _known_spans(text: str, sentence: "Sentence", label_by_text: dict[str, str]) -> Iterator["Span"]:
    """Yield what the list knows from left to right, the longest match first."""
    from linnet.documents.document import Span

    reach = 0
    for index, (start, _) in enumerate(sentence.tokens):
        ends = [end for _, end in sentence.tokens[index : index + LONGEST]] if start >= reach else []
        known = [end for end in ends if text[start:end].casefold() in label_by_text]
        if known:
            reach = known[-1]
            yield Span(start, reach, label_by_text[text[start:reach].casefold()])
