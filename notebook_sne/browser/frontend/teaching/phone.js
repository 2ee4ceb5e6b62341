// The page of a student. One thing at a time: a question, what one has said, or the lecturer's map. Longer than 300 lines
// because what is shown next depends on all of them.

import { inWords } from "../lesson/words.js";
import { PredictionView } from "../lesson/question.js";
import { PageModel } from "../page/page.js";
import { attribute, make, wordButton } from "../shared/elements.js";
import { drawn } from "./drawn.js";
import { FollowedMap } from "./follow.js";
import { Line } from "./websocket.js";

const NAME = "notebook_sne class";

/** What this browser is called, so that it has one vote. */
function tokenOf() {
  const letters = crypto.getRandomValues(new Uint8Array(16));
  const fresh = [...letters].map((one) => one.toString(16).padStart(2, "0")).join("");
  try {
    const kept = localStorage.getItem(NAME) ?? fresh;
    localStorage.setItem(NAME, kept);
    return kept;
  } catch {
    return fresh; // a private window: as long as the page is open
  }
}

/** @param {Asked} question @param {Answer|null|undefined} value */
const modelOf = (question, value) =>
  new PageModel({ ...question, key: "question", value: value ?? null, truth: null, page: true });

/** What a page of the course is called, after its name. @param {string} name */
const titleOf = (name) =>
  name
    .replace(/^(\d+)-/, "$1 ")
    .replace(/\.html$/, "")
    .replaceAll("-", " ");

/** @param {"lead"|"soft"} kind @param {string} words @param {Record<string, string>} [data] */
const line = (kind, words, data = {}) => make("p", { class: `class-${kind}`, ...data }, words);

class Phone {
  /** @param {HTMLElement} el */
  constructor(el) {
    this.el = el;
    this.shown = ""; // what the page is made for
    /** @type {PhoneState|null} */
    this.state = null;
    /** @type {PageModel|null} */
    this.asked = null;
    this.changing = false; // an answer that was sent
    this.note = "";
    /** @type {FollowedMap|null} */
    this.map = null;
    this.alone = 0; // the map that a student goes on with alone
    /** @type {(() => void)[]} what ends the parts that are shown */
    this.ends = [];
    this.head = make("header", {}, make("strong", { "data-part": "title" }), make("span", { "data-part": "place" }));
    this.body = make("main", { "data-part": "body" });
    this.lost = make("p", { class: "class-lost", role: "status", "data-part": "lost" });
    el.append(this.head, this.lost, this.body);
    const token = tokenOf();
    this.line = new Line(
      "line",
      () => ({ token }),
      (content, buffers) => this.hear(content, buffers),
      (there) => this.stands(there),
      () => {
        this.lost.textContent = "";
        this.tell("There is no such class here. Look at the code on the screen.");
      },
    );
    this.tell("Connecting…");
  }

  /** @param {string} words  the only thing on the page */
  tell(words) {
    this.clear("words");
    this.body.append(line("lead", words));
  }

  /** @param {string} control @param {string} words @param {() => void} act */
  button(control, words, act, kind = "other") {
    const button = wordButton(control, words, { class: `class-${kind}` });
    button.addEventListener("click", act);
    return button;
  }

  /** What one has said, and what is below it. @param {PhoneState} state @param {HTMLElement[]} parts */
  tellMore(state, ...parts) {
    this.body.append(this.mine(state), make("div", { class: "class-middle" }, ...parts));
  }

  /** @param {boolean} there */
  stands(there) {
    this.lost.textContent = there ? "" : "No connection. Reconnecting…";
    attribute(this.el, "data-connected", there);
    if (there) this.map?.watch();
  }

  /** @param {any} content @param {DataView[]} buffers */
  hear(content, buffers) {
    if (content.kind === "full") {
      this.line.end();
      this.tell("The class is full or over.");
    } else if (content.kind === "state") {
      this.state = content;
      this.show();
    } else if (content.kind === "count" && this.state) {
      Object.assign(this.state, { answered: content.answered, present: content.present });
      this.count();
    } else this.map?.hear(content, buffers);
  }

