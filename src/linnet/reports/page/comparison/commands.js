// The commands that repeat the runs of a grid, with buttons that copy them.
import { data } from "../shared/data.js";
import { find, make, onClick } from "../shared/dom.js";
import { plural } from "../shared/numbers.js";
import { cellTitle } from "./grid.js";

const TOLD_FOR = 1200; // milliseconds that a button says that it has copied

export function commandLine(command) {
  return make("div", { class: "command" }, make("code", {}, command),
    make("button", { type: "button", class: "plain copy", "data-copy": command, "aria-label": `Copy ${command}` },
      "Copy"));
}

export function drawCommands() {
  const cells = data.cells.filter((cell) => cell.commands.length);
  find("repeat").hidden = !cells.length;
  find("commands-hint").textContent
    = "A command for each seed. A run that is there already is not made again by the grid; these make it anew. "
    + "Start them in the folder where the grid was started.";
  find("commands").append(...cells.map(drawCell));
  onClick(document, "[data-copy]", copy);
}

function drawCell(cell) {
  const { commands } = cell;
  const all = make("button", { type: "button", class: "plain copy", "data-copy": commands.join("\n") }, "Copy all");
  return make("details", {}, make("summary", {}, `${cellTitle(cell)} `,
    make("span", { class: "soft" }, plural(commands.length, "command"))), commands.map(commandLine),
  commands.length > 1 ? all : null);
}

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    copyFromArea(button.dataset.copy);
  }
  const name = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = name; }, TOLD_FOR);
}

// Some browsers give a page from disk no clipboard; this older way works there.
function copyFromArea(text) {
  const area = make("textarea", { style: "position: fixed; opacity: 0" });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
