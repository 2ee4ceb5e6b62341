// Names short enough to be written, as a set: those that differ look different. views/objects.py follows the same rule.

const SPLIT = " -_/.,:;|#()"; // a name may begin anew after any of these
const LEAST = 3; // letters of a common beginning that are worth a sign in their place
const SIGN = "…";
const JOINED = /\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}]/u; // accents, families, hues of skin

/** How many letters all of some names begin with; each keeps one of its own. @param {string[][]} all */
function common(all) {
  let most = all.reduce((least, one) => Math.min(least, one.length - 1), Number.POSITIVE_INFINITY);
  for (const one of all) for (let i = 0; i < most; i++) if (one[i] !== all[0][i]) most = i;
  return Math.max(most, 0);
}

/** Where names that are too long begin: the earliest word with which all are short enough. @param {string[][]} all @param {number} most */
function beginning(all, most) {
  const shared = all.length > 1 ? common(all) : 0;
  if (shared < LEAST) return 0;
  const words = [];
  for (let i = LEAST; i <= shared; i++) if (SPLIT.includes(all[0][i - 1])) words.push(i);
  const longest = all.reduce((length, one) => Math.max(length, one.length), 0);
  const far = longest - most + 1; // within a word, only as much goes as has to
  return words.find((i) => i >= far) ?? (far <= shared ? far : (words.at(-1) ?? shared));
}

/** A name from there on, without its middle where it is still too long. @param {string[]} letters @param {number} start @param {number} most */
function cut(letters, start, most) {
  const rest = start ? [SIGN, ...letters.slice(whole(letters, start, 1))] : letters;
  if (rest.length <= most) return rest.join("");
  const head = most >> 1;
  const tail = whole(rest, rest.length - (most - 1 - head), 1);
  return [...rest.slice(0, whole(rest, head, -1)), SIGN, ...rest.slice(tail)].join("");
}

/** The nearest place from i on at which no letter loses its accents or its joined sign. @param {string[]} letters @param {number} i @param {1|-1} step */
function whole(letters, i, step) {
  while (i > 0 && i < letters.length && (JOINED.test(letters[i]) || letters[i - 1] === "\u200d")) i += step;
  return i;
}

/**
 * Some names in at most so many letters: the beginning that all have goes first, then the middle of each; equal names stay
 * equal, and others do not become so.
 * @param {string[]} texts @param {number} [most]
 */
export function shortened(texts, most = 22) {
  if (texts.every((text) => text.length <= most)) return texts;
  const known = new Map([...new Set(texts)].map((text) => [text, [...text]]));
  const all = [...known.values()];
  if (all.every(({ length }) => length <= most)) return texts;
  const start = beginning(all, most);
  /** @type {Map<string, string[]>} */
  const alike = new Map();
  /** @type {Map<string, string>} */
  const short = new Map();
  for (const [text, letters] of known) {
    const words = cut(letters, start, most);
    short.set(text, words);
    alike.set(words, [...(alike.get(words) ?? []), text]);
  }
  const taken = new Set(alike.keys());
  for (const same of alike.values()) {
    if (same.length < 2) continue;
    const from = common(same.map((text) => known.get(text) ?? []));
    same.forEach((text, at) => {
      const letters = known.get(text) ?? [];
      let words = cut(letters, from, most);
      for (let k = at + 1; taken.has(words); k++) words = `${cut(letters, start, most - 1 - String(k).length)}~${k}`;
      taken.add(words);
      short.set(text, words);
    });
  }
  return texts.map((text) => short.get(text) ?? text);
}

/** A single name. @param {string} text @param {number} [most] */
export const shorten = (text, most = 22) => shortened([text], most)[0];
