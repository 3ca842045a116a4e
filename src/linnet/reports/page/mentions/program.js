// The error page of named-entity recognition: scores on top, filters at the side, sentences with their errors.
import { exampleInAddress, parametersInAddress, setAddress } from "../shared/address.js";
import { data } from "../shared/data.js";
import { find, onClick } from "../shared/dom.js";
import { watchKeys } from "../shared/keyboard.js";
import { LazyList, bringIntoView } from "../shared/lazy_list.js";
import { toggle, watchSearch } from "../shared/search.js";
import { watchTips } from "../shared/tips.js";
import { showPosition, walkThrough } from "../shared/walk.js";
import { FIRST_SHOWN, ORDERS, applyFilters, filtered, makeFilters, state, withoutFilters } from "./filters.js";
import { drawScores } from "./scores.js";
import { drawSentence, hasErrors, idOf, sentences } from "./sentences.js";

const list = new LazyList(drawSentence);
const walk = walkThrough({
  size: () => filtered.errors.length,
  start: (step) => step > 0 ? firstErrorInView() : 0,
  show: showError,
  tell: (current) => showPosition(current, filtered.errors.length),
});

function refresh() {
  applyFilters();
  walk.reset();
  list.show(filtered.results, emptyMessage());
}

function emptyMessage() {
  if (!sentences.length) return "There are no sentences.";
  if (!hasErrors && state.show === "errors") return "There are no errors: every mention is right.";
  return "No sentence fits these filters.";
}

function firstErrorInView() {
  const inView = list.firstInView();
  return Math.max(0, filtered.errors.findIndex(([position]) => position >= inView));
}

function showError(current) {
  const [position, at] = filtered.errors[current];
  list.drawAround(position);
  const article = find(idOf(filtered.results[position].sentence));
  bringIntoView(article);
  for (const element of article.querySelectorAll(`[data-mistake="${at}"]`)) element.classList.add("now");
  article.querySelector(`li[data-mistake="${at}"]`).focus({ preventScroll: true });
}

function goToSentence(index) {
  if (!sentences[index]) return;
  const position = () => filtered.results.findIndex((result) => result.sentence.index === index);
  if (position() < 0) {
    Object.assign(state, withoutFilters(), { show: sentences[index].mistakes.length ? "errors" : "all" });
    refresh();
  }
  list.drawAround(position());
  bringIntoView(find(idOf(sentences[index])));
}

function readAddress() {
  const index = exampleInAddress();
  if (index !== null) {
    if (!filtered.results.length) refresh();
    goToSentence(index);
    return;
  }
  const wanted = parametersInAddress();
  const numbers = (key, names) =>
    new Set(wanted.getAll(key).map((name) => names.indexOf(name)).filter((number) => number >= 0));
  state.kinds = numbers("kind", data.kinds.map(([name]) => name));
  state.labels = numbers("label", data.labels);
  state.query = wanted.get("q") || "";
  state.show = ["errors", "all"].includes(wanted.get("show")) ? wanted.get("show") : FIRST_SHOWN;
  state.least = Math.min(1, Math.max(0, Number(wanted.get("least")) || 0));
  state.order = ORDERS.includes(wanted.get("order")) ? wanted.get("order") : ORDERS[0];
  refresh();
}

function change(values = {}) {
  Object.assign(state, values);
  refresh();
  const wanted = new URLSearchParams();
  for (const kind of state.kinds) wanted.append("kind", data.kinds[kind][0]);
  for (const label of state.labels) wanted.append("label", data.labels[label]);
  if (state.query) wanted.set("q", state.query);
  if (state.show !== FIRST_SHOWN) wanted.set("show", state.show);
  if (state.least) wanted.set("least", state.least);
  if (state.order !== ORDERS[0]) wanted.set("order", state.order);
  setAddress(wanted);
}

function toggleFilter(set, value) {
  toggle(set, value);
  change();
}

function listen() {
  onClick(find("filters"), "[data-kind]", (button) => toggleFilter(state.kinds, Number(button.dataset.kind)));
  onClick(find("filters"), "[data-label]", (button) => toggleFilter(state.labels, Number(button.dataset.label)));
  onClick(find("filters"), "[data-show]", (button) => change({ show: button.dataset.show }));
  onClick(find("orders"), "[data-order]", (button) => change({ order: button.dataset.order }));
  find("least").addEventListener("input", (event) => change({ least: Number(event.target.value) }));
  find("clear").addEventListener("click", () => change(withoutFilters()));
  find("next").addEventListener("click", () => walk.go(1));
  find("previous").addEventListener("click", () => walk.go(-1));
  find("names").addEventListener("change", (event) => find("list").classList.toggle("names", event.target.checked));
  watchSearch((query) => change({ query }));
  watchKeys(walk.go);
  watchTips();
  addEventListener("hashchange", readAddress);
}

drawScores();
makeFilters();
listen();
readAddress();
