// Tables, their sorting, and the small bars in them.
import { make } from "./dom.js";
import { isKnown } from "./numbers.js";

// A table with a header; a column without a name gets no header cell.
export function tableOf(names, rows) {
  const head = make("tr", {}, names.map((name) => name ? make("th", { scope: "col" }, name) : make("td")));
  return tableWith(head, rows);
}

export function tableWith(head, rows, attributes = {}) {
  return make("table", attributes, make("thead", {}, head), make("tbody", {}, rows));
}

// A header cell whose button sorts; `order` is ascending, descending or null.
export function sortingHeader(name, number, order, kind) {
  return make("th", { scope: "col", class: kind, "aria-sort": order },
    make("button", { type: "button", class: "sorter", "data-column": number }, name));
}

// The rows by the value of a column, those without one last, whichever way they are sorted.
export function sortedRows(rows, { value, isText }, isDescending) {
  const isEmpty = (row) => !isKnown(value(row)) || value(row) === "";
  const compare = (a, b) => isText ? value(a).localeCompare(value(b), "en", { numeric: true }) : value(a) - value(b);
  return [...rows].sort((a, b) => {
    if (isEmpty(a) || isEmpty(b)) return isEmpty(a) - isEmpty(b);
    return isDescending ? compare(b, a) : compare(a, b);
  });
}

// A bar with an interval and a value in it, all of them shares.
export function rangeOf(low, value, high) {
  return make("span", { class: "range", "aria-hidden": "true" },
    make("i", { style: `left: ${100 * low}%; width: ${100 * (high - low)}%` }),
    make("b", { style: `left: ${100 * value}%` }));
}
