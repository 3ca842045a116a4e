// The panel of one mention: its label, its ends and its identifiers, each of which a person can correct.
import { swatch } from "../shared/colours.js";
import { find, make } from "../shared/dom.js";
import { confidence, count, isKnown } from "../shared/numbers.js";
import { drawMeter } from "./card.js";
import { moved } from "./documents.js";
import { labelNames, numberOf } from "./labels.js";
import { drawIdentifier } from "./link_outs.js";
import { otherCandidates, textOf } from "./text.js";

const IDENTIFIER = /^[^\s:]+:\S+$/;

// `act` has change(values) and remove(), and acts on the mention that is shown.
export function drawMention(span, text, act) {
  const panel = find("mention");
  panel.hidden = !span;
  if (!span) return;
  const focused = panel.contains(document.activeElement) ? document.activeElement.id : "";
  const parts = [make("h2", {}, swatch(numberOf(span.label)), make("q", {}, textOf(span, text))), drawLabel(span, act),
    drawEnds(span, text, act), drawLinks(span, act), drawCandidates(span, act), drawIdentifierField(act),
    make("div", { class: "row last" }, drawStatus(span), button("delete", "Delete", "Delete the mention", () => act.remove()))];
  panel.replaceChildren(...parts.filter((part) => part !== null));
  if (focused) find(focused)?.focus(); // a control that was used stays in use
}

function button(id, text, label, onClick, isDisabled = false) {
  const made = make("button", { type: "button", class: "plain", id, "aria-label": label, title: label }, text);
  made.disabled = isDisabled;
  made.addEventListener("click", onClick);
  return made;
}

function drawStatus(span) {
  if (isKnown(span.score)) return make("span", { class: "row soft" }, "Confidence", drawMeter(span.score));
  return make("span", { class: "soft" }, span.isCorrected ? "Corrected" : "No confidence");
}

function drawLabel(span, act) {
  const options = [...new Set([...labelNames(), span.label])].map((label) => {
    const option = make("option", { value: label }, label);
    option.selected = label === span.label;
    return option;
  });
  const select = make("select", { id: "mention-label" }, options);
  select.addEventListener("change", () => act.change({ label: select.value }));
  return make("div", { class: "field" }, make("label", { for: "mention-label" }, "Label"), select);
}

function drawEnds(span, text, act) {
  const stepper = (id, sign, label, side, step) => {
    const values = moved(span, side, step, text);
    return button(id, sign, label, () => act.change(values), !values);
  };
  const { start, end } = span;
  return make("div", { class: "field" }, make("span", {}, "Ends"), make("span", { class: "row", role: "group", "aria-label": "Ends" },
    make("span", { class: "stepper" },
      stepper("start-earlier", "◂", "Begin one character earlier", "start", -1),
      make("span", { class: "number" }, count(start)),
      stepper("start-later", "▸", "Begin one character later", "start", 1)),
    make("span", { class: "soft" }, "–"),
    make("span", { class: "stepper" },
      stepper("end-earlier", "◂", "End one character earlier", "end", -1),
      make("span", { class: "number" }, count(end)),
      stepper("end-later", "▸", "End one character later", "end", 1))));
}

function drawLinks(span, act) {
  const links = span.links || [];
  if (!links.length) return null;
  return make("ul", { class: "links", "aria-label": "Identifiers" }, links.map((link, at) => make("li", {},
    make("span", {}, drawIdentifier(link), link.name ? ` ${link.name}` : "",
      make("span", { class: "soft number" }, confidence(link.score))),
    button(`unlink-${at}`, "×", `Remove ${link.identifier}`,
      () => act.change({ links: links.filter((_, other) => other !== at) })))));
}

function drawCandidates(span, act) {
  const others = otherCandidates(span);
  if (!others.length) return null;
  return make("details", { open: "" }, make("summary", {}, "Next candidates"),
    make("ul", { class: "links" }, others.map((candidate, at) => make("li", {},
      make("span", {}, candidate.name || "", " ", drawIdentifier(candidate),
        make("span", { class: "soft number" }, confidence(candidate.score))),
      button(`take-${at}`, "Take", `Take ${candidate.identifier}`, () => act.change({ links: [candidate] }))))));
}

function drawIdentifierField(act) {
  const field = make("input", { type: "text", id: "identifier", placeholder: "mesh:D001259", autocomplete: "off",
    spellcheck: "false" });
  const form = make("form", { class: "field" }, make("label", { for: "identifier" }, "Identifier"),
    make("span", { class: "row" }, field, make("button", { class: "plain", id: "set-identifier" }, "Set")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const identifier = field.value.trim();
    field.setCustomValidity(IDENTIFIER.test(identifier) ? "" : "a prefix, a colon and an identifier: mesh:D001259");
    if (field.reportValidity()) act.change({ links: [{ identifier }] });
  });
  field.addEventListener("input", () => field.setCustomValidity(""));
  return form;
}
