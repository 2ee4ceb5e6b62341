// A very small page: elements with attributes, children, text and events, as much as the panels use. It refuses what
// they must not do: there is no innerHTML here.

export class FakeElement {
  constructor(tag) {
    this.tagName = tag.toUpperCase();
    this.attributes = new Map();
    this.nodes = [];
    this.parentNode = null;
    this.listeners = {};
    this.own = {};
    this.style = { setProperty: (name, value) => (this.style[name] = value) };
    this.dataset = new Proxy(
      {},
      {
        get: (_, name) => this.attributes.get(dashed(name)),
        set: (_, name, value) => (this.attributes.set(dashed(name), String(value)), true),
      },
    );
  }
  set innerHTML(_) {
    throw new Error("no markup is parsed here");
  }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  hasAttribute(name) {
    return this.attributes.has(name);
  }
  toggleAttribute(name, on) {
    on ? this.setAttribute(name, "") : this.removeAttribute(name);
  }
  append(...nodes) {
    for (const node of nodes) this.put(node);
  }
  put(node) {
    node.parentNode?.drop?.(node);
    if (node instanceof FakeElement) node.parentNode = this;
    this.nodes.push(node instanceof FakeElement ? node : String(node));
  }
  drop(node) {
    this.nodes = this.nodes.filter((one) => one !== node);
  }
  remove() {
    this.parentNode?.drop(this);
    this.parentNode = null;
  }
  replaceChildren(...nodes) {
    for (const node of this.children) node.parentNode = null;
    this.nodes = [];
    this.append(...nodes);
  }
  get children() {
    return this.nodes.filter((node) => node instanceof FakeElement);
  }
  get firstElementChild() {
    return this.children[0] ?? null;
  }
  get lastElementChild() {
    return this.children[this.children.length - 1] ?? null;
  }
  get textContent() {
    return this.nodes.map((node) => (node instanceof FakeElement ? node.textContent : node)).join("");
  }
  set textContent(text) {
    this.replaceChildren(...(text === "" ? [] : [text]));
  }
  get classList() {
    const names = new Set((this.getAttribute("class") ?? "").split(" ").filter(Boolean));
    const toggle = (name, on) => {
      on ? names.add(name) : names.delete(name);
      this.setAttribute("class", [...names].join(" "));
    };
    return { toggle };
  }
  get isConnected() {
    return this === fakeDocument.body || Boolean(this.parentNode?.isConnected);
  }
  contains(other) {
    return other === this || this.children.some((child) => child.contains(other));
  }
  closest(selector) {
    return matches(this, selector) ? this : (this.parentNode?.closest(selector) ?? null);
  }
  all(selector) {
    return this.children.flatMap((child) => [...(matches(child, selector) ? [child] : []), ...child.all(selector)]);
  }
  find(selector) {
    return this.all(selector)[0] ?? null;
  }
  control(name) {
    return this.find(`[data-control="${name}"]`);
  }
  addEventListener(name, f, { signal } = {}) {
    (this.listeners[name] ??= []).push(f);
    signal?.addEventListener("abort", () => (this.listeners[name] = this.listeners[name].filter((one) => one !== f)));
  }
  fire(name, more = {}) {
    const event = { type: name, target: this, stopped: false, prevented: false, key: "", ...more };
    event.stopPropagation = () => (event.stopped = true);
    event.preventDefault = () => (event.prevented = true);
    for (let at = this; at && !event.stopped; at = at.parentNode)
      for (const f of [...(at.listeners?.[name] ?? [])]) f(event);
    return event;
  }
  click() {
    if (!this.disabled) this.fire("click");
  }
  focus() {
    fakeDocument.activeElement?.blur?.();
    fakeDocument.activeElement = this;
  }
  blur() {
    if (fakeDocument.activeElement !== this) return;
    fakeDocument.activeElement = fakeDocument.body;
    this.fire("blur");
  }
  getContext() {
    return pen();
  }
}

for (const name of ["hidden", "disabled", "open"]) {
  Object.defineProperty(FakeElement.prototype, name, {
    get() {
      return this.attributes.has(name);
    },
    set(on) {
      on ? this.attributes.set(name, "") : this.attributes.delete(name);
    },
  });
}
// A field keeps text, whatever is put into it; a slider keeps to its range.
Object.defineProperty(FakeElement.prototype, "value", {
  get() {
    return this.own.value ?? this.getAttribute("value") ?? "";
  },
  set(value) {
    const range = this.getAttribute("type") === "range";
    this.own.value = range
      ? String(Math.min(Math.max(Number(value), Number(this.min || 0)), Number(this.max || 100)))
      : String(value);
  },
});
for (const name of ["min", "max", "title"]) {
  Object.defineProperty(FakeElement.prototype, name, {
    get() {
      return this.getAttribute(name) ?? "";
    },
    set(value) {
      this.setAttribute(name, value);
    },
  });
}

function dashed(name) {
  return `data-${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
}

/** tag, .class, [attribute="value"], and any of these together. */
function matches(element, selector) {
  const parts = selector.match(/^[a-z]+|\.[\w-]+|\[[^\]]+\]/g);
  return parts.every((part) => {
    if (part[0] === ".") return (element.getAttribute("class") ?? "").split(" ").includes(part.slice(1));
    if (part[0] !== "[") return element.tagName === part.toUpperCase();
    const [, name, value] = /^\[([\w-]+)(?:="(.*)")?\]$/.exec(part);
    return value === undefined ? element.hasAttribute(name) : element.getAttribute(name) === value;
  });
}

/** A canvas's context that writes down its calls. */
export function pen() {
  const calls = [];
  const state = { calls };
  return new Proxy(state, {
    get: (target, name) => {
      if (name in target) return target[name];
      if (name === "measureText") return (text) => ({ width: 7 * text.length });
      return (...more) => {
        calls.push([name, ...more, { stroke: target.strokeStyle, width: target.lineWidth, fill: target.fillStyle }]);
      };
    },
    set: (target, name, value) => ((target[name] = value), true),
  });
}

FakeElement.prototype.scrollIntoView ??= () => {};

export const fakeDocument = {
  body: new FakeElement("body"),
  activeElement: null,
  createElement: (tag) => new FakeElement(tag),
  createElementNS: (_, tag) => new FakeElement(tag),
  addEventListener() {},
};

/** What would tell of changes in a page. */
export class Watcher {
  observe() {}
  disconnect() {}
}

/** Put the small page where the modules look for a page. */
export function install() {
  globalThis.document = fakeDocument;
  for (const name of ["Node", "Element", "HTMLElement"]) globalThis[name] = FakeElement;
  fakeDocument.documentElement = new FakeElement("html");
  globalThis.matchMedia ??= () => ({ matches: false, addEventListener() {} });
  globalThis.MutationObserver = Watcher;
  const style = { color: "rgb(0, 0, 0)", backgroundColor: "rgb(255, 255, 255)", fontFamily: "sans-serif" };
  globalThis.getComputedStyle = () => ({ ...style, getPropertyValue: () => "" });
  globalThis.ImageData = class {
    constructor(width, height) {
      Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
    }
  };
}
