// What Python and the browser say to each other, in one place. Traits hold what lasts (types.d.ts); what passes travels as
// custom messages, of which `kind` says the shape. The Python side is in widgets: connection.py receives, sender.py and
// answers.py send. Nothing waits for a message: each may come late, or never.

// ---- from the kernel ----

/** What a frame and a heartbeat both tell. */
interface Told extends RunFacts {
  /** Rises with every update, so that older news is told from newer. */
  moment: number;
  /** Number of the last frame that was sent. */
  seq: number;
  /** Id of the last command that the kernel has heard, from whichever page; empty before the first. */
  heard?: string;
  /** Whether the run is on its way to an earlier moment. */
  seeking?: boolean;
  /** Only when they have changed. */
  marks?: Mark[];
}

/** A new picture. One buffer: float32 (N, 2), int16 with a `step`, or what `readMixture` reads. */
interface FrameMessage extends Told {
  kind: "frame";
  /** What the buffer's whole numbers are multiplied with, where it holds such: of very many objects. */
  step?: number;
}

/** Nothing to show, but the kernel lives. */
interface HeartbeatMessage extends Told {
  kind: "heartbeat";
  /** Whether a page that is open should answer with an `ack`. */
  wants_ack?: boolean;
}

/** Images that were asked for. One buffer: uint8 (K, height, width). */
interface ImagesMessage {
  kind: "images";
  indices: number[];
  width: number;
  height: number;
  /** 1 for gray, 3 for red, green and blue. */
  channels?: number;
}

/** The recording so far. One buffer: what `unpackFilm` reads. */
interface FilmMessage {
  kind: "film";
}

/** Which objects meet a condition. One buffer: uint32, in rising order. */
interface FoundMessage {
  kind: "found";
  /** The page that asked: others do not take it. */
  page: string;
  query: string;
  /** Why the condition cannot be read, for the reader. */
  error?: string;
}

/** The nearest objects in the data, nearest first. */
interface NeighborsMessage {
  kind: "neighbors";
  index: number;
  indices: number[];
}

/** An object, the strength of its force, and p and q of the pair; the page needs the first two. */
type Spring = [object: number, strength: number, ...shares: number[]];

/** The forces on one object. */
interface SpringsMessage {
  kind: "springs";
  of: number;
  iteration: number;
  /** The strongest, strongest first. */
  pull: Spring[];
  push: Spring[];
  /** How many there are of each. */
  pulls: number;
  pushes: number;
  pull_total: number;
  push_total: number;
  /** Sum of all forces: x and y, in nats per map unit. */
  net?: number[];
  /** Objects with p and q, where p is largest. */
  others: [object: number, p: number, q: number][];
  convention: "conditional" | "joint" | "none";
}

/** What a run is asked for of each object, to color by. */
type Scored = "cost" | "recall" | "perturbation" | "distance";

/** A score of each object, and the ends of its scale. One buffer: float32 (N,), NaN where there is none; empty to forget. */
interface ScoresMessage {
  kind: "scores";
  of: Scored;
  /** Of the map that was scored; null where it is not of a map. */
  iteration: number | null;
  low: number;
  high: number;
  /** Of `recall`: how many neighbors are counted. */
  k?: number;
  /** Of `perturbation`: how many objects are scored so far. */
  done?: number;
  /** Of `distance`: the object that it is from. */
  index?: number;
}

type Scores = ScoresMessage & { values: Float32Array };

/** What a request or a trait has asked for. */
type AnswerMessage = FoundMessage | ImagesMessage | FilmMessage | NeighborsMessage | SpringsMessage | ScoresMessage;

/** The kernel ends: its last word, where it has one. */
interface EndedMessage {
  kind: "ended";
}

type FromKernel = FrameMessage | HeartbeatMessage | EndedMessage | AnswerMessage;

// ---- from the browser ----

/** What to do with the run. `move` has one buffer: float32 (K, 2), places in map coordinates. */
type Order =
  | { name: "play" | "pause" | "step" | "restart" }
  | { name: "seek"; iteration: number }
  | { name: "switch" | "preset"; model: string }
  | { name: "set"; knobs: Record<string, number> }
  | { name: "release"; knobs: string[] }
  | { name: "move" | "pin" | "unpin"; objects: number[] };

type OrderName = Order["name"];

/** `id` is the page's own, a colon and a number that rises. */
type CommandMessage = { kind: "command"; id: string } & Order;

/** A page was opened, with the traits of a moment, or its last view was closed. */
type PresenceMessage = { kind: "hello"; moment?: number } | { kind: "bye" };

/** The frame that was painted last, and whether the tab is hidden. */
interface AckMessage {
  kind: "ack";
  seq: number;
  hidden: boolean;
}

/** A question; the answer is the message of the same name. */
type RequestMessage = { kind: "request" } & (
  | { what: "film"; short?: boolean }
  | { what: "neighbors" | "distances"; index: number }
  | { what: "images"; indices: number[] }
  | { what: "objects"; query: string }
);

/** Each also carries the id of its page, as `page`. */
type ToKernel = CommandMessage | PresenceMessage | AckMessage | RequestMessage;
