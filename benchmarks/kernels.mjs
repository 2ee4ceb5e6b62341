// kernels.wasm in Node, for kernels.py: a line "update" is answered with updates a second of processor time, one that
// says how to make P with the seconds that it took.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [wasm, folder] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(wasm));
const k = instance.exports;
const work = JSON.parse(readFileSync(`${folder}/work.json`, "utf8"));
const at = {};
const put = (name, bytes) => {
  at[name] = k.allocate(Math.max(1, bytes.length));
  new Uint8Array(k.memory.buffer).set(bytes, at[name]);
};
for (const name of Object.keys(work.arrays)) put(name, readFileSync(`${folder}/${name}`));
const common = [work.model, work.N, at.pointers, at.columns, at.strengths, work.negentropy, at.settings, at.held];
k.begin(...common, 0, at.state, at.numbers);
let iteration = 0;

const seconds = () => process.cpuUsage().user / 1e6;

function update() {
  const began = seconds();
  let n = 0;
  let clock = 0;
  while (clock < work.seconds) {
    k.step(...common, 0, iteration++, at.state, at.numbers);
    n += 1;
    clock = seconds() - began;
  }
  return n / clock;
}

function affinities({ n_features, n_neighbors, perplexity }) {
  const { N } = work;
  put("X", readFileSync(`${folder}/X`));
  const began = seconds();
  const capacity = N * n_neighbors;
  const [pointers, columns, values, tied] = [8 * (N + 1), 4 * capacity, 8 * capacity, N].map((n) => k.allocate(n));
  new BigInt64Array(k.memory.buffer, pointers, 1)[0] = 0n;
  const all = n_neighbors === N - 1;
  const measured = all ? [k.allocate(8 * N * N)] : [4, 8].map((size) => k.allocate(size * N * n_neighbors));
  const [measure, make] = all ? [k.distances, k.of_distances] : [k.nearest, k.of_neighbors];
  const objects = [N, n_features, at.X, ...(all ? [] : [n_neighbors])];
  const among = [N, ...(all ? measured : [n_neighbors, ...measured, n_neighbors])];
  const matrix = [pointers, columns, values];
  for (let first = 0; first < N; first += 64) measure(...objects, first, Math.min(N, first + 64), ...measured);
  for (let first = 0; first < N; first += 64)
    make(...among, perplexity, 1e-6, 1e-13, first, Math.min(N, first + 64), capacity, ...matrix, tied);
  const most = 2 * Number(new BigInt64Array(k.memory.buffer, pointers, N + 1)[N]);
  k.symmetrize(N, ...matrix, 1 / (2 * N), k.allocate(8 * (N + 1)), k.allocate(4 * most), k.allocate(8 * most));
  return seconds() - began;
}

for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(line === "update" ? update() : affinities(JSON.parse(line))));
