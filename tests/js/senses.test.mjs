// The explorer over several fits: what it is sent, the table of all words, notes, and what it saves.
import assert from "node:assert/strict";
import test from "node:test";

import { fakeDocument, install } from "./dom.mjs";
import { eachIs } from "./each.mjs";
import { MockModel, load } from "./mocks.mjs";

install();
globalThis.HTMLInputElement ??= class {};
const { mapsOfFit, nearPlace, readCounts, readMixture, proportion } = await load("explorer/mixture.js");
const { isOnce, isSingle, listOf, placeIn, readSenses, seenIn } = await load("explorer/senses.js");
const { sentence, titleOf } = await load("explorer/sentence.js");
const { sourceLine } = await load("explorer/source.js");
const { answersOf } = await load("explorer/rows.js");
const { ExplorerStage } = await load("explorer/stage.js");
const { pngOf, textChunk } = await load("shared/png.js");
const { columnsOf } = await load("explorer/table/columns.js");
const { WordTable } = await load("explorer/table/table.js");
const { Note, noteOn } = await load("explorer/notes.js");
const { csv, csvOfSenses, csvOfTable, csvOfWords } = await load("explorer/save/csv.js");
const { drawSheet, sheetSvg } = await load("explorer/save/sheet.js");
const { fitInWords } = await load("explorer/toolbar.js");
const { legend, warning } = await load("explorer/legend.js");
const { Overview } = await load("explorer/overview.js");
const { SvgPen } = await load("shared/svg_pen.js");
const { Lettering } = await load("shared/text_halo.js");
const { Picture, RANKS } = await load("explorer/picture.js");
const { safeName } = await load("shared/save_menu.js");
const { plainLetters, spellings } = await load("shared/spelling.js");

const HOSTILE = "</script><img src=x onerror='window.hacked=1'>";

/** What widgets/explorer_senses.py packs: word 0 has two senses, word 1 one, word 2 none. */
function packed() {
  const [N, S, A, P, d] = [3, 3, 4, 4, 2];
  return Float32Array.from([
    ...[N, S, A, P, d],
    ...[0, 2, 3, 3],
    ...[0, 0, 0], // kind: senses
    ...[0.75, 0.25, 1], // share
    ...[1, 0.5, 1], // seen
    ...[Number.NaN, 0.875, Number.NaN], // certainty
    ...[4, 2, Number.NaN], // answers
    ...[0, 2, 3, 4], // where associates begin
    ...[0, 2, 3, 4], // where places begin
    ...[1, 2, 2, 0], // associates
    ...[0.875, 0.5, 0.75, 1], // how far they belong
    ...[1, 0.25, 0.5, Number.NaN], // how far they are explained
    ...[4, 1, 0, Number.NaN], // how often they were given
    ...[0, 0, 7, Number.NaN], // how often the word was given for them
    ...[0, 1, 0, 1], // fits
    ...[4, 7, 5, 2], // maps
    ...[0.75, 0.5, 0.25, 1],
    ...[0.5, 0.75, 0.25, 1],
    ...[1, 1, 0, 1], // whether the word is there
    ...[1, 2, 3, 4, 5, 6, 7, 8], // coordinates
  ]);
}

test("what one fit alone shows, and what is small but apart, are told from senses", () => {
  const data = packed();
  data[5 + 4 + 1] = 2; // the kind of the second one
  const [sense, once] = readSenses(data)(0);
  assert.deepEqual([isOnce(sense), isOnce(once)], [false, true]);
  const kindOf = (kind) => (data.set([kind], 5 + 4 + 1), stage({ senses: readSenses(data) }).sensesOf(0));
  const lengths = (of) => Object.values(of).map(({ length }) => length);
  assert.deepEqual(lengths(kindOf(0)), [2, 0, 0, 0]);
  assert.deepEqual(lengths(kindOf(1)), [1, 0, 1, 0]);
  assert.deepEqual(lengths(kindOf(2)), [1, 0, 0, 1]);
});

test("senses that are too unsure, or too small, are put aside; never the first one", () => {
  const here = (certainty, share) => stage({ least: { certainty, share } }).sensesOf(0);
  assert.deepEqual([here(0.875, 0.25).shown.length, here(0.875, 0.25).weaker.length], [2, 0]);
  assert.deepEqual([here(0.9, 0).shown.length, here(0.9, 0).weaker.length], [1, 1]);
  assert.equal(here(0, 0.3).weaker[0].number, 2);
  assert.equal(here(1, 1).shown[0].number, 1);
});

