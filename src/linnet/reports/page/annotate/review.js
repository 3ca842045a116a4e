// Review: one document after the other. The server keeps each decision on its disk before it answers.
import { find } from "../shared/dom.js";
import { count, plural } from "../shared/numbers.js";
import { Beside } from "./beside.js";
import { Ways } from "./going.js";
import { isShown, offerLabels, showAll } from "./labels.js";
import { decide, describeReview, listReviewed, readReviewed, writeOutput } from "./server.js";

export class Review {
  #documents;
  #show; // runs work, and shows what goes wrong
  #number = 0;
  #version = 0;
  #progress;
  beside = null; // another annotation of the documents
  #ways; // to documents by their ids
  #notes = null; // about the output as it was written since the last decision

  constructor(documents, show) {
    this.#documents = documents;
    this.#show = show;
  }

  async begin() {
    for (const name of ["drop", "intro", "save-row"]) find(name).hidden = true;
    for (const name of ["review", "review-key", "go-key"]) find(name).hidden = false;
    find("names").click(); // labels and confidence in the text
    find("accept").addEventListener("click", () => this.accept());
    find("previous").addEventListener("click", () => this.#move(this.#number - 1));
    find("next").addEventListener("click", () => this.#move(this.#number + 1));
    find("undecided").addEventListener("click", () => this.#move(this.#progress.next));
    find("show-all").addEventListener("click", showAll);
    find("write").addEventListener("click", () => this.#show(() => this.#write()));
    addEventListener("beforeunload", (event) => this.#documents.canUndo && event.preventDefault());
    this.#progress = await describeReview();
    this.#introduce();
    this.#ways = new Ways((await listReviewed()).ids, (number) => this.#move(number));
    addEventListener("hashchange", () => this.#followAddress());
    const wanted = this.#ways.inAddress();
    await this.#open(wanted ?? this.#progress.next ?? 0, wanted !== null);
    if (wanted === null) refuseAddress();
  }

  // Says how many mentions are accepted without being seen: what is hidden is kept, never deleted.
  drawUnseen() {
    const hidden = this.#documents.current.spans.filter((span) => !isShown(span)).length;
    find("unseen").hidden = !hidden;
    find("unseen-number").textContent = `${plural(hidden, "hidden mention")} ${hidden === 1 ? "is" : "are"} accepted too.`;
  }

  // Keeps the mentions of the document as they are now, and goes to the next one without a decision. After the last one
  // the output is written.
  accept() {
    return this.#show(async () => {
      const [{ spans }] = this.#documents.asJson(() => true);
      try {
        this.#progress = await decide(this.#number, { version: this.#version, spans });
        this.#notes = null;
      } catch (error) {
        if (error.where === "version") error.repair = { name: "Open it again", run: () => this.#open(this.#number) };
        throw error;
      }
      await this.#open(this.#progress.next ?? this.#number);
      if (this.#progress.next === null) await this.#write();
    });
  }

  #introduce() {
    const { source, output, replaced, labels, beside } = this.#progress;
    if (beside !== null) this.beside = new Beside(beside);
    offerLabels(labels);
    document.title = `${source} · Linnet review`;
    document.querySelector("h1").textContent = `Review of ${source}`;
    find("replaced").hidden = !replaced;
    find("replaced").textContent = `The model's mentions stand in place of ${plural(replaced, "mention")} that ${source} has. `
      + "To review those, start again without --model.";
    find("write").textContent = `Write ${output} now`;
  }

  // Opens another document; returns false if the person stays with what has been changed.
  #move(number) {
    if (number === null || number < 0 || number >= this.#progress.documents) return false;
    if (this.#documents.canUndo && !confirm("Leave this document without keeping what you have changed?")) return false;
    this.#show(() => this.#open(number));
    return true;
  }

  #followAddress() {
    const wanted = this.#ways.inAddress();
    if (wanted === null) this.#show(refuseAddress);
    else if (wanted === undefined || !this.#move(wanted)) this.#ways.show(this.#number);
  }

  async #open(number, isNamed = true) {
    const found = await readReviewed(number);
    this.#number = found.number;
    this.#version = found.version;
    this.beside?.load(found.beside);
    this.#documents.load([found.document]);
    if (isNamed) this.#ways.show(number);
    this.#draw(found.document.id);
  }

  async #write() {
    const { documents, output, notes } = await writeOutput();
    const said = [`${output}: ${plural(documents, "document")} written`, ...notes].join(". ");
    find("written").textContent = documents ? `${said}.` : "Nothing to write yet.";
    this.#notes = notes;
    this.#drawEnd();
  }

  #drawEnd() {
    const { documents, next, output } = this.#progress;
    find("finished").hidden = next !== null;
    find("finished").textContent = [`All done: ${plural(documents, "document")} decided.`,
      this.#notes ? `${output} is written.` : "", ...(this.#notes ?? []).map((note) => `${note}.`),
      "End the review with Ctrl+C in the terminal."].filter(Boolean).join(" ");
  }

  #draw(id) {
    const { documents, decided, agreement, training, output } = this.#progress;
    find("progress").textContent = `Document ${count(this.#number + 1)} of ${count(documents)} (${id}), `
      + `${this.#version ? "decided on" : "not decided on yet"}. ${describeLeft(this.#progress)}`;
    find("share").max = documents;
    find("share").value = decided;
    find("agreement").textContent = decided ? describeAgreement(agreement, this.#progress) : "";
    find("output").textContent = `Accepting keeps a decision at once. ${output} is written when all documents are decided and when `
      + "the review ends (Ctrl+C in the terminal). Mentions in it have no confidence: what you accept is gold.";
    find("training").textContent = training.join("\n");
    find("previous").disabled = this.#number === 0;
    find("next").disabled = this.#number + 1 === documents;
    find("undecided").disabled = this.#progress.next === null;
    if (!this.#notes) find("written").textContent = "";
    this.#drawEnd();
  }
}

function refuseAddress() {
  const error = new Error(`No document of this review has the id of the address (${location.hash}).`);
  error.remedy = "write another id into the field “Go to”";
  throw error;
}

function describeLeft({ decided, documents, output }) {
  const left = documents - decided;
  return `${count(decided)} of ${plural(documents, "document")} decided`
    + `${left ? `; ${count(left)} undecided left out of ${output}` : ""}.`;
}

// How far the person agrees with what was proposed.
function describeAgreement({ unchanged_documents: unchanged, proposed, kept, mentions_after: after, f1 }, { decided, has_model: hasModel }) {
  const score = f1 === null ? "" : `, F1 ${f1.toFixed(3)}`;
  const ofMentions = proposed ? `${count(kept)} of ${plural(proposed, "proposed mention")} kept` : "no mention proposed";
  return `Agreement with the ${hasModel ? "model" : "file"}: ${ofMentions}, ${count(after - kept)} added`
    + `${score}; ${count(unchanged)} of ${plural(decided, "document")} unchanged.`;
}
