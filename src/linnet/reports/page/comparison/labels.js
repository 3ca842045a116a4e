// The scores of each label, for one place at a time.
import { data } from "../shared/data.js";
import { find, make } from "../shared/dom.js";
import { isKnown, percent, points } from "../shared/numbers.js";
import { tableWith } from "../shared/tables.js";
import { CHOICE_HEADER, choiceTitle, nameClass, placeTitle } from "./grid.js";

export function drawLabels() {
  const places = [...data.places.keys()].filter((place) =>
    data.cells.some((cell) => cell.place === place && cell.labels.length));
  find("by-label").hidden = !places.length;
  find("label-place").append(...places.map((place) => make("option", { value: place }, placeTitle(place))));
  find("label-place").addEventListener("change", drawTable);
  drawTable();
}

function drawTable() {
  const place = Number(find("label-place").value);
  const cells = data.cells.filter((cell) => cell.place === place);
  if (data.places[place]) find("by-label-title").textContent = `By label, ${placeTitle(place)}`;
  const labels = [...new Set(cells.flatMap((cell) => cell.labels.map(([label]) => label)))];
  const baseline = new Map((cells.find((cell) => cell.isBaseline) || { labels: [] }).labels);
  const head = make("tr", {}, make("th", { class: "text", scope: "col" }, CHOICE_HEADER),
    labels.map((label) => make("th", { colspan: 2, scope: "col" }, label)));
  find("label-table").replaceChildren(tableWith(head, cells.map((cell) => drawRow(cell, labels, baseline))));
}

function drawRow(cell, labels, baseline) {
  const scores = new Map(cell.labels);
  const title = choiceTitle(cell.choice);
  const drawOther = isKnown(cell.mean) ? drawUnused : drawMissing;
  return make("tr", {}, make("th", { scope: "row", class: `text ${nameClass(title)}` }, title),
    labels.flatMap((label) => isKnown(scores.get(label))
      ? drawScore(scores.get(label), cell.isBaseline ? null : baseline.get(label)) : drawOther()));
}

const drawMissing = () => make("td", { class: "missing", colspan: 2 }, "missing");

// Where a run has scores, but none of a label, the label is neither in gold nor predicted.
const drawUnused = () => make("td", { class: "soft", colspan: 2, title: "neither gold nor predicted" }, "–");

function drawScore(score, baseline) {
  const bar = make("span", { class: "labelbar", "aria-hidden": "true" },
    make("i", { style: `width: ${(100 * score).toFixed(1)}%` }));
  const change = isKnown(baseline) ? points(score - baseline) : "";
  return [make("td", {}, percent(score), bar), make("td", { class: "soft" }, change)];
}