  /** @param {string} kind  of what is shown next */
  clear(kind) {
    for (const end of this.ends.splice(0)) end();
    this.body.replaceChildren();
    this.shown = kind;
    attribute(this.el, "data-shows", kind.split(" ")[0]);
  }

  show() {
    const state = /** @type {PhoneState} */ (this.state);
    const { title, number, of, n, round, stage, yours, ended, follow, draw } = state;
    const [first, second] = /** @type {HTMLElement[]} */ ([...this.head.children]);
    first.textContent = title || "Class";
    second.textContent = n === undefined ? `You are number ${number}` : of > 1 ? `Question ${n + 1} of ${of}` : "";
    if (ended) {
      this.line.end();
      return this.tell("The class is over. Thank you.");
    }
    if (this.alone) return;
    const said = yours !== null && yours !== undefined;
    const asks = stage === "open" && (!said || this.changing);
    if (!asks) this.changing = false;
    const kind = asks
      ? `question ${n} ${round}`
      : draw !== null
        ? `draw ${draw}`
        : n !== undefined && stage !== "found" && (said || follow === null)
          ? `said ${n} ${round} ${stage} ${said}`
          : follow !== null
            ? `map ${follow} ${state.knob}`
            : n === undefined
              ? "wait"
              : `found ${n}`;
    if (kind === this.shown) return this.count();
    if (kind.startsWith("map") && this.shown.startsWith("map") && this.map?.number === follow)
      return this.mapButtons(kind);
    this.clear(kind);
    if (asks) this.ask(state);
    else if (draw !== null)
      this.ends.push(drawn(this.body, this.line, draw, wordButton("send", "Send", { class: "class-main" })));
    else if (kind.startsWith("said")) this.said(state);
    else if (kind.startsWith("map")) this.follow(state);
    else if (kind === "wait") this.wait();
    else this.found(state);
    this.count();
  }

  wait() {
    this.body.append(
      line("lead", "You are in."),
      line("soft", "Look at the screen. A question appears here when it is asked."),
    );
    const pages = (this.state?.pages ?? []).filter((name) => !/-(slides|handout)\.html$/.test(name));
    const links = pages.map((name) =>
      make("a", { href: `course/${name}`, target: "_blank", rel: "noopener" }, titleOf(name)),
    );
    if (links.length) this.body.append(make("footer", { class: "class-pages" }, ...links));
  }

  /** @param {PhoneState} state */
  ask({ question, n, round, yours, before }) {
    const asked = modelOf(/** @type {Asked} */ (question), yours);
    const place = make("div", { class: "class-ask" });
    const view = new PredictionView(/** @type {Model} */ (/** @type {unknown} */ (asked)), place);
    const send = wordButton("send", "", { class: "class-main" });
    const note = make("p", { class: "class-note", role: "status" }, "No name is asked. Only the count is shown.");
    const empty = question?.options.length
      ? "Choose an answer"
      : question?.places.length
        ? "Draw the curve"
        : "Choose a number";
    const ready = () => {
      const value = asked.get("value") ?? null;
      send.disabled = value === null;
      send.textContent = value === null ? empty : "Send";
    };
    asked.on("change:value", ready);
    send.addEventListener("click", async () => {
      send.disabled = true;
      const answer = await this.line.ask({ kind: "vote", n, round, value: asked.get("value") });
      send.disabled = false;
      if (answer.done) this.changing = false;
      else
        note.textContent =
          answer.refused === "" ? "It was not sent: no connection. Try again." : "It was too late: the vote is closed.";
      if (answer.done && this.state) this.show();
    });
    this.ends.push(() => view.remove());
    if (round !== undefined && round > 1) this.body.append(this.again(asked, round, before));
    this.body.append(place, make("footer", {}, note, send));
    ready();
  }

