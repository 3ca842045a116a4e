// A long list that is drawn in parts as it is read, so that filters answer at once.
import { find, make } from "./dom.js";

const STEP = 20; // examples that are drawn at once

export class LazyList {
  #all = [];
  #from = 0; // the first that is drawn
  #to = 0; // behind the last that is drawn
  #list = find("list");
  #drawOne;
  #atEnd = new IntersectionObserver((entries) => { if (entries[0].isIntersecting) this.#drawMore(); },
    { rootMargin: "1000px" });

  constructor(drawOne) {
    this.#drawOne = drawOne;
    find("earlier").addEventListener("click", () => this.#drawEarlier());
    addEventListener("beforeprint", () => this.#drawAll());
  }

  show(found, message, first = 0) {
    this.#all = found;
    this.#from = first;
    this.#to = first;
    this.#list.replaceChildren();
    if (!found.length) this.#list.append(make("p", { class: "panel empty" }, message));
    this.#drawMore();
  }

  drawAround(position) {
    if (position >= this.#from && position < this.#to) return;
    if (position >= this.#to && position < this.#to + 5 * STEP) this.#drawMore(position + STEP);
    else this.show(this.#all, "", Math.max(0, position - 5));
  }

  firstInView() {
    const inView = [...this.#list.children].findIndex((element) => element.getBoundingClientRect().bottom > 0);
    return this.#from + Math.max(0, inView);
  }

  #drawMore(wanted = this.#to + STEP) {
    const end = Math.min(wanted, this.#all.length);
    this.#list.append(...this.#all.slice(this.#to, end).map(this.#drawOne));
    this.#to = Math.max(this.#to, end);
    find("earlier").hidden = this.#from === 0;
    this.#atEnd.unobserve(find("end")); // observing anew reports an end that is still in view
    if (this.#to < this.#all.length) this.#atEnd.observe(find("end"));
  }

  #drawEarlier() {
    const first = Math.max(0, this.#from - STEP);
    this.#list.prepend(...this.#all.slice(first, this.#from).map(this.#drawOne));
    this.#from = first;
    find("earlier").hidden = first === 0;
  }

  #drawAll() {
    while (this.#from > 0) this.#drawEarlier();
    while (this.#to < this.#all.length) this.#drawMore();
  }
}

// Marks an article as the current one and scrolls to it.
export function bringIntoView(article) {
  for (const element of document.querySelectorAll(".now, .here")) element.classList.remove("now", "here");
  article.classList.add("here");
  article.scrollIntoView({ block: "center" });
}
