// Words that the keyboard chooses: arrows move from word to word, Shift extends. The browser's own selection shows them.

const WORD = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;

const wordsOf = (text) => [...text.matchAll(WORD)].map((found) => [found.index, found.index + found[0].length]);

// The place in the document of a character of the text that `root` shows.
function placeOf(root, offset) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest(".name")) continue;
    if (left <= node.length) return [node, left];
    left -= node.length;
  }
  return [root, root.childNodes.length];
}

export function select(root, start, end) {
  getSelection().setBaseAndExtent(...placeOf(root, start), ...placeOf(root, end));
  const box = getSelection().getRangeAt(0).getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight) scrollBy({ top: box.top - innerHeight / 2 });
}

// The characters that are selected inside `root`, without blanks around them, or null.
export function selected(root, text) {
  const range = rangeIn(root);
  if (!range) return null;
  const from = offsetOf(root, range.startContainer, range.startOffset);
  const marked = text.slice(from, offsetOf(root, range.endContainer, range.endOffset));
  const start = from + marked.length - marked.trimStart().length;
  return marked.trim() ? [start, start + marked.trim().length] : null;
}

function rangeIn(root) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  return root?.contains(range.startContainer) && root.contains(range.endContainer) ? range : null;
}

function offsetOf(root, node, offset) {
  const before = document.createRange();
  before.setStart(root, 0);
  before.setEnd(node, offset);
  const content = before.cloneContents();
  for (const name of content.querySelectorAll(".name")) name.remove();
  return content.textContent.length;
}

export class WordCursor {
  #words = [];
  #first = -1;
  #last = -1;

  get isActive() { return this.#first >= 0; }

  begin(text, offset) {
    this.#words = wordsOf(text);
    this.#first = Math.max(0, this.#words.findIndex(([start]) => start >= offset));
    this.#last = this.#first;
    if (!this.#words.length) this.end();
  }

  move(step, isExtending) {
    const to = Math.min(Math.max(this.#last + step, 0), this.#words.length - 1);
    this.#last = isExtending ? Math.max(to, this.#first) : to;
    if (!isExtending) this.#first = this.#last;
  }

  get range() { return [this.#words[this.#first][0], this.#words[this.#last][1]]; }

  end() {
    this.#first = -1;
    this.#last = -1;
  }
}
