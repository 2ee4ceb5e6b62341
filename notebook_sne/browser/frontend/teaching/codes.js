// An answer in a few letters, by the rule of teaching/codes.py: for rooms in which a phone reaches no other machine.

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const [FINE, COARSE] = [1023, 31]; // steps of a number in two letters, and of a value of a curve in one

/** The 32-bit FNV-1a hash of a text. @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

/** @param {{question: string, options: string[], bounds: number[]}} asked @param {Answer} answer */
function body({ options, bounds }, answer) {
  if (options.length) return ALPHABET[options.indexOf(String(answer))];
  const [low, high] = bounds;
  /** @param {number} value @param {number} steps */
  const level = (value, steps) =>
    Math.min(Math.max(Math.floor(((value - low) / (high - low)) * steps + 0.5), 0), steps);
  if (Array.isArray(answer)) return answer.map((one) => ALPHABET[level(one, COARSE)]).join("");
  const fine = level(Number(answer), FINE);
  return ALPHABET[fine >> 5] + ALPHABET[fine & 31];
}

/** @param {{question: string, options: string[], bounds: number[]}} asked @param {Answer} answer */
export function writeCode(asked, answer) {
  const said = body(asked, answer);
  return ALPHABET[hash(asked.question) % 32] + said + ALPHABET[(hash(`${asked.question} ${said}`) >>> 5) % 32];
}
