// The scores of the error page: the headline, and tables by matching and by label.
import { swatch } from "../shared/colours.js";
import { data } from "../shared/data.js";
import { find, make, onClick } from "../shared/dom.js";
import { drawDetails, drawHeadline } from "../shared/headline.js";
import { count, isKnown, percent, plural } from "../shared/numbers.js";
import { rangeOf, tableOf } from "../shared/tables.js";

const COLUMNS = ["precision", "recall", "F1", "95 % interval", "", "gold", "predicted", "right"];

const titleOf = (matching) => matching.replace("_", " ");

export function drawScores() {
  const strict = data.scores.strict.micro;
  drawDetails(data.details);
  drawHeadline(percent(strict.f1), [
    [make("b", {}, "strict F1"), intervalOf(strict) ? `, 95 % interval ${intervalOf(strict)}${unitsOf(strict)}` : ""],
    [`precision ${percent(strict.precision)}, recall ${percent(strict.recall)}`],
    [`${plural(data.scores.mentions, "gold mention")} in ${plural(data.scores.sentences, "sentence")}`],
  ]);
  drawTables("strict");
  onClick(find("by-matching"), "[data-matching]", (button) => {
    drawTables(button.dataset.matching);
    find("by-matching").querySelector("[aria-pressed=true]").focus();
  });
}

function drawTables(chosen) {
  const matchings = Object.keys(data.scores).filter((name) => data.scores[name] && data.scores[name].micro);
  const rows = matchings.map((name) => scoreRow(matchingButton(name, name === chosen), data.scores[name].micro));
  find("by-matching").replaceChildren(tableOf(["matching", ...COLUMNS], rows));
  find("by-label-title").textContent = `By label, ${titleOf(chosen)}`
    + (data.matchings[chosen] ? ` (${data.matchings[chosen]})` : "");
  find("by-label").replaceChildren(tableOf(["label", ...COLUMNS], labelRows(data.scores[chosen])));
}

function matchingButton(name, isChosen) {
  return make("button", { type: "button", class: "pick", "aria-pressed": isChosen, title: data.matchings[name] || "",
    "data-matching": name }, titleOf(name));
}

function labelRows({ labels, micro, macro }) {
  const rows = Object.entries(labels).map(([label, block]) => {
    const number = data.labels.indexOf(label);
    return scoreRow(make("span", {}, number < 0 ? null : swatch(number), label), block);
  });
  return [...rows, scoreRow("micro average", micro, "sum"), scoreRow("macro average", macro)];
}

function scoreRow(name, block, kind = "") {
  const range = rangeOf(block.f1_low ?? block.f1, block.f1, block.f1_high ?? block.f1);
  return make("tr", { class: kind }, make("th", { scope: "row" }, name),
    make("td", {}, percent(block.precision)), make("td", {}, percent(block.recall)),
    make("td", { class: "main" }, percent(block.f1)), make("td", {}, intervalOf(block)), make("td", {}, range),
    ...["gold", "predicted", "correct"].map((key) => make("td", {}, count(block[key]))));
}

function intervalOf(block) {
  const missing = data.scores.resamples ? "-" : ""; // too few units for an interval, or none was computed
  return isKnown(block.f1_low) ? `${percent(block.f1_low)}–${percent(block.f1_high)}` : missing;
}

function unitsOf(block) {
  if (!block.units) return "";
  const caution = block.units === "sentences" ? `; ${whySentences()}: the interval is probably too narrow` : "";
  return ` over ${plural(block.n_units, block.units.slice(0, -1))}${caution}`;
}

function whySentences() {
  if (!isKnown(data.scores.documents)) return "the file has no documents";
  return data.scores.documents === 1 ? "the file has one document" : "documents are known and were not resampled";
}
