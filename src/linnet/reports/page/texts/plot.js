// The plot of a regression: predicted over gold values, whose points are examples.
import { rangeOfValues, ticksOf } from "../shared/axes.js";
import { draw, find, make } from "../shared/dom.js";
import { examples, isRegression, valueText } from "./examples.js";

const [LEFT, TOP, SIZE] = [44, 8, 300];
const [RIGHT, BOTTOM] = [LEFT + SIZE, TOP + SIZE];
const [MIDDLE_X, MIDDLE_Y] = [LEFT + SIZE / 2, TOP + SIZE / 2];

export function drawPlot() {
  if (!isRegression) return;
  find("plot-panel").hidden = false;
  const points = examples.filter((example) => example.error !== null);
  find("plot").append(points.length ? plotOf(points) : make("p", { class: "soft" }, "There are no gold numbers."));
}

function plotOf(points) {
  const [low, high] = rangeOfValues(points.flatMap((point) => [point.gold, point.predicted]));
  const span = high - low || 1;
  const x = (value) => LEFT + SIZE * (value - low) / span;
  const y = (value) => TOP + SIZE * (high - value) / span;
  const { ticks, digits } = ticksOf(low, high, 6);
  return draw("svg", { class: "plot", viewBox: `0 0 ${RIGHT + 12} ${BOTTOM + 40}`, role: "img",
    "aria-label": "predicted over gold numbers" },
  ticks.flatMap((value) => drawTick(x(value), y(value), value.toFixed(digits))),
  draw("line", { class: "equal", x1: x(low), y1: y(low), x2: x(high), y2: y(high) }),
  draw("text", { x: MIDDLE_X, y: BOTTOM + 32, "text-anchor": "middle" }, "gold"),
  draw("text", { x: 10, y: MIDDLE_Y, "text-anchor": "middle", transform: `rotate(-90 10 ${MIDDLE_Y})` }, "predicted"),
  points.map((point) => drawPoint(point, x(point.gold), y(point.predicted))));
}

function drawTick(x, y, name) {
  return [
    draw("line", { x1: x, x2: x, y1: TOP, y2: BOTTOM }),
    draw("line", { x1: LEFT, x2: RIGHT, y1: y, y2: y }),
    draw("text", { x, y: BOTTOM + 15, "text-anchor": "middle" }, name),
    draw("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, name),
  ];
}

function drawPoint({ id, index, gold, predicted }, x, y) {
  return draw("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 3.5, "data-example": index,
    "data-tip": `${id}: gold ${valueText(gold)}, predicted ${valueText(predicted)}` });
}
