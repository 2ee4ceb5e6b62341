// Places labels by the rule of the front end, for a test that compares it with that of the pictures.
import { readFileSync } from "node:fs";

const { placeLabels } = await import(new URL("../../notebook_sne/browser/frontend/shared/labels.js", import.meta.url));
const { items, dots, width, height, cover, centered } = JSON.parse(readFileSync(0, "utf8"));
const labels = items.map(([x, y, radius, w, h]) => ({ x, y, radius, width: w, height: h, centered }));
const marks = dots.map(([x, y, radius]) => ({ x, y, radius }));
const places = placeLabels(labels, width, height, marks, cover);
console.log(JSON.stringify(places.map((box) => box && [box.left, box.top, box.place])));
