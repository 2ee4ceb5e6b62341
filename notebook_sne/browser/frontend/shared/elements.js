// Page elements. Whatever text goes into them is text: no markup is ever parsed.

/** Filled paths in a box of 16 x 16. @type {Record<string, string>} */
const ICONS = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z",
  step: "M3 2.5v11l7-5.5zM11 2.5h2.2v11H11z",
  before: "M13 2.5v11L6 8zM2.8 2.5H5v11H2.8z",
  after: "M3 2.5v11L10 8zM11 2.5h2.2v11H11z",
  back: "M13 2.5v11l-7-5.5zM2.8 2.5H5v11H2.8z",
  restart:
    "M8 2.6a5.4 5.4 0 1 0 5.3 6.5h-1.9A3.6 3.6 0 1 1 8 4.4c1 0 1.9.4 2.5 1L8.3 7.6H14V1.9l-2.2 2.2A5.4 5.4 0 0 0 8 2.6z",
};

/** Lines in a box of 16 x 16. @type {Record<string, string>} */
const LINES = {
  film: "M2 3h12v10H2zM2 6h12M2 10h12M5 3v3M8 3v3M11 3v3M5 10v3M8 10v3M11 10v3",
  align: "M8 1.5v13M6 4.5L1.8 8 6 11.5zM10 4.5L14.2 8 10 11.5z",
  lasso:
    "M8.6 2.4c2.9 0 5.1 1.5 5.1 3.6s-2.6 3.9-5.9 3.9-5.5-1.4-5.5-3.5 2.9-4 6.3-4zM4.3 9.2c-.9.9-.3 2 .8 1.8 1.2-.2 1.2-1.5.3-1.8M5.2 11c.4 1.2.2 2-.9 3",
  pin: "M5.5 2h5M6.5 2v4L4.5 8.5V10h7V8.5L9.5 6V2M8 10v4.5",
  search: "M7 2.6a4.4 4.4 0 1 1 0 8.8 4.4 4.4 0 0 1 0-8.8zM10.3 10.3l3.5 3.5",
  springs: "M1 8h2.2l1.2-3.2 2.4 6.4 2.4-6.4 2.4 6.4L12.8 8H15",
  images: "M2 3h12v10H2zM2.2 11.2l3.6-3.8 2.8 2.8 1.7-1.6 3.6 3.2M10.8 5.9h.02",
  hidden:
    "M1.5 8S4 4 8 4s6.5 4 6.5 4-2.5 4-6.5 4-6.5-4-6.5-4zM8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6zM3 13.4L13 2.6",
  letters: "M1.5 12.5L5 3.5l3.5 9M2.7 9.6h4.6M13.8 7.4v5.1M13.8 10a2 2.4 0 1 1-4 0 2 2.4 0 1 1 4 0z",
  download: "M8 2v8M4.8 7L8 10.2 11.2 7M2.5 13.5h11",
  fullscreen: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  more: "M2 4h8M14 4h0M2 12h2M8 12h6M10 4a2 2 0 1 0 4 0 2 2 0 1 0-4 0M4 12a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  compact: "M2 3h12v10H2zM2 10.4h12M10.2 3v7.4",
  close: "M4 4l8 8M12 4l-8 8",
  table: "M2 3h12v10H2zM2 6.4h12M2 9.7h12M6.2 3v10",
  up: "M3.5 10.5L8 6l4.5 4.5",
  help: "M5.6 5.8a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2.9-1.2 1.9M8 12.4h.02",
  now: "M2.5 8h8.5M7.8 4.6L11.2 8l-3.4 3.4M13.5 3.5v9",
};

/**
 * Make an element; attributes that are undefined or null are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, unknown>} attributes @param {(Node|string)[]} children  strings become text
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * A slider in whole steps from 0 on.
 * @param {string} control @param {string} label @param {number} most @param {Record<string, unknown>} [more]
 */
export function slider(control, label, most, more = {}) {
  const is = { type: "range", min: 0, max: most, step: 1, "data-control": control, "aria-label": label };
  return make("input", { ...is, ...more });
}

/** Set a text that may be the same: untouched elements cost no layout. @param {Node} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Set an attribute that may be the same; true if it was not. @param {Element} element @param {string} name @param {unknown} value */
export function attribute(element, name, value) {
  const news = element.getAttribute(name) !== String(value);
  if (news) element.setAttribute(name, String(value));
  return news;
}

