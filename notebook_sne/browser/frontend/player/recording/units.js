// Numbers of any size, so that they can be read.

/** A power of ten that makes numbers up to the given one readable, and how it is written. @param {number} largest @returns {[number, string]} */
export function readable(largest) {
  const e = largest > 0 ? Math.floor(Math.log10(largest)) : 0;
  if (e >= -2 && e < 4) return [1, ""];
  return [10 ** e, `10${[...String(e)].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("")}`];
}

/** A number in a few digits that matter, in units of its own. @param {number} value */
export function inUnits(value, unit = "") {
  const [scale, power] = readable(value);
  return [Number((value / scale).toPrecision(3)), power && `× ${power}`, unit].filter((part) => part !== "").join(" ");
}
