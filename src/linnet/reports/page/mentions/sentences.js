// The sentences of the error page: what is known of them, and how one is drawn.
import { colourOf, swatch } from "../shared/colours.js";
import { data } from "../shared/data.js";
import { make } from "../shared/dom.js";
import { levelsOf, markedText, piecesOf } from "../shared/marked_text.js";
import { confidence, isKnown } from "../shared/numbers.js";

export const sentences = data.sentences.map(([documentNumber, number, text, gold, predicted, mistakes], index) => ({
  index,
  number,
  text,
  gold,
  predicted,
  document: data.documents[documentNumber],
  search: `${text}\n${data.documents[documentNumber]}`.toLowerCase(),
  labels: new Set([...gold, ...predicted].map((mention) => mention[2])),
  mistakes: mistakes.map(([kind, goldAt, predictedAt]) => mistakeOf(kind, goldAt, predictedAt, gold, predicted)),
}));

export const hasErrors = sentences.some((sentence) => sentence.mistakes.length);
export const hasConfidence = sentences.some(({ mistakes }) => mistakes.some((mistake) => isKnown(mistake.score)));

function mistakeOf(kind, goldAt, predictedAt, allGold, allPredicted) {
  const [gold, predicted] = [allGold[goldAt], allPredicted[predictedAt]];
  const labels = [...new Set([gold, predicted].filter(Boolean).map((mention) => mention[2]))];
  return { kind, goldAt, predictedAt, gold, predicted, labels, score: predicted?.[3] };
}

export const idOf = (sentence) => `s${sentence.index + 1}`;

export function drawSentence({ sentence, hits, isSorted }) {
  const id = idOf(sentence);
  const title = `${sentence.document}, sentence ${sentence.number}`;
  const linkLabel = `Link to sentence ${sentence.number} of ${sentence.document}`;
  const link = make("a", { href: `#${id}`, "aria-label": linkLabel }, `#${id}`);
  const isHit = new Set(hits);
  const all = [...sentence.mistakes.keys()];
  // Those that fit the filters come first, in the order that was chosen where that is another than reading.
  const order = isSorted ? [...hits, ...all.filter((at) => !isHit.has(at))] : all;
  const mistakes = order.map((at) => drawMistake(sentence.mistakes[at], at, sentence, isHit.has(at)));
  return make("article", { class: "sentence panel", id, "aria-label": title },
    make("div", { class: "where" }, title, link), drawText(sentence),
    mistakes.length ? make("ul", { class: "mistakes", "aria-label": "Errors" }, mistakes) : null);
}

function drawText(sentence) {
  const unnamed = [];
  const attributesOf = (mark) => ({ "data-tip": describe(mark, sentence), "data-mistake": mark.mistake });
  return markedText(sentence.text, marksOf(sentence), attributesOf, (over, end) => {
    // A right prediction says the same as the gold mention, and is not named again.
    unnamed.push(...over.filter((mark) => mark.end === end && (mark.side === "gold" || mark.isWrong)));
    return over.every((mark) => mark.end === end) ? unnamed.splice(0).map(drawName) : []; // cuts no bar in two
  });
}

function marksOf(sentence) {
  return ["gold", "predicted"].flatMap((side) => {
    const levels = levelsOf(sentence[side]);
    const mistakeAt = new Map(sentence.mistakes.map((found, mistake) => [found[`${side}At`], mistake]));
    return sentence[side].map(([start, end, label, score, pieces], at) => {
      const mistake = mistakeAt.get(at) ?? -1;
      return { side, start, end, label, score, pieces, mistake, isWrong: mistake >= 0, level: levels[at] };
    });
  });
}

function describe(mark, sentence) {
  const verdict = mark.isWrong ? data.kinds[sentence.mistakes[mark.mistake].kind][0] : "right";
  return `${mark.side}: ${data.labels[mark.label]}${confidence(mark.score)} (${verdict})`;
}

function drawName(mark) {
  return make("span", { class: `name ${mark.side === "gold" ? "up" : "down"}`, style: colourOf(mark.label),
    "aria-hidden": "true" }, data.labels[mark.label]);
}

function drawMistake(mistake, at, sentence, isHit) {
  return make("li", { class: isHit ? "" : "other", tabindex: "-1", "data-mistake": at },
    make("b", {}, data.kinds[mistake.kind][0]), drawMention("gold", mistake.gold, sentence),
    mistake.gold && mistake.predicted ? " → " : null, drawMention("predicted", mistake.predicted, sentence));
}

function drawMention(side, mention, sentence) {
  if (!mention) return [];
  const [start, end, label, score, pieces] = mention;
  const quote = piecesOf(start, end, pieces).map((piece) => sentence.text.slice(...piece)).join(" … ");
  return [`${side} `, swatch(label), `${data.labels[label]} `, make("q", {}, quote), confidence(score)];
}
