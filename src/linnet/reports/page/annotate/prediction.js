// What a model about whole texts predicts: a value with its confidence, and its details.
import { find, make } from "../shared/dom.js";
import { isKnown } from "../shared/numbers.js";
import { drawMeter } from "./card.js";

export function drawPredictions({ predictions, model, task }) {
  find("prediction").hidden = false;
  find("predicted").replaceChildren(...predictions.map(drawPrediction));
  find("predicted-by").textContent = `${model}, task ${task}`;
}

function drawPrediction({ predicted, score, details }) {
  const isShare = isKnown(score) && score >= 0 && score <= 1;
  return make("li", { class: "row" }, make("b", {}, valueOf(predicted)),
    isShare && typeof predicted !== "number" ? drawMeter(score) : null,
    details ? make("pre", {}, JSON.stringify(details, null, 1)) : null);
}

function valueOf(predicted) {
  if (Array.isArray(predicted)) return predicted.map(valueOf).join(", ") || "no label";
  if (typeof predicted === "number") return predicted.toFixed(3);
  return predicted === null ? "none" : String(predicted);
}
