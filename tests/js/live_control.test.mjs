// The control of a run in a page changes its status as that of Python: the table is read from runs/control.py.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { Control } from "../../notebook_sne/browser/frontend/live_page/control.js";

const source = readFileSync(new URL("../../notebook_sne/engine/runs/control.py", import.meta.url), "utf8");
const rows = source.split(/^=+(?: +=+)+$/m).slice(1, 3);
const [heads, ...states] = rows[0].trim().split(/ +/);
const table = Object.fromEntries(
  rows[1]
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/ +/))
    .map(([event, ...then]) => [event, Object.fromEntries(states.map((state, k) => [state, then[k]]))]),
);

const recipe = { id: "SNE", max_iter: 3 };
const moment = (iteration) => ({ iteration, recipe, pins: [] });

/** A control over a past of ten iterations. */
function control() {
  const past = { add() {}, cut() {}, clear() {}, startFor: moment, chapterAt: () => [0, recipe] };
  const own = new Control(recipe, { ...past, nearest: (at) => at, reach: () => (own.moment ? [0, 10] : null) });
  return own;
}

const made = (own) => own.publish(own.take(), moment((own.moment?.iteration ?? -1) + 1));

/** How each status comes about. */
const REACHED = {
  idle: () => control(),
  compiling: () => act(REACHED.finished(), (own) => (own.switch({ id: "TSNE", max_iter: 3 }), own.take())),
  running: () => act(control(), (own) => (own.play(), made(own), made(own), own.take())),
  paused: () => act(control(), (own) => (own.step(1), made(own), made(own))),
  finished: () => act(control(), (own) => (own.play(), made(own), made(own), made(own), made(own))),
  error: () => act(control(), (own) => (own.step(1), made(own), own.fail(own.take(), "why"))),
};

const EVENTS = {
  play: (own) => own.play(),
  pause: (own) => own.pause(),
  step: (own) => own.step(),
  restart: (own) => own.restart(),
  switch: (own) => own.switch({ id: "TSNE", max_iter: 3 }),
  seek: (own) => own.seek(0),
  move: (own) => own.move(new Map([[1, [0, 0]]])),
  pin: (own) => own.pin([1], []),
  made: (own) => own.publish(own.current ?? own.take(), moment((own.moment?.iteration ?? -1) + 1)),
  failed: (own) => own.fail(own.current ?? own.take(), "why"),
};

function act(own, ...events) {
  for (const event of events) event(own);
  return own;
}

const ALSO = { busy: ["compiling", "running"], rest: ["paused", "finished"] };

test("the table is there", () => {
  assert.equal(heads, "event");
  assert.deepEqual(states.slice(0, -1), Object.keys(REACHED));
  assert.deepEqual(Object.keys(table), [...Object.keys(EVENTS), "close"]);
});

for (const [state, reach] of Object.entries(REACHED)) {
  test(`from ${state}`, () => {
    assert.equal(reach().status, state);
    for (const [event, go] of Object.entries(EVENTS)) {
      const told = table[event][state];
      if (told === "-") continue;
      const own = reach();
      // Where nothing is under way, what comes back is of a move.
      if (["made", "failed"].includes(event) && !own.current) EVENTS.move(own);
      if (told === "no") {
        assert.throws(() => go(own), /nothing is recorded|there is no map/, event);
        continue;
      }
      go(own);
      const allowed = told.split(",").flatMap((word) => (word === "same" ? [state] : (ALSO[word] ?? [word])));
      assert.ok(allowed.includes(own.status), `${state}, ${event}: ${own.status} is none of ${allowed}`);
    }
  });
}

test("what comes back of a task that is of no use any more is dropped", () => {
  const own = REACHED.running();
  const task = own.current;
  own.seek(1);
  own.publish(task, moment(99));
  own.fail(task, "too late");
  assert.deepEqual([own.moment.iteration, own.error, own.status], [1, "", "running"]);
});

test("steps that are asked for while others are under way are added, and play goes on for as many again", () => {
  const own = REACHED.paused();
  own.step();
  own.step(2);
  made(own);
  made(own);
  made(own);
  assert.deepEqual([own.status, own.moment.iteration], ["paused", 4]);
  own.play();
  assert.deepEqual([own.limit, own.ahead], [7, 3]);
});

test("places of the same objects that wait are one move", () => {
  const own = REACHED.paused();
  own.move(new Map([[1, [0, 0]]]));
  own.move(
    new Map([
      [1, [5, 5]],
      [2, [1, 1]],
    ]),
  );
  assert.deepEqual([own.queue.length, own.queue[0].places.get(1)], [1, [5, 5]]);
});
