// The scores of the page of text tasks: the headline, and tables of scores and labels.
import { swatch } from "../shared/colours.js";
import { data } from "../shared/data.js";
import { find, make } from "../shared/dom.js";
import { drawDetails, drawHeadline } from "../shared/headline.js";
import { count, isKnown, percent } from "../shared/numbers.js";
import { rangeOf, tableOf } from "../shared/tables.js";
import { isRegression } from "./examples.js";

const SCORE_COLUMNS = ["score", "value", "95 % interval", "", "interval over", "n", "counted over"];
const LABEL_COLUMNS = ["label", "precision", "recall", "F1", "gold", "predicted", "right"];

export function drawScores() {
  drawDetails(data.details);
  const main = data.figures[0];
  if (main) {
    drawHeadline(scoreText(main[1]), [
      [make("b", {}, main[0])],
      [intervalOf(main) ? `95 % interval ${intervalOf(main)}${main[6] ? ` over ${main[6]}` : ""}` : "no interval"],
      [`${count(main[4])} ${main[5]}`],
    ]);
  }
  find("scores").append(tableOf(SCORE_COLUMNS, data.figures.map(scoreRow)));
  find("labels-panel").hidden = !data.blocks.length;
  if (data.blocks.length) find("by-label").append(tableOf(LABEL_COLUMNS, data.blocks.map(labelRow)));
}

function scoreRow(figure, at) {
  const [name, value, low, high, n, unit, units] = figure;
  return make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: at ? "" : "main" }, scoreText(value)),
    make("td", {}, intervalOf(figure)), make("td", {}, isRegression ? "" : rangeOf(low ?? value, value, high ?? value)),
    make("td", {}, units ?? ""), make("td", {}, count(n)), make("td", {}, unit));
}

function labelRow([label, precision, recall, f1, ...counts]) {
  return make("tr", {}, make("th", { scope: "row" }, swatch(label), data.labels[label]),
    make("td", {}, percent(precision)), make("td", {}, percent(recall)), make("td", { class: "main" }, percent(f1)),
    counts.map((value) => make("td", {}, count(value))));
}

// Correlations and errors of regression are no shares.
function scoreText(value) {
  if (!isRegression) return percent(value);
  return isKnown(value) ? value.toFixed(4) : "";
}

function intervalOf([, , low, high]) {
  if (!isKnown(low) || !isKnown(high)) return "";
  return `${scoreText(low)}${low < 0 ? " to " : "–"}${scoreText(high)}`;
}
