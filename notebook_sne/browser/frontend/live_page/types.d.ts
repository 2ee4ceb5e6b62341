// What the parts of a page that computes speak of. `Recipe` and `Plan` are written by the Python side (widgets/live_page.py).

/** A number, or how one changes with the updates made so far: by a formula, or each value with the first update that has it. */
type Schedule =
  | number
  | {
      kind: string;
      ends: number;
      last: number;
      start?: number;
      time?: number;
      values?: [from: number, value: number][];
    };

/** The value of each knob. */
type Settings = Record<string, number>;

/** A model with all that an update asks for. */
interface Recipe {
  /** Class name. */
  id: string;
  label: string;
  convention: "conditional" | "joint";
  /** What is summed: sums over all pairs and over the stored ones. */
  kind: "sne" | "uniform" | "student" | "elastic" | "umap" | "aspects" | "joint aspects" | "multiple";
  n_maps: number;
  /** How many rounds of copy moves there are (fitting/rounds.py). */
  rounds: number;
  /** Increment, factor, least and greatest gain; null where all gains are 1. */
  gains: [number, number, number, number] | null;
  /** Whether the momentum rises to its value anew whenever the objective jumps. */
  rises: boolean;
  adaptive: boolean;
  /** Rise of the objective that is tolerated above 1 % of it. */
  slack: number;
  max_iter: number;
  seed: number;
  schedules: Record<string, Schedule>;
  /** Of UMAP whose P is its graph: how many neighbors an object has there, itself included. */
  n_neighbors: number | null;
  /** Several perplexities, of which the knob is the largest; null where there is one. */
  scales: number[] | "multiscale" | null;
  /** The first rule that holds names the phase: a knob, how it compares, with what, and the name. */
  phases: [knob: string, is: "above" | "not", value: number, name: string][];
  /** The phase where no rule holds. */
  rest: string;
  /** Which of the plan's start positions it begins at. */
  start: number;
}

/** What lasts of a moment beside its positions. Arrays are as an engine moves them (maps.js): (N, 2) of one map. */
interface Memory {
  Y: Float64Array;
  velocity: Float64Array;
  gains: Float64Array;
  /** The best place so far, or null. */
  best: Float64Array | null;
  bestObjective: number;
  /** What halving has left of the learning rate. */
  scale: number;
}

/** One moment of a run; it is not changed any more, but for its memory, which is there when somebody keeps it. */
interface Moment {
  iteration: number;
  recipe: Recipe;
  phase: string;
  cost: number;
  objective: number;
  knobs: Settings;
  /** The iteration at which the schedules began. */
  origin: number;
  /** The learning rate that is held by hand. */
  rate: number | null;
  /** Updates since the objective jumped: a momentum that rises goes by them. */
  steps: number;
  /** Points that are held, in rising order: objects of the first map, then of the next one. */
  pins: readonly number[];
  memory: Memory | null;
}

/** The forces on one object, (N,) each. */
interface Forces {
  pull: Float64Array;
  push: Float64Array;
  p: Float64Array;
  q: Float64Array;
}

/** What is known of a knob, whatever the model. */
type KnobTable = Record<
  string,
  Omit<KnobFacts, "low" | "high" | "name" | "label" | "fixed"> & {
    least: number;
    most: number | null;
    /** Useful values, as for a slider; null where they follow from the present one. */
    reach: [number, number] | null;
  }
>;

/** What the Python side gives a page, beside the traits of its view. */
interface Plan {
  /** Whether its page shows all maps, as an explorer does, or the first one. */
  shows: "maps" | "map";
  /** The model that `restart` begins with. */
  origin: Recipe;
  /** The model at work when the page was written. */
  present: Recipe;
  /** What a run can go on under, by class name; the perplexity is that of the model before. */
  successors: Record<string, Recipe>;
  /** What it can begin anew with. */
  presets: Record<string, Recipe>;
  /** Knobs that a successor of the same class keeps, and the neighbors of its graph, one name after the other. */
  keeps: Record<string, string>;
  knobs: KnobTable;
  /** What a model has as perplexity that goes on after one whose P is a graph. */
  perplexity: number;
  /** Why a knob cannot be turned here, by name. */
  fixed: Record<string, string>;
  /** Knobs that were turned by hand. */
  turned: Settings;
  /** Where the run stood. */
  at: Omit<Moment, "recipe" | "memory" | "phase" | "objective"> & {
    objective: number | null;
    bestObjective: number | null;
    scale: number;
  };
  /** First iteration of each model of the recording that came with the page, and its recipe, or why there is none. */
  chapters: [iteration: number, recipe: Recipe | string][];
  /** Whether the run played when the page was written. */
  plays: boolean;
  /** Most updates of the present model that `play` does, and how many it has done. */
  limit: number;
  done: number;
  /** Whether the page holds the objects or P alone, and what is to be known of their bytes (pages/packing.py). */
  data: "X" | "P";
  objects: { shape: number[]; type: string; convention: string; first: number; last: number; equal: number };
  /** The P that it holds beside many objects, or as UMAP's graph, and the knobs that it was made with. */
  made?: Plan["objects"] & { perplexity: number | null; least_p: number | null };
  /** Up to so many objects P is made over all pairs, above over three times the perplexity nearest neighbors. */
  searched: number;
}
