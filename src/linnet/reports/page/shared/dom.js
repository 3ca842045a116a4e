// Builds and finds elements. All text becomes text nodes or attributes, never markup.

export const find = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "style") element.style.cssText = value;
    else if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}

// An element of HTML. Children may be lists; attributes and children that are null or undefined are left out.
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// An element of SVG; the page has one, whose namespace is known to the browser.
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(find("drawing").namespaceURI, tag), attributes, children);
}

export const setPressed = (button, isPressed) => button.setAttribute("aria-pressed", isPressed);

// Calls `act` with the element of this selector that a click inside `area` hits.
export function onClick(area, selector, act) {
  area.addEventListener("click", (event) => {
    const hit = event.target.closest(selector);
    if (hit) act(hit);
  });
}
