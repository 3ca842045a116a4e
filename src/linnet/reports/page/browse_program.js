// --- pages to look through examples: a list that is drawn in parts as it is read, so that filters answer at once
const STEP = 20; // examples that are drawn at once

const toggle = (set, value) => { if (!set.delete(value)) set.add(value); };

function drawDetails() {
  for (const [name, value] of data.details) find("details").append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
}

function drawHeadline(figure, lines) {
  const apart = lines.flatMap((line, at) => at ? [make("br"), ...line] : line);
  find("headline").append(make("strong", { class: "number" }, figure), make("div", { class: "number" }, ...apart));
}

function rangeOf(low, value, high) { // shares of a bar
  return make("span", { class: "range", "aria-hidden": "true" },
    make("i", { style: `left: ${100 * low}%; width: ${100 * (high - low)}%` }), make("b", { style: `left: ${100 * value}%` }));
}

function lazyList(draw) {
  let all = [], from = 0, to = 0;
  const atEnd = new IntersectionObserver((entries) => { if (entries[0].isIntersecting) more(); }, { rootMargin: "1000px" });

  function show(found, message, first = 0) {
    all = found;
    from = to = first;
    find("list").replaceChildren();
    if (!all.length) find("list").append(make("p", { class: "panel empty" }, message));
    more();
  }
  function more(wanted = to + STEP) {
    const end = Math.min(wanted, all.length);
    find("list").append(...all.slice(to, end).map(draw));
    to = Math.max(to, end);
    find("earlier").hidden = from === 0;
    atEnd.unobserve(find("end")); // observing anew reports an end that is still in view
    if (to < all.length) atEnd.observe(find("end"));
  }
  function earlier() {
    const first = Math.max(0, from - STEP);
    find("list").prepend(...all.slice(first, from).map(draw));
    from = first;
    find("earlier").hidden = from === 0;
  }
  function around(position) {
    if (position >= from && position < to) return;
    if (position >= to && position < to + 5 * STEP) more(position + STEP);
    else show(all, "", Math.max(0, position - 5));
  }
  function firstInView() {
    const inView = [...find("list").children].findIndex((element) => element.getBoundingClientRect().bottom > 0);
    return from + Math.max(0, inView);
  }
  find("earlier").addEventListener("click", earlier);
  addEventListener("beforeprint", () => { while (from > 0) earlier(); more(all.length); });
  return { show, around, firstInView };
}

const piecesOf = (start, end, pieces) => pieces || [[start, end]];

function markedText(text, marks, attributesOf, after = () => []) {
  // Marks have side, start, end, label, level and isWrong, and pieces where they are not one stretch; the outermost
  // come first. `after` gives what follows a part of the text.
  const paragraph = make("p", { class: "text" });
  const drawn = marks.map((mark) => ({ ...mark, pieces: piecesOf(mark.start, mark.end, mark.pieces) }));
  const cuts = [...new Set([0, text.length, ...drawn.flatMap((mark) => mark.pieces.flat())])].sort((a, b) => a - b);
  cuts.slice(1).forEach((end, at) => {
    const start = cuts[at];
    const over = drawn.filter((mark) => mark.pieces.some((piece) => piece[0] <= start && end <= piece[1]));
    let node = document.createTextNode(text.slice(start, end));
    for (const mark of [...over].reverse()) {
      const classes = ["m", mark.side, mark.pieces.some((piece) => piece[0] === start) && "begins",
        mark.pieces.some((piece) => piece[1] === end) && "ends", mark.isWrong && "wrong"];
      node = make("span", { class: classes.filter(Boolean).join(" "), style: `${colour(mark.label)}; --level: ${mark.level}`,
        ...attributesOf(mark) }, node);
    }
    paragraph.append(node, ...after(over, end));
  });
  return paragraph;
}

function bringHere(article) {
  document.querySelectorAll(".now, .here").forEach((element) => element.classList.remove("now", "here"));
  article.classList.add("here");
  article.scrollIntoView({ block: "center" });
}
