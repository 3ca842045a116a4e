// Tooltips beside what the mouse is over or the keyboard has reached: elements with data-tip, and those around them.
import { find } from "./dom.js";

export function watchTips() {
  document.addEventListener("pointermove", (event) => showTip(event.target, event.clientX, event.clientY));
  document.documentElement.addEventListener("pointerleave", () => { find("tip").hidden = true; });
  document.addEventListener("focusin", (event) => {
    const place = event.target.getBoundingClientRect();
    if (event.target.matches(":focus-visible")) showTip(event.target, place.left, place.bottom - 12);
  });
}

function showTip(target, x, y) {
  const lines = linesOf(target);
  const tip = find("tip");
  tip.hidden = !lines.length;
  if (!lines.length) return;
  tip.textContent = lines.join("\n");
  const left = Math.min(x + 12, innerWidth - tip.offsetWidth - 8);
  const below = y + 18;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${below + tip.offsetHeight < innerHeight ? below : y - tip.offsetHeight - 10}px`;
}

function linesOf(target) {
  const lines = new Set();
  let element = target.closest?.("[data-tip]");
  while (element) {
    lines.add(element.dataset.tip);
    element = element.parentElement?.closest("[data-tip]");
  }
  return [...lines].sort();
}
