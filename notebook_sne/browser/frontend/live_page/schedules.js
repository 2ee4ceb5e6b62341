// Schedules: how knobs change by themselves, as optimizers/schedules.py says; and what follows from the knobs.

/** Knobs of gradient descent itself; all others change what is minimized. */
const OWN = ["learning_rate", "momentum", "jitter"];

/** The value of a schedule after t updates. @param {Schedule} schedule @param {number} t @returns {number} */
export function valueAt(schedule, t) {
  if (typeof schedule === "number") return schedule;
  const { kind, ends, last, start = 0, time = 1, values = [] } = schedule;
  if (t >= ends) return last;
  if (kind === "decay") return start * Math.exp(-t / time);
  if (kind === "shrinking") return start * (last / start) ** (t / ends);
  return values.findLast(([from]) => from <= t)?.[1] ?? last;
}

/** The first update from which on a schedule stays. @param {Schedule} schedule */
export const lastChange = (schedule) => (typeof schedule === "number" ? 0 : schedule.ends);

/** The value at which a schedule stays. @param {Schedule} schedule */
export const lastValue = (schedule) => (typeof schedule === "number" ? schedule : schedule.last);

/** The knobs of a model after t updates, those that are turned as they are. @param {Recipe} recipe @param {number} t @param {Settings} turned @returns {Settings} */
export function settingsAt({ schedules }, t, turned) {
  /** @type {Settings} */
  const settings = {};
  for (const [name, schedule] of Object.entries(schedules)) settings[name] = turned[name] ?? valueAt(schedule, t);
  return settings;
}

const [FIRST, EVERY] = [20, 5];

/** Whether the update after t updates is a round of copy moves, of so many; fitting/rounds.py says the same. @param {number} t @param {number} rounds */
export function isRound(t, rounds) {
  return t >= FIRST && (t - FIRST) % EVERY === 0 && (t - FIRST) / EVERY < rounds;
}

/**
 * The perplexities whose probabilities P averages, where the knob, the largest, stands; checks/scales.py says the same.
 * @param {Pick<Recipe, "scales">} recipe @param {number} largest @returns {number[]}
 */
export function scalesAt({ scales }, largest) {
  if (!scales) return [largest];
  if (scales === "multiscale") {
    if (largest < 2) throw new Error(`perplexity must be 2 or more while it is "multiscale", got ${largest}; raise it`);
    return Array.from({ length: Math.floor(Math.log2(largest)) }, (_, k) => 2 ** (k + 1));
  }
  const [least, most] = [scales[0], scales[scales.length - 1]];
  if (largest === most) return scales;
  if (largest <= most / least)
    throw new Error(
      `perplexity must be above ${most / least} while there are ${scales.length}, got ${largest}; raise it`,
    );
  return scales.map((one) => (one * largest) / most);
}

/** The name of the phase that the knobs make. @param {Recipe} recipe @param {Settings} settings */
export function phaseOf({ phases, rest }, settings) {
  const rule = phases.find(([knob, is, value]) => {
    const here = settings[knob];
    return here !== undefined && (is === "above" ? here > value : here !== value);
  });
  return rule ? rule[3] : rest;
}

/** Whether two settings ask for different objectives. @param {Settings} one @param {Settings} other */
export function otherObjective(one, other) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].some((name) => !OWN.includes(name) && one[name] !== other[name]);
}

/** Whether one of the knobs that say what is minimized has changed by more than a tenth of itself. @param {Settings} one @param {Settings} other */
export function jumps(one, other) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].some((name) => {
    const [a, b] = [one[name] ?? 0, other[name] ?? 0];
    return !OWN.includes(name) && Math.abs(a - b) > 0.1 * Math.max(Math.abs(a), Math.abs(b));
  });
}

/**
 * A model to go on under: what the one before says of the data stays.
 * @param {Recipe} recipe @param {Recipe} before @param {Pick<Plan, "keeps"|"perplexity">} plan @returns {Recipe}
 */
export function goingOn(recipe, before, { keeps, perplexity: usual }) {
  const schedules = { ...recipe.schedules };
  const { perplexity, least_p } = before.schedules;
  let { scales, n_neighbors } = recipe;
  const kept = before.id === recipe.id ? (keeps[recipe.id] ?? "").split(" ") : [];
  if (kept.includes("n_neighbors") && before.n_neighbors) {
    n_neighbors = before.n_neighbors;
    delete schedules.perplexity;
  } else if (perplexity !== undefined && (schedules.perplexity !== undefined || n_neighbors)) {
    schedules.perplexity = lastValue(perplexity);
    scales = before.scales;
    n_neighbors = null;
  } else if (before.n_neighbors && schedules.perplexity !== undefined) {
    schedules.perplexity = usual; // a graph has none
    scales = null;
  }
  if (least_p !== undefined) schedules.least_p = lastValue(least_p);
  for (const name of kept) {
    const value = before.schedules[name];
    if (value === undefined) continue;
    const later = name === "background" && typeof value === "object" && value.kind === "steps";
    schedules[name] = later ? value.last : value;
  }
  return { ...recipe, schedules, scales, n_neighbors };
}
