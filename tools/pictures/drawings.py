"""Draws the concepts of docs/concepts.md, each for light and for dark pages: python -m tools.pictures.drawings."""

from collections.abc import Callable, Mapping
from pathlib import Path

from linnet.documents.document import Document, Span
from linnet.formats.corpus import read_corpus
from linnet.losses.weighting import weigh
from tools.pictures.svg import DARK, LIGHT, Drawing
from tools.site.pages import ROOT

__all__ = ["DRAWINGS", "draw_all"]

FOLDER = ROOT / "docs" / "pictures"
PITCH = 11.0  # pixels from one character to the next
Palette = Mapping[str, str]

EXAMPLE = Document(
    "1",
    "Severe heart failure after doxorubicin.",
    spans=(Span(7, 20, "Disease"), Span(27, 38, "Chemical")),
)


def draw_all(folder: Path = FOLDER) -> None:
    """Write each drawing as `NAME.svg` and `NAME-dark.svg`."""
    for name, draw in DRAWINGS.items():
        (folder / f"{name}.svg").write_text(draw(LIGHT).as_svg(), encoding="utf-8")
        (folder / f"{name}-dark.svg").write_text(draw(DARK).as_svg(), encoding="utf-8")


def draw_document(palette: Palette) -> Drawing:
    """Draw a document with two mentions, their offsets, and the concept that one is linked to."""
    drawing = Drawing(720, 170, "A text with two mentions, their character offsets, and an identifier", palette)
    x, y = 20.0, 62.0
    for span in EXAMPLE.spans:
        left, width = x + PITCH * span.start, PITCH * (span.end - span.start)
        drawing.box(left, y - 20, width, 27, colour=span.label, tint=0.15)
        drawing.text(left + width / 2, y - 28, span.label, colour=span.label, size=13, anchor="middle")
        drawing.text(left, y + 26, str(span.start), colour="soft", size=12)
        drawing.text(left + width, y + 26, str(span.end), colour="soft", size=12, anchor="end")
    drawing.letters(x, y, EXAMPLE.text, pitch=PITCH)
    middle = x + PITCH * 13.5
    drawing.line(middle, y + 10, middle, y + 50, colour="mark")
    drawing.box(middle - 105, y + 52, 210, 44, colour="mark", tint=0.08)
    drawing.text(middle, y + 71, "mesh:D006333", colour="mark", size=13, anchor="middle")
    drawing.text(middle, y + 88, "Heart Failure", colour="soft", size=12, anchor="middle")
    drawing.text(500, y + 26, "characters, end exclusive", colour="soft", size=12)
    drawing.text(340, y + 78, "the concept of a vocabulary", colour="soft", size=12)
    return drawing


def draw_tags(palette: Palette) -> Drawing:
    """Draw the tokens of the sentence with their tags."""
    drawing = Drawing(720, 120, "Six tokens, each with one tag", palette)
    tags = ["O", "B-Disease", "I-Disease", "O", "B-Chemical", "O"]
    x = 20.0
    for word, tag in zip(["Severe", "heart", "failure", "after", "doxorubicin", "."], tags, strict=True):
        width = max(PITCH * len(word), 8.2 * len(tag)) + 16
        label = tag.partition("-")[2]
        drawing.box(x, 20, width, 34, colour=label or "line", tint=0.15 if label else 0.0)
        drawing.text(x + width / 2, 43, word, size=16, anchor="middle")
        drawing.text(x + width / 2, 78, tag, colour=label or "soft", size=14, anchor="middle")
        x += width + 8
    drawing.text(
        20, 106, "B begins a mention, I continues it, O is outside. Every token gets exactly one tag.", colour="soft"
    )
    return drawing


def draw_windows(palette: Palette) -> Drawing:
    """Draw a long sentence and the overlapping windows in which an encoder reads it."""
    drawing = Drawing(720, 190, "A long sentence is read in three overlapping windows", palette)
    n_words, step, left, gap = 30, 10, 20.0, 22.6
    for word in range(n_words):
        drawing.box(left + gap * word, 22, gap - 5, 18, colour="line", tint=0.5)
    for number in range(3):
        first, last = max(0, step * number - 3), min(n_words, step * (number + 1) + 3)
        y = 62 + 34 * number
        drawing.box(left + gap * first - 3, y, gap * (last - first) + 1, 24, colour="mark")
        drawing.box(left + gap * step * number, y + 3, gap * step - 5, 18, colour="mark", tint=0.35)
    drawing.text(
        20, 182, "Each word is predicted once (filled), in the window in which it has most context.", colour="soft"
    )
    return drawing


