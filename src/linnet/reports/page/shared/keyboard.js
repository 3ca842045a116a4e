// Keys: j and k go forth and back, / goes to the search field, Escape leaves it.
import { find } from "./dom.js";

export function watchKeys(go, isOff = () => false) {
  const actions = { j: () => go(1), k: () => go(-1), "/": () => find("search").focus() };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isOff()) return;
    if (event.target.matches("input[type=search], select, textarea")) {
      if (event.key === "Escape") event.target.blur();
    } else if (Object.hasOwn(actions, event.key)) {
      event.preventDefault();
      actions[event.key]();
    }
  });
}
