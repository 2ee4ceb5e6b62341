// The stage: what a view shows at this moment, and where. Panels over the map read it; the view alone changes it.

import { Near } from "./map/near.js";
import { FIRST_THEME } from "../shared/theme.js";
import { newWindow, NOT_COVERED, toPixel } from "../shared/window.js";

export class Stage {
  constructor() {
    /** @type {Float32Array} the points shown, (N, 2) */
    this.points = new Float32Array(0);
    this.near = new Near();
    this.window = newWindow();
    /** @type {Pair} width and height of the map in CSS pixels */
    this.size = [0, 0];
    this.covered = NOT_COVERED; // by controls, at its borders
    this.zoom = 1; // by how much the whole view is enlarged, as in full screen
    this.ratio = this.sharp; // device pixels for one of them
    this.flat = false; // whether marks are too small for shapes, or counts, so that colors alone tell classes
    this.painted = ""; // what a reader is told of how the objects are painted
    this.theme = FIRST_THEME;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Device pixels for a CSS pixel of the view, as the screen is now. */
  get sharp() {
    return (globalThis.devicePixelRatio || 1) * this.zoom;
  }

  /** Whether the window is known: it is with the first points. */
  get ready() {
    return this.window.width > 0;
  }

  get count() {
    return this.points.length / 2;
  }

  /** The object nearest to a pixel within `reach` pixels, or -1. @param {Pair} at @param {number} reach */
  pick([x, y], reach) {
    return this.ready ? this.near.find(this.window, this.points, x, y, this.size, reach) : -1;
  }

  /** Where object i is shown, in pixels. @param {number} i @returns {Pair} */
  place(i) {
    return toPixel(this.window, this.points[2 * i], this.points[2 * i + 1], ...this.size);
  }

  /** Where a place of the map is shown, in pixels. @param {number} x @param {number} y @returns {Pair} */
  placeOf(x, y) {
    return toPixel(this.window, x, y, ...this.size);
  }

  /** Places of some objects on the map, one after the other. @param {number[]} objects */
  placesOf(objects) {
    const { points } = this;
    return Float32Array.from(objects.flatMap((i) => [points[2 * i], points[2 * i + 1]]));
  }

  /** The color of the ground, as styles write it. */
  get ground() {
    return `rgb(${this.theme.ground.join(",")})`;
  }
}
