// A comparison, as a notebook loads it: the views are players, and find one another by their keys.

import { widgetOf } from "../shared/widget.js";
import { TransportView } from "./transport.js";

export default widgetOf(
  (model) => ({ model, stop() {} }),
  ({ model }, el) => new TransportView(model, el),
);
