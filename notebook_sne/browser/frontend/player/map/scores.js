// Scores of all objects that a run is asked for, to color by: what each is called, its unit, and what is said while it is
// not there, or not of the moment that is shown.

import { isBusy } from "../../shared/commands.js";
import { digits } from "../../shared/window.js";

/** @import { Selection } from "./selection.js" */

/** @param {number} value */
const three = (value) => digits(value, 3);
/** @param {number} value */
const percent = (value) => `${Math.round(100 * value)}%`;

/**
 * @typedef {object} Told
 * @property {string} menu  in the list of colors
 * @property {string} title  over the legend
 * @property {string} means  beneath its scale, if there is nothing else to say
 * @property {(value: number) => string} say
 * @property {string} blank  of an object without a score
 * @property {(words: string, unit: string) => string} card  of one object; the unit is that of costs, after a blank
 */

/** @type {Record<Scored, Told>} */
export const SCORED = {
  cost: {
    menu: "cost",
    title: "Cost of each object",
    means: "",
    say: three,
    blank: "no cost",
    card: (words, unit) => `cost ${words}${unit}`,
  },
  recall: {
    menu: "neighbors kept",
    title: "Neighbors kept",
    means: "of the nearest in the data, how many are nearest in the map",
    say: percent,
    blank: "no neighbors",
    card: (words) => `${words} of its neighbors kept`,
  },
  perturbation: {
    menu: "instability",
    title: "Instability",
    means: "how far a point goes if its object changes a little",
    say: three,
    blank: "not yet found",
    card: (words) => `goes ${words} map units if it changes a little`,
  },
  distance: {
    menu: "true distance",
    title: "Distance in the data",
    means: "",
    say: three,
    blank: "no distance",
    card: (words) => `${words} away in the data`,
  },
};

/** Whether a color is found by the run. @param {string} channel @returns {channel is Scored} */
export const isScored = (channel) => Object.hasOwn(SCORED, channel);

/** Why a color cannot be shown here; empty if it can. @param {string} channel @param {Pick<Model, "get">} model */
export function whyNotColored(channel, model) {
  if (!isScored(channel)) return "";
  return model.get("live") ? (model.get("uncolored")?.[channel] ?? "") : "in a live run";
}

/** What the scale counts in. @param {Scored} channel @param {Scores|null} scores @param {string} unit  of costs */
export function scaleUnit(channel, scores, unit) {
  if (channel === "cost") return unit.trim();
  if (channel === "recall") return `of ${scores?.k ?? 10} nearest`;
  return channel === "perturbation" ? "map units" : "in the data's unit";
}

/**
 * What is said beneath the scale, of the moment or else of the score; empty if there is nothing to say.
 * @param {Scored} channel @param {Scores|null} scores
 * @param {{filmed: boolean, iteration?: number|null, goesOn: boolean, name: (i: number) => string}} now
 */
export function scoreRemark(channel, scores, { filmed, iteration, goesOn, name }) {
  if (channel === "distance") {
    return scores ? `from ${name(scores.index ?? 0)}` : "Point at an object, or tap it, to see how far all others are";
  }
  if (filmed) {
    return channel === "cost"
      ? "Costs are those of the present moment: go back to now to see them"
      : "These are those of the present moment: go back to now to see them";
  }
  const moves = channel === "perturbation";
  if (!scores) return moves && goesOn ? "Pause the run: found while it rests" : "Being found…";
  const { length } = scores.values;
  const part = moves && (scores.done ?? length) < length ? `${scores.done} of ${length} found` : "";
  const old = scores.iteration === iteration ? "" : `of step ${scores.iteration}`;
  const said = [old, part, old && moves && goesOn ? "pause the run for new ones" : ""].filter(Boolean).join(", ");
  return said || SCORED[channel].means;
}

/** The score of one object in words, or undefined. @param {Scored} channel @param {Scores|null} scores @param {number} i @param {string} unit */
export function scoreOf(channel, scores, i, unit) {
  const value = scores?.values[i];
  if (value === undefined) return undefined;
  if (channel === "distance" && scores?.index === i) return "distances are from here";
  const told = SCORED[channel];
  const four = channel === "recall" ? told.say(value) : digits(value);
  return Number.isNaN(value) ? told.blank : told.card(four, unit);
}

/**
 * Let what a reader chose color a view, as far as it is there.
 * @param {{hub: PlayerHub, coloring: Coloring, objects: KnownObjects, selection: Selection}} view
 */
export function chooseColors(view) {
  const { hub, coloring, objects } = view;
  const color = hub.model.get("color") || "label";
  coloring.choose(color, { hidden: objects.hidden, live: hub.live, scores: hub.shownScores(color) });
  const { film, facts, live } = hub;
  const end =
    film.last !== null && (!live || facts.status === "finished") ? `${film.last} ${coloring.source.title}` : "";
  if (end && end !== coloring.end) coloring.byPlace(film.between(film.last ?? 0));
  coloring.end = end || coloring.end;
  measure(view, -1);
}

/**
 * What is said of the scores that color a view now.
 * @param {{hub: PlayerHub, coloring: Coloring, objects: KnownObjects}} view
 */
export function remarkNow({ hub, coloring: { wanted }, objects }) {
  if (!isScored(wanted)) return "";
  const { iteration, status } = hub.facts;
  const now = { filmed: hub.scrub !== null, iteration, goesOn: isBusy(status) };
  return scoreRemark(wanted, hub.shownScores(wanted), { ...now, name: (i) => objects.name(i) });
}

/**
 * Measure distances in the data from the object that is looked at, or at first from the one that is selected.
 * @param {{hub: PlayerHub, coloring: Coloring, selection: Selection}} view @param {number} i
 */
export function measure({ hub, coloring, selection: { size, list } }, i) {
  if (coloring.wanted !== "distance") return;
  const from = i >= 0 ? i : size === 1 && !hub.shownScores("distance") ? list[0] : -1;
  if (from >= 0) hub.requests.distances(from);
}
