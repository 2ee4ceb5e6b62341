// Opens a page that computes, without a browser, gives it commands one after the other, and prints where it stands after
// each: node live_states.mjs PAGE.html '[["step", {}], ...]'

import { readFileSync } from "node:fs";

import { makeModel } from "../../notebook_sne/browser/frontend/live_page/open.js";
import { readPage } from "../../notebook_sne/browser/frontend/page/page.js";
import { MockClock } from "./mocks.mjs";

/** @param {string} path @param {[name: string, more: any][]} orders */
async function goOn(path, orders) {
  const text = readFileSync(path, "utf8").split('id="nsne-data">')[1].split("</script>")[0];
  const clock = new MockClock();
  const model = await makeModel(await readPage(text), { clock });
  const { control, engine } = model.run;
  return orders.map(([name, { places, ...order }], k) => {
    const buffers = places && [new Float32Array(places).buffer];
    model.send({ kind: "command", id: `test:${k}`, name, ...order }, undefined, buffers);
    for (let frames = 0; frames < 20000 && (frames < 3 || model.run.busy); frames++) clock.run(20);
    if (control.error || model.message) throw new Error(control.error || model.message);
    const { iteration, phase, cost, objective, knobs, pins, recipe } = control.moment;
    const Y = [...model.run.positionsOf(control.moment)];
    const shown = [...new Float32Array(model.points(control.moment).buffer)];
    const { remark } = control;
    return { iteration, phase, cost, objective, knobs, pins, model: recipe.id, Y, n: engine.n, shown, remark };
  });
}

const [, , path, orders] = process.argv;
if (orders) console.log(JSON.stringify(await goOn(path, JSON.parse(orders))));
