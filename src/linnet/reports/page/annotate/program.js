// The page of the server: a text or a file goes in, its mentions are shown, corrected and saved.
import { data } from "../shared/data.js";
import { find, make, onClick } from "../shared/dom.js";
import { count, plural } from "../shared/numbers.js";
import { watchCard } from "./card.js";
import { Documents, byPlace, moved } from "./documents.js";
import { watchKeyboard } from "./keys.js";
import { drawLegend, isShown, newLabel, numberOf, useLabel, watchLegend } from "./labels.js";
import { drawMention } from "./mention.js";
import { drawPredictions } from "./prediction.js";
import { showProblem } from "./problem.js";
import { Review } from "./review.js";
import { asCurl, asPython, copyCommand, listFormatsToSave, save } from "./saving.js";
import { annotateFile, annotateText, listFormats, listModels, predictText, readToken } from "./server.js";
import { TextView } from "./text.js";
import { selected } from "./word_cursor.js";

const N_CANDIDATES = 5;
const documents = new Documents(refresh);
const view = new TextView();
const predicting = new Set(); // names of models about whole texts
let chosen = null; // the key of a mention
let hideCard = () => {};
let review = null;

function refresh() {
  const current = documents.current;
  find("result").hidden = !current;
  if (!current) return;
  hideCard();
  const beside = review?.beside;
  drawLegend(current.spans, beside?.all);
  const outlines = beside?.outlines(current.spans) ?? [];
  view.show(current.text, [...current.spans.filter(isShown), ...outlines].sort(byPlace));
  beside?.draw(current.spans, current.text, { take, choose });
  drawDocuments();
  find("undo").disabled = !documents.canUndo;
  find("redo").disabled = !documents.canRedo;
  showMention();
  review?.drawUnseen();
}

function drawDocuments() {
  const { all, at } = documents;
  find("documents").hidden = all.length < 2;
  find("which").replaceChildren(...all.map((each, number) => make("option", { value: number }, each.id)));
  find("which").value = at;
  const shown = documents.current.spans.filter(isShown).length;
  find("status").textContent = `${plural(shown, "mention")}, ${plural(documents.current.text.length, "character")}`
    + (all.length > 1 ? `, document ${count(at + 1)} of ${count(all.length)}` : "");
}

function showMention() {
  const span = documents.find(chosen);
  drawMention(span && isShown(span) ? span : undefined, documents.current.text, {
    change: (values) => change(chosen, values),
    remove: removeChosen,
  });
  for (const element of document.querySelectorAll(".m.now")) element.classList.remove("now");
  for (const element of document.querySelectorAll(`[data-key="${chosen}"]`)) element.classList.add("now");
}

function choose(key, isFocused = true) {
  chosen = key;
  view.reveal(key);
  showMention();
  if (isFocused) document.querySelector(`[data-key="${key}"][tabindex]`)?.focus();
}

function change(key, values) {
  if (values.label) useLabel(values.label);
  documents.change(key, values);
}

function take(span) {
  useLabel(span.label);
  choose(documents.take(span, review.beside.replacedBy(span, documents.current.spans)));
}

function removeChosen() {
  if (!documents.find(chosen)) return;
  const at = shownKeys().indexOf(chosen);
  documents.remove(chosen);
  choose(shownKeys()[Math.min(at, shownKeys().length - 1)] ?? null);
}

const shownKeys = () => documents.current.spans.filter(isShown).map((span) => span.key);

// Goes to the next or previous mention, round at both ends.
function walk(step) {
  const keys = shownKeys();
  if (!keys.length) return;
  const at = keys.indexOf(chosen);
  choose(keys[at < 0 ? (step > 0 ? 0 : keys.length - 1) : (at + step + keys.length) % keys.length]);
}

// Moves an end of the chosen mention by one character, if it leaves any.
function moveEnd(side, step) {
  const span = documents.find(chosen);
  const values = span && moved(span, side, step, documents.current.text);
  if (!values) return;
  documents.change(chosen, values);
  choose(chosen);
}

function add(start, end) {
  const label = newLabel(documents.current.spans);
  useLabel(label);
  choose(documents.add(start, end, label));
}

function addSelected() {
  const range = selected(find("text"), documents.current?.text);
  if (range) add(...range);
  getSelection().removeAllRanges();
}

function options() {
  const model = find("models").hidden ? {} : { model: find("model").value };
  if (find("linking").hidden) return model;
  return find("link").checked ? { ...model, candidates: N_CANDIDATES } : { ...model, link: "false" };
}

