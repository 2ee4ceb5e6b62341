// What several modules of the front end speak of: these types are known in all of them. The messages are in messages.d.ts.

type Act = import("./hand.js").Act;
type Dot = import("./labels.js").Dot;
type Entry = import("./combobox.js").Entry;
type GridColumn = import("./grid.js").GridColumn;
type Saved = import("./save_menu.js").Saved;

// ---- the widget ----

interface Mark {
  iteration: number;
  kind: string;
  text: string;
}

/** A knob as its panel shows it; `least` and `most` are its own bounds, null where there is none. */
interface KnobFacts {
  name: string;
  label: string;
  unit: string;
  what: string;
  low: number;
  high: number;
  /** Whether the slider is even in ratios. */
  log: boolean;
  /** Whether the lowest value is allowed itself. */
  closed: boolean;
  least?: number;
  most?: number | null;
  /** Why it cannot be turned here. */
  fixed?: string;
}

interface ModelChoice {
  id: string;
  label: string;
  group: string;
  what: string;
  /** Why it cannot be chosen here. */
  cannot?: string;
}

/** What a reader predicts: an option, a number or a curve. */
type Answer = string | number | number[];

/** What is known of the run at one moment. */
interface RunFacts {
  moment?: number;
  status?: string;
  message?: string;
  /** Whether something is being compiled, which happens once. */
  compiles?: boolean;
  model_name?: string;
  iteration?: number | null;
  cost?: number | null;
  phase?: string;
  /** Each knob as it stands. */
  present?: Record<string, number>;
  /** The knobs that are turned by hand. */
  turned?: string[];
  recorded_to?: number | null;
  marks?: Mark[];
  /** The objects that are held where they are. */
  pins?: number[];
}

type AxisRule = "follow" | "fit" | "fixed";
/** What is written on the map. */
type Written = "names" | "classes" | "none";
/** A column is named after the colon. */
type Channel = "label" | "value" | "cost" | "recall" | "perturbation" | "distance" | "none" | `column:${string}`;

/** What one column says of the objects: texts, or numbers that stand at a place of their own. */
interface ColumnFacts {
  name: string;
  kind: "number" | "date" | "text";
  texts?: (string | null)[];
  /** The texts that there are, if they are few. */
  classes?: string[];
  at?: number;
  /** The place of what doubles lack: of whole numbers above 2**53, and the nanoseconds of dates. */
  rest?: number;
  /** Whether colors can mean it. */
  colors?: boolean;
}

/** What senses were made of. */
interface Made {
  norms?: Record<string, string | number | null>;
  fits?: Record<string, string | number | null>[];
  package?: string;
}

