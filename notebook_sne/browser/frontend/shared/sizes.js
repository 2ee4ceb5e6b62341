// Sizes: how a part of a page learns that it has another one.

/** Act when one of the elements has another size, until the view is removed. @param {Element[]} elements @param {() => void} act @param {AbortSignal} signal */
export function watchSizes(elements, act, signal) {
  if (!globalThis.ResizeObserver) return; // a page that is laid out by nobody, as in tests
  const sizes = new ResizeObserver(act);
  for (const element of elements) sizes.observe(element);
  signal.addEventListener("abort", () => sizes.disconnect());
}
