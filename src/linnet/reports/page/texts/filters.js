// The filters of the page of text tasks: right and wrong, gold and predicted labels, text, and the order of regression.
import { swatch } from "../shared/colours.js";
import { data } from "../shared/data.js";
import { find, make, setPressed } from "../shared/dom.js";
import { count, plural } from "../shared/numbers.js";
import { showQuery } from "../shared/search.js";
import { NONE, examples, hasLabels, isRegression, isSpans, labelName } from "./examples.js";

export const SHOWS = isRegression ? [["error", "Largest errors first"], ["file", "As they come"]]
  : [["wrong", "Wrong"], ["right", "Right"], ["all", "All"]];
export const FIRST_SHOWN = firstShown();
const SIDES = ["gold", "predicted"];
const byError = [...examples].sort((a, b) => Math.abs(b.error ?? 0) - Math.abs(a.error ?? 0));

export const state = { show: FIRST_SHOWN, gold: new Set(), predicted: new Set(), query: "" };
export const filtered = { results: [] }; // what the filters leave

export const withoutFilters = () => ({ gold: new Set(), predicted: new Set(), query: "" });

function firstShown() {
  if (isRegression) return "error";
  return examples.some((example) => example.right === 0) ? "wrong" : "all";
}

export function makeFilters() {
  find("shows").append(...SHOWS.map(([show, name]) =>
    make("button", { type: "button", class: "plain", "data-show": show }, name)));
  find("list").classList.add(data.kind);
  find("sample").hidden = !isSpans;
  for (const side of hasLabels ? SIDES : []) {
    const labels = [...new Set(examples.flatMap((example) => example[side] || []))].sort((a, b) => a - b);
    find(`${side}-filter`).hidden = false;
    find(side).append(...labels.map((label) => labelButton(side, label)));
  }
}

function labelButton(side, label) {
  const title = labelName(label);
  return make("button", { type: "button", class: "chip", "data-side": side, "data-label": label, title },
    label === NONE ? null : swatch(label), make("span", { class: "cut" }, title), make("span", { class: "number" }));
}

export function applyFilters() {
  const query = state.query.toLowerCase();
  const counts = { gold: new Map(), predicted: new Map() };
  filtered.results = (state.show === "error" ? byError : examples).filter((example) => {
    if (!isShown(example) || query && !example.search.includes(query)) return false;
    return !hasLabels || hasChosenLabels(example, counts);
  });
  drawFilters(counts);
}

const isShown = ({ right }) => isRegression || state.show === "all" || right === (state.show === "right" ? 1 : 0);

// A filter's own counts leave that filter out of account.
function hasChosenLabels({ gold, predicted }, counts) {
  const isGold = fits(state.gold, gold), isPredicted = fits(state.predicted, predicted);
  if (isPredicted) addLabels(counts.gold, gold);
  if (isGold) addLabels(counts.predicted, predicted);
  return isGold && isPredicted;
}

const fits = (chosen, labels) => !chosen.size || Boolean(labels) && labels.some((label) => chosen.has(label));

function addLabels(counts, labels) {
  for (const label of labels || []) counts.set(label, (counts.get(label) || 0) + 1);
}

function drawFilters(counts) {
  for (const side of SIDES) {
    for (const button of find(side).querySelectorAll("button")) {
      const label = Number(button.dataset.label);
      setPressed(button, state[side].has(label));
      button.querySelector(".number").textContent = count(counts[side].get(label) || 0);
    }
  }
  for (const button of find("shows").querySelectorAll("button")) setPressed(button, button.dataset.show === state.show);
  for (const button of find("matrix").querySelectorAll("button")) setPressed(button, isChosenCell(button));
  showQuery(state.query);
  find("clear").hidden = !(state.gold.size || state.predicted.size || state.query);
  find("status").textContent = `${count(filtered.results.length)} of ${plural(examples.length, "example")}`;
}

export function isChosenCell({ dataset }) {
  return state.gold.size === 1 && state.predicted.size === 1
    && state.gold.has(Number(dataset.gold)) && state.predicted.has(Number(dataset.predicted));
}