def draw_weights(palette: Palette) -> Drawing:
    """Draw how often each tag of the demo corpus occurs, and the class weights of `welt`."""
    drawing = Drawing(720, 210, "Counts of the tags of the demo corpus, and their class weights", palette)
    weighting = weigh(read_corpus("demo").train.counts, "welt")
    total, largest = sum(weighting.counts.values()), max(weighting.weights.values())
    drawing.text(130, 24, "share of the tokens", colour="soft", size=13)
    drawing.text(440, 24, "weight of a token in the loss (welt)", colour="soft", size=13)
    for number, (tag, count) in enumerate(sorted(weighting.counts.items(), key=lambda item: -item[1])):
        y = 38 + 33 * number
        label = tag.partition("-")[2]
        weight = weighting.weights[tag]
        drawing.text(120, y + 17, tag, colour=label or "ink", anchor="end")
        drawing.box(130, y, 240 * count / total, 22, colour=label or "soft", tint=0.6)
        drawing.text(138 + 240 * count / total, y + 16, f"{count / total:.1%}", size=13)
        drawing.box(440, y, 200 * weight / largest, 22, colour=label or "soft", tint=0.6)
        drawing.text(448 + 200 * weight / largest, y + 16, f"{weight:.3f}", size=13)
    return drawing


def draw_matchings(palette: Palette) -> Drawing:
    """Draw three predictions beside the gold mention, and which matchings count them as right."""
    drawing = Drawing(720, 220, "Three predictions and what each matching says about them", palette)
    text, gold, pitch = "acute renal failure", (0, 19), 12.0
    drawing.text(20, 26, "gold", colour="soft", size=13)
    for x, name in zip((440, 520, 600, 680), ("strict", "exact", "partial", "type"), strict=True):
        drawing.text(x, 26, name, size=14, anchor="middle")
    rows = [
        (gold, "Disease", ("1", "1", "1", "1")),
        (gold, "Chemical", ("0", "1", "1", "0")),
        ((6, 19), "Disease", ("0", "0", "½", "1")),
    ]
    drawing.box(100, 10, pitch * len(text), 24, colour="Disease", tint=0.15)
    drawing.letters(100, 28, text, pitch=pitch)
    for number, ((start, end), label, counts) in enumerate(rows):
        y = 80 + 44 * number
        drawing.box(100 + pitch * start, y - 18, pitch * (end - start), 24, colour=label, tint=0.15)
        drawing.letters(100, y, text, pitch=pitch)
        drawing.text(20, y, label, colour=label, size=13)
        for x, count in zip((440, 520, 600, 680), counts, strict=True):
            drawing.text(x, y, count, colour={"1": "good", "0": "bad"}.get(count, "ink"), size=16, anchor="middle")
    drawing.text(20, 208, "1 counts as right, 0 as wrong, ½ as half right.", colour="soft", size=13)
    return drawing


def draw_verdicts(palette: Palette) -> Drawing:
    """Draw four differences with their intervals, and the verdict of each."""
    drawing = Drawing(720, 250, "Four differences with intervals, and their verdicts", palette)
    zero, unit, margin = 300.0, 55.0, 1.0  # pixels for one point of F1
    drawing.box(zero - unit * margin, 20, 2 * unit * margin, 170, colour="line", tint=0.25)
    drawing.line(zero, 14, zero, 198, colour="ink")
    rows = [
        (2.6, 1.2, "better", "good"),
        (-2.4, 1.3, "worse", "bad"),
        (0.1, 0.6, "no difference above 1", "mark"),
        (1.1, 2.4, "no evidence", "soft"),
    ]
    for number, (difference, half, verdict, colour) in enumerate(rows):
        y = 42 + 44 * number
        drawing.line(zero + unit * (difference - half), y, zero + unit * (difference + half), y, colour=colour, width=4)
        drawing.dot(zero + unit * difference, y, colour=colour)
        drawing.text(540, y + 5, verdict, colour=colour, size=15)
    drawing.text(zero, 214, "0", colour="soft", size=13, anchor="middle")
    drawing.text(
        zero,
        238,
        "difference with the baseline, in points of F1; grey: too small to matter",
        colour="soft",
        size=13,
        anchor="middle",
    )
    return drawing


DRAWINGS: Mapping[str, Callable[[Palette], Drawing]] = {
    "document": draw_document,
    "tags": draw_tags,
    "windows": draw_windows,
    "weights": draw_weights,
    "matchings": draw_matchings,
    "verdicts": draw_verdicts,
}

if __name__ == "__main__":
    draw_all()
