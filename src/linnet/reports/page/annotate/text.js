// The text of a document with its mentions, in parts: a change draws no more than the parts that it touches, and what is
// far from view is drawn while the browser has nothing else to do.
import { colourOf } from "../shared/colours.js";
import { make } from "../shared/dom.js";
import { levelsOf, markedText } from "../shared/marked_text.js";
import { confidence, isKnown } from "../shared/numbers.js";
import { numberOf } from "./labels.js";

const PART = 2000; // characters of a part, about
const AT_ONCE = 6; // so many parts are drawn without a look at where they are
const NEAR = 600; // pixels around the window
const BUSY_MS = 12; // of drawing at a time

export const piecesOf = (span) => span.fragments?.length ? span.fragments : [[span.start, span.end]];

export const textOf = (span, text) => piecesOf(span).map(([start, end]) => text.slice(start, end)).join(" … ");

// The candidates that are not among the links of a mention.
export function otherCandidates(span) {
  const chosen = new Set((span.links || []).map((link) => link.identifier));
  return (span.candidates || []).filter((candidate) => !chosen.has(candidate.identifier));
}

export class TextView {
  #text = null;
  #parts = []; // each has start, end, spans, its node and whether it is drawn
  #round = 0; // drawing for an earlier text or earlier mentions is given up
  paragraph = make("p", { class: "text", id: "text" });

  show(text, spans) {
    const before = new Map(text === this.#text ? this.#parts.map((part) => [`${part.start}-${part.end}`, part]) : []);
    this.#text = text;
    this.#round += 1;
    this.#parts = partsOf(text, spans).map((part) => this.#withNode(part, before.get(`${part.start}-${part.end}`)));
    const isSame = before.size === this.#parts.length && this.#parts.every((part) => part.isOld);
    if (!isSame) this.paragraph.replaceChildren(...blocksOf(text, this.#parts));
    this.#drawChanged();
  }

  // Draws the part of a mention if it has not been drawn yet.
  reveal(key) {
    const part = this.#parts.find((each) => !each.isDrawn && each.spans.some((span) => span.key === key));
    if (part) this.#draw(part);
  }

  #withNode(part, old) {
    const isDrawn = old ? old.isDrawn && isEqual(old.spans, part.spans) : part.spans.length === 0;
    const node = old?.node ?? make("span", { class: "part" }, this.#text.slice(part.start, part.end));
    return { ...part, node, isDrawn, isOld: old !== undefined };
  }

  #drawChanged() {
    const changed = this.#parts.filter((part) => !part.isDrawn);
    const isNear = changed.length > AT_ONCE ? isNearWindow : () => true;
    const near = changed.filter((part) => isNear(part.node));
    near.forEach((part) => this.#draw(part));
    if (near.length < changed.length) this.#drawLater(changed, this.#round);
  }

  #drawLater(parts, round) {
    setTimeout(() => {
      if (round !== this.#round) return;
      const end = performance.now() + BUSY_MS;
      const left = parts.filter((part) => !part.isDrawn);
      while (left.length && performance.now() < end) this.#draw(left.shift());
      if (left.length) this.#drawLater(left, round);
    });
  }

  #draw(part) {
    part.isDrawn = true;
    part.node.replaceChildren(...drawPart(this.#text, part));
  }
}

const isEqual = (first, second) => first.length === second.length && first.every((span, at) => span === second[at]);

function isNearWindow(node) {
  const { top, bottom } = node.getBoundingClientRect();
  return bottom > -NEAR && top < innerHeight + NEAR;
}

// Parts up to a line end are a block, which browsers lay out apart from the others, and not before it comes into view.
function blocksOf(text, parts) {
  const blocks = [];
  parts.forEach((part, at) => {
    if (at === 0 || text[part.start - 1] === "\n") blocks.push(make("span", { class: "block" }));
    blocks.at(-1).append(part.node);
  });
  return blocks;
}

// The text cut at line ends or blanks that lie in no mention; the mentions come in the order of their starts.
function partsOf(text, spans) {
  const cuts = [0];
  let next = 0;
  let reached = 0;
  for (let at = PART; at < text.length; at = Math.max(at, cuts.at(-1)) + PART) {
    const cut = at + cutIn(text.slice(at, at + PART));
    for (; next < spans.length && spans[next].start < cut; next += 1) reached = Math.max(reached, spans[next].end);
    if (cut > at && reached <= cut) cuts.push(cut);
  }
  return divide(cuts, text.length, spans);
}

const cutIn = (text) => (text.indexOf("\n") + 1) || (text.search(/\s/u) + 1);

function divide(cuts, length, spans) {
  let next = 0;
  return cuts.map((start, at) => {
    const end = cuts[at + 1] ?? length;
    const first = next;
    while (next < spans.length && spans[next].start < end) next += 1;
    return { start, end, spans: spans.slice(first, next) };
  });
}

// The nodes of a part, in which every mention can be reached by the keyboard, at its first character.
function drawPart(text, { start: from, end: to, spans }) {
  const levels = levelsOf(spans.map(({ start, end }) => [start, end]));
  const marks = spans.map((span, at) => ({ side: span.isBeside ? "beside" : "predicted", start: span.start - from, end: span.end - from,
    label: numberOf(span.label), level: levels[at], pieces: piecesOf(span).map(([start, end]) => [start - from, end - from]), span }));
  return markedText(text.slice(from, to), marks, (mark, start) => attributesOf(mark, start, text), namesAfter()).childNodes;
}

function attributesOf(mark, start, text) {
  if (mark.span.isBeside) return { "data-beside": mark.span.number, title: `Beside: ${describe(mark.span, text)}` };
  const isFirst = start === mark.start;
  return { "data-key": mark.span.key,
    ...(isFirst ? { tabindex: "0", role: "button", "aria-label": describe(mark.span, text) } : {}) };
}

// What a reader hears of a mention.
function describe(span, text) {
  const links = (span.links || []).map((link) => `${link.identifier}${link.name ? ` ${link.name}` : ""}`);
  return [`${span.label}: ${textOf(span, text)}${confidence(span.score)}`, ...links].join("; ");
}

function namesAfter() {
  const unnamed = [];
  return (over, end) => {
    unnamed.push(...over.filter((mark) => mark.end === end));
    return over.every((mark) => mark.end === end) ? unnamed.splice(0).map(drawName) : []; // cuts no bar in two
  };
}

function drawName({ span, label }) {
  return make("span", { class: `name ${span.isBeside ? "up" : "down"}`, style: colourOf(label), "aria-hidden": "true" },
    isKnown(span.score) ? `${span.label} ${span.score.toFixed(2)}` : span.label);
}
