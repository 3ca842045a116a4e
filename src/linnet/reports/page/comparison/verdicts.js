// What failed or is missing in a grid, and its verdicts.
import { data } from "../shared/data.js";
import { find, make } from "../shared/dom.js";
import { plural } from "../shared/numbers.js";
import { commandLine } from "./commands.js";
import { SYMBOLS, badge, cellTitle } from "./grid.js";

export function drawTrouble() {
  const incomplete = data.cells.filter((cell) => cell.scores.length < data.seeds.length);
  if (!data.trouble.length && !incomplete.length) return;
  find("trouble").append(...data.trouble.map((sentence) => make("div", {}, sentence)), drawFailures(),
    drawIncomplete(incomplete));
  find("trouble").hidden = false;
}

function drawFailures() {
  if (!data.failures.length) return "";
  return make("ul", {}, data.failures.map(([name, reason, command]) =>
    make("li", {}, make("b", {}, name), `: ${reason}`, command ? commandLine(command) : null)));
}

function drawIncomplete(cells) {
  if (!cells.length) return "";
  const all = plural(data.seeds.length, "seed");
  const seedsOf = ({ scores }) => scores.length ? `${scores.length} of ${all}` : "missing";
  return make("details", {}, make("summary", {}, `${plural(cells.length, "cell")} without all seeds`),
    make("ul", {}, cells.map((cell) => make("li", {}, `${cellTitle(cell)}: ${seedsOf(cell)}`))));
}

export function drawVerdicts() {
  const pooled = data.comparisons.filter((comparison) => comparison.place < 0);
  const area = find("verdict-list");
  if (!data.comparisons.length) area.append(make("p", { class: "soft" }, "There is nothing to compare yet."));
  if (pooled.length) area.append(make("h3", {}, "All conditions together"), listOf(pooled));
  data.places.forEach((place, number) => {
    const single = data.comparisons.filter((comparison) => comparison.place === number);
    if (!single.length) return;
    const summary = make("summary", {}, `${place.title} `, make("span", { class: "soft" }, countVerdicts(single)));
    area.append(make("details", pooled.length ? {} : { open: "" }, summary, listOf(single)));
  });
}

function listOf(comparisons) {
  return make("ul", { class: "verdicts" }, comparisons.map((comparison) =>
    make("li", {}, badge(comparison), make("span", {}, comparison.sentence))));
}

function countVerdicts(comparisons) {
  const counts = Object.keys(SYMBOLS).map((verdict) =>
    [comparisons.filter((comparison) => comparison.verdict === verdict).length, verdict]);
  return counts.filter(([n]) => n).map(([n, verdict]) => `${n} ${verdict}`).join(", ");
}
