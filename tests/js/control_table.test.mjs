// The run of a page obeys the table of commands and answers that Python's run obeys: tests/control.json, written by
// tests/runs/control_table.py, which also says what the steps are.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { Control } from "../../notebook_sne/browser/frontend/live_page/control.js";
import { Run } from "../../notebook_sne/browser/frontend/live_page/run.js";
import { KNOBS, SlowEngine, groups, recipes } from "./live.mjs";

const table = JSON.parse(readFileSync(new URL("../control.json", import.meta.url), "utf8"));

/** An engine that pauses once in each task, so that a command may come meanwhile, and that fails when a test says so. */
class Pausing extends SlowEngine {
  *target(...how) {
    yield 0;
    if (this.fails) throw new Error("the map ran away");
    return yield* super.target(...how);
  }
}

/** The models of the table: those that stand in for recipes, with its names, knobs and numbers of updates. */
function models(n) {
  const bases = [recipes(n).SNE, recipes(n).UNISNE];
  return Object.fromEntries(
    Object.entries(table.models).map(([id, { max_iter, knobs }], k) => {
      const values = { perplexity: 2, learning_rate: 0.05, momentum: 0.5, jitter: 0, background: 0.1 };
      const schedules = Object.fromEntries(knobs.map((name) => [name, values[name]]));
      return [id, { ...bases[k], id, label: id, max_iter, schedules, phases: [], rest: "drift" }];
    }),
  );
}

class Machine {
  constructor() {
    const n = table.objects;
    this.engine = new Pausing(groups(n));
    const offered = models(n);
    const plan = { origin: Object.values(offered)[0], successors: offered, presets: offered };
    Object.assign(plan, { turned: {}, keeps: {}, fixed: {}, knobs: KNOBS });
    const starts = [Float64Array.from({ length: 2 * n }, (_, k) => Math.sin(5 * k + 1))];
    this.run = new Run({ engine: this.engine, plan, starts, nameOf: () => "" });
  }

  /** Do a step and return the answer. @param {string} step */
  do(step) {
    const [name, ...rest] = step.split(" ");
    try {
      this.obey(name, rest);
    } catch (error) {
      const reason = Object.entries(table.refusals).find(([, words]) => new RegExp(words).test(error.message));
      return { ...this.facts(), refused: reason?.[0] ?? error.message };
    }
    return this.facts();
  }

  obey(name, words) {
    const { run, engine } = this;
    if (name === "step")
      run.control.step(Number(words[0] ?? 1)); // a view asks for one at a time
    else if (name === "take") this.take();
    else if (name === "make") for (let k = 0; k < Number(words[0] ?? 1); k++) this.make();
    else if (name === "fail") {
      engine.fails = true;
      this.make();
      engine.fails = false;
    } else run.obey(...order(name, words));
  }

  take() {
    const { run } = this;
    if (run.task === null || run.task !== run.control.current) run.advance(() => false);
  }

  make() {
    const { run } = this;
    this.take();
    while (run.task) run.advance(() => false);
  }

  facts() {
    const { control, recording, turned } = this.run;
    const { moment } = control;
    return {
      status: control.status,
      iteration: moment?.iteration ?? null,
      model: control.recipe.id,
      done: control.done,
      limit: control.limit,
      recorded: recording.reach() ?? [],
      kept: [...new Set([...recording.kept.moments, ...[recording.newest ?? []].flat()].map((one) => one.iteration))],
      marks: recording.marks.all.map(({ iteration, kind, text }) => `${iteration} ${kind}: ${text}`),
      knobs: Object.fromEntries(Object.entries(turned).sort(([a], [b]) => (a < b ? -1 : 1))),
      pins: [...(moment?.pins ?? [])],
      refused: null,
    };
  }
}

/** A step as a view says it. @returns {[order: any, buffers: ArrayBuffer[]]} */
function order(name, words) {
  const pairs = words.map((word) => word.split("="));
  if (name === "seek") return [{ name, iteration: Number(words[0]) }, []];
  if (name === "switch" || name === "preset") return [{ name, model: words[0] }, []];
  if (name === "set")
    return [{ name, knobs: Object.fromEntries(pairs.map(([knob, value]) => [knob, Number(value)])) }, []];
  if (name === "release") return [{ name, knobs: words }, []];
  const places = new Float32Array(pairs.flatMap(([, x]) => [Number(x), 1])).buffer;
  if (name === "move") return [{ name, objects: pairs.map(([i]) => Number(i)) }, [places]];
  if (name === "pin" || name === "unpin") return [{ name, objects: words.map(Number) }, []];
  return [{ name }, []];
}

for (const { name, steps } of table.cases.filter(({ only }) => (only ?? "page") === "page")) {
  test(`table: ${name}`, () => {
    const machine = new Machine();
    let wanted = table.first;
    assert.deepEqual(machine.facts(), wanted);
    for (const [k, [step, answer]] of steps.entries()) {
      wanted = { ...wanted, refused: null, ...answer };
      assert.deepEqual(machine.do(step), wanted, `step ${k}, ${step}`);
    }
  });
}

test("what comes back of a task that is of no use any more is dropped", () => {
  const recipe = { id: "SNE", max_iter: 3 };
  const moment = (iteration) => ({ iteration, recipe, pins: [] });
  const past = { add() {}, cut() {}, clear() {}, startFor: moment, chapterAt: () => [0, recipe] };
  const own = new Control(recipe, { ...past, nearest: (at) => at, reach: () => [0, 10] });
  own.step(2);
  for (const iteration of [0, 1]) own.publish(own.take(), moment(iteration));
  const task = own.take();
  own.seek(1);
  own.publish(task, moment(99));
  own.fail(task, "too late");
  assert.deepEqual([own.moment.iteration, own.error, own.status], [1, "", "running"]);
});
