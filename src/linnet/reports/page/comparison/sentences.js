// A sentence on which the baseline and a choice disagree, with the mentions and mistakes of both.
import { swatch } from "../shared/colours.js";
import { data } from "../shared/data.js";
import { make } from "../shared/dom.js";
import { levelsOf, markedText, piecesOf } from "../shared/marked_text.js";
import { confidence, count, plural } from "../shared/numbers.js";
import { choiceTitle, hasSeeds, placeTitle } from "./grid.js";

// Who is right more often: the baseline (first), the choice (second), or neither: both are wrong in different ways.
export function sideOf([, , firstRight, secondRight]) {
  if (firstRight === secondRight) return "neither";
  return firstRight > secondRight ? "first" : "second";
}

export const hasSentencesWrongInTwoWays = data.sentences.some((sentence) => sideOf(sentence) === "neither");

// The document of a sentence and its number there; empty where it is not known.
export const whereOf = ([, , , , , , , [document, number]]) =>
  data.documents[document] ? `${data.documents[document]}, sentence ${count(number)}` : "";

export function drawSentence(sentence) {
  const [pairNumber, texts, firstRight, secondRight, seeds, first, second] = sentence;
  const pair = data.pairs[pairNumber];
  const choice = choiceTitle(pair.choice);
  const where = [whereOf(sentence), `${placeTitle(pair.place)}: ${choice} against ${data.baseline}`].filter(Boolean);
  return make("article", { class: "sentence" },
    make("div", { class: "where" }, where.length > 1 ? make("b", {}, where[0]) : null, where.length > 1 ? ` · ${where[1]}` : where[0]),
    make("div", { class: "sides" },
      drawSystem(data.baseline, sideOf(sentence) === "first", systemOf(texts[0], first, firstRight, seeds)),
      drawSystem(choice, sideOf(sentence) === "second", systemOf(texts[1], second, secondRight, seeds))));
}

const systemOf = (text, [gold, predicted, mistakes], right, seeds) =>
  ({ text: data.texts[text], gold, predicted, mistakes, right, seeds });

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

function drawMistake([kind, goldAt, predictedAt], { text, gold, predicted }) {
  const name = data.kinds[kind];
  return make("li", {}, make("b", { "data-tip": data.meanings[name] }, name), drawMention("gold", gold[goldAt], text),
    goldAt >= 0 && predictedAt >= 0 ? " → " : "", drawMention("predicted", predicted[predictedAt], text));
}

function drawMention(side, mention, text) {
  if (!mention) return [];
  const [start, end, label, score, pieces] = mention;
  const quote = piecesOf(start, end, pieces).map((piece) => text.slice(...piece)).join(" … ");
  return [`${side} `, swatch(label), `${data.labels[label]} `, make("q", {}, quote), confidence(score)];
}

function drawText(system) {
  const marks = ["gold", "predicted"].flatMap((side, at) => marksOf(side, at, system));
  return markedText(system.text, marks, (mark) => ({ "data-tip": mark.tip }));
}

function marksOf(side, at, system) {
  const levels = levelsOf(system[side]);
  const mistakes = new Map(system.mistakes.map((mistake) => [mistake[at + 1], mistake]));
  return system[side].map(([start, end, label, score, pieces], number) => {
    const mistake = mistakes.get(number);
    const tip = `${side}: ${data.labels[label]}${confidence(score)} (${mistake ? data.kinds[mistake[0]] : "right"})`;
    return { side, start, end, pieces, label, level: levels[number], isWrong: Boolean(mistake), tip };
  });
}
