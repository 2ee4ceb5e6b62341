// The wheel over a map. It scrolls the page, as everywhere on it, unless the map is in hand: then it zooms. With Ctrl, or
// with Cmd on a Mac, it always zooms, and so does a pinch on a touchpad, which browsers report as a wheel with Ctrl.

const PINCH = 0.01; // exponent of the zoom for a pixel; a pinch comes in steps of a few
const TURN = 0.0015;
const MOST = 0.25; // a notch of a wheel with Ctrl held is many pixels, and no pinch
const LINE = 16; // pixels: some browsers count in lines of text
const FOOT = 40; // pixels from a map's lower border to where remarks stand
const SAID = Symbol.for("notebook_sne wheel said"); // of the whole page: each widget has modules of its own

/** By how much a wheel zooms; null if it is the page's. @param {WheelEvent} event @param {boolean} inHand */
export function wheelZoom(event, inHand) {
  const held = event.ctrlKey || event.metaKey;
  if ((!held && !inHand) || !event.deltaY) return null;
  const exponent = -event.deltaY * (event.deltaMode === 1 ? LINE : 1) * (held ? PINCH : TURN);
  return Math.exp(Math.max(-MOST, Math.min(MOST, exponent)));
}

/**
 * What to say of a wheel that zoomed nothing; empty if the page has said it, or its place in the map is out of sight.
 * @param {HTMLElement} stage
 */
export function wheelHint(stage) {
  const page = /** @type {typeof globalThis & {[SAID]?: boolean}} */ (globalThis);
  const place = stage.getBoundingClientRect().bottom - FOOT;
  if (page[SAID] || place < 0 || place > globalThis.innerHeight) return "";
  page[SAID] = true;
  /** @type {Partial<Navigator> & {userAgentData?: {platform: string}}} only some browsers have the second */
  const { userAgentData, platform = "" } = globalThis.navigator ?? {};
  return `${/mac/i.test(userAgentData?.platform ?? platform) ? "Cmd" : "Ctrl"} + wheel zooms`;
}