/**
 * Write facts as data attributes, for whoever reads the page by program.
 * @param {HTMLElement} element @param {Record<string, unknown>} facts
 */
export function writeData(element, facts) {
  for (const [name, value] of Object.entries(facts)) {
    if (element.dataset[name] !== String(value)) element.dataset[name] = String(value);
  }
}

/**
 * Make an element of a drawing.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Record<string, unknown>} attributes @param {(Node|string)[]} children  strings become text
 * @returns {SVGElementTagNameMap[K]}
 */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * What listens until a view is removed.
 * @param {AbortSignal} signal  aborted when the view is removed
 */
export function listener(signal) {
  /**
   * @template {keyof HTMLElementEventMap} K
   * @param {EventTarget} target @param {K} name @param {(event: HTMLElementEventMap[K]) => unknown} act
   * @param {AddEventListenerOptions} options
   */
  return (target, name, act, options = {}) =>
    target.addEventListener(name, /** @type {EventListener} */ (act), { ...options, signal });
}

/** The pen of a canvas. @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2DSettings} [settings] */
export function penOf(canvas, settings) {
  const pen = canvas.getContext("2d", settings);
  if (!pen) throw new Error("the browser has no room for another picture");
  return pen;
}

/**
 * The pen of a canvas that is made as large as asked for, in CSS pixels, and cleared.
 * @param {HTMLCanvasElement} canvas @param {number} width @param {number} height @param {number} ratio  device pixels for one of them
 */
export function clearPen(canvas, width, height, ratio) {
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
  const pen = penOf(canvas);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

/** Stroke a straight line. @param {Pen} pen @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
export function strokeLine(pen, x0, y0, x1, y1) {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

/**
 * A small picture of one path in a box of 16 x 16, filled unless it is made of lines.
 * @param {string} path @param {Record<string, unknown>} attributes
 */
export function sign(path, attributes = {}) {
  return draw("svg", { viewBox: "0 0 16 16", "aria-hidden": "true", ...attributes }, draw("path", { d: path }));
}

/** @param {string} name  one of the pictures above */
export function icon(name) {
  return ICONS[name] ? sign(ICONS[name]) : sign(LINES[name], { class: "nsne-lines" });
}

/**
 * @param {string} control  names it for whoever reads the page by program
 * @param {string} words @param {string} help  what it does @param {Node|string} content  comes before the words
 */
export function button(control, words, help, content) {
  return make("button", { type: "button", "data-control": control, "aria-label": help, title: help }, content, words);
}

/** A button that says what it does. @param {string} control @param {string} [words] @param {Record<string, unknown>} [more]  attributes */
export const wordButton = (control, words = "", more = {}) =>
  make("button", { type: "button", "data-control": control, ...more }, words);

/**
 * A table with a head.
 * @param {Record<string, unknown>} attributes @param {(Node|string)[]} heads @param {Node} body @param {Node[]} caption
 */
export function tableOf(attributes, heads, body, ...caption) {
  const head = make("tr", {}, ...heads.map((words) => make("th", { scope: "col" }, words)));
  return make("table", attributes, ...caption, make("thead", {}, head), body);
}

/**
 * A button with an icon and a word; the word gives way where room is short.
 * @param {string} control @param {string} words @param {string} help @param {string} name  of the icon
 * @param {Record<string, unknown>} more  attributes
 */
export function iconButton(control, words, help, name, more = {}) {
  const said = words ? [make("span", { class: "nsne-word" }, words)] : [];
  return make(
    "button",
    { type: "button", "data-control": control, "aria-label": help, title: help, ...more },
    icon(name),
    ...said,
  );
}

/**
 * A part of the side panel that folds away.
 * @param {string} part @param {string} title @param {boolean} open @param {(Node|string)[]} children
 */
export function folding(part, title, open, ...children) {
  const heading = make("summary", {}, title);
  const element = make("details", { class: "nsne-fold", "data-part": `${part}-section` }, heading, ...children);
  element.open = open;
  return { element, heading };
}

/** Give the keyboard back to the notebook around a view, whose shortcuts rest while we have it. @param {HTMLElement} root */
export function leaveTo(root) {
  focusWithin(document)?.blur();
  /** @type {HTMLElement|null} */ (root.closest(".jp-Cell"))?.focus({ preventScroll: true });
}

/** The element that has the keyboard, if it lies within another. @param {Node} within */
export function focusWithin(within) {
  const focused = document.activeElement;
  return focused instanceof HTMLElement && within.contains(focused) ? focused : null;
}
