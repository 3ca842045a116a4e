// The documents of the page, what a person changes in their mentions, and the way back.

let lastKey = 0;

// A mention of the server, with its key and its candidates, which come as JSON in an infon.
function withKey(span) {
  lastKey += 1;
  const { candidates = "[]", ...infons } = span.infons || {};
  return { ...span, infons, candidates: candidatesIn(candidates), key: lastKey };
}

function candidatesIn(text) {
  try {
    return JSON.parse(text).flat().map(({ id, name, score }) => ({ identifier: id, name, score }));
  } catch {
    return []; // an infon of another program
  }
}

export const byPlace = (a, b) => a.start - b.start || b.end - a.end || (a.key ?? 0) - (b.key ?? 0);

function withoutKey(span) {
  const kept = { ...span };
  delete kept.key;
  delete kept.candidates;
  delete kept.isCorrected;
  delete kept.text; // follows from its place
  return kept;
}

export class Documents {
  #documents = [];
  #at = 0;
  #past = []; // documents by number, with the mentions that they had
  #future = [];
  #onChange;

  constructor(onChange) {
    this.#onChange = onChange;
  }

  load(documents) {
    this.#documents = documents.map((each) => ({ ...each, spans: each.spans.map(withKey).sort(byPlace) }));
    this.#at = 0;
    this.#past = [];
    this.#future = [];
    this.#onChange();
  }

  get all() { return this.#documents; }

  get at() { return this.#at; }

  get current() { return this.#documents[this.#at]; }

  get canUndo() { return this.#past.length > 0; }

  get canRedo() { return this.#future.length > 0; }

  open(at) {
    if (at < 0 || at >= this.#documents.length) return;
    this.#at = at;
    this.#onChange();
  }

  find(key) {
    return this.current?.spans.find((span) => span.key === key);
  }

  // Adds a mention and returns its key.
  add(start, end, label) {
    const span = withKey({ start, end, label, score: null, links: [], fragments: [], isCorrected: true });
    this.#replace([...this.current.spans, span]);
    return span.key;
  }

  // Takes a mention of another annotation in place of these.
  take({ start, end, label, links = [], fragments = [] }, replaced) {
    const span = withKey({ start, end, label, score: null, links, fragments, isCorrected: true });
    this.#replace([...this.current.spans.filter((each) => !replaced.includes(each)), span]);
    return span.key;
  }

  // Changes a mention; what a person has decided has no confidence.
  change(key, values) {
    this.#replace(this.current.spans.map((span) => span.key === key ? { ...span, score: null, isCorrected: true, ...values } : span));
  }

  remove(key) {
    this.#replace(this.current.spans.filter((span) => span.key !== key));
  }

  undo() { this.#step(this.#past, this.#future); }

  redo() { this.#step(this.#future, this.#past); }

  // The documents as the server reads them, with the mentions that `isShown` accepts.
  asJson(isShown) {
    return this.#documents.map((each) => ({ ...each, spans: each.spans.filter(isShown).map(withoutKey) }));
  }

  #replace(spans) {
    this.#past.push({ at: this.#at, spans: this.current.spans });
    this.#future = [];
    this.#set(this.#at, spans);
  }

  #step(from, to) {
    const step = from.pop();
    if (!step) return;
    to.push({ at: step.at, spans: this.#documents[step.at].spans });
    this.#at = step.at;
    this.#set(step.at, step.spans);
  }

  #set(at, spans) {
    this.#documents[at] = { ...this.#documents[at], spans: [...spans].sort(byPlace) };
    this.#onChange();
  }
}

// What changes in a mention if its start or end moves by one character, or null if it cannot. Of a discontinuous mention the
// first or last fragment moves. No character of two code units is cut in half.
export function moved({ start, end, fragments = [] }, side, step, text) {
  const pieces = fragments.length ? fragments.map((fragment) => [...fragment]) : [[start, end]];
  const [piece, at] = side === "start" ? [pieces[0], 0] : [pieces.at(-1), 1];
  piece[at] += step * (isInsideCharacter(text, piece[at] + step) ? 2 : 1);
  const isPossible = piece[0] >= 0 && piece[0] < piece[1] && piece[1] <= text.length;
  return isPossible ? { [side]: piece[at], fragments: fragments.length ? pieces : [] } : null;
}

const isInsideCharacter = (text, offset) => offset > 0 && text.codePointAt(offset - 1) > 0xFFFF;
