// The way to a document of a review: by the field "Go to", and by its id in the address (`#demo-022`).
import { find, make } from "../shared/dom.js";

const MOST_OFFERED = 50; // names below the field

export class Ways {
  #ids;
  #numbers;
  #go;
  #open = ""; // id of the document that is shown

  // `go` opens the document with a number; it returns false if the person stays.
  constructor(ids, go) {
    this.#ids = ids;
    this.#numbers = new Map(ids.map((id, number) => [id, number]));
    this.#go = go;
    const field = find("go-to");
    field.addEventListener("input", () => this.#offer(field.value));
    field.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#goTo(field)) field.blur();
    });
    field.addEventListener("change", () => { if (this.#numbers.has(field.value.trim())) this.#goTo(field); });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault(); // browsers empty the field
      this.#name();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.target.matches("input:not([type=range]), select, textarea")) return;
      event.preventDefault();
      field.select();
    });
    this.#offer("");
  }

  // The number of the document that the address names; undefined if it names none, null if there is no such document.
  inAddress() {
    const id = decode(location.hash.slice(1));
    return id ? this.#numbers.get(id) ?? null : undefined;
  }

  // Shows in field and address which document is open.
  show(number) {
    this.#open = this.#ids[number];
    this.#name();
    history.replaceState(null, "", `#${encodeURIComponent(this.#ids[number])}`);
  }

  #name() {
    find("go-to").value = this.#open;
    this.#offer("");
  }

  // The exact id, or the only one that has this part.
  #goTo(field) {
    const wanted = field.value.trim();
    const found = this.#matching(wanted);
    const number = this.#numbers.get(wanted) ?? (found.length === 1 ? this.#numbers.get(found[0]) : undefined);
    const problem = found.length ? `${found.length} documents have this in their id; choose one` : "No document has this id";
    field.setCustomValidity(number === undefined ? problem : "");
    return field.reportValidity() && this.#go(number);
  }

  #matching(part) {
    return this.#ids.filter((id) => id.toLowerCase().includes(part.toLowerCase()));
  }

  #offer(part) {
    find("go-to").setCustomValidity("");
    const offered = this.#matching(part.trim()).slice(0, MOST_OFFERED);
    find("document-ids").replaceChildren(...offered.map((id) => make("option", { value: id })));
  }
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that a person wrote
  }
}
