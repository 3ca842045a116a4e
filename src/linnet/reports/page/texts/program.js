// The page of text tasks: scores on top, filters at the side, examples with gold and predicted answers.
import { exampleInAddress, parametersInAddress, setAddress } from "../shared/address.js";
import { find, onClick } from "../shared/dom.js";
import { watchKeys } from "../shared/keyboard.js";
import { LazyList, bringIntoView } from "../shared/lazy_list.js";
import { isKnown } from "../shared/numbers.js";
import { toggle, watchSearch } from "../shared/search.js";
import { watchTips } from "../shared/tips.js";
import { showPosition, walkThrough } from "../shared/walk.js";
import { drawExample, examples, idOf, isRegression, labelName, labelNumber } from "./examples.js";
import { FIRST_SHOWN, SHOWS, applyFilters, filtered, isChosenCell, makeFilters, state, withoutFilters }
  from "./filters.js";
import { drawMatrix } from "./matrix.js";
import { drawPlot } from "./plot.js";
import { drawScores } from "./scores.js";

const list = new LazyList(drawExample);
const walk = walkThrough({
  size: () => filtered.results.length,
  start: (step) => step > 0 ? Math.min(filtered.results.length - 1, list.firstInView()) : 0,
  show: showExample,
  tell: (current) => showPosition(current, filtered.results.length),
});

function refresh() {
  applyFilters();
  walk.reset();
  list.show(filtered.results, emptyMessage());
}

function emptyMessage() {
  if (!examples.length) return "There are no examples.";
  if (FIRST_SHOWN === "all" && state.show === "wrong") return "There are no errors: every answer is right.";
  return "No example fits these filters.";
}

function showExample(position) {
  list.drawAround(position);
  bringIntoView(find(idOf(filtered.results[position])));
}

function goToExample(index) {
  if (!examples[index]) return;
  const position = () => filtered.results.findIndex((example) => example.index === index);
  if (position() < 0) change({ ...withoutFilters(), show: whereShown(examples[index]) });
  walk.moveTo(position());
}

function whereShown({ right }) {
  if (isRegression) return FIRST_SHOWN;
  if (!isKnown(right)) return "all";
  return right ? "right" : "wrong";
}

function readAddress() {
  const index = exampleInAddress();
  if (index !== null) {
    if (!filtered.results.length) refresh();
    goToExample(index);
    return;
  }
  const wanted = parametersInAddress();
  const numbers = (key) => new Set(wanted.getAll(key).map(labelNumber).filter((label) => label >= 0));
  Object.assign(state, { gold: numbers("gold"), predicted: numbers("predicted"), query: wanted.get("q") || "",
    show: SHOWS.some(([show]) => show === wanted.get("show")) ? wanted.get("show") : FIRST_SHOWN });
  refresh();
}

function change(values = {}) {
  Object.assign(state, values);
  refresh();
  const wanted = new URLSearchParams();
  for (const side of ["gold", "predicted"]) for (const label of state[side]) wanted.append(side, labelName(label));
  if (state.query) wanted.set("q", state.query);
  if (state.show !== FIRST_SHOWN) wanted.set("show", state.show);
  setAddress(wanted);
}

function toggleLabel({ dataset }) {
  toggle(state[dataset.side], Number(dataset.label));
  change();
}

function toggleCell(cell) {
  const chosen = isChosenCell(cell) ? { gold: new Set(), predicted: new Set(), show: FIRST_SHOWN }
    : { gold: new Set([Number(cell.dataset.gold)]), predicted: new Set([Number(cell.dataset.predicted)]), show: "all" };
  change(chosen);
}

function listen() {
  onClick(find("filters"), "[data-label]", toggleLabel);
  onClick(find("filters"), "[data-show]", (button) => change({ show: button.dataset.show }));
  onClick(find("matrix"), "button", toggleCell);
  onClick(find("plot"), "[data-example]", (point) => goToExample(Number(point.dataset.example)));
  find("clear").addEventListener("click", () => change(withoutFilters()));
  find("next").addEventListener("click", () => walk.go(1));
  find("previous").addEventListener("click", () => walk.go(-1));
  watchSearch((query) => change({ query }));
  watchKeys(walk.go);
  watchTips();
  addEventListener("hashchange", readAddress);
}

drawScores();
drawMatrix();
drawPlot();
makeFilters();
listen();
readAddress();
