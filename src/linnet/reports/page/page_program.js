// --- small things that all our pages use; all text becomes text, never markup
const N_COLOURS = 7;
const find = (id) => document.getElementById(id);
const data = JSON.parse(find("data").textContent);

function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "style") element.style.cssText = value;
    else if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}
const make = (tag, attributes = {}, ...children) => dress(document.createElement(tag), attributes, children);
const isKnown = (value) => value !== null && value !== undefined;
const percent = (value) => isKnown(value) ? (100 * value).toFixed(2) : "";
const count = (value) => isKnown(value) ? value.toLocaleString("en", { maximumFractionDigits: 1 }) : "";
const many = (number, one) => `${count(number)} ${one}${number === 1 ? "" : "s"}`;
const colour = (number) => `--c: var(--label-${number % N_COLOURS})`;
const swatch = (label) => make("span", { class: "swatch", style: colour(label), "aria-hidden": "true" });

function levelsOf(mentions) {
  // A mention that holds others gets a bar further out, so that all can be seen.
  const level = mentions.map(() => 0);
  const byLength = mentions.map((_, at) => at).sort((a, b) => (mentions[a][1] - mentions[a][0]) - (mentions[b][1] - mentions[b][0]));
  byLength.forEach((at, rank) => {
    for (const inner of byLength.slice(0, rank)) {
      const overlaps = mentions[inner][0] < mentions[at][1] && mentions[at][0] < mentions[inner][1];
      if (overlaps) level[at] = Math.max(level[at], level[inner] + 1);
    }
  });
  return level;
}

function ticksOf(low, high, most) {
  const rough = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const ticks = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step) ticks.push(at);
  return { ticks, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

function showTip(target, x, y) {
  const lines = [];
  for (let mark = target.closest?.("[data-tip]"); mark; mark = mark.parentElement?.closest("[data-tip]")) lines.push(mark.dataset.tip);
  const tip = find("tip");
  tip.hidden = !lines.length;
  if (!lines.length) return;
  tip.textContent = [...new Set(lines)].sort().join("\n");
  const left = Math.min(x + 12, innerWidth - tip.offsetWidth - 8);
  const below = y + 18;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${below + tip.offsetHeight < innerHeight ? below : y - tip.offsetHeight - 10}px`;
}

function setAddress(wanted) {
  try {
    history.replaceState(null, "", `${location.pathname}${location.search}${String(wanted) && `#${wanted}`}`);
  } catch {
    // Some browsers do not let a page from disk change its address; the filters work all the same.
  }
}

function watchKeys(go, isOff = () => false) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isOff()) return;
    if (event.target.matches("input[type=search], select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "j" || event.key === "k") go(event.key === "j" ? 1 : -1);
    else if (event.key === "/") { event.preventDefault(); find("search").focus(); }
  });
}
