// The search field, and sets of filters that are switched on and off.
import { find } from "./dom.js";

// Forms filter and are never sent.
export function watchSearch(onQuery) {
  for (const form of document.querySelectorAll("form")) {
    form.addEventListener("submit", (event) => event.preventDefault());
  }
  find("search").addEventListener("input", (event) => onQuery(event.target.value));
}

export function showQuery(query) {
  if (find("search").value !== query) find("search").value = query;
}

export function toggle(set, value) {
  if (!set.delete(value)) set.add(value);
}
