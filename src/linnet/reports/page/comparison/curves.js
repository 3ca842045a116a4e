// Learning curves: the metric over the size of the training data, one chart for each place.
import { rangeOfValues, ticksOf } from "../shared/axes.js";
import { N_COLOURS, colourOf } from "../shared/colours.js";
import { data } from "../shared/data.js";
import { draw, find, make } from "../shared/dom.js";
import { plural } from "../shared/numbers.js";
import { meanWithSpread } from "./grid.js";

const DASHES = [null, "7 3", "2 3", "7 3 2 3"]; // the next one when the colours are used up
const [WIDTH, HEIGHT] = [460, 290];
const [LEFT, RIGHT, TOP, BOTTOM] = [40, WIDTH - 14, 10, HEIGHT - 42];
const LOG_FROM = 8; // times the smallest size; charts of more have a logarithmic axis
const HALF_CHARACTER = 3.4; // pixels

export function drawCurves() {
  if (!data.curves.length) {
    find("curves").hidden = true;
    return;
  }
  find("curves-hint").textContent
    = `Mean ${data.metric} over ${data.sizeAxis}; the bands are one standard deviation of the seeds.`;
  const titles = new Map(data.curves.flatMap(([, curves]) => curves.map((curve) => [curve.number, curve.title])));
  find("curves-key").append(...[...titles].sort(([a], [b]) => a - b).map(drawKey));
  find("charts").append(...data.curves.map(([title, curves]) =>
    make("div", {}, make("h3", {}, title || "all"), drawChart(title, curves))));
}

function drawKey([number, title]) {
  const line = draw("line", { ...lineStyle(number), x1: 0, x2: 26, y1: 5, y2: 5 });
  return make("span", {}, draw("svg", { "aria-hidden": "true" }, line), title);
}

function lineStyle(number) {
  return { style: colourOf(number), "stroke-dasharray": DASHES[Math.floor(number / N_COLOURS) % DASHES.length] };
}

function drawChart(title, curves) {
  const all = curves.flatMap((curve) => curve.points);
  if (!all.length) return make("p", { class: "soft" }, "nothing recorded");
  const sizes = [...new Map(all.map(([size, label]) => [size, label]))].sort(([a], [b]) => a - b);
  const across = acrossOf(sizes[0][0], sizes[sizes.length - 1][0]);
  const { up, ticks, digits } = upOf(all);
  const label = `${title}: ${data.metric} over ${data.sizeAxis}`;
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    ticks.flatMap((tick) => drawTick(up(tick / 100), tick.toFixed(digits))), drawSizes(sizes, across),
    draw("text", { x: (LEFT + RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, data.sizeAxis),
    curves.flatMap((curve) => drawCurve(curve, across, up)));
}

function acrossOf(first, last) {
  if (first === last) return () => (LEFT + RIGHT) / 2;
  const scale = first > 0 && last >= LOG_FROM * first ? Math.log : (size) => size;
  return (size) => LEFT + 8 + (RIGHT - LEFT - 16) * (scale(size) - scale(first)) / (scale(last) - scale(first));
}

function upOf(all) {
  const [lowest, highest] = rangeOfValues(all.flatMap(([, , mean, sd]) =>
    [100 * (mean - (sd || 0)), 100 * (mean + (sd || 0))]));
  const space = (highest - lowest) * 0.06 || 1;
  const low = lowest - space, high = highest + space;
  return { up: (value) => TOP + (BOTTOM - TOP) * (1 - (100 * value - low) / (high - low)), ...ticksOf(low, high, 6) };
}

function drawTick(y, name) {
  return [
    draw("line", { class: "grid", x1: LEFT, x2: RIGHT, y1: y, y2: y }),
    draw("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, name),
  ];
}

// Names of sizes that would overlap are left out; hovering over a point tells its size.
function drawSizes(sizes, across) {
  const shapes = [];
  let free = -Infinity;
  for (const [size, label] of sizes) {
    const half = HALF_CHARACTER * label.length;
    if (across(size) - half < free) continue;
    shapes.push(draw("text", { x: across(size), y: BOTTOM + 17, "text-anchor": "middle" }, label));
    free = across(size) + half + 4;
  }
  return shapes;
}

function drawCurve({ number, title, points }, across, up) {
  if (!points.length) return [];
  const upper = points.map(([size, , mean, sd]) => [across(size), up(mean + (sd || 0))]);
  const lower = points.map(([size, , mean, sd]) => [across(size), up(mean - (sd || 0))]);
  const middle = points.map(([size, , mean]) => [across(size), up(mean)]);
  return [
    draw("path", { class: "spread", style: colourOf(number), d: `${pathOf([...upper, ...lower.reverse()])}Z` }),
    draw("path", { ...lineStyle(number), d: pathOf(middle) }),
    ...points.map(([size, label, mean, sd, n]) => {
      const tip = `${title}\n${data.sizeAxis} ${label}: ${meanWithSpread(mean, sd)} (${plural(n, "seed")})`;
      return draw("circle", { style: colourOf(number), cx: across(size), cy: up(mean), r: 4.5, "data-tip": tip });
    }),
  ];
}

function pathOf(corners) {
  return corners.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}
