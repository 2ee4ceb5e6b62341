// A page without a kernel: what stands in for the notebook's model object, and how the page begins.
// The traits lie in the page itself as JSON. They come from anybody's data: nothing here is ever parsed as markup.

import { unpacked } from "../shared/packed.js";

/** The traits that a reader changes in an explorer: what a page is saved with, wherever its run has gone. */
const READERS = ["word", "beside", "fit", "threshold", "notes"];

/** Traits as a notebook's model object offers them; whoever sets one tells all who listen on this page. */
export class PageModel {
  /** @param {Record<string, unknown>} traits */
  constructor(traits) {
    this.traits = new Map(Object.entries(traits));
    /** @type {Map<string, Set<Function>>} */
    this.listeners = new Map();
    /** @type {(() => string)|undefined} saves the page with the present traits; returns the name of the file */
    this.savePage = undefined;
  }

  /** @param {string} name */
  get(name) {
    return this.traits.get(name);
  }

  /** @param {string} name @param {unknown} value */
  set(name, value) {
    const before = this.traits.get(name);
    if (before === value || (typeof value === "object" && JSON.stringify(before) === JSON.stringify(value))) return;
    this.traits.set(name, value);
    this.tell(`change:${name}`, value);
    this.tell("change");
  }

  save_changes() {} // there is nobody to save them for

  /** @param {string} events  one or more, with spaces between @param {Function} listener */
  on(events, listener) {
    for (const event of events.split(/\s+/)) {
      const there = this.listeners.get(event) ?? new Set();
      this.listeners.set(event, there.add(listener));
    }
  }

  /** @param {string|null|undefined} events @param {Function|undefined} listener */
  off(events, listener) {
    if (events === undefined || events === null) return this.listeners.clear();
    for (const event of events.split(/\s+/)) {
      if (listener) this.listeners.get(event)?.delete(listener);
      else this.listeners.delete(event);
    }
  }

  /** No kernel listens, and nothing depends on an answer. @param {any[]} _said */
  send(..._said) {}

  /** @param {string} event @param {unknown} [value] */
  tell(event, value) {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(this, value);
  }
}

/**
 * The traits in the text of a page.
 * @param {string} text  {traits: {name: value}, bytes: {name: base64 of zlib's bytes}, film: where its maps begin and how
 * many numbers one has, if there is a film}
 */
export const readPage = (text) => unpack(JSON.parse(text));

/** @param {Record<string, any>} data */
export async function unpack({ traits, bytes: packed, film }) {
  for (const [name, base64] of Object.entries(packed))
    traits[name] = new DataView(await unpacked(/** @type {string} */ (base64)).arrayBuffer());
  if (film) addUp(new Int16Array(traits.film.buffer, film.begin), film.stride);
  return traits;
}

/**
 * Each map of a film but the first is stored as its differences from the one before, which take fewer bytes.
 * @param {Int16Array} numbers @param {number} stride
 */
function addUp(numbers, stride) {
  for (let i = stride; i < numbers.length; i++) numbers[i] += numbers[i - stride];
}

/**
 * What makes the text of this page with other traits. It is asked for before anything is shown: script and style stay as
 * they are, whose checksums the page's policy names, and the data are put between them as text.
 * @param {PageModel} model
 */
function pageWriter(model) {
  const before = document.getElementById("nsne-data")?.textContent ?? "";
  const whole = document.documentElement.outerHTML;
  const at = whole.indexOf(before);
  const [head, tail] = [whole.slice(0, at), whole.slice(at + before.length)];
  return () => {
    const { traits, ...others } = JSON.parse(before);
    for (const name of READERS.filter((one) => one in traits)) traits[name] = model.get(name);
    return `<!DOCTYPE html>\n${head}${asData({ traits, ...others })}${tail}\n`;
  };
}

/** JSON in plain ASCII that cannot end the element it stands in. @param {unknown} data */
export function asData(data) {
  /** @param {string} letter */
  const coded = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(data).replace(/[<>&]|[^\x20-\x7e]/g, coded);
}

