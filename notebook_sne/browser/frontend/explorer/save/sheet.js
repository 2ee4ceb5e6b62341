// What is shown as a picture: the words with their cards, and the whole map if one is open. Drawn with any pen: a
// canvas's for a PNG, or one that writes SVG.

import { PICTURE_FONT, SvgPen, canvasFile, clipped, svgFile, xml, xmlText } from "../../shared/svg_pen.js";
import { paintPicture } from "../picture.js";
import { LISTS, answersOf, countsInWords, percent } from "../rows.js";

/** @import { SenseCard } from "../card.js" */
/** @import { WholeMap } from "../map.js" */

const AROUND = 16; // pixels at the border
const GAP = 26; // between cards
const [NARROW, WIDE] = [300, 1180]; // least width of a card, most width of a sheet
const LINE = 18;
/** @type {Kind[]} */
const KINDS = ["associate", "company", "neighbor", "stranger"];

/**
 * @typedef {object} Sheet
 * @property {ExplorerStage} stage
 * @property {string} title
 * @property {string} facts
 * @property {WordSenses[]} words
 * @property {WholeMap} whole
 */

/** A pen that sets lines of text. @param {Pen} pen @param {Theme} theme */
function writer(pen, theme) {
  /** @param {string} text @param {number} x @param {number} y @param {number} room @param {{size?: number, weight?: number, soft?: boolean, right?: boolean}} [look] */
  return (text, x, y, room, { size = 13, weight = 400, soft = false, right = false } = {}) => {
    pen.font = `${weight} ${size}px ${PICTURE_FONT}`;
    pen.textAlign = right ? "right" : "left";
    pen.textBaseline = "alphabetic";
    pen.fillStyle = soft ? theme.soft : theme.text;
    pen.fillText(clipped(pen, text, room), x, y);
  };
}

/** @param {SenseCard} card */
const heightOf = (card) => {
  const lists = listsOf(card);
  const rows = lists.reduce((sum, [, words]) => sum + words.length, 0) + lists.filter(([title]) => title).length;
  return 34 + (lineOf(card) ? LINE : 0) + (card.m < 0 ? 0 : card.picture.size[1]) + LINE * rows + 12;
};

/** What stands below the head of a card in one line: its words; or in detail in which fits it is seen. @param {SenseCard} card */
const lineOf = (card) =>
  card.stage.detailed ? card.seenText.slice(2) : card.first.map((word) => card.stage.called(word)).join(", ");

/**
 * The lists of a card, each with its title, as they are shown.
 * @param {SenseCard} card @returns {[title: string, words: Listed[]][]}
 */
const listsOf = ({ stage, words }) =>
  KINDS.map(
    (kind) => /** @type {[string, Listed[]]} */ ([LISTS[kind][0], words.filter((one) => one.kind === kind)]),
  ).filter(([, own]) => stage.detailed && own.length);

/** @param {Pen} pen @param {SenseCard} card @param {number} i @param {number} x @param {number} y @param {number} width */
function drawCard(pen, card, i, x, y, width) {
  const { theme, names, counts } = card.stage;
  const line = lineOf(card);
  const say = writer(pen, theme);
  say(card.name.textContent ?? "", x, y + 16, width - 60, { size: 14, weight: 600 });
  say(card.figure.textContent ?? "", x + width, y + 16, 60, { size: 18, weight: 600, right: true });
  pen.fillStyle = theme.faint;
  pen.fillRect(x, y + 22, width, 3);
  pen.fillStyle = theme.accent;
  pen.fillRect(x, y + 22, width * Math.min(card.part, 1), 3);
  let at = y + 34;
  if (line) {
    say(line, x, at + 8, width, { soft: true });
    at += LINE;
  }
  if (card.m >= 0) {
    paintPicture(pen, card.picture, x, at, card.stage);
    at += card.picture.size[1];
  }
  for (const [title, own] of listsOf(card)) {
    if (title) {
      say(title, x, at + 13, width, { size: 12, weight: 600, soft: true });
      at += LINE;
    }
    for (const listed of own) {
      const { kind, word, value } = listed;
      const said = counts ? countsInWords(names[i], ...answersOf(card.stage, i, listed)) : "";
      say(card.stage.called(word), x, at + 13, 0.4 * width);
      say(said, x + 0.42 * width, at + 13, 0.42 * width, { size: 11, soft: true });
      say(kind === "associate" ? value.toFixed(2) : percent(value), x + width, at + 13, 0.15 * width, {
        right: true,
        soft: true,
      });
      at += LINE;
    }
  }
}

/** Draw a sheet; returns its size. @param {Pen} pen @param {Sheet} sheet */
export function drawSheet(pen, { stage, title, facts, words, whole }) {
  const { theme, names } = stage;
  const say = writer(pen, theme);
  const cards = words.flatMap(({ cards }) => [...cards.values()]);
  const card = Math.max(NARROW, ...cards.map(({ picture }) => picture.size[0]));
  const map = whole.m < 0 ? [0, 0] : whole.picture.size;
  const most = Math.max(...words.map(({ cards }) => cards.size), 1);
  const room = Math.max(1, Math.floor((WIDE + GAP) / (card + GAP)));
  const across = words.length > 1 ? 1 : Math.min(most, room); // two words stand side by side
  const width = Math.max(Math.max(across, words.length) * (card + GAP) - GAP, map[0]);
  let y = AROUND;
  for (const [text, look] of /** @type {const} */ ([
    [title, { size: 16, weight: 600 }],
    [facts, { soft: true }],
  ])) {
    if (!text) continue;
    say(text, AROUND, y + 14, width, look);
    y += 22;
  }
  const ends = words.map(({ i, cards: own, summary }, column) => {
    const left = AROUND + column * (card + GAP);
    const wide = words.length > 1 ? card : width;
    say(names[i], left, y + 30, wide, { size: 26, weight: 650 });
    say(summary.textContent ?? "", left, y + 50, wide, { soft: true });
    let at = y + 62;
    const all = [...own.values()];
    for (let k = 0; k < all.length; k += across) {
      const row = all.slice(k, k + across);
      for (const [c, one] of row.entries()) drawCard(pen, one, i, left + c * (card + GAP), at, card);
      at += Math.max(...row.map(heightOf));
    }
    return at;
  });
  y = Math.max(y, ...ends);
  if (whole.m >= 0) {
    say(whole.name.textContent ?? "", AROUND, y + 20, width, { size: 14, weight: 600 });
    paintPicture(pen, whole.picture, AROUND, y + 28, stage);
    y += 28 + map[1];
  }
  say("Area of a circle: mixing proportion. ◇ and an empty circle: tied to no associate.", AROUND, y + 18, width, {
    size: 11,
    soft: true,
  });
  return [width + 2 * AROUND, y + 26 + AROUND];
}

/** As a canvas. @param {Sheet} sheet @param {number} ratio  device pixels for one CSS pixel */
export const sheetCanvas = (sheet, ratio) => canvasFile((pen) => drawSheet(pen, sheet), sheet.stage.ground, ratio);

/** As the text of an SVG drawing. @param {Sheet} sheet */
export function sheetSvg(sheet) {
  const pen = new SvgPen();
  const size = drawSheet(pen, sheet);
  const said = [sheet.title, ...sheet.words.map(({ i }) => sheet.stage.names[i])].filter(Boolean).join(": ");
  const source = sheet.stage.source ? [xml("desc", {}, xmlText(sheet.stage.source))] : [];
  return svgFile(size, said, sheet.stage.ground, source, pen.parts);
}
