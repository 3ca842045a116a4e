// The list of sentences on which two systems disagree: its filters, its pages, and its place in the address.
import { parametersInAddress, setAddress } from "../shared/address.js";
import { data } from "../shared/data.js";
import { find, make, onClick, setPressed } from "../shared/dom.js";
import { watchKeys } from "../shared/keyboard.js";
import { bringIntoView } from "../shared/lazy_list.js";
import { count, plural } from "../shared/numbers.js";
import { showQuery, watchSearch } from "../shared/search.js";
import { walkThrough } from "../shared/walk.js";
import { OTHER, choiceTitle, hasSeeds, placeTitle } from "./grid.js";
import { drawSentence, hasSentencesWrongInTwoWays, sideOf, whereOf } from "./sentences.js";

const STEP = 20; // sentences of a page of the list
const SIDES = [["", "All"], ["first", `Only ${data.baseline} right`], ["second", `Only ${OTHER} right`],
  ...(hasSentencesWrongInTwoWays ? [["neither", "Both wrong, and different"]] : [])];
const WITHOUT_FILTERS = { place: -1, choice: -1, side: "", query: "" };
const searchTexts = new Map(data.sentences.map((sentence) => [sentence,
  `${whereOf(sentence)}\n${data.texts[sentence[1][0]]}`.toLowerCase()]));

const state = { ...WITHOUT_FILTERS };
let results = data.sentences; // what the filters leave
let page = 0;
const walk = walkThrough({ size: () => results.length, start: () => page * STEP, show: showSentence });

export function drawDisagreements() {
  find("choice-name").textContent = hasSeeds ? "Choice" : "Run";
  find("filter-place").append(...optionsOf("place", data.places));
  find("filter-choice").append(...optionsOf("choice", data.choices));
  find("sides").append(...SIDES.map(([side, name]) =>
    make("button", { type: "button", class: "plain", "data-side": side }, name)));
  listen();
  if (isOfSection()) refresh();
  else readAddress();
}

function optionsOf(key, named) {
  const occurring = new Set(data.pairs.map((pair) => pair[key]));
  const numbers = [...named.keys()].filter((number) => occurring.has(number));
  const options = numbers.map((number) => make("option", { value: number }, named[number].title));
  return [make("option", { value: -1 }, "all"), ...options];
}

function refresh() {
  results = data.sentences.filter(isWanted);
  walk.reset();
  find("filter-place").value = state.place;
  find("filter-choice").value = state.choice;
  for (const button of find("sides").querySelectorAll("button")) setPressed(button, button.dataset.side === state.side);
  showQuery(state.query);
  find("clear").hidden = state.place < 0 && state.choice < 0 && !state.side && !state.query;
  find("previous").disabled = !results.length;
  find("next").disabled = !results.length;
  drawPage(0);
}

function isWanted(sentence) {
  const { place, choice } = data.pairs[sentence[0]];
  return (state.place < 0 || place === state.place) && (state.choice < 0 || choice === state.choice)
    && (!state.side || sideOf(sentence) === state.side) && searchTexts.get(sentence).includes(state.query.toLowerCase());
}

function drawPage(number) {
  page = number;
  const from = page * STEP, to = Math.min(results.length, from + STEP);
  find("list").replaceChildren(...results.slice(from, to).map(drawSentence));
  if (!results.length) find("list").append(make("p", { class: "empty" }, emptyMessage()));
  const all = results.length === data.sentences.length ? "" : ` (of ${count(data.sentences.length)} without filters)`;
  const range = results.length ? `${count(from + 1)}–${count(to)} of ` : "";
  find("status").textContent = `${range}${plural(results.length, "sentence")}${all}`;
  find("pages").hidden = results.length <= STEP;
  find("page").textContent = `page ${count(page + 1)} of ${count(Math.ceil(results.length / STEP))}`;
  find("earlier").disabled = page === 0;
  find("later").disabled = to >= results.length;
}

function emptyMessage() {
  return data.sentences.length ? "No sentence fits these filters." : "The systems disagree on no sentence.";
}

function showSentence(position) {
  const wanted = Math.floor(position / STEP);
  if (wanted !== page) drawPage(wanted);
  bringIntoView(find("list").children[position - page * STEP]);
}

function turnPage(step) {
  walk.reset();
  drawPage(page + step);
  find("filters").scrollIntoView();
}

// Whether the address names a section of the page, and no filters.
const isOfSection = () => location.hash && !location.hash.includes("=");

function readAddress() {
  const wanted = parametersInAddress();
  state.place = data.places.findIndex((place) => place.title === wanted.get("place"));
  state.choice = data.choices.findIndex((choice) => choice.title === wanted.get("choice"));
  state.side = SIDES.some(([side]) => side === wanted.get("side")) ? wanted.get("side") : "";
  state.query = wanted.get("q") || "";
  refresh();
}

function change(values) {
  Object.assign(state, values);
  refresh();
  const wanted = new URLSearchParams();
  if (state.place >= 0) wanted.set("place", placeTitle(state.place));
  if (state.choice >= 0) wanted.set("choice", choiceTitle(state.choice));
  if (state.side) wanted.set("side", state.side);
  if (state.query) wanted.set("q", state.query);
  setAddress(wanted);
}

function showPair({ dataset }) {
  const { place, choice } = data.pairs[Number(dataset.pair)];
  change({ ...WITHOUT_FILTERS, place, choice });
  find("filters").scrollIntoView();
}

function listen() {
  find("filter-place").addEventListener("change", (event) => change({ place: Number(event.target.value) }));
  find("filter-choice").addEventListener("change", (event) => change({ choice: Number(event.target.value) }));
  onClick(find("sides"), "[data-side]", (button) => change({ side: button.dataset.side }));
  onClick(find("agreement"), "[data-pair]", showPair);
  find("clear").addEventListener("click", () => change(WITHOUT_FILTERS));
  find("next").addEventListener("click", () => walk.go(1));
  find("previous").addEventListener("click", () => walk.go(-1));
  find("earlier").addEventListener("click", () => turnPage(-1));
  find("later").addEventListener("click", () => turnPage(1));
  watchSearch((query) => change({ query }));
  watchKeys(walk.go, () => find("errors").hidden);
  addEventListener("hashchange", () => { if (!isOfSection()) readAddress(); });
}
