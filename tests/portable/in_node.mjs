// kernels.wasm in Node: arrays and calls come as JSON from standard input, results and arrays go out (engines.py).
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const kernels = instance.exports;
const work = JSON.parse(readFileSync(0, "utf8"));
const places = {};
for (const [name, text] of Object.entries(work.arrays)) {
  const bytes = Buffer.from(text, "base64");
  const place = kernels.allocate(Math.max(1, bytes.length));
  new Uint8Array(kernels.memory.buffer).set(bytes, place);
  places[name] = [place, bytes.length];
}
const results = work.calls.map(([name, ...given]) => {
  const result = kernels[name](...given.map((x) => (typeof x === "string" ? places[x][0] : x)));
  return result === undefined ? null : result;
});
const arrays = {};
for (const [name, [place, n]] of Object.entries(places))
  arrays[name] = Buffer.from(kernels.memory.buffer, place, n).toString("base64");
process.stdout.write(JSON.stringify({ results, arrays }));
