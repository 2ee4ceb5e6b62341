// The front end answers as Python does where both state a rule: tests/twins.json, which tests/test_twins.py says how to
// write.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { install } from "./dom.mjs";
import { load } from "./mocks.mjs";

install();
const { stacked } = await load("two_norms/flow.js");
const { inWords } = await load("lesson/words.js");
const { general } = await load("live_page/diagnostics.js");
const { Recording } = await load("live_page/recording.js");
const { isRound, lastChange, scalesAt, valueAt } = await load("live_page/schedules.js");
const { Marks } = await load("live_page/series.js");
const { withoutRounding } = await load("live_page/stepper.js");
const { divided } = await load("player/map/areas.js");
const { Coloring } = await load("player/map/colors.js");
const { Groups } = await load("player/map/groups.js");
const { RegionPairs, lineOf } = await load("player/map/region_pairs.js");
const { KnownObjects, entriesOf } = await load("player/objects.js");
const { numberFeatures, tellingOf, textFeatures } = await load("player/table/enrichment.js");
const { usualCount } = await load("player/table/region_list.js");
const { placeLabels } = await load("shared/labels.js");
const { shortened } = await load("shared/shorten.js");
const { alike, hues, valueColor } = await load("shared/marks.js");
const { writeCode } = await load("teaching/codes.js");

const table = JSON.parse(readFileSync(new URL("../twins.json", import.meta.url), "utf8"));
const flat = (points) => Float32Array.from(points.flat());

function known(classes, names) {
  const traits = { classes: new DataView(Uint16Array.from(classes).buffer), class_names: names };
  return new KnownObjects({ get: (name) => traits[name] }, classes.length);
}

const RULES = {
  "places of labels": (items, dots, [width, height], cover, centered, near) => {
    const wishes = items.map(([x, y, radius, w, h]) => ({
      x,
      y,
      radius,
      width: w,
      height: h,
      centered,
      near: near === true,
    }));
    const marks = dots.map(([x, y, radius]) => ({ x, y, radius }));
    return placeLabels(wishes, width, height, marks, cover).map((box) => box && [box.left, box.top, box.place]);
  },
  "spots of classes": (points, classes) => {
    const classNames = Array.from({ length: Math.max(...classes) + 1 }, String);
    const groups = new Groups({ classes: Uint16Array.from(classes), classNames });
    return groups.find(flat(points)).map(({ k, x, y }) => [k, x, y]);
  },
  "line of a pair of regions": lineOf,
  "lines between regions": (points, classes, names, counts) => {
    const objects = {
      classNames: names,
      classes: Uint16Array.from(classes),
      pairCounts: Uint32Array.from(counts.flat()),
    };
    const hub = { model: { get: () => true }, clock: { performance: { now: () => 0 } } };
    const stage = { points: flat(points), ready: true, placeOf: (x, y) => [x, y], count: classes.length };
    const pairs = new RegionPairs({ hub, stage, objects }, { groups: new Groups(objects), mode: "none" });
    return pairs.lines().map(({ pair, from, to }) => [pair.kind, pairs.sentence(pair), ...from, ...to]);
  },
  "regions of a map": (points, count) => {
    const of = [];
    for (const [p, own] of divided(flat(points), count).entries()) for (const i of own) of[i] = p;
    return of;
  },
  "usual number of regions": usualCount,
  "what tells of parts": (sources, parts, most) => {
    const features = Object.entries(sources).flatMap(([source, entries]) =>
      entries.some((one) => typeof one === "string")
        ? textFeatures(source, entries)
        : numberFeatures(
            source,
            Float64Array.from(entries, (one) => one ?? Number.NaN),
          ),
    );
    return tellingOf(features, Int32Array.from(parts), Math.max(...parts) + 1, most).map((own) =>
      own.map(({ source, kind, what, share, elsewhere, ratio }) => [source, kind, what, share, elsewhere, ratio]),
    );
  },
  "looks of classes": (classes, names) => {
    const objects = known(classes, names);
    const coloring = new Coloring(objects);
    coloring.choose("label", { hidden: false, live: false, scores: null });
    const looks = entriesOf(objects).map(({ key, name }) => [name, coloring.color(key, false), coloring.shape(key)]);
    const there = [...new Set(classes)].filter((k) => k < names.length);
    return [looks, alike(there, true), classes.map((_, i) => objects.label(i))];
  },
  "colors by place": hues,
  "colors of values": (share) => valueColor(share / 0.93), // the lightest end would be lost on a light ground
  "short names": shortened,
  "bars of two norms": (heights) => stacked(heights).map(({ top, high, at }) => [top, high, at]),
  "codes of answers": (question, said, code, read) => {
    const written = writeCode({ options: [], ...question }, said); // which Python reads
    return written === code ? read : written;
  },
  "answers in words": (question, answer) => inWords({ get: (name) => question[name] }, answer),
  "values of schedules": (kind, parameters, times, [schedule]) => [
    schedule,
    times.map((t) => valueAt(schedule, t)),
    lastChange(schedule),
  ],
  "rounds of copy moves": (most, rounds) => [...Array(most).keys()].filter((t) => isRound(t, rounds)),
  "several perplexities": (scales, knob) => {
    try {
      return scalesAt({ scales }, knob);
    } catch (error) {
      return error.message.slice(0, 33);
    }
  },
  "numbers in remarks and marks": general,
  "costs below zero": (cost, n) => {
    const found = withoutRounding(Number(cost), n);
    return Object.is(found, 0) ? "zero" : Object.is(found, Number(cost)) ? "kept" : found;
  },
  "marks of a run": (added) => {
    const marks = new Marks();
    for (const [iteration, kind, text, ...knobs] of added) marks.add(iteration, kind, text, knobs);
    return marks.all.map(({ iteration, kind, text }) => [iteration, kind, text]);
  },
  "what is held": (objects, names) => new Recording({ nameOf: (i) => names[i] }).pinsText(objects),
};

function same(found, wanted, within) {
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) && found.length === wanted.length && wanted.every((one, k) => same(found[k], one, within))
    );
  if (typeof wanted === "number") return Math.abs(found - wanted) <= within * Math.max(1, Math.abs(wanted));
  assert.deepEqual(found, wanted);
  return true;
}

for (const [name, { within, cases }] of Object.entries(table))
  test(`twins: ${name}`, () => {
    for (const [given, wanted] of cases) {
      const found = RULES[name](...given, wanted);
      assert.ok(same(found, wanted, within), `${JSON.stringify(given).slice(0, 300)}: ${JSON.stringify(found)}`);
    }
  });
