// The hub of an explorer: it follows a fit, which may go on without it, and has neither film nor knobs.

import { Hub } from "../shared/hub.js";

/** @import { Clock, Model } from "../shared/types.d.ts" */

export class ExplorerHub extends Hub {
  /** @param {Model} model @param {Clock} [clock] */
  constructor(model, clock) {
    super(model, clock);
    this.begin();
  }
}
