// The table of all cells of a grid, which can be sorted by its columns.
import { rangeOfValues } from "../shared/axes.js";
import { data } from "../shared/data.js";
import { draw, find, make, onClick } from "../shared/dom.js";
import { isKnown, percent, points } from "../shared/numbers.js";
import { sortedRows, sortingHeader, tableWith } from "../shared/tables.js";
import { WORDS, badge, comparisonOf, describeCell, hasSeeds, nameClass, seedLines } from "./grid.js";

const isPublished = data.cells.some((cell) => isKnown(cell.published));
const scales = data.places.map((_, place) => scaleOf(data.cells.filter((cell) => cell.place === place)));
const COLUMNS = [
  ...data.placeAxes.map((name, at) => ({ name, isText: true, value: (cell) => data.places[cell.place].labels[at] })),
  ...data.choiceAxes.map((name, at) => ({ name, isText: true, value: (cell) => data.choices[cell.choice].labels[at] })),
  { name: data.metric, value: (cell) => cell.mean, show: showMean },
  ...data.beside.map((name, at) => (
    { name, value: (cell) => cell.beside[at][0], show: (cell) => showBeside(cell, at) })),
  ...hasSeeds ? [
    { name: "seeds", value: (cell) => cell.scores.length, show: showSeeds },
    { name: "each seed", isText: true, show: drawSeeds },
  ] : [],
  { name: "difference", value: (cell) => comparisonOf(cell)?.difference, show: showDifference },
  { name: "verdict", isText: true, value: (cell) => comparisonOf(cell)?.verdictName ?? "", show: showVerdict },
  ...isPublished ? [
    { name: "published", value: (cell) => cell.published, show: showPublished },
    { name: "ours − published", value: oursLessPublished, show: (cell) => points(oursLessPublished(cell)) },
  ] : [],
];

let sorting = { column: -1, isDescending: false };

export function drawCells() {
  const ofSeeds = " Dots are seeds and the bar their mean"
    + `${isPublished ? ", the ring is the published value" : ""}; each condition has its own scale.`;
  find("cells-hint").textContent = `${hasSeeds ? "Means and standard deviations over the seeds. " : ""}In each ${WORDS.place} the `
    + `best is bold, the second best underlined.${hasSeeds ? ofSeeds : ""}`;
  drawTable();
  onClick(find("cells"), "[data-column]", (button) => sortBy(Number(button.dataset.column)));
}

function sortBy(column) {
  const isSame = sorting.column === column;
  sorting = { column, isDescending: isSame ? !sorting.isDescending : !COLUMNS[column].isText };
  drawTable();
  find("cells").querySelector(`[data-column="${column}"]`).focus();
}

function drawTable() {
  const { column, isDescending } = sorting;
  const cells = column < 0 ? data.cells : sortedRows(data.cells, COLUMNS[column], isDescending);
  const rows = cells.map((cell) => make("tr", {}, COLUMNS.map((one) => drawCell(one, cell))));
  find("cells").replaceChildren(tableWith(make("tr", {}, COLUMNS.map(drawHeader)), rows, { class: "wide" }));
}

function drawHeader({ name, isText, value }, number) {
  const kind = isText ? "text" : "";
  if (!value) return make("th", { scope: "col", class: kind }, name);
  const order = sorting.isDescending ? "descending" : "ascending";
  return sortingHeader(name, number, sorting.column === number ? order : null, kind);
}

function drawCell({ isText, value, show }, cell) {
  if (show) return make("td", { class: isText ? "text " : "" }, show(cell));
  return make("td", { class: `text ${nameClass(value(cell))}` }, value(cell));
}

function showMean(cell) {
  if (!isKnown(cell.mean)) return make("span", { class: "missing" }, "missing");
  return make("span", {}, make("span", { class: cell.mark }, percent(cell.mean)), showSpread(cell.sd));
}

function showSeeds(cell) {
  const { length } = cell.collapsed;
  return make("span", {}, String(cell.scores.length),
    length ? make("span", { class: "missing" }, ` (${length} collapsed)`) : null);
}

function showSpread(sd) {
  return isKnown(sd) ? make("span", { class: "sd" }, ` ± ${percent(sd)}`) : null;
}

function showBeside(cell, at) {
  const [mean, sd] = cell.beside[at], published = cell.publishedBeside[at];
  if (!isKnown(mean)) return "";
  return make("span", { "data-tip": isKnown(published) ? `published ${percent(published)}` : null }, percent(mean),
    showSpread(sd));
}

function showDifference(cell) {
  const comparison = comparisonOf(cell);
  if (comparison) return points(comparison.difference);
  return cell.isBaseline ? "baseline" : "";
}

function showVerdict(cell) {
  const comparison = comparisonOf(cell);
  return comparison ? badge(comparison) : "";
}

function showPublished(cell) {
  return make("span", { "data-tip": cell.source || null }, percent(cell.published));
}

function oursLessPublished(cell) {
  return isKnown(cell.mean) && isKnown(cell.published) ? cell.mean - cell.published : null;
}

function scaleOf(cells) {
  const values = cells.flatMap((cell) => [...cell.scores.map(([, score]) => score), cell.published]).filter(isKnown);
  const [low, high] = rangeOfValues(values);
  const space = (high - low) * 0.06 || 0.005;
  return [low - space, high + space];
}

function drawSeeds(cell) {
  if (!cell.scores.length) return "";
  const [low, high] = scales[cell.place];
  const at = (value) => `${(100 * (value - low) / (high - low)).toFixed(2)}%`;
  const label = seedLines(cell).join(", ");
  return draw("svg", { class: "strip", role: "img", "aria-label": label, "data-tip": describeCell(cell) },
    draw("line", { x1: 0, x2: "100%", y1: "50%", y2: "50%" }),
    cell.scores.map(([, score]) => draw("circle", { cx: at(score), cy: "50%", r: 3.5 })),
    draw("line", { class: "mean", x1: at(cell.mean), x2: at(cell.mean), y1: "12%", y2: "88%" }),
    isKnown(cell.published) ? draw("circle", { class: "published", cx: at(cell.published), cy: "50%", r: 4.5 }) : null);
}
