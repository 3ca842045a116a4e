// The line that says what went wrong, and what to try.
import { find, make } from "../shared/dom.js";
import { askForToken } from "./server.js";

const ENTER_TOKEN = { name: "Enter the token", run: askForToken };

// `error.repair` is a way out with its name; `show` runs it, and shows what goes wrong.
export function showProblem({ message, remedy, where, repair = where === "header Authorization" ? ENTER_TOKEN : null }, show) {
  const button = repair ? make("button", { type: "button", class: "plain", id: "repair" }, repair.name) : null;
  button?.addEventListener("click", () => show(repair.run));
  const advice = remedy ? [" Try: ", ...withCode(remedy), ". "] : [];
  find("problem").replaceChildren(...[make("b", {}, ...withCode(message)), ...advice, button].filter(Boolean));
  find("problem").hidden = false;
  find("problem").scrollIntoView({ block: "nearest" });
}

// What stands in backticks is code.
const withCode = (text) => text.split(/`([^`]+)`/).map((part, at) => at % 2 ? make("code", {}, part) : part);
