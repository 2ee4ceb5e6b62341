// Page elements. Whatever text goes into them is text: no markup is ever parsed.

/** Paths in a box of 16 x 16. */
const ICONS = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z",
  step: "M3 2.5v11l7-5.5zM11 2.5h2.2v11H11z",
  restart: "M8 2.6a5.4 5.4 0 1 0 5.3 6.5h-1.9A3.6 3.6 0 1 1 8 4.4c1 0 1.9.4 2.5 1L8.3 7.6H14V1.9l-2.2 2.2A5.4 5.4 0 0 0 8 2.6z",
};

/** Make an element. @param {string} tag @param {Record<string, any>} attributes @param {(Node|string)[]} children */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children); // strings become text nodes
  return element;
}

/** Set a text that may be the same: untouched elements cost no layout. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export function button(control, words, help, content) {
  return make("button", { type: "button", "data-control": control, "aria-label": help, title: help }, content, words);
}
