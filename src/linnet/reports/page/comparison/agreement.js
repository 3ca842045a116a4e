// How often the baseline and a choice are right on the same sentences.
import { data } from "../shared/data.js";
import { find, make } from "../shared/dom.js";
import { count } from "../shared/numbers.js";
import { tableWith } from "../shared/tables.js";
import { CHOICE_HEADER, OTHER, PLACE_HEADER, choiceTitle, hasSeeds, nameClass, placeTitle } from "./grid.js";
import { hasSentencesWrongInTwoWays } from "./sentences.js";

const SPLIT = data.split[0].toUpperCase() + data.split.slice(1);
const PARTS = ["both", "first", "second", "neither"];
const COLUMNS = [[PLACE_HEADER], [CHOICE_HEADER], [""], ["both right", "both"], [`only ${data.baseline}`, "first"],
  [`only ${OTHER}`, "second"], ["both wrong", "neither"], [""]];

export function drawAgreement() {
  if (!data.pairs.length) {
    find("errors").hidden = true;
    return;
  }
  const ofSeeds = ": means over seeds. Below, the sentences that one gets right in more seeds than the other; shown are "
    + "the predictions of the first seed in which they differ.";
  const ofRuns = ". Below, the sentences that only one gets right.";
  const last = hasSentencesWrongInTwoWays ? " Those that both get wrong in different ways come last." : "";
  find("errors-hint").textContent = `${SPLIT} sentences that both systems get wholly right, `
    + `only one, or neither${hasSeeds ? ofSeeds : ofRuns}${last}`;
  const head = make("tr", {}, COLUMNS.map(drawHeader));
  find("agreement").append(tableWith(head, data.pairs.map(drawRow), { class: "wide" }));
}

function drawHeader([name, part], column) {
  const dot = part ? make("span", { class: "share dot", "aria-hidden": "true" }, make("i", { class: part })) : null;
  return make(name ? "th" : "td", { class: column < 2 ? "text" : "" }, dot, name);
}

function drawRow(pair, number) {
  const [place, choice] = [placeTitle(pair.place), choiceTitle(pair.choice)];
  return make("tr", {}, make("th", { scope: "row", class: `text ${nameClass(place)}` }, place),
    make("td", { class: `text ${nameClass(choice)}` }, choice), make("td", {}, drawShares(pair.counts)),
    pair.counts.map((value) => make("td", {}, count(value))),
    make("td", {}, make("button", { type: "button", class: "plain copy", "data-pair": number,
      disabled: pair.n ? null : "" }, `show ${count(pair.n)}`)));
}

function drawShares(counts) {
  const total = counts.reduce((sum, value) => sum + value, 0) || 1;
  return make("span", { class: "share", "aria-hidden": "true" }, counts.map((value, at) =>
    make("i", { class: PARTS[at], style: `width: ${(100 * value / total).toFixed(2)}%` })));
}
