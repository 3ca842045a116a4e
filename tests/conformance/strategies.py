"""Documents of every kind, for hypothesis to choose from."""

from hypothesis import strategies as st

from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span

__all__ = ["documents", "marked_texts", "rows_of_words"]

ODD = [
    *"\n\r\t|%\\<>&\"'{}[];:#\u2028\u2029\u0085\u00a0\u000b\u000c\u001c\ufeff\u200d\u0301\u0001\u007f\ufffe",
    "\r\n", "e\u0301", "\U0001f9ec", "\U0010ffff", "β", "]]>", "&amp;", "\\u0000", "%20", "-DOCSTART-", "1|t|",
    " ", " ",
]  # fmt: skip
characters = st.sampled_from(ODD) | st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.lists(characters | st.sampled_from(["a", "B", "cancer", ". "]), max_size=14).map("".join)
names = st.sampled_from(["Disease", "Chemical", "cell line", "a-b"])
strings = names | st.lists(characters, max_size=3).map("".join)
infons = st.dictionaries(st.sampled_from(["type", "note", "names", "novel", "score"]) | strings, strings, max_size=2)
links = st.builds(Link, st.sampled_from(["D003920", "-1"]) | strings, st.sampled_from(["", "MESH"]) | strings)


@st.composite
def marked_texts(draw: st.DrawFn) -> Document:
    """A text of any characters with plain mentions and nothing else."""
    text = draw(texts)
    spans = [draw(_spans(text, n)) for n in range(draw(st.integers(0, 3)))] if text else []
    plain = tuple(Span(span.start, span.end, draw(names), id=span.id) for span in spans)
    return Document("d", text, plain)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """A document in which anything may be that has a place in one."""
    text = draw(texts)
    spans = [draw(_spans(text, n)) for n in range(draw(st.integers(0, 3)))] if text else []
    stretches = st.tuples(*[st.integers(0, len(text))] * 2).map(sorted)
    relations = st.builds(
        Relation, strings, st.lists(_arguments(spans), max_size=3).map(tuple), st.just(""), st.just({}) | infons
    )
    return Document(
        draw(st.just("d") | strings),
        text,
        tuple(spans),
        tuple(draw(st.lists(relations, max_size=2))),
        tuple(Passage(start, end, draw(infons)) for start, end in sorted(draw(st.lists(stretches, max_size=2)))),
        tuple(Sentence(start, end) for start, end in sorted(draw(st.lists(stretches, max_size=2)))),
        draw(st.just({}) | infons),
    )


@st.composite
def rows_of_words(draw: st.DrawFn) -> Document:
    """A document that lines of words and tags can hold: words joined by spaces, sentences by line breaks."""
    word = st.lists(characters, min_size=1, max_size=3).map("".join).filter(lambda w: not set(w) & set("\t\n"))
    rows = draw(st.lists(st.lists(word, min_size=1, max_size=4), max_size=3))
    sentences, spans, at = [], [], 0
    for row in rows:
        starts = [at + sum(len(w) + 1 for w in row[:n]) for n in range(len(row))]
        tokens = tuple((start, start + len(w)) for start, w in zip(starts, row, strict=True))
        sentences.append(Sentence(at, tokens[-1][1], tokens))
        spans += [Span(*token, draw(names)) for token in tokens if draw(st.booleans())]
        at = tokens[-1][1] + 1
    return Document("d", "\n".join(map(" ".join, rows)), tuple(spans), sentences=tuple(sentences))


@st.composite
def _spans(draw: st.DrawFn, text: str, number: int) -> Span:
    cuts = draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=4, unique=True).map(sorted))
    pairs = [(cuts[0], cuts[1]), (cuts[2], cuts[3])] if len(cuts) == 4 else [(cuts[0], cuts[1])]
    return Span(
        pairs[0][0],
        pairs[-1][1],
        draw(strings),
        tuple(pairs) if len(pairs) > 1 else (),
        f"T{number + 1}",
        tuple(draw(st.lists(links, max_size=2))),
        draw(st.none() | st.sampled_from([0.0, 0.25, 1.0])),
        draw(st.just({}) | infons),
    )


def _arguments(spans: list[Span]) -> st.SearchStrategy[Argument]:
    roles = st.sampled_from(["", "entity1", "Arg1", "a b"])
    concepts = st.builds(Argument, roles, st.sampled_from(["D003920"]) | strings, st.just(True))
    if not spans:
        return concepts
    return concepts | st.builds(Argument, roles, st.sampled_from([span.id for span in spans]))
