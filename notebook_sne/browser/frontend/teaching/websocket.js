// The line to the server of a class. It comes back by itself: after a phone has slept, the network has gone, or the server
// was started again.

export const VERSION = 1; // of the messages: teaching/websocket.py
const WAITING = 2500; // ms without a word after which the reader is told: the server says one every second
const SILENT = 12000; // after which the line is taken for dead
const SOONEST = 500; // ms until the line is tried again, twice as long each time, up to
const LATEST = 8000;

/** The pieces of a message with buffers. @param {ArrayBuffer} packed @returns {[content: any, buffers: DataView[]]} */
export function unpack(packed) {
  const length = new DataView(packed).getUint32(0, true);
  const content = JSON.parse(new TextDecoder().decode(new Uint8Array(packed, 4, length)));
  let at = 4 + length;
  const buffers = content.sizes.map((/** @type {number} */ size) => {
    at += size;
    return new DataView(packed, at - size, size);
  });
  return [content, buffers];
}

export class Line {
  /**
   * @param {string} address  of the line, relative to the page
   * @param {() => Record<string, unknown>} who  what it says first
   * @param {(content: any, buffers: DataView[]) => void} hear
   * @param {(connected: boolean) => void} stands  called when the line is there, and when it is not
   * @param {() => void} gone  called when the server has no such class, or another code now
   */
  constructor(address, who, hear, stands, gone) {
    const url = new URL(address, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.hash = "";
    this.url = url.href;
    this.who = who;
    this.hear = hear;
    this.stands = stands;
    this.gone = gone;
    this.failed = 0; // tries in a row
    this.wait = SOONEST;
    this.heardAt = 0;
    this.asked = 0;
    this.over = false;
    this.there = this.joined = false;
    /** @type {WebSocket|null} */
    this.socket = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    /** @type {Map<number, (answer: any) => void>} who waits for an answer */
    this.waiting = new Map();
    this.begin();
    setInterval(() => this.watch(), 500);
    addEventListener("online", () => this.now());
    document.addEventListener("visibilitychange", () => document.hidden || this.now());
  }

  begin() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.heardAt = performance.now();
      socket.send(JSON.stringify({ kind: "join", version: VERSION, ...this.who() }));
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      this.heardAt = performance.now();
      [this.wait, this.failed] = [SOONEST, 0];
      const [content, buffers] = typeof data === "string" ? [JSON.parse(data), []] : unpack(data);
      if (content.kind === "reload") return location.reload();
      if (content.kind === "gone") return this.isGone();
      if (content.kind === "said" && content.id !== null) {
        this.waiting.get(content.id)?.(content);
        this.waiting.delete(content.id);
        return;
      }
      if (content.kind === "state") this.joined = true;
      if (this.joined) this.tell(true);
      this.hear(content, buffers);
    };
    socket.onclose = () => socket === this.socket && this.lost();
  }

  /** @param {boolean} there */
  tell(there) {
    if (there !== this.there) this.stands(there);
    this.there = there;
  }

  lost() {
    this.socket = null;
    this.joined = false;
    if (!this.over) this.tell(false);
    for (const answer of this.waiting.values()) answer({ refused: "" });
    this.waiting.clear();
    if (this.over) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(2 * this.wait, LATEST);
    this.failed += 1;
    if (this.failed > 2) this.askPage();
  }

  /** Why is there no line? A server that was begun anew has no such class: it says so of the page itself. */
  async askPage() {
    const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => null);
    if (answer?.status === 404 && !this.there && !this.over) this.isGone();
  }

  isGone() {
    this.end();
    this.gone();
  }

  /** Try at once: the network or the reader is back. */
  now() {
    if (this.over) return;
    if (!this.socket) this.begin();
    else this.watch();
  }

  watch() {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return;
    const silence = performance.now() - this.heardAt;
    if (silence >= WAITING) this.tell(false);
    if (silence < SILENT) return;
    const { socket } = this;
    this.lost(); // its own event may come minutes later
    socket.close();
  }

  /** The class is over: no new line is needed. */
  end() {
    this.over = true;
  }

  /** Say something that no answer is waited for. @param {Record<string, unknown>} content */
  say(content) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(content));
  }

  /** Say something, and wait for what the server says to it. @param {Record<string, unknown>} content @returns {Promise<any>} */
  ask(content) {
    this.asked += 1;
    const id = this.asked;
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.resolve({ refused: "" });
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.say({ ...content, id });
    });
  }
}
