// The page of a comparison: verdicts, differences, scores, a heat map, curves, labels, disagreements and commands.
import { data } from "../shared/data.js";
import { find, make } from "../shared/dom.js";
import { drawDetails } from "../shared/headline.js";
import { count, isKnown, plural } from "../shared/numbers.js";
import { watchTips } from "../shared/tips.js";
import { drawAgreement } from "./agreement.js";
import { drawCells } from "./cells.js";
import { drawCommands } from "./commands.js";
import { drawCurves } from "./curves.js";
import { drawDisagreements } from "./disagreements.js";
import { drawForest } from "./forest.js";
import { WORDS, hasSeeds } from "./grid.js";
import { drawHeatMap } from "./heat_map.js";
import { drawLabels } from "./labels.js";
import { drawTrouble, drawVerdicts } from "./verdicts.js";

function drawTop() {
  find("answer").textContent = data.headline;
  const nScored = data.cells.filter((cell) => isKnown(cell.mean)).length;
  find("facts").textContent = `${data.metric}; baseline ${data.baseline}; `
    + `${hasSeeds ? plural(data.seeds.length, "seed") : "one run of each"}; `
    + `${count(nScored)} of ${plural(data.cells.length, WORDS.cell)} with scores. All scores in percent.`;
  for (const section of document.querySelectorAll("section[data-name]:not([hidden])")) {
    find("nav").append(make("a", { href: `#${section.id}` }, section.dataset.name));
  }
}

function drawSmallPrint() {
  find("notes").append(...data.notes.map((note) => make("p", { class: "hint" }, note)));
  drawDetails(data.details);
  find("small-print").hidden = !data.notes.length && !data.details.length;
}

function openDetails() {
  for (const element of document.querySelectorAll("details")) element.open = true;
}

drawTrouble();
drawVerdicts();
drawForest();
drawCells();
drawHeatMap();
drawCurves();
drawLabels();
drawAgreement();
drawDisagreements();
drawCommands();
drawSmallPrint();
drawTop();
watchTips();
addEventListener("beforeprint", openDetails);