/** The traits of a widget, as widgets/map_view.py and widgets/explorer.py describe them. Each kind has its own. */
interface Traits extends RunFacts {
  key: string;
  /** Models whose cost is no divergence, and so is not in nats. */
  without_unit: string[];
  title: string;
  height: number;
  live: boolean;
  names: string[];
  importance: DataView;
  n_objects: number;
  classes: DataView;
  class_names: string[];
  class_colors: string[];
  values: DataView;
  value_range: [low: number, high: number];
  object_columns: ColumnFacts[];
  object_numbers: DataView;
  /** Of each pair of classes: in how many fits it is joined, neighbors, apart. */
  region_pairs: DataView;
  show_pairs: boolean;
  /** How far each object is out of focus by the first fit, the first two and so on. */
  blurs: DataView;
  focus: number;
  has_images: boolean;
  reads_queries: boolean;
  image_size: number[];
  images: DataView;
  neighbors: DataView;
  selection: number[];
  spring_of: number | null;
  color: Channel;
  /** Why some colors cannot be computed of a run, in a few words; empty where they can. */
  uncolored: Record<string, string>;
  /** Why no springs can be computed of a run; empty where they can. */
  springless?: string;
  axes: AxisRule;
  hide_labels: boolean;
  show_images: boolean;
  show_table: boolean;
  show_names: Written;
  /** Of the letters of a name, in pixels. */
  name_size: number;
  compact: boolean;
  /** What a reader finds around the map: widgets/map_view.py. */
  controls: "few" | "bare" | "all";
  main_knobs: string[];
  /** Whether the view begins with the first moment of its film. */
  from_start: boolean;
  /** Of a transport: the keys of its views, and whether their maps are turned to lie alike. */
  views: string[];
  align: boolean;
  pace: number | null;
  axes_note: string;
  /** In a page that computes: how far its numbers are Python's. */
  page_note?: string;
  snapshot: DataView;
  snapshot_step: number | null;
  trace: DataView;
  knobs: KnobFacts[];
  models: ModelChoice[];
  /** Packed; the explorer has none. */
  film: DataView | undefined;
  // Of the explorer.
  word: string | null;
  beside: string | null;
  threshold: number;
  fits: { cost: number | null; kernel: Kernel; model_name: string }[];
  best: number;
  fit: number;
  other_maps: DataView;
  others: string[];
  made: Made;
  alike: boolean;
  senses: DataView;
  columns: { name: string; text: string }[];
  column_values: DataView;
  notes: Record<string, string>;
  kernel: Kernel;
  counted: boolean;
  count_pointers: DataView;
  count_columns: DataView;
  count_values: DataView;
  // Of two norms.
  norms: string[];
  pairs: DataView;
  kernels: DataView;
  // Of a field to draw in.
  /** The images of the fitted objects, one after the other, packed. */
  pixels: string;
  points: DataView;
  look: import("../drawing/ink.js").Look;
  /** How the model places a new object. */
  rule: { perplexity: number; least_p: number; student: boolean; background: number };
  /** The largest distance of an object from its nearest. */
  far: number;
  strokes: import("../drawing/ink.js").Strokes;
  /** The images of what a class has drawn, one after the other. */
  drawings: DataView;
  /** Whether each drawing is said to the page around, as on the phones of a class. */
  sends?: boolean;
  // Of the front end itself, where widgets share it, and of a widget that does.
  _front: string;
  name: string;
  code: string;
  style: string;
  // ---- of a prediction ----
  question: string;
  options: string[];
  /** Least and greatest number, or value of the curve. */
  bounds: [low: number, high: number];
  unit: string;
  /** Where a curve is asked for. */
  places: string[];
  axis_names: string[];
  value: Answer | null;
  truth: Answer | null;
  outlasts: boolean;
  forgotten: boolean;
  /** What a class has said to the question; empty without one. */
  poll: Partial<PollFacts> | undefined;
  /** Whether the view is of a run that others turn, as on the phones of a class. */
  read_only?: boolean;
  /** Whether it is asked in a page, whose browser keeps the answer. */
  page?: boolean;
}

/** How strengths fall with the distance in an explorer's maps. */
type Kernel = "gaussian" | "student";

/** A listener of the host's model; its arguments depend on the event. */
type Listener = (...news: never[]) => void;

/** What a notebook's kernel object tells of, where a host hands it out. */
interface Signal<F> {
  connect?(listener: F): void;
  disconnect?(listener: F): void;
}

interface KernelConnection {
  status?: string;
  statusChanged?: Signal<(kernel: unknown, status: string) => void>;
  disposed?: Signal<() => void>;
  connectionStatusChanged?: Signal<(kernel: unknown, status: string) => void>;
  requestKernelInfo?(): Promise<unknown>;
}

/** The host's model object of a widget, as anywidget hands it out. */
interface Model {
  get<K extends keyof Traits>(name: K): Traits[K];
  set<K extends keyof Traits>(name: K, value: Traits[K]): void;
  save_changes(): void;
  send(content: object, callbacks?: undefined, buffers?: ArrayBuffer[]): void;
  on(events: string, listener: Listener): void;
  off(events: string, listener: Listener): void;
  /** In a page: save it with the present traits; returns the name of the file. */
  savePage?(): string;
  widget_manager?: { kernel?: KernelConnection | null; get_model(id: string): Promise<Model> };
}

