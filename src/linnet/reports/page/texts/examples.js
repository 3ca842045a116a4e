// The examples of the page of text tasks: what is known of them, and how one is drawn.
import { swatch } from "../shared/colours.js";
import { data } from "../shared/data.js";
import { make } from "../shared/dom.js";
import { levelsOf, markedText } from "../shared/marked_text.js";
import { confidence, isKnown } from "../shared/numbers.js";

export const isRegression = data.kind === "number";
export const isSpans = data.kind === "spans";
export const hasLabels = !isRegression && !isSpans;
export const NONE = data.labels.length; // the label of a text that has none
const [RIGHT_COLOUR, WRONG_COLOUR] = [2, 1];

export const labelName = (label) => label === NONE ? "(none)" : data.labels[label];
export const labelNumber = (name) => name === "(none)" ? NONE : data.labels.indexOf(name);
export const valueText = (value) => isKnown(value) ? String(Number(value.toPrecision(4))) : "?";
const labelsOrNone = (labels) => labels && (labels.length ? labels : [NONE]);
const goldTexts = (gold) => (gold || []).flat();

export const examples = data.examples.map(([id, group, text, gold, predicted, score, right], index) => ({
  index,
  id,
  group,
  text,
  score,
  right,
  gold: hasLabels ? labelsOrNone(gold) : gold,
  predicted: hasLabels ? labelsOrNone(predicted) : predicted,
  error: isRegression && isKnown(gold) && isKnown(predicted) ? predicted - gold : null,
  search: [text, id, group, ...isSpans ? [...goldTexts(gold), ...predicted] : []].join("\n").toLowerCase(),
}));

export const idOf = (example) => `s${example.index + 1}`;

export function drawExample(example) {
  const id = idOf(example);
  const where = make("div", { class: "where" }, example.group ? `${example.group}, ${example.id}` : example.id,
    badgeOf(example), make("a", { href: `#${id}`, "aria-label": `Link to ${example.id}` }, `#${id}`));
  return make("article", { class: "sentence panel", id, "aria-label": example.id }, where, drawText(example),
    make("dl", { class: "verdict" }, make("dt", {}, "gold"), make("dd", {}, drawGold(example)),
      make("dt", {}, "predicted"), make("dd", {}, drawPredicted(example))));
}

function badgeOf({ error, right }) {
  if (isRegression && error === null) return null;
  if (isRegression) return make("span", { class: "badge unknown number" }, `error ${signed(error)}`);
  if (!isKnown(right)) return make("span", { class: "badge unknown" }, "gold not known");
  return make("span", { class: `badge ${right ? "right" : "wrong"}` }, right ? "✓ right" : "✗ wrong");
}

function signed(value) {
  const size = valueText(Math.abs(value));
  if (value === 0) return size;
  return value > 0 ? `+${size}` : `−${size}`;
}

function drawGold({ gold, predicted }) {
  if (!isKnown(gold)) return make("span", { class: "soft" }, "not known");
  if (isRegression) return valueText(gold);
  if (isSpans) return gold.length ? gold.map((synonyms) => synonyms.join(" | ")).join("; ") : "no answer";
  return gold.map((label) => drawLabel(label, !predicted.includes(label)));
}

function drawPredicted(example) {
  const { gold, predicted, score } = example;
  if (isRegression) return valueText(predicted);
  if (isSpans) return drawAnswers(example);
  const labels = predicted.map((label) => drawLabel(label, Boolean(gold) && !gold.includes(label)));
  return [...labels, confidence(score)];
}

function drawLabel(label, isOff) {
  return make("span", { class: "one" }, label === NONE ? null : swatch(label),
    make("span", { class: isOff ? "off" : "" }, labelName(label)));
}

function drawAnswers({ gold, predicted, score }) {
  if (!predicted.length) return `no answer${confidence(score)}`;
  const right = new Set(goldTexts(gold).map(normalised));
  return make("ol", {}, predicted.map((answer, at) => make("li", {},
    right.has(normalised(answer)) ? make("b", {}, answer) : answer, at ? "" : confidence(score))));
}

const normalised = (text) => text.toLowerCase().split(/\s+/).filter(Boolean).join(" ");

function drawText({ text, gold, predicted, right }) {
  if (!isSpans) return make("p", { class: "text" }, text);
  const isWrong = right === 0;
  return markedText(text, [
    ...marksOf("gold", placesOf(text, goldTexts(gold)), RIGHT_COLOUR, false),
    ...marksOf("predicted", placesOf(text, predicted.slice(0, 1)), isWrong ? WRONG_COLOUR : RIGHT_COLOUR, isWrong),
  ], (mark) => ({ "data-tip": mark.side === "gold" ? "gold" : "predicted first" }));
}

function marksOf(side, places, label, isWrong) {
  const levels = levelsOf(places);
  return places.map(([start, end], at) => ({ side, start, end, label, level: levels[at], isWrong }));
}

// Where the answers stand after the first line, the question. Where lower case has another length, case counts.
function placesOf(text, answers) {
  const lower = text.toLowerCase().length === text.length ? text.toLowerCase() : text;
  const afterQuestion = lower.indexOf("\n") + 1;
  const places = new Map();
  for (const answer of answers) {
    const wanted = lower === text ? answer : answer.toLowerCase();
    let at = wanted ? lower.indexOf(wanted, afterQuestion) : -1;
    while (at >= 0) {
      places.set(`${at} ${wanted.length}`, [at, at + wanted.length]);
      at = lower.indexOf(wanted, at + wanted.length);
    }
  }
  return [...places.values()];
}
