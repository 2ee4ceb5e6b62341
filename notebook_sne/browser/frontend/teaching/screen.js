// The projector's page: how to join, the question, what was said, what happened. One main button leads on.

import { attribute, make, wordButton } from "../shared/elements.js";
import { drawCurve, drawVotes } from "./bars.js";
import { Line } from "./websocket.js";
import { drawCode } from "./picture.js";

const NAME = "notebook_sne lecturer";

/** The lecturer's key: behind the # of the address, from which it is taken at once, as others see the screen. */
function keyOf() {
  const given = location.hash.slice(1);
  if (given) {
    sessionStorage.setItem(NAME, given);
    history.replaceState(null, "", location.pathname);
  }
  return given || sessionStorage.getItem(NAME) || "";
}

class Screen {
  /** @param {HTMLElement} el */
  constructor(el) {
    this.el = el;
    /** @type {ClassState|null} */
    this.state = null;
    this.listing = false;
    this.drawn = ""; // of the state, as it is shown
    this.busyAt = ""; // the vote at which the lecturer types codes or says what happened
    this.title = make("h1", { "data-part": "title" });
    this.above = make("p", { class: "class-above" });
    this.main = make("div", { class: "class-board" });
    this.side = make("aside", {});
    this.counted = make("p", { class: "class-counted", role: "status", "data-part": "counted" });
    this.acts = make("div", { class: "class-acts" });
    this.note = make("p", { class: "class-note", role: "status", "data-part": "note" });
    el.append(
      make("header", {}, this.above, this.title),
      make("main", {}, this.main, this.side),
      make("footer", {}, this.counted, this.note, this.acts),
    );
    const key = keyOf();
    this.line = new Line(
      "line",
      () => ({ key }),
      (content) => this.hear(content),
      (there) => {
        attribute(this.el, "data-connected", there);
        this.note.textContent = there ? "" : "No connection to the class. Reconnecting…";
      },
      () => this.openAnew(),
    );
    if (!key) this.title.textContent = "Open this page from the lecturer's address.";
  }

  /** The class was begun anew: its key is another one. */
  openAnew() {
    this.line.end();
    this.note.textContent = "The class was started again. Open this page from the lecturer's address.";
  }

  /** @param {any} content */
  hear(content) {
    if (content.kind === "said" && content.refused && !this.line.there) this.openAnew();
    if (content.kind === "state") {
      if (content.n !== this.state?.n) this.listing = false;
      this.state = content;
      // Who comes and goes, and how many have answered or drawn, changes nothing that is being pressed or typed.
      const { present, joined, answered, hands, holder, poll, drawings, ...still } = content;
      const { answered: a, present: b, ...vote } = poll ?? {};
      const drawn = JSON.stringify([still, vote, drawings === null]);
      if (drawn !== this.drawn && this.busyAt !== this.moment()) this.show();
      else this.count();
      this.drawn = drawn;
    } else if (content.kind === "count" && this.state) {
      Object.assign(this.state, { answered: content.answered, present: content.present });
      this.count();
    }
  }

  /** @param {string} action @param {Record<string, unknown>} [how] */
  async do(action, how = {}) {
    const { refused } = await this.line.ask({ kind: "do", action, ...how });
    if (refused) this.note.textContent = refused;
  }

  /** @param {string} control @param {string} words @param {boolean} main @param {() => void} act */
  press(control, words, main, act) {
    const button = wordButton(control, words, { class: main ? "class-main" : "class-other" });
    button.addEventListener("click", act);
    return button;
  }

  /** The vote that is shown. */
  moment() {
    const { n, poll, ended } = /** @type {ClassState} */ (this.state);
    return `${n} ${poll?.round} ${poll?.stage} ${ended}`;
  }

  show() {
    const state = /** @type {ClassState} */ (this.state);
    this.busyAt = "";
    const { poll } = state;
    attribute(this.el, "data-stage", state.ended ? "ended" : (poll?.stage ?? "join"));
    this.acts.replaceChildren();
    this.above.textContent = this.note.textContent = "";
    if (state.ended) {
      this.line.end();
      this.title.textContent = "The class is over.";
      this.main.replaceChildren();
      this.side.replaceChildren();
    } else if (!poll || this.listing) this.join(state);
    else this.vote(state, poll);
    if (poll?.stage === "open" && poll.round > 1) this.above.textContent = "Second vote";
    this.title.toggleAttribute("data-long", (this.title.textContent ?? "").length > 70);
    if (state.trouble) this.note.textContent = `The file of the class cannot be written: ${state.trouble}`;
    this.count();
  }

  count() {
    const { poll, present = 0, answered = 0, ended = false, drawings = null } = this.state ?? {};
    if (ended) this.counted.replaceChildren();
    else if (!poll || this.listing) {
      this.counted.replaceChildren(make("b", {}, String(present)), " here");
      const words = drawings === 1 ? " drawing" : " drawings";
      if (drawings !== null) this.counted.append(", ", make("b", {}, String(drawings)), words);
    } else {
      const two = poll.stage !== "open" && poll.round > 1;
      const many = make("b", {}, `${answered} of ${Math.max(present, answered)}`);
      this.counted.replaceChildren(many, ` ${two ? "answered again" : "have answered"}`);
    }
  }

