// What each sign of the view means, in words.

import { clearPen, make } from "../shared/elements.js";
import { circleOf, paintCircle, RANKS } from "./picture.js";
import { LISTS } from "./rows.js";

const FALLEN = { student: 50, gaussian: 37 }; // percent of its strength that a pair has at distance 1

/**
 * The signs that are used for the present maps, each with its meaning.
 * @param {Pick<ExplorerStage, "counts"|"fits"|"mixture"|"ratio"|"senses"|"theme"|"ties">} stage
 */
export function legend({ counts, fits, mixture: x, senses, ties, theme, ratio }) {
  /** A circle as it is drawn. @param {number} rank @param {number} share */
  const dot = (rank, share = 0.4) => {
    const circle = circleOf(share, rank);
    const side = 2 * circle.x;
    const canvas = make("canvas", { "aria-hidden": "true" });
    Object.assign(canvas.style, { width: `${side}px`, height: `${side}px` });
    paintCircle(clearPen(canvas, side, side, ratio), circle, theme);
    return canvas;
  };
  const sizes = [0.1, 0.5, 1].flatMap((share) => [dot(RANKS.associate, share), String(share)]);
  const sign = (/** @type {string} */ look) => make("span", { class: look, "aria-hidden": "true" });
  /** @type {[sign: Node, text: string][]} */
  const cues = [
    [
      make("span", { class: "nsne-e-sizes", "data-part": "sizes" }, ...sizes),
      "area of a circle: the word’s mixing proportion in the map",
    ],
    [dot(RANKS.word), "the word looked at"],
    [dot(RANKS.associate), senses ? `own associate: ${lower(LISTS.associate[1])}` : "a near word"],
  ];
  if (senses && ties) {
    cues.push([dot(RANKS.company), `company: ${lower(LISTS.company[1])}`]);
    cues.push([dot(RANKS.stranger), `◇ stranger: ${lower(LISTS.stranger[1])}`]);
  }
  cues.push([dot(RANKS.other), "another word of the map"]);
  if (x?.d === 2) cues.push([sign("nsne-e-dots"), `distance 1, where strength has fallen to ${FALLEN[x.kernel]}%`]);
  cues.push([
    sign("nsne-e-line"),
    senses
      ? "line below a sense: the share of the word’s associations that it has"
      : "line below a map: the proportion of the word in it",
  ]);
  const bar = senses ? "its figure as a length" : "the part of the word’s neighborhood, over all maps, that it shares";
  cues.push([sign("nsne-e-line"), `bar beside a word: ${bar}`]);
  if (senses && fits.length > 1) {
    cues.push([sign("nsne-e-fit nsne-e-found"), "a fit in which the sense is seen; a ring: one in which it is not"]);
    cues.push([sign("nsne-e-fit nsne-e-half"), "its company is there, but the word is not"]);
    cues.push([
      make("small", {}, "0.9 by maps"),
      "the part of an own associate that the place of the sense explains, mean over the fits that show it",
    ]);
  }
  if (counts)
    cues.push([
      make("small", {}, "12 from A"),
      "counts of the table: how often it was given for A; “to A”: how often A for it",
    ]);
  return make("ul", { class: "nsne-e-legend" }, ...cues.map(([mark, text]) => make("li", {}, mark, text)));
}

/** @param {string} text */
const lower = (text) => text[0].toLowerCase() + text.slice(1);

/** What is to be known of the drawing besides. @param {Pick<ExplorerStage, "mixture">} stage */
export function limits({ mixture: x }) {
  const contexts = "Contexts, not dictionary senses: a map shows which words go together.";
  if (!x || x.d === 2) return contexts;
  return x.d > 2
    ? `${contexts} The first 2 of ${x.d} coordinates are drawn; strengths use all.`
    : `${contexts} These maps have one coordinate: their words lie on a line.`;
}

/** What the fits cannot tell. @param {Pick<ExplorerStage, "alike"|"fits"|"senses">} stage */
export function warning({ alike, fits, senses }) {
  if (!senses) return "One fit: another may show other maps.";
  if (fits.length < 2)
    return "The senses are those of the norms; the maps are of one fit, and another may show others.";
  return alike ? "These fits began with groups of the norms: that several show a sense is no evidence for it." : "";
}
