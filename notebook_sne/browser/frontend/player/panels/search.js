// The search field: finds objects by name, labels, or the number of an object, and by a condition on their columns, which
// Python reads; what it finds is selected.

import { Combobox } from "../../shared/combobox.js";
import { attribute, icon, make } from "../../shared/elements.js";
import { keepOwn } from "../../shared/keys.js";
import { holding, plainLetters } from "../../shared/spelling.js";
import { manner } from "../map/selection.js";
import { Part } from "../part.js";

/** @typedef {Entry & {objects: number[], all?: boolean, exact?: boolean, query?: string}} Found */

const MOST = 12; // entries of the list
const CONDITION = /[<>]|[!=]=|\S\s+(?:in|is)\s+\S|^\s*not\s+\S/; // what tells it from a name

/** A condition on what is known of the objects. @param {KnownObjects} objects */
function example({ columns, names, classNames, hidden }) {
  const column = columns.list.find(({ kind, name }) => kind === "number" && /^[A-Za-z_]\w*$/.test(name));
  if (column) return `${column.name} > 0`;
  if (names.length) return '"er" in name';
  return classNames.length && !hidden ? `label == ${JSON.stringify(classNames[0])}` : "x > 0";
}

export class SearchBox extends Part {
  /** @param {Known} known @param {Chooses} choose @param {() => void} leave  the reader has done with it */
  constructor(known, choose, leave) {
    super(known);
    const { objects } = known;
    this.choose = choose;
    this.leave = leave;
    /** @type {string[]|undefined} */
    this.foldedNames = undefined;
    /** @type {string[]|undefined} */
    this.foldedLabels = undefined;
    /** @type {Map<string, number[]>|undefined} */
    this.namesakes = undefined;
    const what = objects.names.length ? "Find a name" : objects.classes ? "Find a label" : "Find an object by number";
    /** @type {Combobox<Found>} */
    this.box = new Combobox({
      what,
      help: `${what} (/), or a condition such as ${example(objects)}. Enter selects, with Shift adds, with Alt removes`,
      found: "Found",
      part: "search-results",
      typed: () => this.find(),
      take: (entry, event) => this.take(entry, event),
      ways: true,
      close: () => this.close(),
    });
    this.input = this.box.input;
    // What is typed here is for no one else.
    this.input.addEventListener("keydown", keepOwn);
    this.element = make("div", { class: "nsne-search" }, icon("search"), this.input, this.box.list);
  }

  /**
   * What the text stands for. First comes what is called exactly what was typed, then names, all that were found at once
   * before each alone; where there are none, labels, then the number of an object.
   * @param {string} text
   */
  matches(text) {
    const { objects } = this;
    const { names, classNames, count } = objects;
    const wanted = plainLetters(text).trim();
    /** @type {Found[]} */
    const entries = [];
    this.foldedNames ??= names.map(plainLetters);
    const named = holding(names, this.foldedNames, text);
    if (named.length > 1) entries.push({ words: `all ${named.length} matches`, remark: "", objects: named, all: true });
    const told = new Set();
    for (const i of named.slice(0, MOST - 1)) {
      const alike = this.alike(i);
      const exact = this.foldedNames[i] === wanted;
      if (alike.length > 1 && !told.has(names[i]))
        entries.push({ words: names[i], remark: `all ${alike.length}`, objects: alike, exact });
      told.add(names[i]);
      const which = alike.length > 1 ? [`${alike.indexOf(i) + 1} of ${alike.length}`, `object ${i}`] : [];
      const remark = [...which, objects.label(i)].filter(Boolean).join(", ");
      entries.push({ words: names[i], remark, objects: [i], exact });
    }
    // Where all matches have one name, the entry of that name says it already.
    if (entries[1]?.objects.length === named.length) entries.shift();
    if (objects.classes && !objects.hidden) {
      this.foldedLabels ??= classNames.map(plainLetters);
      for (const k of holding(classNames, this.foldedLabels, text).slice(0, MOST - 1)) {
        const exact = this.foldedLabels[k] === wanted;
        if (named.length && !exact) continue;
        const members = objects.membersOf(k);
        entries.push({ words: classNames[k], remark: `label of ${members.length}`, objects: members, exact });
      }
    }
    const number = /^\s*\d+\s*$/.test(text) ? Number(text) : -1;
    if (!named.length && number >= 0 && number < count)
      entries.push({ words: `object ${number}`, remark: objects.label(number) ?? "", objects: [number] });
    const query = text.trim();
    if (!entries.length && CONDITION.test(query))
      entries.push({ words: `where ${query}`, remark: "", objects: [], query });
    return entries.sort((a, b) => Number(Boolean(b.exact)) - Number(Boolean(a.exact)));
  }

  /** The objects of the same name as object i, itself included. @param {number} i */
  alike(i) {
    const { names } = this.objects;
    if (!this.namesakes) {
      /** @type {Map<string, number[]>} */
      const found = new Map();
      names.forEach((name, k) => {
        const there = found.get(name);
        if (there) there.push(k);
        else found.set(name, [k]);
      });
      this.namesakes = found;
    }
    return this.namesakes.get(names[i]) ?? [i];
  }

  find() {
    this.hub.requests.forget();
    const text = this.input.value;
    const entries = this.matches(text);
    this.box.show(entries);
    const best = entries[0]?.all ? 1 : 0; // that all are meant is for the reader to say
    const more = entries.length > 1 ? " and more" : "";
    if (text.trim()) this.say(entries.length ? entries[best].words + more : "nothing found", false);
    attribute(this.element, "data-found", text.trim() && !entries.length ? "nothing" : "");
    if (entries.length) this.box.point(best);
  }

  /** @param {Found} found @param {MouseEvent|KeyboardEvent} event */
  take({ words, objects, query }, event) {
    if (query) return this.ask(query, manner(event));
    this.box.show([]);
    this.input.value = words;
    this.input.select();
    this.choose(objects, manner(event));
  }

  /** Select what meets a condition, as soon as it is known. @param {string} query @param {Manner} how */
  ask(query, how) {
    /** @param {string} words */
    const tell = (words) => {
      this.box.show([{ words, remark: "", objects: [], query }]);
      this.say(words, false);
    };
    const asked = this.hub.requests.meeting(query, (found, why) => {
      if (!found) return tell(why);
      this.box.show([]);
      if (found.length) this.choose(found, how);
      else tell(`nothing where ${query}`);
    });
    if (asked) tell(`asking Python: where ${query}`);
    else tell("conditions are read by Python: they need a kernel that answers");
  }

  close() {
    this.hub.requests.forget();
    this.input.value = "";
    attribute(this.element, "data-found", "");
    this.leave();
  }
}
