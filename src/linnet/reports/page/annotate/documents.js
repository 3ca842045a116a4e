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

const byPlace = (a, b) => a.start - b.start || b.end - a.end || a.key - b.key;

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

// The mention with another start or end; of a discontinuous one the first or last fragment moves.
export function moved(span, side, offset) {
  const fragments = (span.fragments || []).map((fragment) => [...fragment]);
  if (fragments.length && side === "start") fragments[0][0] = offset;
  if (fragments.length && side === "end") fragments[fragments.length - 1][1] = offset;
  return { ...(side === "start" ? { start: offset } : { end: offset }), fragments };
}
