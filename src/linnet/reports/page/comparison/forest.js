// The forest plot of differences with the baseline, with an axis for each place. Positions are percentages, so that it
// fits any width.
import { rangeOfValues, ticksOf } from "../shared/axes.js";
import { data } from "../shared/data.js";
import { draw, find, make } from "../shared/dom.js";
import { isKnown, percent, points, probability, withMinus } from "../shared/numbers.js";
import { WORDS, CHOICE_HEADER, badge, choiceTitle, describeComparison, hasSeeds, intervalOf, nameClass, placeTitle,
  verdictClass } from "./grid.js";

const NARROW = 700; // pixels; below, there is no room for many ticks
const COLUMNS = [[CHOICE_HEADER, "text"], ["", ""], ["difference", ""], ["95 % interval", "more"], ["p", ""],
  ...hasSeeds ? [["wins–ties–losses", "more"]] : [], ["verdict", "more text"]];

export function drawForest() {
  if (!data.comparisons.length) {
    find("differences").hidden = true;
    return;
  }
  find("forest-hint").textContent = `Each ${WORDS.choice} minus ${data.baseline}, in points of ${data.metric}, with its 95 % `
    + "interval; p after Holm. Right of zero is better. A true difference as small as those in the grey band is "
    + `often missed by such a ${hasSeeds ? "grid" : "comparison"} (in more than 20 % of cases).${explainMargin()}${hasSeeds ? " Each condition has its own scale." : ""}`;
  const places = [...data.places.keys(), -1];
  const head = make("tr", {}, COLUMNS.map(([name, kind]) =>
    make(name ? "th" : "td", { class: kind, scope: name ? "col" : null }, name)));
  find("forest").append(make("table", { class: "forest" }, make("thead", {}, head),
    places.map(drawGroup)));
}

function explainMargin() {
  const { margin } = data.comparisons[0];
  return isKnown(margin) ? ` The dotted lines are the margin of equivalence, ${percent(margin)} points.` : "";
}

function scaleOf(comparisons) {
  const shown = comparisons.flatMap(({ low, high, difference, detectable }) => [low, high, difference, detectable, -detectable, 0]);
  const [first, last] = rangeOfValues(shown.filter(isKnown));
  const space = (last - first) * 0.04 || 0.01;
  const low = first - space, high = last + space;
  const at = (value) => `${(100 * (Math.min(high, Math.max(low, value)) - low) / (high - low)).toFixed(3)}%`;
  const isInside = (value) => low < value && value < high;
  return { at, isInside, ...ticksOf(100 * low, 100 * high, innerWidth < NARROW ? 3 : 7) };
}

function drawGroup(place) {
  const comparisons = data.comparisons.filter((comparison) => comparison.place === place);
  if (!comparisons.length) return null;
  const scale = scaleOf(comparisons);
  const drawn = data.places[place]?.drawn;
  const title = make("th", { colspan: COLUMNS.length, class: "text", scope: "rowgroup" }, placeTitle(place),
    drawn ? make("span", { class: "units" }, ` ${drawn}`) : null);
  return make("tbody", {}, make("tr", { class: "group" }, title), comparisons.map((one) => drawRow(one, scale)),
    drawAxis(scale));
}

function drawRow(comparison, scale) {
  const title = choiceTitle(comparison.choice);
  return make("tr", { class: verdictClass(comparison.verdict), "data-tip": describeComparison(comparison) },
    make("th", { scope: "row", class: `text ${nameClass(title)}` }, title),
    make("td", { class: "plot" }, drawLine(comparison, scale)),
    make("td", { class: "best" }, points(comparison.difference)),
    make("td", { class: "more" }, intervalOf(comparison)),
    make("td", {}, probability(comparison.adjusted)),
    hasSeeds ? make("td", { class: "more" }, comparison.wins.join("–")) : null,
    make("td", { class: "more text" }, badge(comparison)));
}

function drawLine(comparison, { at, ticks, isInside }) {
  const { low, high, difference, detectable, margin } = comparison;
  const level = (kind, from, to) => draw("line", { class: kind, x1: at(from), x2: at(to), y1: "50%", y2: "50%" });
  return draw("svg", { role: "img", "aria-label": describeComparison(comparison) },
    isKnown(detectable) ? level("band", -detectable, detectable) : null,
    ticks.map((tick) => drawUpright("grid", at(tick / 100))), drawUpright("zero", at(0)),
    isKnown(margin) ? [-margin, margin].filter(isInside).map((side) => drawUpright("margin", at(side))) : null,
    level("reach", low ?? -Infinity, high ?? Infinity),
    draw("svg", { x: at(difference), y: "50%", overflow: "visible" }, drawPoint(comparison.place < 0)));
}

function drawUpright(kind, x) {
  return draw("line", { class: kind, x1: x, x2: x, y1: 0, y2: "100%" });
}

// A square for one place, a diamond for all places together.
function drawPoint(isPooled) {
  if (isPooled) return draw("rect", { class: "at", x: -5, y: -5, width: 10, height: 10, transform: "rotate(45)" });
  return draw("rect", { class: "at", x: -4.5, y: -4.5, width: 9, height: 9 });
}

function drawAxis({ at, ticks, digits }) {
  const names = ticks.map((tick) =>
    draw("text", { x: at(tick / 100), y: 14, "text-anchor": "middle" }, withMinus(tick.toFixed(digits))));
  return make("tr", { class: "axis" }, make("td"),
    make("td", { class: "plot" }, draw("svg", { "aria-hidden": "true" }, names)));
}
