// Numbers as text; a number that is not known is an empty text.

export const isKnown = (value) => value !== null && value !== undefined;

export const percent = (value) => isKnown(value) ? (100 * value).toFixed(2) : "";

export const count = (value) => isKnown(value) ? value.toLocaleString("en", { maximumFractionDigits: 1 }) : "";

export const plural = (number, one) => `${count(number)} ${one}${number === 1 ? "" : "s"}`;

export const confidence = (value) => isKnown(value) ? ` ${value.toFixed(3)}` : "";

export const withMinus = (text) => text.replace("-", "−");

// A difference of two shares in points, with its sign.
export function points(value) {
  if (!isKnown(value)) return "";
  const shown = (100 * value).toFixed(2);
  if (Number(shown) === 0) return "0.00";
  return withMinus(Number(shown) > 0 ? `+${shown}` : shown);
}

export function probability(value) {
  if (!isKnown(value)) return "";
  return value < 0.001 ? "<0.001" : value.toFixed(3);
}
