// Text with its gold and predicted mentions marked, nested and discontinuous ones too.
import { colourOf } from "./colours.js";
import { make } from "./dom.js";

export const piecesOf = (start, end, pieces) => pieces || [[start, end]];

// For each mention how many others lie under its bar: one that holds others gets a bar further out.
export function levelsOf(mentions) {
  const overlaps = overlapsOf(mentions);
  const levels = mentions.map(() => 0);
  const length = (at) => mentions[at][1] - mentions[at][0];
  const byLength = mentions.map((_, at) => at).sort((a, b) => length(a) - length(b));
  const isDone = mentions.map(() => false);
  for (const at of byLength) {
    for (const inner of overlaps[at]) if (isDone[inner]) levels[at] = Math.max(levels[at], levels[inner] + 1);
    isDone[at] = true;
  }
  return levels;
}

// For each mention the numbers of those that overlap with it; only neighbours are compared, for there may be thousands.
function overlapsOf(mentions) {
  const found = mentions.map(() => []);
  const byStart = mentions.map((_, at) => at).sort((a, b) => mentions[a][0] - mentions[b][0]);
  byStart.forEach((at, rank) => {
    for (let next = rank + 1; next < byStart.length; next += 1) {
      const other = byStart[next];
      if (mentions[other][0] >= mentions[at][1]) break;
      if (mentions[at][0] < mentions[other][1]) { found[at].push(other); found[other].push(at); }
    }
  });
  return found;
}

// A paragraph of the text with its marks. A mark has side, start, end, label, level and isWrong, and pieces where it is
// discontinuous. `attributesOf` gives more attributes of a mark, for the segment of the text that starts there; `after`
// gives what follows a segment.
export function markedText(text, marks, attributesOf, after = () => []) {
  const paragraph = make("p", { class: "text" });
  for (const { start, end, over } of segmentsOf(text.length, outermostFirst(marks))) {
    let node = document.createTextNode(text.slice(start, end));
    for (const mark of [...over].reverse()) {
      const style = `${colourOf(mark.label)}; --level: ${mark.level}`;
      node = make("span", { class: classesOf(mark, start, end), style, ...attributesOf(mark, start) }, node);
    }
    paragraph.append(node, ...after(over, end));
  }
  return paragraph;
}

function outermostFirst(marks) {
  return marks.map((mark) => ({ ...mark, pieces: piecesOf(mark.start, mark.end, mark.pieces) }))
    .sort((a, b) => b.level - a.level);
}

// The text cut wherever a mark begins or ends, each segment with the marks that lie over it, in the order of the marks.
function segmentsOf(length, marks) {
  const opening = new Map(marks.flatMap((mark) => mark.pieces.map((piece) => [piece[0], []])));
  marks.forEach((mark, at) => mark.pieces.forEach(([start, end]) => opening.get(start).push([at, end])));
  const cuts = [...new Set([0, length, ...marks.flatMap((mark) => mark.pieces.flat())])].sort((a, b) => a - b);
  let open = []; // marks by number, with the ends of their pieces
  return cuts.slice(1).map((end, before) => {
    const start = cuts[before];
    open = [...open.filter(([, last]) => last > start), ...opening.get(start) || []];
    const over = new Set(open.filter(([, last]) => last >= end).map(([at]) => at).sort((a, b) => a - b));
    return { start, end, over: [...over].map((at) => marks[at]) };
  });
}

function classesOf(mark, start, end) {
  const classes = ["m", mark.side, mark.pieces.some((piece) => piece[0] === start) && "begins",
    mark.pieces.some((piece) => piece[1] === end) && "ends", mark.isWrong && "wrong"];
  return classes.filter(Boolean).join(" ");
}