test("a sentence tells each sense from its own certainty on, and what is in none", () => {
  const here = stage();
  const [first, second] = here.senses(0);
  assert.equal(titleOf(here, first), "River"); // the first of its words
  assert.equal(titleOf(here, { associates: [] }), "");
  const cases = [
    [[first, second], "“bank” has two senses here: River (75% of its ties), money (25%)."],
    [
      [first, { ...second, certainty: 0.3, share: 0.05 }],
      "One sense of “bank” is told apart here: River (75% of its ties); perhaps a second: money (5.0%). " +
        "20% of its ties are in none of them.",
    ],
    [
      [first, { ...second, share: 0.125 }, { ...second, certainty: 0.3, share: 0.125 }],
      "“bank” has two senses here: River (75% of its ties), money (13%); perhaps a third: money (13%).",
    ],
    [[first], "One sense of “bank” is told apart here, perhaps a second."],
    [[], "Nothing is associated with “bank” here."],
  ];
  for (const [senses, said] of cases) assert.equal(sentence(here, 0, senses), said);
  assert.match(sentence(here, 0, Array(7).fill({ ...second, share: 1 / 7 })), /has 7 senses/);
  const few = Array.from({ length: 4 }, (_, k) => ({ ...second, share: 0.25, certainty: k ? 0.3 : Number.NaN }));
  assert.match(sentence(here, 0, few), /^One sense .*; perhaps three more: money/);
  assert.match(sentence({ ...here, names: ["\u05d1"] }, 0, []), /“\u2068\u05d1\u2069”/); // written from right to left
  const told = (values) => stage({ valueOf: (name) => values[name] ?? Number.NaN });
  const counted = told({ answers: 8, certainty: 0.9 });
  assert.match(sentence(counted, 0, [first, second]), /: River \(4 of 8 answers, 75% of its ties\), money \(2, 25/);
  assert.equal(sentence(told({ certainty: 0.05 }), 0, [first]), "One sense of “bank” is told apart here.");
  const none = sentence(told({ senses: 0 }), 0, [first]);
  assert.equal(none, "There are not enough answers to tell senses of “bank” apart.");
  const vectors = told({}); // no certainty is known where nothing was counted
  assert.equal(
    sentence(vectors, 0, [first, { ...second, certainty: Number.NaN }]),
    "The neighbors of “bank” fall into two groups here: River (75% of its ties), money (25%). " +
      "Whether groups of such ties are senses is not known.",
  );
  assert.match(sentence(vectors, 0, [first]), /^The neighbors of “bank” are one group here\. Whether groups/);
});

test("what is not mapped has a name, and a single answer is told", () => {
  const here = stage({ unmapped: ["teller", HOSTILE] });
  eachIs([0, 5, 6, 9], (word) => here.called(word), ["bank", "teller", HOSTILE, ""]);
  assert.deepEqual(
    [isSingle({ given: 1, giving: 0 }), isSingle({ given: 1, giving: 1 }), isSingle({})],
    [true, false, false],
  );
  assert.deepEqual(answersOf(here, 0, { word: 5, given: 3, giving: 8 }), [3, 8]);
  assert.deepEqual(answersOf(here, 0, { word: 1 }), [4, 0]); // by the counts of what is mapped
});

test("a file says what it was made of", async () => {
  const made = {
    norms: { title: "USF", words: 3 },
    fits: [{ model: "AspectMaps", n_maps: 5 }],
    package: "notebook_sne 1",
  };
  const model = { get: (name) => (name === "made" ? made : undefined) };
  assert.equal(sourceLine(model), "Norms: USF, words: 3; Fit 0: AspectMaps, n_maps: 5; Program: notebook_sne 1");
  assert.equal(sourceLine({ get: () => undefined }), "");
  const png = new Uint8Array(40).fill(7);
  const canvas = { toBlob: (give) => give(new Blob([png], { type: "image/png" })) };
  const bytes = new Uint8Array(await (await pngOf(canvas, "USF ü")).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(33);
  assert.equal(bytes.length, 40 + 12 + length);
  assert.equal(new TextDecoder().decode(bytes.slice(37, 41)), "iTXt");
  assert.ok(new TextDecoder().decode(bytes).includes("USF ü"));
  // The CRC of "IEND" is known [PNG, 5.6].
  const end = new DataView(textChunk("").buffer);
  assert.equal(end.byteLength, 12 + end.getUint32(0));
  assert.equal((await pngOf(canvas, "")).size, 40);
});

test("senses are read as they were packed, and what does not fit is refused", () => {
  const senses = readSenses(packed());
  assert.deepEqual(senses(0), [
    {
      number: 1,
      kind: 0,
      share: 0.75,
      seen: 1,
      certainty: Number.NaN,
      given: 4,
      associates: [
        { word: 1, belongs: 0.875, explained: 1, given: 4, giving: 0 },
        { word: 2, belongs: 0.5, explained: 0.25, given: 1, giving: 0 },
      ],
      places: [
        { fit: 0, map: 4, proportion: 0.75, share: 0.5, seen: true, at: Float32Array.of(1, 2) },
        { fit: 1, map: 7, proportion: 0.5, share: 0.75, seen: true, at: Float32Array.of(3, 4) },
      ],
    },
    {
      number: 2,
      kind: 0,
      share: 0.25,
      seen: 0.5,
      certainty: 0.875,
      given: 2,
      associates: [{ word: 2, belongs: 0.75, explained: 0.5, given: 0, giving: 7 }],
      places: [{ fit: 0, map: 5, proportion: 0.25, share: 0.25, seen: false, at: Float32Array.of(5, 6) }],
    },
  ]);
  assert.equal(senses(1)[0].number, 1);
  assert.deepEqual(senses(2), []);
  const [first, second] = senses(0);
  assert.deepEqual([seenIn(first, 2), seenIn(second, 2), seenIn({ seen: 7 / 8 }, 8)], [2, 1, 7]);
  assert.equal(placeIn(first, 1).map, 7);
  assert.equal(placeIn(second, 1), undefined);
  assert.equal(readSenses(new Float32Array(0)), null);
  assert.throws(() => readSenses(packed().subarray(0, 30)), /do not fill/);
});

test("the maps of another fit are unpacked where they were, and the rest has no proportion", () => {
  const one = [0, 2, 2, 1, /* map */ 1, /* word */ 2, /* proportion */ 0.5, /* point */ 3, -4];
  const two = [2, 3, 1, 2, /* maps */ 0, 2, /* words */ 1, 0, /* proportions */ 0.25, 0.75, /* points */ 6, 7];
  const all = Float32Array.from([...one, ...two]);
  const x = readMixture(mapsOfFit(all, 0, 3), "gaussian");
  assert.deepEqual([x.M, x.N, x.d], [2, 3, 2]);
  assert.deepEqual([...x.mixing], [0, 0, 0, 0, 0, 0.5]);
  assert.deepEqual([...x.maps.subarray(10)], [3, -4]);
  const y = readMixture(mapsOfFit(all, 2, 3), "student");
  assert.deepEqual([y.M, proportion(y, 2, 0), proportion(y, 0, 1), y.maps[1], y.maps[6]], [3, 0.75, 0.25, 6, 7]);
  assert.equal(mapsOfFit(all, 1, 3).length, 0);
});

test("of very many points a snapshot holds those that count", () => {
  const snapshot = Float32Array.from([-2, 3, 2, 2, /* maps */ 0, 1, /* words */ 1, 2, 0.25, 0.5, 6, 7, 8, 9]);
  const x = readMixture(snapshot, "gaussian");
  assert.deepEqual([x.M, x.N, x.d], [2, 3, 2]);
  assert.deepEqual([...x.mixing], [0, 0.25, 0, 0, 0, 0.5]);
  assert.deepEqual([...x.maps], [0, 0, 6, 7, 0, 0, 0, 0, 0, 0, 8, 9]);
  assert.throws(() => readMixture(snapshot.subarray(0, 13), "gaussian"), /2 points in 2 coordinates do not fill 13/);
});

/** One map of five words in a row; 1 is an associate of 0, 2 is tied to it, 3 and 4 are tied to nothing. */
function row() {
  const places = [0, 0, 0.5, 0, 0.6, 0, 0.4, 0, 0.7, 0];
  const mixture = readMixture(Float32Array.from([1, 5, 2, ...places, 1, 1, 1, 1, 1]), "gaussian");
  const counts = readCounts(Int32Array.of(0, 1, 2, 2, 2, 2), Int32Array.of(1, 2), Float32Array.of(4, 9));
  return { mixture, counts };
}

test("own associates come first, then company, then strangers", () => {
  const { mixture, counts } = row();
  const sense = { number: 1, associates: [{ word: 1, belongs: 0.75 }], places: [] };
  const place = { at: Float32Array.of(0.75, 0) };
  const told = (more) =>
    listOf({ mixture, ties: counts, sense, place, m: 0, i: 0, ...more }).map(({ word, kind }) => [word, kind]);
  assert.deepEqual(told({}), [
    [1, "associate"],
    [2, "company"],
    [4, "stranger"], // nearer to the place, but tied to no associate
    [3, "stranger"],
  ]);
  assert.deepEqual(told({ m: -1, place: undefined }), [[1, "associate"]]); // in a fit that does not have the sense
  const near = [3, 1, 2, 4]; // by distance from the word
  assert.deepEqual(
    told({ sense: undefined, place: undefined }),
    near.map((word) => [word, "neighbor"]),
  );
  assert.ok(told({ ties: null }).every(([, kind]) => kind !== "stranger")); // nothing is known of ties
});

test("who is near a place is measured from it, as parts of all that is near", () => {
  for (const kernel of ["gaussian", "student"]) {
    const { mixture } = row();
    const x = { ...mixture, kernel, mixing: Float32Array.of(1, 0.5, 1, 0, 0.25) };
    const K = (d) => (kernel === "student" ? 1 / (1 + d) : Math.exp(-d));
    const at = [0.5, 0.5];
    const weight = (j) => x.mixing[j] * K((x.maps[2 * j] - at[0]) ** 2 + (x.maps[2 * j + 1] - at[1]) ** 2);
    const sum = [1, 2, 3, 4].reduce((total, j) => total + weight(j), 0);
    const found = nearPlace(x, 0, Float32Array.from(at), 0, 9);
    eachIs(found, "word", [2, 1, 4]); // a word without a proportion in the map is not near
    for (const { word, share } of found) assert.ok(Math.abs(share - weight(word) / sum) < 1e-6);
  }
});

/** What the parts of a view read. */
function stage(more = {}) {
  const { mixture, counts } = row();
  const names = ["bank", "River", "money", "zoo", "a,b"];
  const values = Float32Array.from([2, 1, 1, Number.NaN, 3, /**/ 0.5, 0.25, Number.NaN, 0.125, 0.5]);
  const theme = { dark: false, ground: [255, 255, 255], text: "#000", soft: "#555", faint: "#ddd", accent: "#00f" };
  const look = { theme, ratio: 2, ground: "#fff" };
  return {
    ...look,
    letters: new Lettering(look),
    names,
    index: spellings(names),
    columns: [
      { name: "senses", text: "how many" },
      { name: "certainty", text: "how sure" },
    ],
    columnValues: values,
    senses: (i) => (i < 3 ? readSenses(packed())(i) : []),
    unmapped: [],
    least: { certainty: 0, share: 0 },
    detailed: true,
    source: "USF",
    called: ExplorerStage.prototype.called,
    sensesOf: ExplorerStage.prototype.sensesOf,
    valueOf: ExplorerStage.prototype.valueOf,
    fits: [{ cost: 2.5 }, { cost: 2.25 }],
    best: 1,
    fit: 1,
    notes: {},
    mixture,
    counts,
    ties: counts,
    threshold: 0.1,
    word: 0,
    beside: -1,
    ...more,
  };
}

test("the table tells what is known of each word, and nothing where that is not known", () => {
  const columns = columnsOf(stage());
  eachIs(columns, "name", ["word", "senses", "certainty", "associates"]);
  assert.equal(columns[3].say(0), "River, money / money");
  assert.deepEqual([columns[1].say(0), columns[1].say(3), columns[2].say(1)], ["2", "", "0.250"]);
});

test("of a single fit the table tells how many maps hold a word, and its second proportion", () => {
  const mixture = readMixture(Float32Array.from([2, 2, 1, 0, 0, 0, 0, 0.75, 1, 0.25, 0]), "gaussian");
  const own = columnsOf(stage({ names: ["a", "b"], mixture, columns: [], senses: null }));
  eachIs(own, ({ name, values }) => `${name} ${values && [...values]}`, ["word null", "maps 2,1", "second 0.25,0"]);
  const noted = columnsOf(stage({ notes: { bank: "x" } }));
  assert.equal(noted.at(-1).say(0), "x");
});

/** A table in the small page, of so many words. */
function table(N) {
  const names = Array.from({ length: N }, (_, i) => `word ${i}`);
  const chosen = [];
  const values = Float32Array.from([...names.keys(), ...names.map(() => 0.5)]);
  const more = { names, index: spellings(names), columnValues: values, senses: () => [], word: 5 };
  const here = stage(more);
  const made = new WordTable(here, { select: (i, how) => chosen.push([i, how]) }, () => columnsOf(here), "");
  fakeDocument.body.append(made.element);
  Object.assign(made.grid, { clientHeight: 300, scrollTop: 0 });
  made.show(true);
  return { made, chosen };
}

test("of 12,000 words only the rows in sight are made, and keys lead through them", () => {
  const { made, chosen } = table(12000);
  const shown = () => made.body.children.map((row) => Number(row.getAttribute("data-row")));
  assert.ok(shown().length < 40 && shown()[0] === 0);
  assert.equal(made.grid.getAttribute("aria-rowcount"), "12001");
  made.element.all('[data-control="sort"]')[1].click(); // by the number of senses, the most first
  assert.equal(made.rows[0], 11999);
  assert.equal(made.head.children[1].getAttribute("aria-sort"), "descending");
  made.grid.fire("keydown", { key: "End" });
  assert.ok(shown().includes(11999) && made.at === 11999);
  assert.ok(made.grid.getAttribute("aria-activedescendant").endsWith("-11999"));
  const event = made.grid.fire("keydown", { key: "Enter", shiftKey: false });
  assert.ok(event.stopped && event.prevented);
  assert.deepEqual(chosen.pop(), [0, { stay: true, beside: false }]);
  for (const key of ["Home", "PageDown", "ArrowDown", "ArrowUp"]) made.grid.fire("keydown", { key });
  assert.equal(made.at, 8);
  made.grid.fire("keydown", { key: " ", shiftKey: true });
  assert.deepEqual(chosen.pop(), [11991, { stay: true, beside: true }]);
  assert.ok(!made.grid.fire("keydown", { key: "x" }).stopped);
  made.draw(); // other values: the reader stays where they are
  assert.equal(made.at, 8);
  made.filter.value = "WORD 77";
  made.filter.fire("input");
  assert.equal(made.rows.length, 1 + 10 + 100);
  assert.equal(made.element.find('[data-part="count"]').textContent, "111 of 12000 words");
  made.body.children[0].children[0].fire("click");
  assert.equal(chosen.pop()[0], made.rows[0]);
});

test("a note is a text of its word, whatever the word is called", () => {
  const model = new MockModel({ notes: {} });
  const note = new Note(model, "note");
  for (const word of ["bank", "constructor", "__proto__", HOSTILE]) {
    note.show(word);
    assert.equal(note.text.value, "");
    note.text.value = `on ${word} ${HOSTILE}`;
    note.keep();
    assert.equal(noteOn(model.get("notes"), word), `on ${word} ${HOSTILE}`);
    note.show(word);
    assert.equal(note.shown.textContent, `on ${word} ${HOSTILE}`);
  }
  assert.equal(Object.keys(model.get("notes")).length, 4);
  model.save_changes = () => {
    throw new Error("a saved notebook has no kernel");
  };
  assert.equal(noteOn(model.get("notes"), "toString"), "");
  note.show("bank");
  note.text.value = "  ";
  note.show("money"); // leaving a word keeps what was typed: nothing
  assert.equal(noteOn(model.get("notes"), "bank"), "");
  assert.equal(Object.keys(model.get("notes")).length, 3);
});

test("values with commas, quotes and lines are quoted, and what is missing is empty", () => {
  const text = csv([
    ["a", 'b "c"', "d,e", "f\ng"],
    [1, Number.NaN, undefined, 0.30000001192092896],
  ]);
  assert.equal(text, '\ufeffa,"b ""c""","d,e","f\ng"\r\n1,,,0.3\r\n');
});

/** A word with one card, as a view has it. */
function shownWord(here, i, name = "Sense 1") {
  const sense = here.senses(i)[0];
  const place = { at: Float32Array.of(0, 0) };
  const words = listOf({ mixture: here.mixture, ties: here.ties, sense, place, m: 0, i });
  const picture = new Picture(here);
  const shown = { word: 0, name: here.names[i], x: 50, y: 60, proportion: 0.5, rank: RANKS.word };
  picture.draw([shown], 300, 200, 9, { ring: { x: 150, y: 100, r: 80 } });
  const text = (textContent) => ({ textContent });
  const said = { name: text(name), figure: text("75%"), part: 0.75, seenText: "", first: [1, 2] };
  const card = { stage: here, m: 0, sense, words, picture, ...said };
  return { i, cards: new Map([["sense 1", card]]), summary: text("2 senses") };
}

test("the words shown and the table are saved with all that is told of them", () => {
  const here = stage({ notes: { bank: 'a "note"' } });
  const rows = (text) => text.trim().split("\r\n");
  const [head, first] = rows(csvOfWords(here, [shownWord(here, 0)]));
  assert.equal(head, "word,sense,share,seen,certainty,fit,map,kind,other,value,explained,given,giving,note,source");
  assert.equal(first, 'bank,1,0.75,1,,1,0,associate,River,0.875,1,4,0,"a ""note""",USF');
  const columns = columnsOf(here);
  assert.deepEqual(rows(csvOfTable({ columns, rows: [4, 0] }, "USF")), [
    "word,senses,certainty,associates,note,source",
    '"a,b",3,0.5,,,USF',
    'bank,2,0.5,"River, money / money","a ""note""",USF',
  ]);
  const all = rows(csvOfSenses(stage({ least: { certainty: 0.9, share: 0 } })));
  assert.equal(all[0], "word,sense,share,certainty,seen,associate,belongs,explained,given,giving,source");
  eachIs(all.slice(1), (row) => row.split(",").slice(0, 2).join(), ["bank,1", "bank,1", "River,1"]); // the second sense of bank is put aside
  assert.equal(all[1], "bank,1,0.75,,1,River,0.875,1,4,0,USF");
});

test("a drawing holds every word shown, and hostile words as texts", () => {
  const here = stage({ names: [HOSTILE, "River", "money", "zoo", "a"] });
  const sheet = { stage: here, title: HOSTILE, facts: "2 fits", whole: { m: -1 }, words: [shownWord(here, 0)] };
  const [width, height] = drawSheet(new SvgPen(), sheet);
  assert.ok(width > 300 && height > 300);
  const two = drawSheet(new SvgPen(), { ...sheet, words: [shownWord(here, 0), shownWord(here, 1)] });
  assert.ok(two[0] > 1.8 * width && two[1] < 1.5 * height); // side by side
  const drawn = sheetSvg(sheet);
  for (const word of ["River", "Own associates", "◇ Strangers", "2 fits", "75%", "<desc>USF</desc>"])
    assert.ok(drawn.includes(word), word);
  const plain = sheetSvg({ ...sheet, words: [shownWord(stage({ detailed: false }), 0)] });
  assert.ok(!plain.includes("Own associates") && plain.includes("River, money"));
  assert.ok(!drawn.includes("<img") && !drawn.includes("<script") && drawn.includes("&lt;img"));
  const map = { m: 3, name: { textContent: "Map 3" }, picture: shownWord(here, 0).cards.get("sense 1").picture };
  assert.ok(sheetSvg({ ...sheet, words: [], whole: map }).includes("Map 3"));
});

test("a word is found by its circle and by its name, the nearest of several", () => {
  const picture = new Picture(stage());
  const at = (word, x, proportion, rank) => ({ word, name: `word ${word}`, x, y: 100, proportion, rank });
  const words = [at(3, 150, 0.25, RANKS.word), at(5, 156, 1, RANKS.other), at(7, 40, 0, RANKS.stranger)];
  picture.draw(words, 300, 200, 2);
  // The first has a quarter of the area of the second.
  eachIs(picture.items, ({ radius, text }) => `${radius} ${text}`, ["6 word 3", "12 word 5", "1 ◇ word 7"]);
  const { box } = picture.items[0];
  assert.equal(picture.wordAt([box.left + 1, box.top + 1]), 3);
  assert.equal(picture.items[2].box, null, "no more names than asked for");
  const found = (x, kind) => picture.wordAt([x, 100], kind);
  assert.deepEqual([found(150), found(154), found(42), found(46), found(90)], [3, 5, 7, -1, -1]);
  assert.equal(found(46, "touch"), 7, "a finger reaches further");
  assert.equal(picture.point(7), 7);
  assert.equal(picture.canvas.title, "word 7, 0.00");
  picture.point(-1);
  assert.equal(picture.canvas.title, "");
  picture.light(7);
  const { left, width } = picture.above(picture.items[2]);
  assert.ok(left >= 2 && Math.abs(left + width / 2 - 40) < 0.6 * width);
});

test("a file has a name that every system takes", () => {
  assert.equal(safeName(["BAT", "../x y"], "csv"), "BAT-x-y.csv");
  assert.equal(safeName(["銀行"], "png"), "map.png");
  assert.equal(plainLetters(" BÄT").trim(), "bat");
});

test("one fit is told to be one, and each sign has its meaning", () => {
  const senses = () => [];
  assert.match(warning({ senses: null, fits: [] }), /One fit: another may show other maps/);
  assert.match(warning({ senses, fits: [1] }), /The senses are those of the norms; the maps are of one fit/);
  assert.match(warning({ senses, fits: [1, 2], alike: true }), /no evidence for it/);
  assert.equal(warning({ senses, fits: [1, 2], alike: false }), "");
  const said = (more) => legend(stage(more)).textContent;
  const signs = ["own associate", "company", "stranger", "a fit in which the sense is seen", "but the word is not"];
  for (const words of [...signs, "area of a circle", "line below a sense", "distance 1"])
    assert.ok(said({}).includes(words), words);
  assert.ok(!said({ ties: null }).includes("stranger"));
  assert.ok(said({ counts: null }).includes("stranger") && !said({ counts: null }).includes("counts of the table"));
  assert.ok(!said({ senses: null }).includes("own associate"));
  assert.equal(fitInWords(stage(), 1), "fit 1, cost 2.250 (lowest)");
  assert.equal(fitInWords({ fits: [{ cost: null }], best: 0 }, 0), "fit 0");
});

test("a word without a label is named while it is lit, inside the picture wherever it is", () => {
  const here = stage();
  const written = [];
  here.letters.write = (_, item) => written.push(item);
  const picture = new Picture(here);
  const words = [
    { word: 0, name: "river", x: 100, y: 100, proportion: 1, rank: RANKS.word },
    { word: 1, name: "stream", x: 100, y: 8, proportion: 0.3, rank: RANKS.other },
    { word: 2, name: "water", x: 2, y: 150, proportion: 0.3, rank: RANKS.other },
  ];
  picture.draw(words, 200, 200, 1);
  /** @param {number} word */
  const lit = (word) => {
    picture.light(word);
    const { text, box } = written.at(-1);
    return [text, box.left, box.top, box.width, box.height];
  };
  assert.deepEqual(lit(0).slice(1, 3), [picture.items[0].box.left, picture.items[0].box.top]); // where its label is
  const [stream, , below] = lit(1);
  assert.ok(stream === "stream" && below > 8 && below < 40, `below the circle, as there is no room above: ${below}`);
  const [water, left, top, , height] = lit(2);
  assert.ok(water === "water" && left >= 2 && top > 100 && top + height < 150);
});

test("no small map waits for ever while new ones keep coming", () => {
  const clock = { now: 0 };
  const [{ performance, setTimeout, clearTimeout }, queue] = [globalThis, []];
  Object.defineProperty(globalThis, "performance", { value: { now: () => clock.now }, configurable: true });
  globalThis.setTimeout = (f) => queue.push(f);
  globalThis.clearTimeout = () => {};
  try {
    const overview = new Overview({ mixture: { M: 5 } }, { openMap() {} }, () => {}, {
      open: true,
      addEventListener() {},
    });
    Object.defineProperty(overview.element, "clientWidth", { value: 300 });
    const drawn = new Set();
    overview.draw = (m) => {
      drawn.add(m);
      clock.now += 6; // ms: two are a slice
    };
    for (let k = 0; k < 4; k++) {
      overview.refresh();
      queue.shift()();
    }
    assert.deepEqual([...drawn].sort(), [0, 1, 2, 3, 4]);
  } finally {
    Object.defineProperty(globalThis, "performance", { value: performance, configurable: true });
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
});

test("no text of a table is a formula in a spreadsheet, and numbers stay numbers", () => {
  const texts = ["=1+1", "+1", "-a", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1"];
  const cells = csv([texts]).slice(1, -2).replaceAll('"', "").split(",");
  assert.deepEqual(
    cells,
    texts.map((text) => `'${text}`),
  );
  assert.equal(csv([[-1.5, "a-b"]]), "\ufeff-1.5,a-b\r\n");
});
