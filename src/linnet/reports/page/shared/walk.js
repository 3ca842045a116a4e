// Walks through what the filters leave, one step at a time and round at both ends.
import { find } from "./dom.js";
import { count } from "./numbers.js";

// `size` gives how many there are, `start` where the first step goes; `show` shows one, `tell` says which it is.
export function walkThrough({ size, start, show, tell = () => {} }) {
  let current = -1;

  function moveTo(position) {
    current = position;
    show(current);
    tell(current);
  }
  function go(step) {
    if (size()) moveTo(current < 0 ? start(step) : (current + step + size()) % size());
  }
  function reset() {
    current = -1;
    tell(current);
  }
  return { go, moveTo, reset };
}

export function showPosition(current, total) {
  find("position").textContent = total ? `${current < 0 ? "–" : count(current + 1)} / ${count(total)}` : "";
  find("previous").disabled = !total;
  find("next").disabled = !total;
}
