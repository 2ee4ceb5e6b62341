// The page's stand-in for a notebook's model object, without a browser.

import assert from "node:assert/strict";
import test from "node:test";
import { deflateSync } from "node:zlib";

import { PageModel, asData, openPage, readPage, wordsOf } from "../../notebook_sne/browser/frontend/page/page.js";

test("whoever sets a trait tells every listener, and nobody when nothing changes", () => {
  const model = new PageModel({ word: null, selection: [1] });
  const heard = [];
  const one = (_, value) => heard.push(["one", value]);
  model.on("change:word change:selection", one);
  model.on("change:word", (_, value) => heard.push(["two", value]));
  model.on("change", () => heard.push("any"));
  model.set("word", "CAN");
  model.save_changes();
  assert.deepEqual(heard.splice(0), [["one", "CAN"], ["two", "CAN"], "any"]);
  model.set("word", "CAN");
  model.set("selection", [1]);
  assert.deepEqual(heard, []);
  model.set("selection", [1, 2]);
  assert.deepEqual(heard.splice(0), [["one", [1, 2]], "any"]);
  model.off("change:word", one);
  model.set("word", "TIN");
  assert.deepEqual(heard.splice(0), [["two", "TIN"], "any"]);
  model.off("change:word");
  model.off("never:heard", one);
  model.set("word", "POT");
  assert.deepEqual(heard.splice(0), ["any"]);
  model.off();
  model.set("word", "PAN");
  assert.deepEqual([heard.length, model.get("word"), model.get("unknown")], [0, "PAN", undefined]);
});

test("a listener may leave while it is told", () => {
  const model = new PageModel({ axes: "follow" });
  let count = 0;
  const once = () => {
    count += 1;
    model.off("change:axes", once);
  };
  model.on("change:axes", once);
  model.on("change:axes", () => (count += 10));
  model.set("axes", "fit");
  model.set("axes", "fixed");
  assert.equal(count, 21);
});

const packed = (bytes) => deflateSync(Buffer.from(bytes)).toString("base64");
const unpacked = (view) => [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)];

test("bytes come as a DataView, and a send goes nowhere", async () => {
  const bytes = { classes: packed([0, 1, 127, 128, 255]), images: packed([]) };
  const traits = await readPage(JSON.stringify({ traits: { title: "x" }, bytes }));
  assert.ok(traits.classes instanceof DataView);
  assert.deepEqual(unpacked(traits.classes), [0, 1, 127, 128, 255]);
  assert.deepEqual([traits.images.byteLength, traits.title], [0, "x"]);
  assert.equal(new PageModel(traits).send({ kind: "hello" }), undefined);
});

test("the maps of a film are added up again, around the ends of their range", async () => {
  const maps = new Int16Array([1, -2, 32767, -32768, /**/ 5, 3, -32768, 32767, /**/ 5, 4, 0, 0]);
  const steps = maps.map((x, i) => (i < 4 ? x : x - maps[i - 4]));
  const film = packed([9, 9, 9, 9, ...new Uint8Array(steps.buffer)]);
  const traits = await readPage(JSON.stringify({ traits: {}, bytes: { film }, film: { begin: 4, stride: 4 } }));
  assert.deepEqual(unpacked(traits.film), [9, 9, 9, 9, ...new Uint8Array(maps.buffer)]);
});

test("an address names words as they are written, or in another case", () => {
  const names = ["BANK", "can", "CAN", "a&b=c", "__proto__"];
  const of = (hash) => Object.values(wordsOf(hash, names));
  assert.deepEqual(of("#word=bank"), ["BANK", null]);
  assert.deepEqual(of("#word=CAN&beside=can"), ["CAN", "can"]);
  assert.deepEqual(of(`#${new URLSearchParams({ word: "a&b=c", beside: "__proto__" })}`), ["a&b=c", "__proto__"]);
  assert.deepEqual(of("#word=unknown"), [null, null]);
  assert.deepEqual(of("#top"), [null, null]);
  assert.deepEqual(of(""), [null, null]);
});

