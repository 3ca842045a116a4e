// Keys of the page: j and k walk through mentions, 1 to 9 give labels, brackets move ends, n chooses words for a new mention.
// Escape leaves a field.
import { find } from "../shared/dom.js";
import { labelNames, newLabel } from "./labels.js";
import { WordCursor, select } from "./word_cursor.js";

const isTyping = (element) => element.matches?.("input, select, textarea");
const isPressed = (event) => [" ", "Enter"].includes(event.key) && event.target.matches("button, summary, a");

export function watchKeyboard(page) {
  const newMention = keysOfNewMention(page);
  const others = keysOfMentions(page, newMention.begin);
  document.addEventListener("keydown", (event) => {
    if (!page.documents.current || isPressed(event)) return;
    if (isTyping(event.target)) leaveField(event, page);
    else if (event.ctrlKey || event.metaKey) stepBack(event, page.documents);
    else if (!event.altKey) act(event, newMention.isActive() ? newMention.keys : others);
  });
}

// Escape goes back to the text, so that the next key is no letter of the field.
function leaveField(event, page) {
  if (event.key !== "Escape" || event.isComposing) return;
  event.target.blur();
  page.choose(page.chosen());
}

function stepBack(event, documents) {
  if (event.key.toLowerCase() !== "z") return;
  event.preventDefault();
  if (event.shiftKey) documents.redo();
  else documents.undo();
}

function act(event, actions) {
  if (!Object.hasOwn(actions, event.key)) return;
  event.preventDefault();
  actions[event.key](event);
}

function keysOfMentions(page, beginNew) {
  function chooseFocused(event) {
    if (event.target.dataset.key) page.choose(Number(event.target.dataset.key));
  }
  function giveLabel(event) {
    const label = labelNames()[Number(event.key) - 1];
    if (!label || !page.documents.find(page.chosen())) return;
    page.change(page.chosen(), { label });
    page.choose(page.chosen());
  }
  const digits = Object.fromEntries([..."123456789"].map((digit) => [digit, giveLabel]));
  const ends = { "[": () => page.moveEnd("end", -1), "]": () => page.moveEnd("end", 1), "{": () => page.moveEnd("start", -1),
    "}": () => page.moveEnd("start", 1) };
  return { ...digits, ...ends, ...(page.accept ? { a: page.accept } : {}), j: () => page.walk(1), k: () => page.walk(-1),
    n: beginNew, Delete: page.remove, Backspace: page.remove, Enter: chooseFocused, " ": chooseFocused };
}

function keysOfNewMention(page) {
  const cursor = new WordCursor();
  const text = () => page.documents.current.text;

  function show() {
    if (!cursor.isActive) return;
    select(find("text"), ...cursor.range);
    find("status").textContent = `New ${newLabel(page.documents.current.spans)}: ${text().slice(...cursor.range)}`;
  }
  function begin() {
    cursor.begin(text(), page.documents.find(page.chosen())?.end ?? 0);
    show();
  }
  function move(step, event) {
    cursor.move(step, event.shiftKey);
    show();
  }
  function end(isKept) {
    const range = cursor.range;
    cursor.end();
    getSelection().removeAllRanges();
    if (isKept) page.add(...range);
    else page.choose(page.chosen());
  }
  const keys = { ArrowRight: (event) => move(1, event), ArrowLeft: (event) => move(-1, event), Enter: () => end(true),
    Escape: () => end(false) };
  return { keys, begin, isActive: () => cursor.isActive };
}
