// The numbers of a knob: how they are written and read, and through which of them a slider leads.

const ROUND = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.3, 3.6, 4, 4.5, 5, 5.5, 6, 6.5, 7, 8, 9]; // stops of a decade
const DECADES = 4; // that a slider of ratios spans when its range begins at 0

/** A number as it is written in a field: up to four digits that matter. @param {number|null|undefined} value */
export function knobDigits(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return String(Number(value.toPrecision(4))).replace("e+", "e");
  return String(Number(size >= 1000 ? value.toFixed(0) : value.toPrecision(4)));
}

/** The values that a slider and the arrow keys lead through: round ones, evenly spaced by ratio or by difference. @param {KnobFacts} knob */
export function knobStops({ low, high, log, closed }) {
  /** @type {number[]} */
  const stops = [];
  if (log) {
    const bottom = low > 0 ? low : high / 10 ** DECADES;
    if (closed && low <= 0) stops.push(0);
    for (let e = Math.floor(Math.log10(bottom)); e <= Math.log10(high); e++) {
      for (const digit of ROUND) {
        const value = Number(`${digit}e${e}`);
        if (value >= bottom && value <= high) stops.push(value);
      }
    }
  } else {
    const step = 10 ** Math.floor(Math.log10((high - low) / 50));
    const count = Math.floor((high - low) / step + 1e-6);
    for (let k = closed || low > 0 ? 0 : 1; k <= count; k++) stops.push(Number((low + k * step).toPrecision(12)));
  }
  return stops;
}

/** The stop nearest to a value. @param {number[]} stops @param {number} value */
export function knobPlace(stops, value) {
  let best = 0;
  // Between two stops both scales are even enough for the nearer one to be the right one.
  for (let k = 1; k < stops.length; k++) if (Math.abs(stops[k] - value) < Math.abs(stops[best] - value)) best = k;
  return best;
}

/** The value `by` stops further up, or down. @param {number[]} stops @param {number} value @param {number} by */
export function knobStep(stops, value, by) {
  const above = stops.findIndex((stop) => stop > value * (1 + 1e-9));
  const up = above < 0 ? stops.length : above;
  const here = up > 0 && stops[up - 1] >= value * (1 - 1e-9) ? up - 1 : null; // null: between two stops
  const k = here === null ? (by > 0 ? up + by - 1 : up + by) : here + by;
  return stops[Math.min(Math.max(k, 0), stops.length - 1)];
}

/**
 * Read a typed number. The knob's own bounds are `least`, which is allowed if it is closed, and `most`, which never is
 * (null: there is none); where they are not told, those of its slider stand for them.
 * @param {KnobFacts} knob @param {string} text @returns {{value: number}|{trouble: string}}
 */
export function readKnob({ low, high, closed, least, most }, text) {
  const plain = text.trim().replace(",", ".").replace("−", "-");
  const value = plain === "" ? NaN : Number(plain);
  const from = least ?? low;
  const above = !closed && (least !== undefined || low <= 0);
  /** @type {[holds: boolean, words: string][]} */
  const tests = [];
  if (above) tests.push([value > from, `above ${knobDigits(from)}`]);
  else tests.push([value >= from, `at least ${knobDigits(from)}`]);
  if (most === undefined) tests.push([value <= high, `at most ${knobDigits(high)}`]);
  else if (most !== null) tests.push([value < most, `below ${knobDigits(most)}`]);
  const rule = `write a number ${tests.map(([, words]) => words).join(" and ")}`;
  if (!Number.isFinite(value)) return { trouble: `“${[...text].slice(0, 20).join("")}” is not a number: ${rule}` };
  return tests.every(([holds]) => holds) ? { value } : { trouble: `${knobDigits(value)} is out of range: ${rule}` };
}
