// The heat map of a grid: places down, choices across. What is better or worse than the baseline has a colour by the
// difference; what is neither has none, however large the measured difference is.
import { MOST_TINT } from "../shared/colours.js";
import { data } from "../shared/data.js";
import { find, make } from "../shared/dom.js";
import { isKnown, percent, points } from "../shared/numbers.js";
import { tableWith } from "../shared/tables.js";
import { SYMBOLS, cellAt, comparisonOf, describeCell, nameClass } from "./grid.js";

export function drawHeatMap() {
  const differences = data.comparisons.filter((one) => one.place >= 0 && isDecided(one)).map(({ difference }) => Math.abs(difference));
  const most = Math.max(0, ...differences);
  find("heat-hint").textContent = `Mean ${data.metric}; ${explainColours(most)}.`;
  const head = make("tr", {}, make("td"), data.choices.map(({ title }) => drawTitle("col", title)));
  const rows = data.places.map(({ title }, place) => make("tr", {}, drawTitle("row", title),
    data.choices.map((_, choice) => drawCell(cellAt(place, choice), most))));
  find("heat").append(tableWith(head, rows, { class: "heat" }));
  if (most) find("heat-map").append(make("div", { class: "scale number" }, points(-most), make("i"), points(most)));
  find("heat-map").hidden = !data.cells.length;
}

function explainColours(most) {
  const isTested = data.comparisons.some((one) => one.place >= 0);
  return most || !isTested ? `what is better ▲ or worse ▼ than ${data.baseline} has a colour by the difference`
    : "no evidence of a difference";
}

function drawTitle(scope, title) {
  return make("th", { scope, class: nameClass(title) }, title);
}

function drawCell(cell, most) {
  if (!isKnown(cell.mean)) return make("td", { class: "missing", "data-tip": describeCell(cell) }, "missing");
  const comparison = comparisonOf(cell);
  const much = isDecided(comparison) ? MOST_TINT * Math.abs(comparison.difference) / most : 0;
  return make("td", { class: isDecided(comparison) ? comparison.verdict : "", style: `--much: ${much.toFixed(1)}%`, tabindex: 0,
    "data-tip": describeCell(cell) }, percent(cell.mean), make("small", {}, noteOf(cell, comparison)));
}

function isDecided(comparison) {
  return ["better", "worse"].includes(comparison?.verdict);
}

function noteOf(cell, comparison) {
  if (!comparison) return cell.isBaseline ? "baseline" : "";
  return `${points(comparison.difference)}${isDecided(comparison) ? ` ${SYMBOLS[comparison.verdict]}` : ""}`;
}
