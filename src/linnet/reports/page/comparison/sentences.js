// A sentence on which the baseline and a choice disagree, with the mentions and mistakes of both.
import { swatch } from "../shared/colours.js";
import { data } from "../shared/data.js";
import { make } from "../shared/dom.js";
import { levelsOf, markedText } from "../shared/marked_text.js";
import { plural } from "../shared/numbers.js";
import { choiceTitle, hasSeeds, placeTitle } from "./grid.js";

// Who is right more often: the baseline (first) or the choice (second).
export const sideOf = (sentence) => sentence[2] > sentence[3] ? "first" : "second";

export function drawSentence(sentence) {
  const [pairNumber, text, firstRight, secondRight, seeds, gold, ...ofSystems] = sentence;
  const [first, second, firstMistakes, secondMistakes] = ofSystems;
  const pair = data.pairs[pairNumber];
  const choice = choiceTitle(pair.choice);
  const common = { words: data.texts[text], gold, seeds };
  return make("article", { class: "sentence" },
    make("div", { class: "where" }, `${placeTitle(pair.place)}: ${choice} against ${data.baseline}`),
    make("div", { class: "sides" },
      drawSystem(data.baseline, sideOf(sentence) === "first",
        { ...common, right: firstRight, predicted: first, mistakes: firstMistakes }),
      drawSystem(choice, sideOf(sentence) === "second",
        { ...common, right: secondRight, predicted: second, mistakes: secondMistakes })));
}

function drawSystem(name, isAhead, system) {
  const mistakes = system.mistakes.map((mistake) => drawMistake(mistake, system));
  return make("div", { class: `side${isAhead ? " ahead" : ""}` },
    make("h4", {}, `${name}: ${rightIn(system)}`), drawText(system),
    make("ul", { class: "mistakes" }, mistakes.length ? mistakes : make("li", { class: "soft" }, "no error")));
}

function rightIn({ right, seeds }) {
  if (!hasSeeds) return right ? "right" : "wrong";
  return `right in ${right} of ${plural(seeds, "seed")}`;
}

function drawMistake([kind, goldAt, predictedAt], { words, gold, predicted }) {
  const name = data.kinds[kind];
  return make("li", {}, make("b", { "data-tip": data.meanings[name] }, name), drawMention("gold", gold[goldAt], words),
    goldAt >= 0 && predictedAt >= 0 ? " → " : "", drawMention("predicted", predicted[predictedAt], words));
}

function drawMention(side, mention, words) {
  if (!mention) return [];
  const [start, end, label] = mention;
  return [`${side} `, swatch(label), `${data.labels[label]} `, make("q", {}, words.slice(start, end).join(" "))];
}

function drawText(system) {
  const { words } = system;
  const starts = [0];
  for (const word of words) starts.push(starts.at(-1) + word.length + 1);
  const marks = ["gold", "predicted"].flatMap((side, at) => marksOf(side, at, system, starts));
  return markedText(words.join(" "), marks, (mark) => ({ "data-tip": mark.tip }));
}

// Mentions are given by words; marks need characters.
function marksOf(side, at, system, starts) {
  const levels = levelsOf(system[side]);
  const mistakes = new Map(system.mistakes.map((mistake) => [mistake[at + 1], mistake]));
  return system[side].map(([start, end, label], number) => {
    const mistake = mistakes.get(number);
    const tip = `${side}: ${data.labels[label]} (${mistake ? data.kinds[mistake[0]] : "right"})`;
    return { side, start: starts[start], end: starts[end] - 1, label, level: levels[number],
      isWrong: Boolean(mistake), tip };
  });
}
