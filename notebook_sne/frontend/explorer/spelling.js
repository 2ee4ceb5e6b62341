// Finding a word by what somebody typed: exactly, by its beginning, or by a slip of the finger.

const LONGEST = 60; // letters that are compared

/** Words that differ only in case are alike. @param {string} text */
export function fold(text) {
  return text.normalize("NFKC").toLowerCase().trim();
}

/**
 * @typedef {object} Spellings
 * @property {string[]} names
 * @property {string[]} folded  the same without case
 * @property {Map<string, number>} exact  index of each name
 * @property {Map<string, number>} alike  of the first name that is the same without case
 */

/** @param {string[]} names @returns {Spellings} */
export function spellings(names) {
  const folded = names.map(fold);
  const exact = new Map(names.map((name, i) => [name, i]));
  /** @type {Map<string, number>} */
  const alike = new Map();
  for (const [i, text] of folded.entries()) if (!alike.has(text)) alike.set(text, i);
  return { names, folded, exact, alike };
}

/**
 * Index of a word, as it is written or else in another case; -1 for an unknown one.
 * @param {Spellings} index @param {string} text
 */
export function findWord(index, text) {
  return index.exact.get(text) ?? index.alike.get(fold(text)) ?? -1;
}

/**
 * Words for a beginning: the word itself, words that begin so, words that hold it; shorter ones first.
 * @param {Spellings} index @param {string} text @param {number} count
 */
export function completions(index, text, count) {
  const wanted = fold(text);
  if (!wanted) return [];
  /** @type {[rank: number, length: number, i: number][]} */
  const found = [];
  index.folded.forEach((word, i) => {
    const at = word.indexOf(wanted);
    if (at >= 0) found.push([word === wanted ? 0 : at === 0 ? 1 : 2, word.length, i]);
  });
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return found.slice(0, count).map(([, , i]) => i);
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
  const wanted = fold(text);
  if (!wanted) return [];
  const most = Math.max(1, Math.min(3, Math.ceil([...wanted].length / 3)));
  /** @type {[slips: number, start: number, i: number][]} */
  const close = [];
  index.folded.forEach((word, i) => {
    const slips = editDistance(wanted, word, most);
    if (slips <= most) close.push([slips, -commonStart(wanted, word), i]);
  });
  close.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  const begun = completions(index, text, count);
  return [...new Set([...close.map(([, , i]) => i), ...begun])].slice(0, count);
}

/** @param {string} a @param {string} b */
function commonStart(a, b) {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return n;
}
