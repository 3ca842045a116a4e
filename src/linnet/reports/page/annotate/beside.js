// Another annotation beside the one that is corrected: its other mentions are outlined in the text and listed, each to take.
import { swatch } from "../shared/colours.js";
import { find, make } from "../shared/dom.js";
import { confidence, plural } from "../shared/numbers.js";
import { isShown, numberOf } from "./labels.js";
import { piecesOf, textOf } from "./text.js";

const placeOf = (span) => JSON.stringify([span.label, ...piecesOf(span)]);

const overlap = (one, other) => piecesOf(one).some(([start, end]) =>
  piecesOf(other).some(([first, last]) => start < last && first < end));

export class Beside {
  #name; // of the other annotation
  #spans = []; // of the document that is shown
  #isKnown = true; // does it have this document?

  constructor(name) {
    this.#name = name;
    find("beside").hidden = false;
  }

  // `spans` is null where the other annotation does not have the document.
  load(spans) {
    this.#isKnown = spans !== null;
    this.#spans = (spans ?? []).map((span, number) => ({ ...span, isBeside: true, number }));
  }

  get all() { return this.#spans; }

  // Its mentions that the other side does not have, as far as they are shown.
  outlines(own) {
    return this.#missing(own).filter(isShown);
  }

  // The mentions that give way to one that is taken: those that overlap with it and that only this side has.
  replacedBy(taken, own) {
    return this.#onlyIn(own).filter((span) => overlap(span, taken));
  }

  // `act` has take(span) and choose(key).
  draw(own, text, act) {
    const others = this.#isKnown ? [...this.#missing(own), ...this.#onlyIn(own)] : [];
    const shown = others.filter(isShown).sort((one, other) => one.start - other.start || one.end - other.end);
    find("beside-title").textContent = `Beside: ${this.#name}`;
    find("beside-hint").textContent = this.#isKnown ? describe(others, shown) : `${this.#name} does not have this document.`;
    find("beside-list").replaceChildren(...shown.map((span) => drawDifference(span, text, act)));
  }

  #missing(own) {
    const places = new Set(own.map(placeOf));
    return this.#spans.filter((span) => !places.has(placeOf(span)));
  }

  #onlyIn(own) {
    const places = new Set(this.#spans.map(placeOf));
    return own.filter((span) => !places.has(placeOf(span)));
  }
}

function describe(others, shown) {
  if (!others.length) return "Both have the same mentions.";
  const outlined = shown.filter((span) => span.isBeside).length;
  const hidden = others.length - shown.length;
  return `${plural(outlined, "mention")} of it outlined here; ${plural(shown.length - outlined, "mention")} it does not have`
    + `${hidden ? `; ${plural(hidden, "difference")} hidden` : ""}.`;
}

function drawDifference(span, text, act) {
  const quote = textOf(span, text);
  const said = make("span", {}, swatch(numberOf(span.label)), `${span.label} `, make("q", {}, quote),
    make("span", { class: "soft number" }, confidence(span.score)), span.isBeside ? "" : make("span", { class: "soft" }, " only here"));
  const [name, label, run] = span.isBeside
    ? ["Take", `Take ${span.label} ${quote}; mentions that overlap with it, and that only this side has, give way`, () => act.take(span)]
    : ["Show", `Show ${span.label} ${quote}`, () => act.choose(span.key)];
  const button = make("button", { type: "button", class: "plain", "aria-label": label, title: label,
    "data-take": span.isBeside ? span.number : null }, name);
  button.addEventListener("click", run);
  return make("li", {}, said, button);
}
