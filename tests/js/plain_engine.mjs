// An engine in plain JavaScript, in double precision and over all pairs: what stands in for the compiled kernels, and
// says the equations of the models once more.

/** @implements {import("../../notebook_sne/frontend/live_page/types.d.ts").Engine} */
export class PlainEngine {
  /** @param {number[][]} X  the objects; or a conditional P, with `given` */
  constructor(X, { given = false } = {}) {
    this.n = this.points = X.length;
    this.X = X;
    this.given = given;
    this.targets = new Map();
    this.made = 0; // how many P were made
    this.slices = 2; // that making one takes
    this.spend = () => {}; // what passes the time of a slice
    this.cost = this.objective = NaN;
  }

  *target(recipe, { perplexity, least_p = 1e-6 }) {
    const key = `${recipe.convention} ${perplexity} ${least_p}`;
    if (!this.targets.has(key)) {
      for (let k = 0; k < this.slices; k++) {
        this.spend();
        yield k / this.slices;
      }
      const P = this.probabilities(recipe.convention, perplexity, least_p);
      const negentropy = P.flat().reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0);
      this.targets.set(key, { key, P, negentropy });
      this.made += 1;
    }
    return this.targets.get(key);
  }

  probabilities(convention, perplexity, least_p) {
    const { n, X } = this;
    const rows = this.given ? X.map((row) => [...row]) : X.map((x, i) => search(distances(X, i), perplexity, i));
    for (const row of rows) {
      const kept = row.map((p) => (p < least_p ? 0 : p));
      const sum = kept.reduce((a, b) => a + b);
      row.forEach((_, j) => (row[j] = kept[j] / sum));
    }
    if (convention === "conditional") return rows;
    return rows.map((row, i) => row.map((p, j) => (p + rows[j][i]) / (2 * n)));
  }

  nearest(Y, k, first, last) {
    const at = Y ? this.X.map((_, i) => [Y[2 * i], Y[2 * i + 1]]) : this.X;
    const rows = at.slice(first, last).map((_, r) => {
      const far = distances(at, first + r);
      const others = [...far.keys()].filter((j) => j !== first + r).sort((a, b) => far[a] - far[b] || a - b);
      return others.slice(0, k).sort((a, b) => a - b);
    });
    return Int32Array.from(rows.flat());
  }

  apart(i) {
    return Float64Array.from(distances(this.X, i), Math.sqrt);
  }

  put({ Y, velocity, gains, best, bestObjective, scale }) {
    Object.assign(this, { Y: Y.slice(), velocity: velocity.slice(), gains: gains.slice(), bestObjective, scale });
    this.best = best?.slice() ?? null;
  }

  take() {
    const { Y, velocity, gains, best, bestObjective, scale } = this;
    const copies = { Y: Y.slice(), velocity: velocity.slice(), gains: gains.slice(), best: best?.slice() ?? null };
    return { ...copies, bestObjective, scale };
  }

  positions() {
    return this.Y;
  }

  forget() {
    Object.assign(this, { best: null, bestObjective: Infinity, scale: 1 });
  }

  setScale(scale) {
    this.scale = scale;
  }

  evaluate(recipe, target, settings, held) {
    const here = evaluation(recipe, target.P, this.Y, settings);
    if (held) here.gradient.forEach((_, k) => held[k] && (here.gradient[k] = 0));
    Object.assign(this, here);
    return Number.isFinite(here.objective);
  }

  update(recipe, target, settings, iteration, held) {
    const { learning_rate, momentum, jitter = 0 } = settings;
    const before = { ...this };
    const { Y: here, gradient, velocity: v } = this;
    if (jitter > 0) [this.best, this.bestObjective] = [null, Infinity];
    else if (this.objective <= this.bestObjective) [this.best, this.bestObjective] = [here, this.objective];
    if (recipe.gains) {
      const [more, factor, least, most] = recipe.gains;
      const grown = this.gains.map((g, k) => (v[k] * gradient[k] < 0 ? g + more : g * factor));
      this.gains = grown.map((g) => Math.min(Math.max(g, least), most));
    }
    const rate = this.scale * learning_rate;
    this.velocity = v.map((vk, k) => momentum * vk - rate * (this.gains[k] * gradient[k]));
    this.Y = here.map((y, k) => y + this.velocity[k] + (jitter > 0 && !held?.[k] ? jitter * noise(iteration, k) : 0));
    const finite = this.Y.every((y) => Math.abs(y) < 1e15) && this.evaluate(recipe, target, settings, held);
    if (!finite && (!this.best || this.scale < 2 ** -40)) {
      Object.assign(this, before);
      return false;
    }
    const high = this.bestObjective + 0.01 * Math.abs(this.bestObjective) + recipe.slack;
    if (!finite || (this.best && this.objective > high)) {
      this.Y = this.best;
      this.velocity = new Float64Array(this.Y.length);
      this.gains = this.gains.map(() => 1);
      this.scale /= 2;
      this.evaluate(recipe, target, settings, held);
    } else if (recipe.adaptive && !(jitter > 0)) {
      this.scale = Math.min(this.scale * (this.objective <= before.objective ? 1.05 : 0.8), 2 ** 40);
    }
    return true;
  }

  forces(recipe, { P }, settings, i) {
    const { n, Y } = this;
    const a = settings.exaggeration ?? 1;
    const { d, K, q } = similarities(recipe, Y, settings);
    const column = (f) => Float64Array.from({ length: n }, (_, j) => (j === i ? 0 : f(j)));
    const p = column((j) => P[i][j]);
    const qi = column((j) => q[i][j]);
    if (recipe.kind === "sne") {
      const pull = column((j) => 2 * a * (P[i][j] + P[j][i]));
      return { p, q: qi, pull, push: column((j) => 2 * (q[i][j] + q[j][i])) };
    }
    if (recipe.kind === "student") {
      const w = column((j) => 1 / (1 + d[i][j]));
      return { p, q: qi, pull: p.map((pj, j) => 4 * a * pj * w[j]), push: qi.map((qj, j) => 4 * qj * w[j]) };
    }
    const { share, near, R } = background(P, K, q, settings.background ?? 0, n);
    const pull = column((j) => 4 * P[i][j] * (share(i, j) + a - 1));
    return { p, q: qi, pull, push: column((j) => 4 * R * near(i, j)) };
  }

  costs(recipe, { P }, settings) {
    const { q } = similarities(recipe, this.Y, settings);
    return Float64Array.from(P, (row, i) =>
      row.reduce((sum, p, j) => (p > 0 ? sum + p * Math.log(p / q[i][j]) : sum), 0),
    );
  }
}