/** What an address shows: the words after its #, as they are written among the names. @param {string} hash @param {string[]} names */
export function wordsOf(hash, names) {
  const asked = new URLSearchParams(hash.slice(1));
  /** @param {string} key */
  const find = (key) => {
    const text = asked.get(key);
    if (text === null || names.includes(text)) return text;
    return names.find((name) => name.toLowerCase() === text.toLowerCase()) ?? null;
  };
  return { word: find("word"), beside: find("beside") };
}

/** Keep the words of an explorer and the page's address in step. @param {PageModel} model */
function followAddress(model) {
  const names = /** @type {string[]} */ (model.get("names"));
  const first = { word: model.get("word"), beside: model.get("beside") };
  const read = () => {
    const shown = location.hash ? wordsOf(location.hash, names) : first;
    if (location.hash && shown.word === null) return; // another kind of address, or an unknown word
    for (const [name, word] of Object.entries(shown)) model.set(name, word);
  };
  const write = () => {
    const said = new URLSearchParams();
    for (const name of ["word", "beside"]) if (model.get(name)) said.set(name, String(model.get(name)));
    const there = wordsOf(location.hash, names);
    if (there.word !== (model.get("word") ?? null) || there.beside !== (model.get("beside") ?? null))
      location.hash = String(said);
  };
  read();
  addEventListener("hashchange", read);
  model.on("change:word change:beside", write);
}

/** Let the reader save the page with their notes. @param {PageModel} model */
function keepNotes(model) {
  const text = pageWriter(model);
  let saved = model.get("notes");
  model.savePage = () => {
    const name = decodeURIComponent(location.pathname.split("/").pop() || "page.html");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text()], { type: "text/html" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    saved = model.get("notes");
    return name;
  };
  addEventListener("beforeunload", (event) => {
    if (model.get("notes") !== saved) event.preventDefault(); // the browser asks whether to leave
  });
}

/**
 * A page that is opened by an address ending in #play, as in a frame of another page, begins to play as soon as it is seen,
 * once, and never for readers who want little motion.
 * @param {HTMLElement|null} el
 */
function playWhenSeen(el) {
  if (location.hash !== "#play" || matchMedia("(prefers-reduced-motion: reduce)").matches || !el) return;
  const seen = new IntersectionObserver(([{ isIntersecting }]) => {
    /** @type {HTMLButtonElement|null} */
    const play = el.querySelector(':is([data-control="play"], [data-control="film-play"])');
    if (!isIntersecting || !play) return;
    seen.disconnect();
    play.click();
  });
  seen.observe(el);
}

/**
 * Show a widget in this page.
 * @param {{initialize: Function, render: Function}} widget
 * @param {(traits: Record<string, any>) => PageModel|Promise<PageModel>} make  what stands in for the notebook's model object
 */
export function showPage(widget, make) {
  return showAll(async (text, el) => {
    const model = await make(await readPage(text));
    if (model.get("word") !== undefined) followAddress(model);
    if (model.get("notes")) keepNotes(model);
    await begin(widget, model, el);
  });
}

/** @param {{initialize: Function, render: Function}} widget @param {PageModel} model @param {HTMLElement} el */
export async function begin(widget, model, el) {
  await widget.initialize({ model });
  await widget.render({ model, el });
}

/** @param {(text: string, el: HTMLElement) => Promise<void>} show */
export async function showAll(show) {
  const el = /** @type {HTMLElement} */ (document.getElementById("nsne-view"));
  try {
    await show(document.getElementById("nsne-data")?.textContent ?? "", el);
    playWhenSeen(el);
  } catch (error) {
    const said = document.createElement("p");
    said.textContent = `This page cannot be shown here: ${error instanceof Error ? error.message : error}`;
    el.replaceChildren(said);
    throw error;
  }
}

/** Show a widget of a page without a run. @param {{initialize: Function, render: Function}} widget */
export const openPage = (widget) => showPage(widget, (traits) => new PageModel(traits));
