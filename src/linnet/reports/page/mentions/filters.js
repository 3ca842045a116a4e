// The filters of the error page: kinds of errors, labels, text, sentences with or without errors; and their order.
import { swatch } from "../shared/colours.js";
import { data } from "../shared/data.js";
import { find, make, setPressed } from "../shared/dom.js";
import { count, isKnown, plural } from "../shared/numbers.js";
import { showQuery } from "../shared/search.js";
import { hasConfidence, hasErrors, sentences } from "./sentences.js";

export const FIRST_SHOWN = hasErrors ? "errors" : "all";
const mostOfAKind = Math.max(1, ...data.kinds.map((_, kind) =>
  sentences.reduce((sum, { mistakes }) => sum + mistakes.filter((mistake) => mistake.kind === kind).length, 0)));

export const ORDERS = ["reading", "highest", "lowest"]; // as in the documents, or by confidence

export const state = { kinds: new Set(), labels: new Set(), query: "", show: FIRST_SHOWN, order: ORDERS[0], least: 0 };
// What the filters leave: sentences with positions of their mistakes that fit; and the errors in the same order, each
// as [position in results, position in the sentence's mistakes].
export const filtered = { results: [], errors: [] };

export const withoutFilters = () => ({ kinds: new Set(), labels: new Set(), query: "", least: 0 });

export function makeFilters() {
  find("kinds").append(...data.kinds.map(([name, meaning], kind) =>
    make("button", { type: "button", class: "kind", "data-kind": kind }, make("span", {}, name),
      make("span", { class: "number" }), make("span", { class: "bar", "aria-hidden": "true" }, make("i")),
      make("span", { class: "what" }, meaning))));
  find("labels").append(...data.labels.map((name, label) =>
    make("button", { type: "button", class: "chip", "data-label": label, title: "errors that concern this label" },
      swatch(label), name, " ", make("span", { class: "number" }))));
  find("orders").hidden = !hasConfidence;
  find("names").checked = data.labels.length > 1;
  find("list").classList.toggle("names", find("names").checked);
}

export function applyFilters() {
  const query = state.query.toLowerCase();
  const counts = { kinds: data.kinds.map(() => 0), labels: data.labels.map(() => 0) };
  filtered.results = [];
  for (const sentence of sentences) {
    if (query && !sentence.search.includes(query)) continue;
    const hits = hitsIn(sentence, counts);
    if (!hits.length && !isShownWithoutErrors(sentence)) continue;
    filtered.results.push({ sentence, hits, isSorted: state.order !== ORDERS[0] });
  }
  if (state.order !== ORDERS[0]) sortByConfidence(filtered.results, state.order === "highest" ? 1 : -1);
  filtered.errors = filtered.results.flatMap(({ hits }, position) => hits.map((at) => [position, at]));
  drawFilters(counts);
}

const compare = (one, other) => one === other ? 0 : other - one; // the largest first; infinities are equal

const isSure = (score) => state.least === 0 || isKnown(score) && score >= state.least;

// Puts the sentences with the highest (1) or lowest (-1) confidence of an error that fits first, and in each sentence
// the errors. What has no confidence comes last, in reading order: missed mentions, and sentences without errors.
function sortByConfidence(results, direction) {
  const keyOf = ({ score }) => isKnown(score) ? direction * score : -Infinity;
  for (const { sentence, hits } of results) {
    hits.sort((a, b) => compare(keyOf(sentence.mistakes[a]), keyOf(sentence.mistakes[b])));
  }
  const keys = new Map(results.map((result) =>
    [result, result.hits.length ? keyOf(result.sentence.mistakes[result.hits[0]]) : -Infinity]));
  results.sort((a, b) => compare(keys.get(a), keys.get(b)));
}

// The mistakes that fit all filters. A filter's own counts leave that filter out of account.
function hitsIn(sentence, counts) {
  const hits = [];
  sentence.mistakes.forEach(({ kind, labels, score }, at) => {
    if (!isSure(score)) return;
    const isOfKind = !state.kinds.size || state.kinds.has(kind);
    const isOfLabel = !state.labels.size || labels.some((label) => state.labels.has(label));
    if (isOfLabel) counts.kinds[kind] += 1;
    if (isOfKind) for (const label of labels) counts.labels[label] += 1;
    if (isOfKind && isOfLabel) hits.push(at);
  });
  return hits;
}

function isShownWithoutErrors(sentence) {
  if (state.show !== "all" || state.kinds.size || state.least) return false;
  return !state.labels.size || [...state.labels].some((label) => sentence.labels.has(label));
}

function drawFilters(counts) {
  find("kinds").querySelectorAll("button").forEach((button, kind) => {
    setPressed(button, state.kinds.has(kind));
    button.querySelector(".number").textContent = count(counts.kinds[kind]);
    button.querySelector(".bar i").style.width = `${100 * counts.kinds[kind] / mostOfAKind}%`;
  });
  find("labels").querySelectorAll("button").forEach((button, label) => {
    setPressed(button, state.labels.has(label));
    button.querySelector(".number").textContent = count(counts.labels[label]);
  });
  for (const button of document.querySelectorAll("[data-show]")) setPressed(button, button.dataset.show === state.show);
  for (const button of find("orders").querySelectorAll("button")) {
    setPressed(button, button.dataset.order === state.order);
  }
  showQuery(state.query);
  find("least").value = state.least;
  find("least-shown").textContent = state.least.toFixed(2);
  find("clear").hidden = !(state.kinds.size || state.labels.size || state.query || state.least);
  find("status").textContent = `${count(filtered.results.length)} of ${plural(sentences.length, "sentence")}, `
    + plural(filtered.errors.length, "error");
}