test("data that are saved in a page hold nothing that a browser takes for markup", () => {
  const data = { notes: { "</script><img>": "<!-- & \u2028 ünïcödé \ud83d\ude00" }, none: null };
  const text = asData(data);
  assert.ok(/^[\x20-\x7e]*$/.test(text) && !/[<>&]/.test(text));
  assert.deepEqual(JSON.parse(text), data);
});

test("damaged bytes are an error", async () => {
  await assert.rejects(readPage(JSON.stringify({ traits: {}, bytes: { film: "AAAA" } })));
});

test("a page that cannot be read says so", async () => {
  const shown = [];
  const element = () => ({ textContent: "{", replaceChildren: (...nodes) => shown.push(...nodes) });
  globalThis.document = { getElementById: element, createElement: () => ({}) };
  await assert.rejects(openPage({ initialize() {}, render() {} }), SyntaxError);
  assert.match(shown[0].textContent, /^This page cannot be shown here: /);
});

test("lines of a title stay lines, and maps with a named scale stand in a row where there is room for the name", async () => {
  const { fitted } = await import("../../notebook_sne/browser/frontend/course/fitting.js");
  const title = (text) => ({ name: "Title", attributes: { text: { name: "PlainText", attributes: { text } } } });
  const plot = (text, name) => ({
    name: "Figure",
    attributes: {
      ...{ frame_width: 200, frame_height: 200, title: title(text) },
      right: [{ name: "ColorBar", attributes: { title: name } }],
    },
  });
  const row = (name) => ({
    name: "Row",
    attributes: { children: [1, 2, 3].map(() => plot("distances cut off\nround 0.46", name)) },
  });
  for (const [name, width, layout] of [
    [undefined, 900, "Row"],
    ["angle", 900, "Column"],
    ["angle", 1060, "Row"],
  ]) {
    const [found] = fitted({ doc: { roots: [row(name)] } }, width).doc.roots;
    assert.equal(found.name, layout);
    const [{ attributes }] = found.attributes.children;
    assert.equal(attributes.title.attributes.text.attributes.text, "distances cut off\nround 0.46");
  }
});

test("in a narrow window titles and notes break into lines, and a legend beside a plot goes below it", async () => {
  const { fitted } = await import("../../notebook_sne/browser/frontend/course/fitting.js");
  const text = {
    name: "PlainText",
    attributes: { text: "What it costs to have the cheapest of all neighbors far away" },
  };
  const title = { name: "Title", attributes: { text } };
  const legend = { name: "Legend", attributes: { items: [] } };
  const axis = { name: "LinearAxis", attributes: {} };
  const plot = (width) => ({
    name: "Figure",
    attributes: {
      ...{ frame_width: width, frame_height: 300, title: structuredClone(title), right: [axis, legend] },
      above: [{ name: "Title", attributes: { text: structuredClone(text), text_font_size: "13px" } }, axis],
    },
  });
  const { attributes: narrow } = fitted({ doc: { roots: [plot(500)] } }, 360).doc.roots[0];
  assert.ok(
    narrow.frame_width < 360 &&
      narrow.title.attributes.text.attributes.text.split("\n").every((line) => line.length < 48),
  );
  assert.equal(narrow.title.attributes.text.attributes.text.replaceAll("\n", " "), text.attributes.text);
  const note = narrow.above[0].attributes.text.attributes.text;
  assert.ok(note.includes("\n") && note.split("\n").every((line) => line.length < 42) && narrow.above[1] === axis);
  assert.deepEqual([narrow.right, narrow.below], [[axis], [legend]]);
  const { attributes: wide } = fitted({ doc: { roots: [plot(700)] } }, 1200).doc.roots[0];
  assert.equal(wide.title.attributes.text.attributes.text, text.attributes.text);
  assert.deepEqual([wide.right, wide.below], [[axis, legend], undefined]);
});
