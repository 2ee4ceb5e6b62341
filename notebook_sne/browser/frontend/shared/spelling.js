// Finding a name by what somebody typed: as it is written, by its beginning, by a piece of it, or by a slip of the finger.

const LONGEST = 60; // letters that are compared

/** Letters without case and accents: what a reader types on any keyboard. @param {string} text */
export function plainLetters(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * @typedef {object} Spellings
 * @property {string[]} names
 * @property {string[]} folded  the same in plain letters
 * @property {Map<string, number>} exact  index of each name
 */

/** @param {string[]} names @returns {Spellings} */
export function spellings(names) {
  return { names, folded: names.map(plainLetters), exact: new Map(names.map((name, i) => [name, i])) };
}

/**
 * Indices of the texts that hold a piece of text: first those that are that text, as it is written before other case and
 * accents; then those that begin with it; shorter ones first among these.
 * @param {string[]} texts @param {string[]} folded  the same in plain letters @param {string} text
 */
export function holding(texts, folded, text) {
  const wanted = plainLetters(text).trim();
  if (!wanted) return [];
  /** @param {number} i @param {number} at */
  const rank = (i, at) => (at > 0 ? 3 : folded[i] !== wanted ? 2 : texts[i] !== text.trim() ? 1 : 0);
  /** @type {[rank: number, length: number, i: number][]} */
  const found = [];
  for (let i = 0; i < folded.length; i++) {
    const at = folded[i].indexOf(wanted);
    if (at >= 0) found.push([rank(i, at), folded[i].length, i]);
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return found.map(([, , i]) => i);
}

/**
 * Letters to put in, leave out, replace or swap with their neighbor to make one word of the other; `most + 1` stands
 * for every greater number.
 * @param {string} one @param {string} other
 */
export function editDistance(one, other, most = Infinity) {
  const [a, b] = [[...one].slice(0, LONGEST), [...other].slice(0, LONGEST)];
  if (Math.abs(a.length - b.length) > most) return most + 1;
  /** @type {number[]} */
  let before = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2] + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [before, last] = [last, row];
  }
  return Math.min(last[b.length], most + 1);
}

/**
 * Words that a misspelt one may stand for: the fewest slips first, then the same beginning.
 * @param {Spellings} index @param {string} text @param {number} count
 */
export function suggestions(index, text, count) {
  const wanted = plainLetters(text).trim();
  if (!wanted) return [];
  const most = Math.max(1, Math.min(3, Math.ceil([...wanted].length / 3)));
  /** @type {[slips: number, start: number, i: number][]} */
  const close = [];
  index.folded.forEach((word, i) => {
    const slips = editDistance(wanted, word, most);
    if (slips <= most) close.push([slips, -commonStart(wanted, word), i]);
  });
  close.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return close.slice(0, count).map(([, , i]) => i);
}

/** @param {string} a @param {string} b */
function commonStart(a, b) {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return n;
}