  /** How to come in. @param {ClassState} state */
  code({ address }) {
    const words = make("p", { class: "class-where" }, address.short);
    const parts = [drawCode(address.picture, `A code for the camera: ${address.join}`), words];
    const alone = "Only this machine can open it. Start the class with --lan, or lan=True, to let phones in.";
    return address.lan ? parts : [...parts, make("p", { class: "class-note" }, alone)];
  }

  /** @param {ClassState} state */
  join(state) {
    const draws = state.drawings !== null && state.poll?.stage !== "open";
    this.title.textContent = draws ? "Draw on your phone" : state.title || "Vote with your phone";
    const rows = state.questions.map(({ question, stage }, n) => {
      const button = this.press(`ask-${n}`, question, false, () => {
        this.listing = false;
        this.do("ask", { n });
      });
      attribute(button, "data-stage", stage);
      return make("li", {}, button);
    });
    const what = draws ? ", draw in the square, and press Send. Your drawing lands on the map." : ".";
    const lead = make("p", { class: "class-lead" }, `Open the address on your phone${what} No account, no name.`);
    this.main.replaceChildren(...(draws || !rows.length ? [lead] : []));
    if (rows.length) this.main.append(make("ol", { class: "class-questions" }, ...rows));
    this.side.replaceChildren(...this.code(state));
    if (state.crowd) {
      this.note.textContent = `Many phones came at once from ${state.crowd}.`;
      this.acts.append(this.press("empty", "Empty the room", false, () => this.do("empty")));
    }
    const next = state.questions.findIndex(({ stage }) => stage === "ready");
    if (next >= 0) {
      const words = state.n === null && next === 0 ? "First question" : "Next question";
      this.acts.append(
        this.press("next", words, true, () => {
          this.listing = false;
          this.do("ask", { n: next });
        }),
      );
    }
  }

  /** @param {ClassState} state @param {PollFacts} poll */
  vote(state, poll) {
    const { stage, question } = poll;
    this.title.textContent = stage === "found" && question.options.length ? poll.found : question.question;
    if (stage === "found" && question.options.length) this.above.textContent = question.question;
    this.main.replaceChildren(drawVotes(poll));
    this.side.replaceChildren();
    if (stage === "open") this.side.append(...this.code(state));
    if (stage === "found" && poll.curve.length)
      this.side.append(make("div", { class: "nsne-votes class-curve" }, drawCurve(poll)));
    if (stage === "found") this.side.append(make("p", { class: "class-why" }, poll.why));
    const next = state.questions.findIndex(({ stage: at }) => at === "ready");
    this.acts.append(
      this.press("list", "Questions", false, () => {
        this.listing = true;
        this.show();
      }),
    );
    const lecture = state.pages.find((name) => /^\d/.test(name));
    if (stage === "shown" && lecture)
      this.acts.append(
        this.press("lecture", "Run the map", false, () => open(`course/${lecture}`, "_blank", "noopener")),
      );
    if (stage === "open") {
      this.acts.append(
        this.press("codes", "Type codes", false, () => this.typeCodes()),
        this.press("show", "Show the votes", true, () => this.do("show")),
      );
    } else {
      this.acts.append(this.press("again", "Vote again", false, () => this.do("again")));
      if (stage === "shown" && poll.known) {
        this.acts.append(this.press("found", "What happened", true, () => this.do("found")));
      } else if (stage === "shown" && !question.places.length) {
        this.acts.append(this.press("pick", "What happened", true, () => this.pick(poll)));
      } else if (next >= 0) {
        this.acts.append(this.press("next", "Next question", true, () => this.do("ask", { n: next })));
      }
    }
  }

  /** Let the lecturer say what happened. @param {PollFacts} poll */
  pick({ question }) {
    this.note.textContent = question.options.length ? "Press what happened." : "";
    this.acts.replaceChildren();
    this.busyAt = this.moment();
    if (!question.options.length) {
      const [low, high] = question.bounds;
      const field = make("input", {
        type: "number",
        min: low,
        max: high,
        step: "any",
        "data-control": "truth",
        "aria-label": "What happened",
      });
      const tell = () => field.value && this.do("found", { value: Number(field.value) });
      this.acts.append(field, this.press("truth-done", "What happened", true, tell));
      field.focus();
      return;
    }
    for (const row of this.main.querySelectorAll("[data-option]")) {
      const value = row.getAttribute("data-option") ?? "";
      const button = this.press("truth", value, false, () => this.do("found", { value }));
      row.replaceWith(make("li", {}, button));
    }
  }

  /** Count answers that phones without a network show as codes. */
  typeCodes() {
    const field = make("input", {
      type: "text",
      "data-control": "code-field",
      "aria-label": "Codes, with blanks between them",
      placeholder: "Codes, with blanks between them",
    });
    this.busyAt = this.moment();
    const add = async () => {
      const { done = [], refused } = await this.line.ask({ kind: "do", action: "add", codes: field.value });
      this.note.textContent = refused || (done.length ? `Not a code of this question: ${done.join(" ")}` : "Counted.");
      field.value = done.join(" ");
      field.focus();
    };
    field.addEventListener("keydown", (event) => event.key === "Enter" && add());
    const back = this.press("codes-back", "Back", false, () => this.show());
    this.acts.replaceChildren(field, back, this.press("codes-add", "Count them", true, add));
    field.focus();
  }
}

new Screen(document.body);
