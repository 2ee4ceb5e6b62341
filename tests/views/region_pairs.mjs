// Draws lines between regions by the rule of the front end, for a test that compares it with that of the pictures.
import { readFileSync } from "node:fs";

const load = (name) => import(new URL(`../../notebook_sne/browser/frontend/player/map/${name}`, import.meta.url));
const { Groups } = await load("groups.js");
const { RegionPairs } = await load("region_pairs.js");
const cases = JSON.parse(readFileSync(0, "utf8"));
const found = cases.map(({ points, classes, names, counts }) => {
  const objects = { classNames: names, classes: Uint16Array.from(classes), pairCounts: Uint32Array.from(counts.flat()) };
  const hub = { model: { get: () => true }, clock: { performance: { now: () => 0 } } };
  const stage = { points: Float32Array.from(points.flat()), ready: true, placeOf: (x, y) => [x, y] };
  stage.count = classes.length;
  const pairs = new RegionPairs({ hub, stage, objects, names: { groups: new Groups(objects), mode: "none" } });
  return pairs.lines().map(({ pair, from, to }) => [pair.kind, [names[pair.a], names[pair.b]], [...from, ...to]]);
});
console.log(JSON.stringify(found));
