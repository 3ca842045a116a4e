// Labels: their colours, which of them are shown, and the least confidence of a mention that is shown.
import { swatch } from "../shared/colours.js";
import { find, make, onClick } from "../shared/dom.js";
import { count, isKnown } from "../shared/numbers.js";
import { toggle } from "../shared/search.js";

const N_DIGITS = 9; // keys that give labels
const known = []; // in the order in which they came up, or were offered
const hidden = new Set();
let least = 0;
let frame = 0;
let lastUsed = ""; // the label that a person gave last
let usual = ""; // that of most mentions, in the last document that had any

export function numberOf(label) {
  if (!known.includes(label)) known.push(label);
  return known.indexOf(label);
}

// Offers these labels from now on, in this order.
export function offerLabels(labels) {
  known.splice(0, Infinity, ...labels);
}

export const labelNames = () => [...known];

export const isShown = (span) => !hidden.has(span.label) && (!isKnown(span.score) || span.score >= least);

// `beside` are mentions of another annotation, which the slider hides as well.
export function drawLegend(spans, beside = []) {
  spans.forEach((span) => numberOf(span.label));
  find("labels").replaceChildren(...known.map((label) => drawChip(label, spans)));
  find("label-names").replaceChildren(...known.map((label) => make("option", { value: label })));
  find("new-label").placeholder = newLabel(spans);
  find("confidence").hidden = ![...spans, ...beside].some((span) => isKnown(span.score));
}

// The label of new mentions: what is written in its field, the one that was given last, or that of most mentions.
export function newLabel(spans) {
  const numbers = new Map();
  for (const { label } of spans) numbers.set(label, (numbers.get(label) ?? 0) + 1);
  [usual] = [...numbers].sort((first, second) => second[1] - first[1])[0] ?? [usual];
  return find("new-label").value.trim() || lastUsed || usual || known[0] || "Mention";
}

// Remembers a label that a person has given.
export function useLabel(label) {
  numberOf(label);
  lastUsed = label;
}

// Shows mentions of every label and every confidence.
export function showAll() {
  hidden.clear();
  find("least").value = 0;
  find("least").dispatchEvent(new Event("input"));
}

function drawChip(label, spans) {
  const all = spans.filter((span) => span.label === label);
  const shown = all.filter(isShown).length;
  const number = shown === all.length ? count(all.length) : `${count(shown)} of ${count(all.length)}`;
  const digit = digitOf(label);
  return make("button", { type: "button", class: "chip legend", "data-label": label, "data-digit": digit,
    title: `${digit ? `The key ${digit} gives this label. ` : ""}A click hides its mentions, or shows them.`,
    "aria-pressed": String(!hidden.has(label)) }, swatch(numberOf(label)), `${label} `,
  make("span", { class: "soft number" }, number));
}

// The key that gives this label, if there is one.
const digitOf = (label) => numberOf(label) < N_DIGITS ? String(numberOf(label) + 1) : null;

export function watchLegend(onChange) {
  onClick(find("labels"), "[data-label]", (button) => {
    toggle(hidden, button.dataset.label);
    onChange();
    find("labels").querySelector(`[data-label="${CSS.escape(button.dataset.label)}"]`).focus();
  });
  find("least").addEventListener("input", (event) => {
    least = Number(event.target.value);
    find("least-shown").textContent = least.toFixed(2);
    cancelAnimationFrame(frame); // several steps of the slider are drawn at once
    frame = requestAnimationFrame(onChange);
  });
}
