// The wheel over a map: whose it is, by how much it zooms, and what is said once.
import assert from "node:assert/strict";
import test from "node:test";

const { wheelHint, wheelZoom } = await import(
  new URL("../../notebook_sne/browser/frontend/shared/wheel.js", import.meta.url)
);

const turn = (more = {}) => ({ ctrlKey: false, metaKey: false, deltaY: 100, deltaMode: 0, ...more });

test("the wheel is the page's, but for a map in hand or with Ctrl or Cmd held", () => {
  assert.equal(wheelZoom(turn(), false), null);
  for (const [event, inHand] of [
    [turn(), true],
    [turn({ ctrlKey: true }), false],
    [turn({ metaKey: true }), false],
  ]) {
    assert.ok(wheelZoom(event, inHand) < 1, "down zooms out");
    assert.ok(wheelZoom({ ...event, deltaY: -100 }, inHand) > 1);
  }
  assert.equal(wheelZoom(turn({ deltaY: 0, deltaX: 50 }), true), null, "sideways is the page's");
});

test("a notch zooms by a quarter at most, whatever is held, and a pinch finely", () => {
  for (const more of [
    {},
    { ctrlKey: true },
    { deltaY: 3, deltaMode: 1 },
    { ctrlKey: true, deltaY: 3, deltaMode: 1 },
    { deltaY: 1e6 },
  ]) {
    const factor = wheelZoom(turn(more), true);
    assert.ok(factor > 0.77 && factor < 0.94, `${JSON.stringify(more)} ${factor}`);
    assert.ok(
      Math.abs(factor * wheelZoom(turn({ ...more, deltaY: -turn(more).deltaY }), true) - 1) < 1e-12,
      "and back",
    );
  }
  assert.ok(Math.abs(wheelZoom(turn({ ctrlKey: true, deltaY: 2 }), false) - 0.98) < 0.001);
});

test("it is said once in a page, where it can be seen, and by the name of the key", () => {
  const stage = (bottom) => ({ getBoundingClientRect: () => ({ bottom }) });
  globalThis.innerHeight = 800;
  const forget = () => {
    globalThis[Symbol.for("notebook_sne wheel said")] = false;
  };
  const on = (navigator) => Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  on({ platform: "Linux x86_64" });
  assert.equal(wheelHint(stage(900)), "", "its place is below the window");
  assert.equal(wheelHint(stage(30)), "", "or above it");
  assert.equal(wheelHint(stage(500)), "Ctrl + wheel zooms");
  assert.equal(wheelHint(stage(500)), "", "once, in whichever view");
  for (const navigator of [{ platform: "MacIntel" }, { userAgentData: { platform: "macOS" }, platform: "" }]) {
    forget();
    on(navigator);
    assert.equal(wheelHint(stage(500)), "Cmd + wheel zooms");
  }
});
