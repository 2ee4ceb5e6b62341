// What hosts other than Jupyter's give a widget, by stand-ins: buffers as they come, no kernel to look at (VS Code, as far as we
// know its protocol), and outputs that do not see each other (Colab, by the source of its widget manager). The programs
// themselves are not here.
import assert from "node:assert/strict";
import test from "node:test";
import { deflateSync } from "node:zlib";

import { MockModel, buffer, empty, inView } from "./mocks.mjs";

const here = new URL("../../notebook_sne/browser/frontend/", import.meta.url);
const { PlayerHub: Hub } = await import(new URL("player/hub.js", here));
const { floats, views } = await import(new URL("shared/buffers.js", here));
const VIEW = new URL("shared/view.js", here);

const packed = (text) => deflateSync(text).toString("base64");
const numbers = [0.5, -1.5, 2.5, 3.5];
const plain = () => new Float32Array(numbers).buffer;
const within = () => {
  const whole = new Uint8Array(3 + 4 * numbers.length);
  whole.set(new Uint8Array(plain()), 3);
  return whole;
};
const KINDS = {
  "a DataView": () => new DataView(within().buffer, 3),
  "a Uint8Array": () => within().subarray(3),
  "an ArrayBuffer": plain,
};

test("no buffers are none", () => {
  assert.deepEqual([views(undefined), views(null), views([])], [[], [], []]);
});

for (const [kind, make] of Object.entries(KINDS)) {
  test(`${kind} is read, wherever its bytes begin`, () => {
    const [view] = views([make()]);
    assert.ok(view instanceof DataView);
    assert.deepEqual([...floats(view)], numbers);
  });

  test(`a frame that comes as ${kind} is shown where a host hands out no kernel`, () => {
    const bytes = { film: empty(), snapshot: buffer(0, 0, 1, 1), trace: empty() };
    const model = new MockModel({ live: true, n_objects: 2, status: "running", ...bytes });
    model.widget_manager = { get_model: () => Promise.reject(new Error("not asked")) }; // and never comm_live_update
    const { clock, hub, view } = inView(Hub, model);
    const frame = { kind: "frame", seq: 1, moment: 2, iteration: 4, status: "running", cost: 1, phase: "descent" };
    model.tell("msg:custom", frame, [make()]);
    clock.run(50);
    assert.deepEqual([...hub.points], numbers);
    assert.equal(hub.link.connected, true);
    clock.run(9000); // a silence is not an end where nobody says that the kernel has ended
    assert.deepEqual([hub.link.connected, hub.link.ended], [false, false]);
    model.tell("msg:custom", { ...frame, seq: 2, moment: 3 }, [make()]);
    assert.equal(hub.link.connected, true);
    hub.remove(view);
    hub.stop();
  });
}

/** An output of a notebook, a page of its own: its manager makes a model from the state that the notebook keeps. */
async function output(name, notebook, rendered) {
  const styles = new Map();
  const page = {
    document: {
      getElementById: (id) => styles.get(id) ?? null,
      createElement: () => ({}),
      head: { append: (style) => styles.set(style.id, style) },
    },
    Blob: class extends Blob {
      constructor(parts) {
        super(parts);
        this.said = parts.join("");
      }
    },
    rendered,
  };
  const models = new Map();
  const widget_manager = {
    get_model(id) {
      if (!models.has(id)) {
        notebook.asked.push(`${name}:${id}`);
        models.set(id, Promise.resolve(Object.assign(new MockModel(notebook.states[id]), { widget_manager })));
      }
      return models.get(id);
    },
  };
  delete globalThis[Symbol.for("notebook_sne front ends")];
  const saved = [globalThis.document, globalThis.Blob, URL.createObjectURL, URL.revokeObjectURL];
  Object.assign(globalThis, page);
  URL.createObjectURL = (blob) => `data:text/javascript,${encodeURIComponent(blob.said)}`;
  URL.revokeObjectURL = () => {};
  try {
    const { default: widget } = await import(`${VIEW}?${name}`);
    for (const id of notebook.shown[name]) {
      const model = await widget_manager.get_model(id);
      await widget.initialize({ model });
      await widget.render({ model, el: name });
    }
  } finally {
    [globalThis.document, globalThis.Blob, URL.createObjectURL, URL.revokeObjectURL] = saved;
  }
  return styles;
}

test("outputs that do not see each other each find the front end, once, by the notebook's state", async () => {
  const code = "export default { render: ({ model, el }) => rendered.push([el, model.get('word')]) };";
  const front = { name: "style", code: packed(code), style: packed(".a {}") };
  const widget = (word) => ({ _front: "IPY_MODEL_front", word });
  const notebook = {
    states: { front, a: widget("one"), b: widget("two"), c: widget("three") },
    shown: { first: ["a", "b"], second: ["c"] },
    asked: [],
  };
  const rendered = [];
  for (const name of ["first", "second"]) {
    const styles = await output(name, notebook, rendered);
    assert.deepEqual([...styles.values()], [{ id: "style", textContent: ".a {}" }]);
  }
  const shown = [
    ["first", "one"],
    ["first", "two"],
    ["second", "three"],
  ];
  assert.deepEqual(rendered, shown);
  assert.deepEqual(notebook.asked, ["first:a", "first:front", "first:b", "second:c", "second:front"]);
});