/** Noise that is the same whenever it is asked. */
function noise(iteration, k) {
  const random = (x) => Math.abs(Math.sin(12.9898 * x + 78.233) * 43758.5453) % 1;
  const [u, v] = [random(iteration + 0.1 * k), random(iteration + 0.1 * k + 7.7)];
  return Math.sqrt(-2 * Math.log(u + 1e-12)) * Math.cos(2 * Math.PI * v);
}

const distances = (X, i) => X.map((x) => x.reduce((sum, value, k) => sum + (value - X[i][k]) ** 2, 0));

/** The row of P at a perplexity, by bisection of log b. */
function search(D, perplexity, i) {
  const nearest = Math.min(...D.filter((_, j) => j !== i));
  const [target, scale] = [Math.log(perplexity), D.reduce((a, b) => a + b) / D.length];
  let [low, high] = [-60, 60];
  let p = [];
  for (let sweep = 0; sweep < 200; sweep++) {
    const b = Math.exp((low + high) / 2) / scale;
    p = D.map((d, j) => (j === i ? 0 : Math.exp(-b * (d - nearest))));
    const z = p.reduce((a, c) => a + c);
    p = p.map((pj) => pj / z);
    const entropy = -p.reduce((sum, pj) => (pj > 0 ? sum + pj * Math.log(pj) : sum), 0);
    if (entropy > target) low = (low + high) / 2;
    else high = (low + high) / 2;
  }
  return p;
}

/** Squared distances in the map, kernels, and q. */
function similarities({ kind }, Y, settings) {
  const n = Y.length / 2;
  const d = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (Y[2 * i] - Y[2 * j]) ** 2 + (Y[2 * i + 1] - Y[2 * j + 1]) ** 2),
  );
  const kernel = (x) => (kind === "student" ? 1 / (1 + x) : Math.exp(-x));
  const K = d.map((row, i) => row.map((x, j) => (i === j ? 0 : kernel(x))));
  const rows = K.map((row) => row.reduce((a, b) => a + b));
  const Z = rows.reduce((a, b) => a + b);
  const b = settings.background ?? 0;
  const uniform = b / (n * (n - 1));
  const q = K.map((row, i) => row.map((k) => (kind === "sne" ? k / rows[i] : ((1 - b) * k) / Z + uniform)));
  return { d, K, q, Z };
}

/** What a background leaves of the springs. */
function background(P, K, q, b, n) {
  const Z = K.flat().reduce((a, k) => a + k);
  const near = (i, j) => K[i][j] / Z;
  const share = (i, j) => (i === j ? 0 : ((1 - b) * near(i, j)) / q[i][j]);
  let R = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (i !== j) R += P[i][j] * share(i, j);
  return { share, near, R };
}

function evaluation(recipe, P, Y, settings) {
  const n = Y.length / 2;
  const { kind } = recipe;
  const a = settings.exaggeration ?? 1;
  const { d, K, q } = similarities(recipe, Y, settings);
  const gradient = new Float64Array(2 * n);
  const { share, near, R } = kind === "uniform" ? background(P, K, q, settings.background ?? 0, n) : {};
  let [cost, springs] = [0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (i === j) continue;
      const p = P[i][j];
      if (p > 0) {
        cost += p * Math.log(p / q[i][j]);
        springs += p * (kind === "student" ? Math.log(1 + d[i][j]) : d[i][j]);
      }
      let force = 0;
      if (kind === "sne") force = 2 * (a * (p + P[j][i]) - q[i][j] - q[j][i]);
      else if (kind === "student") force = (4 * (a * p - q[i][j])) / (1 + d[i][j]);
      else force = 4 * (p * (share(i, j) + a - 1) - R * near(i, j));
      gradient[2 * i] += force * (Y[2 * i] - Y[2 * j]);
      gradient[2 * i + 1] += force * (Y[2 * i + 1] - Y[2 * j + 1]);
    }
  }
  let objective = cost + (a - 1) * springs;
  if (settings.penalty) {
    for (let k = 0; k < 2 * n; k++) {
      objective += 0.5 * settings.penalty * Y[k] ** 2;
      gradient[k] += settings.penalty * Y[k];
    }
  }
  return { cost, objective, gradient };
}
