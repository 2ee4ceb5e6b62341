// Facing: maps have no up and no left, so that two maps of the same objects are compared after one is turned, and
// mirrored if need be, to lie as near to the other as it can (the rigid part of Procrustes' problem, in closed form).

const BETTER = 1.03; // by how much a mirror image must fit better than the present one before the map is flipped

/**
 * How to turn a map toward another one; null where there is none to turn to.
 * @param {Float32Array} points @param {Float32Array} goal  places of the same objects, (N, 2)
 * @param {boolean} flipped  whether the map is mirrored now @returns {Facing|null}
 */
export function facing(points, goal, flipped = false) {
  const n = points.length / 2;
  if (n < 2 || goal.length !== points.length) return null;
  const middle = [0, 0, 0, 0];
  for (let i = 0; i < 2 * n; i++) {
    middle[i % 2] += points[i] / n;
    middle[2 + (i % 2)] += goal[i] / n;
  }
  let [xx, xy, yx, yy] = [0, 0, 0, 0];
  for (let i = 0; i < 2 * n; i += 2) {
    const [x, y] = [points[i] - middle[0], points[i + 1] - middle[1]];
    const [u, v] = [goal[i] - middle[2], goal[i + 1] - middle[3]];
    xx += x * u;
    xy += x * v;
    yx += y * u;
    yy += y * v;
  }
  const [plain, mirrored] = [Math.hypot(xx + yy, xy - yx), Math.hypot(xx - yy, xy + yx)];
  if (!(plain + mirrored > 0)) return null;
  const flip = flipped ? mirrored * BETTER > plain : mirrored > plain * BETTER;
  const angle = flip ? Math.atan2(xy + yx, xx - yy) : Math.atan2(xy - yx, xx + yy);
  return { cos: Math.cos(angle), sin: Math.sin(angle), flip };
}

/** Places turned, (N, 2). @param {ArrayLike<number>} places @param {Facing} facing */
export function turned(places, { cos, sin, flip }) {
  const all = new Float32Array(places.length);
  for (let i = 0; i < all.length; i += 2) {
    const [x, y] = [places[i], flip ? -places[i + 1] : places[i + 1]];
    all[i] = cos * x - sin * y;
    all[i + 1] = sin * x + cos * y;
  }
  return all;
}

/** Places turned back. @param {ArrayLike<number>} places @param {Facing} facing */
export function turnedBack(places, { cos, sin, flip }) {
  const all = turned(places, { cos, sin: -sin, flip: false });
  if (flip) for (let i = 1; i < all.length; i += 2) all[i] = -all[i];
  return all;
}
