// What the parts of an explorer speak of, known in all modules.

type ExplorerHub = import("./hub.js").ExplorerHub;
type ExplorerParts = import("./layout.js").ExplorerParts;
type ExplorerStage = import("./stage.js").ExplorerStage;
type Kind = import("./senses.js").Kind;
type Listed = import("./senses.js").Listed;
type Mixture = import("./mixture.js").Mixture;
type Sense = import("./senses.js").Sense;
type WordSenses = import("./word.js").WordSenses;

/** What a hand may do in any part. */
interface ExplorerActs {
  /** Look at a word, or beside it at a second one; with `stay` the reader stays in place. */
  select: (i: number, how?: { stay?: boolean; beside?: boolean }) => void;
  /** Light a word wherever it is drawn; -1 for none. */
  light: (i: number) => void;
  openMap: (m: number, opener: HTMLElement) => void;
  closeMap: () => void;
  /** Draw the maps of a fit. */
  showFit: (fit: number) => void;
  /** Show the table of all words, or hide it. */
  showWords: (shown: boolean) => void;
  /** Put weaker senses aside. */
  atLeast: (what: "certainty" | "share", least: number) => void;
  /** Show the maps above it. */
  setThreshold: (value: number) => void;
  /** To ears, and for a moment to eyes. */
  say: (words: string) => void;
}
