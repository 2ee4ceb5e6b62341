// What the parts of a player speak of, known in all modules.

type Coloring = import("./map/colors.js").Coloring;
type KnownObjects = import("./objects.js").KnownObjects;
type Look = import("./map/scatter.js").Look;
type Names = import("./map/names.js").Names;
type Panels = import("./panels.js").Panels;
type Parts = import("./layout.js").Parts;
type PlayerHub = import("./hub.js").PlayerHub;
type Ranks = import("./map/colors.js").Ranks;
type RegionPairs = import("./map/region_pairs.js").RegionPairs;
type Stage = import("./stage.js").Stage;
type Timeline = import("./recording/timeline.js").Timeline;

/** Changes the selection, and brings it into view. */
type Chooses = (objects: number[], how: Manner) => void;

/** What each part knows: the run, what is shown of it, and its objects. */
interface Known {
  hub: PlayerHub;
  stage: Stage;
  objects: KnownObjects;
  selection: import("./map/selection.js").Selection;
  coloring: Coloring;
  /** Aborted when the view is removed. */
  signal: AbortSignal;
  /** To ears, and for a moment to eyes. */
  say: (words: string, shown?: boolean) => void;
}
