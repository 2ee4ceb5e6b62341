// What a class says to its pages; teaching/websocket.py has the table of messages.

/** A question, as `Question` in teaching/question.py tells it. */
interface Asked {
  question: string;
  options: string[];
  bounds: number[];
  unit: string;
  places: string[];
  axis_names: string[];
}

/** How often each answer was given. */
type Counts = [answer: Answer, n: number][];

/** What a lecturer sees of a vote: `Poll.facts`. */
interface PollFacts {
  question: Asked;
  stage: "ready" | "open" | "shown" | "found";
  round: number;
  answered: number;
  present: number;
  counts: Counts;
  /** Of the vote before, if there was one. */
  first: Counts;
  truth: Answer | null;
  /** The same in words. */
  found: string;
  why: string;
  /** Iterations and costs of the run that the class has followed since the question; empty without one. */
  curve: number[][];
  /** Whether it is known without a run what is found. */
  known: boolean;
}

/** How the class stands, for the lecturer's screen: `Room.facts`. */
interface ClassState {
  title: string;
  present: number;
  joined: number;
  answered: number;
  hands: number;
  holder: number | null;
  questions: { question: string; stage: string }[];
  n: number | null;
  poll?: PollFacts;
  ended: boolean;
  trouble: string;
  /** An address from which many phones came within a minute, or empty. */
  crowd: string;
  /** How many have come; null while none is asked for. */
  drawings: number | null;
  /** Names of the pages of the course that can be opened. */
  pages: string[];
  address: Address;
}

/** Where phones find the class. */
interface Address {
  /** Whole, for a camera. */
  join: string;
  /** What is typed. */
  short: string;
  /** A QR code: its side, and the path of its squares. */
  picture: string;
  /** Whether phones can reach it at all. */
  lan: boolean;
}

/** How the class stands, for one phone: `Room.facts_for`. */
interface PhoneState {
  title: string;
  number: number;
  of: number;
  knob: "" | "asked" | "yours";
  ended: boolean;
  answered: number;
  present: number;
  follow: number | null;
  /** The number of the field to draw in. */
  draw: number | null;
  pages: string[];
  n?: number;
  round?: number;
  stage?: PollFacts["stage"];
  yours?: Answer | null;
  /** What it said in the vote before. */
  before?: Answer | null;
  question?: Asked;
  truth?: Answer;
  found?: string;
  why?: string;
}
