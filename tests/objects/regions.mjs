// Divides a map and says what tells of its parts by the rules of the front end, for a test that compares them with Python's.
import { readFileSync } from "node:fs";

const front = (name) => import(new URL(`../../notebook_sne/browser/frontend/player/${name}`, import.meta.url));
const { divided } = await front("map/areas.js");
const { numberFeatures, tellingOf, textFeatures } = await front("table/enrichment.js");
const cases = JSON.parse(readFileSync(0, "utf8"));
const found = cases.map(({ points, count, texts, numbers }) => {
  const parts = divided(Float32Array.from(points.flat()), count);
  const of = new Int32Array(points.length);
  parts.forEach((own, p) => {
    for (const i of own) of[i] = p;
  });
  const values = Float64Array.from(numbers, (value) => value ?? Number.NaN);
  const features = [textFeatures("text", texts), ...numberFeatures("number", values)];
  return { of: [...of], told: tellingOf(features, of, parts.length, 5) };
});
console.log(JSON.stringify(found));
