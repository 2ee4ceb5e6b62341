// What the explorer computes in the browser: senses, spellings and label places, without a page.
import assert from "node:assert/strict";
import test from "node:test";

import { eachIs } from "./each.mjs";
import { load, numbers } from "./mocks.mjs";

const senses = await load("explorer/mixture.js");
const { editDistance, holding, spellings, suggestions } = await load("shared/spelling.js");
const { circleRadius, placeLabels } = await load("shared/labels.js");
const { frameOf } = await load("explorer/card.js");
const { toPixel } = await load("shared/window.js");
const { countsInWords, percent } = await load("explorer/rows.js");

const near = (a, b, tolerance = 1e-6) =>
  assert.ok(Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

/** Two maps of four words: word 0 is beside 1 in map 0 and beside 2 in map 1; word 3 is far away in both. */
function fourWords(kernel = "gaussian") {
  const maps = [...[0, 0, 1, 0, 3, 0, 40, 0], ...[0, 0, 0, 4, 0, 0.5, 0, -50]];
  const mixing = [0.6, 0.9, 0.2, 0.5, 0.4, 0.1, 0.8, 0.5];
  return senses.readMixture(Float32Array.from([2, 4, 2, ...maps, ...mixing]), kernel);
}

function randomMixture(M, N, d, kernel, width = 3, seed = 1) {
  const next = numbers(seed);
  const maps = Array.from({ length: M * N * d }, () => width * (next() - 0.5));
  const mixing = Float64Array.from({ length: M * N }, () => next() ** 4 + 1e-4);
  for (let i = 0; i < N; i++) {
    let sum = 0;
    for (let m = 0; m < M; m++) sum += mixing[m * N + i];
    for (let m = 0; m < M; m++) mixing[m * N + i] /= sum;
  }
  return senses.readMixture(Float32Array.from([M, N, d, ...maps, ...mixing]), kernel);
}

test("a mixture is read as it was packed, and what does not fit is refused", () => {
  const x = fourWords();
  assert.deepEqual([x.M, x.N, x.d], [2, 4, 2]);
  near(senses.proportion(x, 1, 2), 0.8);
  assert.equal(senses.coordinate(x, 0, 3, 0), 40);
  assert.equal(senses.coordinate({ ...x, d: 1 }, 0, 0, 1), 0); // one coordinate: a line
  assert.equal(senses.readMixture(new Float32Array(0), "gaussian"), null);
  assert.throws(() => senses.readMixture(new Float32Array(7).fill(2), "gaussian"), /do not fill 7 numbers/);
});

for (const kernel of ["gaussian", "student"]) {
  test(`neighbors are those of the plain formula, ${kernel}`, () => {
    const x = randomMixture(3, 30, 3, kernel);
    const K = (d) => (kernel === "student" ? 1 / (1 + d) : Math.exp(-d));
    const strength = (m, i, j) =>
      senses.proportion(x, m, i) * senses.proportion(x, m, j) * K(senses.squaredDistance(x, m, i, j));
    let z = 0;
    for (let m = 0; m < 3; m++) for (let j = 0; j < 30; j++) if (j !== 5) z += strength(m, 5, j);
    near(Math.exp(senses.logTotal(x, 5)), z);
    for (let m = 0; m < 3; m++) {
      const plain = [...Array(30).keys()].filter((j) => j !== 5).sort((a, b) => strength(m, 5, b) - strength(m, 5, a));
      const found = senses.neighbors(x, m, 5, 8);
      eachIs(found, "word", plain.slice(0, 8));
      found.forEach((one) => {
        near(one.strength, strength(m, 5, one.word));
        near(one.share, strength(m, 5, one.word) / z);
      });
    }
    const total = (m, i) => [...Array(30).keys()].reduce((sum, j) => (j === i ? sum : sum + strength(m, i, j)), 0);
    const held = senses.wordsOf(x, 1);
    const order = [...held].sort((a, b) => total(1, b) - total(1, a));
    assert.equal(senses.strongestWords(x, 1, 3)[0], order[0]);
  });
}

test("words with the same proportion of a map come in their own order", () => {
  const mixing = [0.5, 0.9, 0.2, 0.5, 0.5, 0.1, 0.8, 0.5];
  const x = senses.readMixture(Float32Array.from([2, 4, 2, ...Array(16).fill(0), ...mixing]), "gaussian");
  assert.deepEqual(senses.wordsOf(x, 0), [1, 0, 3, 2]);
  assert.deepEqual(senses.wordsOf(x, 1, 2), [2, 0]);
});

test("far neighbors keep their order where their exponentials are 0", () => {
  const x = fourWords();
  eachIs(senses.neighbors(x, 0, 3, 3), "word", [2, 1, 0]);
  assert.ok(Number.isFinite(senses.logTotal(x, 3)));
});

test("equal strengths keep the words' own order", () => {
  const x = senses.readMixture(Float32Array.from([1, 5, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]), "gaussian");
  eachIs(senses.neighbors(x, 0, 2, 3), "word", [0, 1, 3]);
  assert.deepEqual(senses.strongestWords(x, 0, 2), [0, 1]);
});

test("a word's maps are those above the threshold, the largest first", () => {
  const x = fourWords();
  assert.deepEqual(senses.mapsAbove(x, 0, 0.1), [0, 1]);
  assert.deepEqual(senses.mapsAbove(x, 2, 0.1), [1, 0]);
  assert.deepEqual(senses.mapsAbove(x, 1, 0.1), [0]); // exceeds: 0.1 itself does not
  assert.deepEqual(senses.mapsAbove(x, 3, 0.5), []);
  assert.deepEqual(senses.sharedWords(x, 0.15, 5), [3, 0, 2]);
  assert.equal(senses.wordsOf(randomMixture(200, 20, 2, "gaussian"), 0).length > 0, true);
});

test("counts are found in both directions", () => {
  const counts = senses.readCounts(Int32Array.of(0, 2, 2, 3), Int32Array.of(1, 2, 0), Float32Array.of(12, 3, 7));
  eachIs(["01", "02", "10", "20", "22", "00"], ([i, j]) => senses.countOf(counts, +i, +j), [12, 3, 0, 7, 0, 0]);
  assert.equal(senses.readCounts(new Int32Array(0), new Int32Array(0), new Float32Array(0)), null);
  assert.equal(countsInWords("CAN", 12, 3), "12 from CAN · 3 to CAN");
  assert.equal(countsInWords("CAN", 0, 3), "3 to CAN");
  assert.equal(countsInWords("CAN", 0, 0), "");
});

test("edit distance counts letters put in, left out, replaced and swapped", () => {
  const pairs = "can-can can-cane can-cn can-cab can-acn -abc garbage-grabbage ça-ca a😀-a".split(" ");
  for (const [k, n] of [0, 1, 1, 1, 1, 3, 2, 1, 1].entries()) {
    const [a, b] = pairs[k].split("-");
    assert.deepEqual([editDistance(a, b), editDistance(b, a)], [n, n], pairs[k]);
  }
  assert.equal(editDistance("ab", "bc"), 2); // no swap: one letter alone has moved
  assert.equal(editDistance("garbage", "field", 2), 3); // one above the limit stands for all
  assert.ok(editDistance("x".repeat(100000), "y".repeat(100000)) <= 60);
});

test("words are found in any case, completed and mended", () => {
  const index = spellings(["CAN", "CANE", "can opener", "PECAN", "GARBAGE", "Can", "<b>", "constructor"]);
  const begun = (text, { names, folded } = index) => holding(names, folded, text);
  eachIs(["CAN", "Can", "cAN ", "constructor", "Cän"], (text) => begun(text)[0], [0, 5, 0, 7, 0]); // as it is written first
  assert.deepEqual(begun("can"), [0, 5, 1, 2, 3]);
  eachIs(["  ", "xyz", "toString"], (text) => begun(text), [[], [], []]);
  const places = spellings(["Zürich", "ZURICH West", "Neu-Zürich", "Bern", "zurich"]);
  assert.deepEqual([begun("Zürich", places), begun(" zurich ", places)], [[0, 4, 1, 2], [4, 0, 1, 2]]); // biome-ignore format: pairs
  assert.equal(suggestions(index, "garbge", 3)[0], 4);
  assert.equal(suggestions(index, "acn", 3)[0], 0);
  assert.deepEqual(suggestions(index, "pekam", 3), [3]); // two slips in five letters
  assert.deepEqual(suggestions(index, "zzzzzzzz", 3), []);
  assert.deepEqual(suggestions(index, "", 3), []);
  assert.deepEqual(suggestions(index, "<B", 1), [6]);
  assert.deepEqual(suggestions(index, "cam", 1), [0]); // no more than were asked for
});

test("a label that must be shown is, where there is no room", () => {
  const item = { x: 50, y: 50, radius: 6, width: 90, height: 90 };
  const [free, must] = placeLabels([item, { ...item, must: true }], 100, 100);
  assert.deepEqual([free, must], [null, { left: 9, top: 5, width: 90, height: 90, place: 0 }]);
});

test("areas are proportional", () => {
  near(circleRadius(0.25, 12) ** 2 / circleRadius(1, 12) ** 2, 0.25);
  assert.equal(circleRadius(0, 12), 0);
  assert.equal(circleRadius(-1e-9, 12), 0);
  assert.equal(percent(0.1234), "12%");
  assert.equal(percent(0.0123), "1.2%");
  assert.equal(percent(0.004), "0.4%");
  assert.equal(percent(1e-9), "<\u00a00.1%");
});

test("a picture is framed by the words it is about, with room for their names, and never shrinks to nothing", () => {
  const x = fourWords();
  const place = (window, j) => toPixel(window, ...[0, 1].map((c) => senses.coordinate(x, 0, j, c)), 300, 200);
  const window = frameOf(x, 0, [0, 0], [1, 2], [300, 200]);
  for (const j of [0, 1, 2]) {
    const [px, py] = place(window, j);
    assert.ok(px >= 60 && px <= 240 && py > 16 && py < 184, `${j} is at ${px}, ${py}`);
  }
  assert.ok(place(window, 3)[0] > 300); // word 3, 40 units away, widens nothing unless it is asked for
  assert.ok(place(frameOf(x, 0, [0, 0], [1, 3], [300, 200]), 3)[0] <= 240);
  const clump = { ...x, maps: new Float32Array(16) };
  assert.ok(frameOf(clump, 0, [0, 0], [1, 2], [300, 200]).width > 0.5);
});
