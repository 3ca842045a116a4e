// The card beside a mention that the mouse is over or the keyboard has reached: label, confidence, concepts, candidates.
// The mouse may go into the card, to its links. Escape closes it; a card of the keyboard gives way to the mouse.
import { swatch } from "../shared/colours.js";
import { find, make } from "../shared/dom.js";
import { confidence, isKnown } from "../shared/numbers.js";
import { numberOf } from "./labels.js";
import { drawIdentifier } from "./link_outs.js";
import { otherCandidates, textOf } from "./text.js";

const MOST_CANDIDATES = 3;
const LEAVING_MS = 200; // time for the mouse to reach the card

// A bar from 0 to 1 with its number.
export function drawMeter(score) {
  return make("span", { class: "meter" }, make("span", { class: "bar", "aria-hidden": "true" },
    make("span", { style: `width: ${(100 * score).toFixed(1)}%` })), make("span", { class: "number" }, score.toFixed(3)));
}

// `documents` has the mentions; cards are shown for marks inside of `area`.
export function watchCard(documents, area) {
  const card = find("card");
  let leaving = 0;

  function show(mark, isFocused = false) {
    clearTimeout(leaving);
    const spans = keysAround(mark).map((key) => documents.find(key)).filter(Boolean);
    if (!spans.length) return;
    card.replaceChildren(...spans.map((span) => drawSpan(span, documents.current.text)));
    card.classList.toggle("of-focus", isFocused);
    card.hidden = false;
    place(card, mark);
  }
  function hide() {
    clearTimeout(leaving);
    card.hidden = true;
  }
  function hideSoon() {
    clearTimeout(leaving);
    leaving = setTimeout(hide, LEAVING_MS);
  }
  area.addEventListener("pointerover", (event) => {
    const mark = event.target.closest("[data-key]");
    if (mark && !event.buttons) show(mark); // not while words are selected
    else hideSoon();
  });
  area.addEventListener("pointerdown", hide);
  area.addEventListener("pointerleave", hideSoon);
  card.addEventListener("pointerenter", () => clearTimeout(leaving));
  card.addEventListener("pointerleave", hideSoon);
  area.addEventListener("focusin", (event) => { if (event.target.matches("[data-key]:focus-visible")) show(event.target, true); });
  area.addEventListener("focusout", hideSoon);
  document.addEventListener("pointermove", () => { if (card.classList.contains("of-focus")) hide(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  return hide;
}

// The keys of a mark and of those around it, the innermost first.
function keysAround(mark) {
  const keys = [];
  for (let at = mark; at; at = at.parentElement?.closest("[data-key]")) keys.push(Number(at.dataset.key));
  return keys;
}

function place(card, mark) {
  const box = mark.getClientRects()[0];
  const left = Math.min(box.left, innerWidth - card.offsetWidth - 8);
  const isAbove = box.top > card.offsetHeight + 8; // over what has been read
  card.style.left = `${Math.max(8, left)}px`;
  card.style.top = `${isAbove ? box.top - card.offsetHeight - 4 : box.bottom + 4}px`;
}

function drawSpan(span, text) {
  const next = otherCandidates(span).slice(0, MOST_CANDIDATES);
  return make("div", { class: "of-mention" },
    make("div", { class: "row" }, make("b", {}, swatch(numberOf(span.label)), span.label),
      isKnown(span.score) ? drawMeter(span.score) : make("span", { class: "soft" }, span.isCorrected ? "corrected" : "")),
    make("q", {}, textOf(span, text)),
    (span.links || []).map((link) => make("div", {}, drawIdentifier(link), link.name ? ` ${link.name}` : "",
      make("span", { class: "soft number" }, confidence(link.score)))),
    next.length ? make("div", { class: "soft next" }, span.links?.length ? "or " : "no identifier; candidates: ", next.map(({ identifier, name }, at) =>
      make("span", {}, at ? ", " : "", name || identifier, name ? ` (${identifier})` : ""))) : null);
}
