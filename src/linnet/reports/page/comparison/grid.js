// The cells and comparisons of a grid by place and choice, and their numbers in words.
import { data } from "../shared/data.js";
import { make } from "../shared/dom.js";
import { isKnown, percent, points, probability } from "../shared/numbers.js";

export const SYMBOLS = { better: "▲", worse: "▼", "no difference": "≈", "no evidence": "○", identical: "=" };
export const PLACE_HEADER = data.placeAxes.join(", ");
export const CHOICE_HEADER = data.choiceAxes.join(", ");
export const hasSeeds = data.seeds.length > 0; // without them each choice is one run
// What a cell, a choice and a place are called: without seeds these are single runs, and no grid.
export const WORDS = hasSeeds
  ? { cell: "cell", choice: "choice", place: "condition" }
  : { cell: "run", choice: "run", place: `${data.split} set` };
export const OTHER = !hasSeeds && data.choices.length === 2
  ? data.choices.find(({ title }) => title !== data.baseline)?.title : `the ${WORDS.choice}`;
const MOST_ON_A_LINE = 24; // characters of a name in a table

const keyOf = ({ place, choice }) => `${place} ${choice}`;
const comparisons = new Map(data.comparisons.map((comparison) => [keyOf(comparison), comparison]));
const cells = new Map(data.cells.map((cell) => [keyOf(cell), cell]));

export const cellAt = (place, choice) => cells.get(keyOf({ place, choice }));
export const comparisonOf = (cell) => comparisons.get(keyOf(cell));
export const placeTitle = (number) => number < 0 ? "all conditions" : data.places[number].title;
export const choiceTitle = (number) => number < 0 ? "?" : data.choices[number].title;
export const cellTitle = (cell) => `${placeTitle(cell.place)}: ${choiceTitle(cell.choice)}`;
export const verdictClass = (verdict) => verdict.replace(" ", "-");
export const intervalOf = ({ low, high }) =>
  isKnown(low) || isKnown(high) ? `${points(low)} to ${points(high)}` : "too few to tell";
export const meanWithSpread = (mean, sd) => `${percent(mean)}${isKnown(sd) ? ` ± ${percent(sd)}` : ""}`;
const hasCollapsed = (cell, seed) => cell.collapsed.includes(seed);
export const seedLines = (cell) => hasSeeds
  ? cell.scores.map(([seed, score]) => `seed ${seed}: ${percent(score)}${hasCollapsed(cell, seed) ? ", collapsed" : ""}`)
  : [];

// The class of a cell with a name: long names are broken into lines.
export const nameClass = (title) => title.length > MOST_ON_A_LINE ? "long" : "";

export function badge({ verdict, verdictName }) {
  return make("span", { class: `badge ${verdictClass(verdict)}` }, `${SYMBOLS[verdict]} ${verdictName}`);
}

export function describeComparison(comparison) {
  const [wins, ties, losses] = comparison.wins;
  const { p, adjusted, family, detectable, equivalence } = comparison;
  return [
    cellTitle(comparison),
    `difference ${points(comparison.difference)}, 95 % interval ${intervalOf(comparison)}`,
    `p ${probability(p)}, after Holm over ${family}: ${probability(adjusted)}`,
    hasSeeds ? `wins ${wins}, ties ${ties}, losses ${losses}` : "",
    isKnown(detectable) ? `smallest difference to be found: ${percent(detectable)}` : "",
    ...comparison.readings.map(([name, adjustedP]) => `with ${name}: p after Holm ${probability(adjustedP)}`),
    isKnown(equivalence) ? `p of the test of equivalence after Holm: ${probability(equivalence)}` : "",
    comparison.verdictName,
  ].filter(Boolean).join("\n");
}

export function describeCell(cell) {
  if (!isKnown(cell.mean)) return `${cellTitle(cell)}\nmissing`;
  return [
    cellTitle(cell),
    `${data.metric} ${meanWithSpread(cell.mean, cell.sd)}`,
    ...besideLines(cell),
    ...seedLines(cell),
    isKnown(cell.published) ? `published ${percent(cell.published)} ${cell.source && `(${cell.source})`}` : "",
    differenceLine(cell),
  ].filter(Boolean).join("\n");
}

function besideLines(cell) {
  return data.beside.map((name, at) => {
    const [mean, sd] = cell.beside[at], published = cell.publishedBeside[at];
    if (!isKnown(mean)) return "";
    return `${name} ${meanWithSpread(mean, sd)}${isKnown(published) ? `, published ${percent(published)}` : ""}`;
  });
}

function differenceLine(cell) {
  const comparison = comparisonOf(cell);
  if (!comparison) return cell.isBaseline ? "baseline" : "";
  return `difference ${points(comparison.difference)} (${intervalOf(comparison)}), ${comparison.verdictName}`;
}
