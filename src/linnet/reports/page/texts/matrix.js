// The confusion matrix, whose cells are buttons that filter.
import { MOST_TINT } from "../shared/colours.js";
import { data } from "../shared/data.js";
import { find, make } from "../shared/dom.js";
import { count, plural } from "../shared/numbers.js";
import { tableWith } from "../shared/tables.js";
import { examples } from "./examples.js";

export function drawMatrix() {
  if (!data.matrix.length) return;
  find("matrix-panel").hidden = false;
  const { counts, nOthers } = countPairs();
  const head = make("tr", {}, make("td"),
    data.matrix.map((label) => make("th", { scope: "col" }, make("span", {}, data.labels[label]))));
  find("matrix").append(tableWith(head, data.matrix.map((gold) => drawRow(gold, counts)), { class: "matrix" }));
  const hint = "A click on a number shows its examples; colours are shares of the gold label.";
  find("matrix-hint").textContent = !nOthers ? hint : `${hint} The ${data.matrix.length} most frequent of `
    + `${count(data.labels.length)} labels are shown, ${plural(nOthers, "example")} have others.`;
}

function countPairs() {
  const inMatrix = new Set(data.matrix);
  const counts = new Map();
  let nOthers = 0;
  for (const { gold, predicted } of examples.filter((example) => example.gold)) {
    const key = `${gold[0]} ${predicted[0]}`;
    counts.set(key, (counts.get(key) || 0) + 1);
    if (!inMatrix.has(gold[0]) || !inMatrix.has(predicted[0])) nOthers += 1;
  }
  return { counts, nOthers };
}

function drawRow(gold, counts) {
  const values = data.matrix.map((predicted) => counts.get(`${gold} ${predicted}`) || 0);
  const sum = values.reduce((all, value) => all + value, 0) || 1;
  return make("tr", {}, make("th", { scope: "row" }, data.labels[gold]),
    data.matrix.map((predicted, at) => make("td", {}, drawCell(gold, predicted, values[at], values[at] / sum))));
}

function drawCell(gold, predicted, value, share) {
  return make("button", { type: "button", class: gold === predicted ? "same" : "other",
    style: `--much: ${(MOST_TINT * share).toFixed(1)}%`, "data-gold": gold, "data-predicted": predicted,
    disabled: value ? null : "", "aria-pressed": "false",
    "aria-label": `gold ${data.labels[gold]}, predicted ${data.labels[predicted]}: ${value}` },
  value ? count(value) : "·");
}
