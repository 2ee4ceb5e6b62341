// Finds where classes are named by the rule of the front end, for a test that compares it with that of the pictures.
import { readFileSync } from "node:fs";

const { Groups } = await import(new URL("../../notebook_sne/browser/frontend/player/map/groups.js", import.meta.url));
const cases = JSON.parse(readFileSync(0, "utf8"));
const found = cases.map(({ points, classes, names }) => {
  const groups = new Groups({ classes: Uint16Array.from(classes), classNames: names });
  return groups.find(Float32Array.from(points.flat())).map(({ k, x, y }) => [k, x, y]);
});
console.log(JSON.stringify(found));
