// The top of a report: its main score and its details.
import { find, make } from "./dom.js";

export function drawDetails(details) {
  find("details").append(...details.map(([name, value]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, value))));
}

export function drawHeadline(figure, lines) {
  const withBreaks = lines.flatMap((line, at) => at ? [make("br"), ...line] : line);
  find("headline").append(make("strong", { class: "number" }, figure), make("div", { class: "number" }, ...withBreaks));
}
