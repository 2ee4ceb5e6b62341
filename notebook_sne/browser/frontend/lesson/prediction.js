// A prediction, as a notebook loads it.

import { widgetOf } from "../shared/widget.js";
import { PredictionView } from "./question.js";

export default widgetOf(
  (model) => ({ model, stop() {} }),
  ({ model }, el) => new PredictionView(model, el),
);