async function show(work) {
  find("problem").hidden = true;
  find("busy").hidden = false;
  find("annotate").disabled = true;
  try {
    await work();
  } catch (error) {
    hideCard(); // it would cover what is said
    showProblem(error, show);
  } finally {
    find("busy").hidden = true;
    find("annotate").disabled = false;
  }
}

function load(answer) {
  chosen = null;
  find("prediction").hidden = true;
  find("command").hidden = true; // it is about another text
  documents.load(answer.documents);
  find("result").scrollIntoView({ block: "nearest" });
}

const annotate = () => show(async () => {
  const text = find("input").value;
  if (!text.trim()) {
    find("input").focus();
    throw new Error("There is no text. Paste one, choose a file, or take an example.");
  }
  if (isPredicting()) predict(await predictText(text, { model: find("model").value }));
  else load(await annotateText(text, options()));
});

const isPredicting = () => predicting.has(find("model").value);

function predict(answer) {
  find("result").hidden = true;
  drawPredictions(answer);
}

const open = (file) => file && show(async () => {
  if (isPredicting()) throw new Error("This model predicts values for a text. Paste one, or choose a model that finds mentions.");
  load(await annotateFile(file, options()));
});

function watchInput() {
  find("annotate").addEventListener("click", annotate);
  find("input").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) annotate();
  });
  find("file").addEventListener("change", (event) => open(event.target.files[0]));
  onClick(find("examples"), "[data-example]", (button) => {
    find("input").value = data.examples[Number(button.dataset.example)].text;
    annotate();
  });
  if (data.review) return;
  for (const kind of ["dragover", "drop"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      find("drop").classList.toggle("over", kind === "dragover");
      if (kind === "drop") open(event.dataTransfer.files[0]);
    });
  }
  document.addEventListener("dragleave", () => find("drop").classList.remove("over"));
}

function watchResult() {
  find("document").replaceChildren(view.paragraph);
  hideCard = watchCard(documents, find("document"));
  onClick(find("document"), "[data-key]", (mark) => {
    if (getSelection().isCollapsed) choose(Number(mark.dataset.key), false);
  });
  find("document").addEventListener("focusin", (event) => {
    const key = Number(event.target.dataset.key);
    if (key && key !== chosen) choose(key, false);
  });
  find("document").addEventListener("pointerup", () => setTimeout(addSelected));
  find("which").addEventListener("change", (event) => documents.open(Number(event.target.value)));
  find("undo").addEventListener("click", () => documents.undo());
  find("redo").addEventListener("click", () => documents.redo());
  find("names").addEventListener("change", (event) => find("document").classList.toggle("names", event.target.checked));
  find("save").addEventListener("click", () => show(() => save(documents.asJson(isShown))));
  find("curl").addEventListener("click", () => copyCommand(asCurl(documents.current.text, options())));
  find("python").addEventListener("click", () => copyCommand(asPython(documents.current.text, options())));
  watchLegend(refresh);
}

async function begin() {
  readToken();
  addEventListener("hashchange", () => { if (readToken()) location.reload(); });
  find("examples").replaceChildren(...data.examples.map(({ name }, at) =>
    make("button", { type: "button", class: "plain", "data-example": at }, name)));
  watchInput();
  watchResult();
  review = data.review ? new Review(documents, show) : null;
  const accept = review ? () => review.accept() : null;
  watchKeyboard({ documents, choose, walk, add, change, moveEnd, remove: removeChosen, chosen: () => chosen, accept });
  const [served, { formats }] = await Promise.all([listModels(), listFormats()]);
  describeService(served);
  listFormatsToSave(formats);
  if (review) await review.begin();
}

function describeService({ models, vocabularies, version }) {
  const annotating = models.filter((each) => each.annotates);
  const all = [...annotating, ...models.filter((each) => !each.annotates)];
  models.filter((each) => !each.annotates).forEach((each) => predicting.add(each.name));
  find("model").replaceChildren(...all.map((each) => make("option", { value: each.name }, `${each.name} (${each.task})`)));
  find("models").hidden = all.length < 2;
  find("linking").hidden = !vocabularies.length;
  annotating.forEach((each) => each.labels.forEach(numberOf));
  const named = [`Linnet ${version}`, ...all.map((each) => `model ${each.name}`), ...vocabularies.map((each) => `vocabulary ${each.name}`)];
  find("about").textContent = named.join(" · ");
}

show(begin);
