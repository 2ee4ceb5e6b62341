// Sizes and sight: how a part of a page learns that it has another size, or is on the screen.

/** Act when one of the elements has another size, until the view is removed. @param {Element[]} elements @param {() => void} act @param {AbortSignal} signal */
export function watchSizes(elements, act, signal) {
  if (!globalThis.ResizeObserver) return; // a page that is laid out by nobody, as in tests
  const sizes = new ResizeObserver(act);
  for (const element of elements) sizes.observe(element);
  signal.addEventListener("abort", () => sizes.disconnect());
}

/** Say whether an element is on the screen, at first and when that changes. @param {Element} element @param {(there: boolean) => void} tell @param {AbortSignal} [signal] */
export function watchSight(element, tell, signal) {
  if (!globalThis.IntersectionObserver) return;
  const sight = new IntersectionObserver((entries) => tell(entries[entries.length - 1].isIntersecting));
  sight.observe(element);
  signal?.addEventListener("abort", () => sight.disconnect());
}