  /** What tells another vote from the first. @param {PageModel} asked @param {number} round @param {Answer|null|undefined} before */
  again(asked, round, before) {
    const vote = round === 2 ? "Second vote, after you talked." : `Vote ${round}, after you talked.`;
    const said = before === null || before === undefined ? "" : `You said before: ${inWords(asked, before)}`;
    return line("soft", `${vote} ${said}`.trim(), { "data-part": "again" });
  }

  /** What one has said. @param {PhoneState} state */
  mine({ question, yours }) {
    const words =
      yours === null || yours === undefined
        ? "no answer"
        : inWords(modelOf(/** @type {Asked} */ (question), yours), yours);
    return make("div", { class: "class-mine" }, make("span", {}, "You said"), make("b", {}, words));
  }

  /** @param {PhoneState} state */
  said(state) {
    const open = state.stage === "open";
    this.bar = make("span", { class: "class-bar" });
    this.counted = make("p", { class: "class-soft", role: "status" });
    const next = open ? "The answer comes later." : "The vote is closed. Discuss it with your neighbor.";
    const track = make("span", { class: "class-track" }, this.bar);
    this.tellMore(state, line("lead", "Look at the screen"), line("soft", next), track, this.counted);
    if (!open) return;
    const change = () => {
      this.changing = true;
      this.show();
    };
    this.body.append(make("footer", {}, this.button("change", "Change my answer", change)));
  }

  /** @param {PhoneState} state */
  found(state) {
    const found = line("lead", `Found: ${state.found}`, { "data-part": "found" });
    this.tellMore(state, line("soft", state.question?.question ?? ""), found, line("soft", state.why ?? ""));
  }

  count() {
    const { answered = 0, present = 0 } = this.state ?? {};
    if (!this.shown.startsWith("said") || !this.bar || !this.counted) return;
    this.bar.style.width = `${(100 * answered) / Math.max(present, 1)}%`;
    this.counted.textContent = `${answered} of ${present} have answered`;
  }

  // ---- the lecturer's map ----

  /** @param {PhoneState} state */
  follow({ follow }) {
    const place = make("div", { class: "class-map" });
    const map = new FollowedMap(this.line, /** @type {number} */ (follow), place);
    this.map = map;
    this.ends.push(() => {
      this.map = null;
      map.end();
    });
    this.foot = make("footer", { class: "class-knob" });
    this.body.append(place, this.foot);
    this.mapButtons(this.shown);
    map.begin().catch(() => {
      if (this.map === map) this.shown = ""; // the next state tries again
      const words = "The map could not be loaded. It will be tried again.";
      place.replaceChildren(line("lead", words));
    });
  }

  /** @param {string} kind */
  mapButtons(kind) {
    this.shown = kind;
    const { knob = "" } = this.state ?? {};
    this.map?.give(knob === "yours");
    const words = {
      "": "Ask for the knob",
      asked: "Asked. Take it back",
      yours: "Give the knob back",
    };
    const raise = () => this.line.say({ kind: "hand", up: knob === "" });
    const hand = this.button("hand", words[knob], raise, knob === "yours" ? "main" : "other");
    this.foot?.replaceChildren(
      hand,
      this.button("alone", "Try it yourself", () => this.goAlone()),
    );
  }

  /** Go on from the lecturer's map in a page of one's own, and come back. */
  goAlone() {
    const number = /** @type {number} */ (this.state?.follow);
    this.clear("alone");
    this.alone = number;
    const back = () => {
      this.alone = 0;
      this.show();
    };
    this.body.append(
      make("iframe", { src: `try/${number}`, title: "Your own copy of the map", "data-part": "alone" }),
      make("footer", {}, this.button("back", "Back to the class", back, "main")),
    );
  }
}

new Phone(document.body);
