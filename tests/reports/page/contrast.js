// Finds text whose contrast with what lies behind it is below a ratio (WCAG 2, success criterion 1.4.3).

const WHITE = [255, 255, 255, 1];

// Texts that are too faint, each once, with their ratio. Large text may have less; disabled controls are left out.
export function faintTexts(least, leastOfLargeText) {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility() || element.closest(":disabled, script, option")) continue;
    const ratio = Math.min(ratioOf(element, "gold"), ratioOf(element, "predicted"));
    if (ratio < (isLarge(element) ? leastOfLargeText : least)) {
      found.add(`${element.className || element.tagName}: ${node.data.slice(0, 30)} (${ratio.toFixed(2)})`);
    }
  }
  return [...found];
}

function isLarge(element) {
  const { fontSize, fontWeight } = getComputedStyle(element);
  return parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
}

// Gold mentions tint the upper half of a line, predicted ones the lower half.
function ratioOf(element, side) {
  const style = getComputedStyle(element);
  const behind = backgroundOf(element, side);
  const [red, green, blue, alpha] = parse(element instanceof SVGElement ? style.fill : style.color);
  const [first, second] = [luminance(blend([red, green, blue, alpha * opacityOf(element)], behind)), luminance(behind)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

function backgroundOf(element, side) {
  const layers = [];
  for (let at = element; at; at = at.parentElement) layers.push(...layersOf(at, side));
  return layers.reverse().reduce((below, layer) => blend(layer, below), WHITE);
}

// A mention is tinted by a gradient of its colour, which no computed colour tells.
function layersOf(element, side) {
  const style = getComputedStyle(element);
  const layers = [parse(style.backgroundColor)];
  if (element.matches(`.m.${side}`)) {
    const colour = style.getPropertyValue("--c").trim();
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    layers.unshift([red, green, blue, parseFloat(style.getPropertyValue("--own-tint")) / 100]);
  }
  return layers;
}

function opacityOf(element) {
  let opacity = 1;
  for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
  return opacity;
}

function parse(colour) {
  const numbers = colour.match(/[\d.]+(?:e-?\d+)?/g).map(Number);
  const [red, green, blue, alpha = 1] = numbers;
  const scale = colour.startsWith("color(") ? 255 : 1;
  return [scale * red, scale * green, scale * blue, alpha];
}

function blend([red, green, blue, alpha], below) {
  return [...[red, green, blue].map((value, at) => alpha * value + (1 - alpha) * below[at]), 1];
}

function luminance(colour) {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