/** The browser's timers, or what stands in for them in tests. */
interface Clock {
  performance: { now(): number };
  setTimeout(f: () => void, ms: number): number;
  setInterval(f: () => void, ms: number): number;
  clearTimeout(id: number | null | undefined): void;
  clearInterval(id: number | undefined): void;
  requestAnimationFrame?(f: () => void): number;
  cancelAnimationFrame?(id: number | undefined): void;
  document?: { hidden: boolean };
}

/** How a map is turned: mirrored top to bottom if `flip`, and then by an angle. */
interface Facing {
  cos: number;
  sin: number;
  flip: boolean;
  /** Another map that it is to lie like; none where it fills its frame. */
  to?: string;
}

/** What a hub shows its news in. */
interface HubView {
  /** Paint the pictures; true while they still move. */
  paint(): boolean;
  /** Write everything but the pictures. */
  update(): void;
  /** The image of an object has come. */
  image?(index: number): void;
  /** A reader looks at this object of a hub's map, or at none: -1. */
  looked?(index: number, hub: object): void;
}

/** A command under way. */
interface Token {
  number: number;
  /** What the kernel had heard before. */
  before: string;
  at: number;
  /** Send it once more, as the same command. */
  again: () => void;
}

// ---- objects and pictures ----

/** What never changes: what is known of the objects. */
interface Objects {
  count: number;
  /** Empty without names. */
  names: string[];
  classes: Uint16Array | null;
  classNames: string[];
  values: Float32Array | null;
  range: [low: number, high: number];
}

/** Shades of gray, row after row; or red, green and blue of each pixel. */
interface ObjectImage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** The middle of a part of the map, and how wide it is, in map coordinates. */
interface Place {
  x: number;
  y: number;
  width: number;
}

/** The part of the map that a view shows. */
interface MapWindow extends Place {
  /** Whether it stays where it is, whatever the map does. */
  held: boolean;
  /** Width by height. */
  aspect?: number;
  /** What it showed before the view changed its size. */
  box?: { width: number; height: number };
}

/** Pixels at the borders of a view. */
interface Borders {
  top: number;
  right: number;
  bottom: number;
}

/** Width and height, or x and y. */
type Pair = [x: number, y: number];

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The colors of the page around, as far as pictures need them. */
interface Theme {
  dark: boolean;
  /** Red, green and blue. */
  ground: number[];
  /** What is written. */
  text: string;
  /** What is written beside. */
  soft: string;
  /** Rules. */
  faint: string;
  /** What stands out. */
  accent: string;
}

/** How a click, a lasso or a found name changes the selection. */
type Manner = "set" | "add" | "remove";

/** What shapes are traced with: a canvas's pen, or what writes its steps down. */
interface Tracer {
  beginPath(): unknown;
  closePath(): unknown;
  lineTo(x: number, y: number): unknown;
  arc(x: number, y: number, radius: number, from: number, to: number): unknown;
}

type Styles =
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "globalAlpha"
  | "lineCap"
  | "lineJoin"
  | "font"
  | "textAlign"
  | "textBaseline"
  | "imageSmoothingEnabled";
type Steps = "save" | "restore" | "moveTo" | "stroke" | "fill" | "fillRect" | "strokeRect" | "setLineDash";

/** What is drawn over the map is drawn with: a canvas's pen, or one that writes SVG. */
interface Pen extends Tracer, Pick<CanvasRenderingContext2D, Styles | Steps> {
  measureText(text: string): { width: number };
  fillText(text: string, x: number, y: number): void;
  strokeText(text: string, x: number, y: number): void;
  drawImage(image: HTMLCanvasElement, ...box: number[]): void;
}
