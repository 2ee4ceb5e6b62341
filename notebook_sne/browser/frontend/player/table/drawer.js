// The drawer below the map: a table of the objects, what they can be filtered by, and the regions of the map. Nothing in it is
// made before it is opened for the first time.

import { attribute, button, focusWithin, folding, icon, make, wordButton, write } from "../../shared/elements.js";
import { isBusy } from "../../shared/commands.js";
import { keepOwn } from "../../shared/keys.js";
import { manner } from "../map/selection.js";
import { Part } from "../part.js";
import { facetsOf } from "./facets.js";
import { FilterList, counted } from "./filter_list.js";
import { Filters } from "./filters.js";
import { ObjectTable } from "./object_table.js";
import { RegionList } from "./region_list.js";

const TYPING = 150; // ms after a letter until the objects are searched
const REGIONS_EVERY = 2000; // ms between new regions of a map that moves, or so many times what finding them takes:
const REGIONS_SHARE = 20;
const NARROW = 680; // pixels: where the filters begin folded

export class Drawer extends Part {
  /** @param {Known} known @param {Chooses} choose */
  constructor(known, choose) {
    super(known);
    this.choose = choose;
    /** @type {(i: number) => void} show an object on the map, -1 for none; told by the controls */
    this.reveal = () => {};
    /** @type {ReturnType<Drawer["make"]>|null} what it holds, once it was opened */
    this.inside = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.typing = undefined;
    /** @type {"all"|"selected"|"regions"} */
    this.listed = "all";
    this.version = -1; // of the selection, as last shown
    this.hidden = known.objects.hidden; // whether labels are, as last shown
    this.regionsDue = 0; // when new regions may be found
    /** @type {Float32Array|null} the map whose regions are shown */
    this.divided = null;
    this.toggler = button("table", "", "Table of the objects, filters and regions (d)", icon("table"));
    this.number = make("span"); // of the objects that are left: filters are in force though the table may be closed
    this.toggler.append(this.number);
    this.element = make("section", {
      class: "nsne-drawer",
      "data-part": "drawer",
      "aria-label": "Objects",
      hidden: "",
    });
    this.on(this.toggler, "click", () => this.toggle());
  }

  get open() {
    return Boolean(this.hub.model.get("show_table"));
  }

  toggle() {
    const { open } = this;
    const focused = focusWithin(this.element);
    this.hub.keep("show_table", !open);
    if (focused) this.leave();
    if (!open) this.element.scrollIntoView({ block: "nearest" });
    this.say(open ? "The table is closed" : "The table is open below the map", false);
  }

  make() {
    const { objects, selection, signal, on } = this;
    const filters = new Filters(objects, facetsOf(objects));
    const list = new FilterList(filters, (settled) => this.filtered(settled), signal);
    const table = new ObjectTable(objects, selection, (i, event) => this.take(i, event));
    const regions = new RegionList(objects, (own, event) => {
      this.reveal(-1); // a card would cover them
      this.choose(own, manner(event));
    });
    const said = make("span", { class: "nsne-left", "data-part": "left" });
    const clear = button("clear-filters", "Clear filters", "Take all filters away", "");
    const closer = button("close-table", "", "Close the table (d)", icon("close"));
    const search = make("input", {
      type: "search",
      "data-control": "filter-text",
      "aria-label": "Show objects that hold these letters",
      placeholder: "Filter by letters",
      autocomplete: "off",
      spellcheck: "false",
    });
    /** @param {string} control @param {string} words @param {() => void} act */
    const tab = (control, words, act) => {
      const one = wordButton(control, words, { "aria-pressed": "false" });
      on(one, "click", act);
      return one;
    };
    const all = tab("show-all", "", () => this.show("all"));
    const only = tab("show-selected", "", () => this.show("selected"));
    const areas = tab("show-regions", "Regions", () => this.show("regions"));
    const tabs = make("span", { class: "nsne-tabs", role: "group", "aria-label": "What is listed" }, all, only, areas);
    const wide = (this.element.parentElement?.clientWidth ?? 0) > NARROW;
    const { element: fold, heading } = folding("filters", "Filters", wide, list.element);
    on(search, "input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.searchFor(search.value), TYPING);
    });
    on(search, "keydown", (event) => this.leaveSearch(event));
    on(clear, "click", () => {
      filters.clear();
      search.value = "";
      this.filtered(true);
      search.focus({ preventScroll: true }); // the button is gone
    });
    on(closer, "click", () => this.toggle());
    on(regions.element, "keydown", keepOwn);
    this.element.append(
      make("div", { class: "nsne-drawer-head" }, tabs, search, said, clear, closer),
      make(
        "div",
        { class: "nsne-drawer-body" },
        fold,
        make("div", { class: "nsne-drawer-main" }, table.grid, regions.element),
      ),
    );
    table.draw();
    table.update();
    // Rows are made for the height that there is.
    if (globalThis.ResizeObserver) {
      const sizes = new ResizeObserver(() => this.open && table.paint());
      sizes.observe(table.grid);
      signal.addEventListener("abort", () => sizes.disconnect());
    }
    return { filters, list, table, regions, said, clear, search, all, only, areas, heading };
  }

  stop() {
    clearTimeout(this.typing);
  }

  /** Give the keyboard to the button of the table, or to the view where that is not in sight. */
  leave() {
    const { toggler, element } = this;
    (toggler.getClientRects().length ? toggler : element.parentElement)?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  leaveSearch(event) {
    const { key } = event;
    if (key === "ArrowDown") this.inside?.table.grid.focus();
    else if (key !== "Escape" || !this.inside?.search.value) return keepOwn(event);
    else this.leave();
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} text */
  searchFor(text) {
    const { inside } = this;
    if (!inside) return;
    inside.filters.search(text);
    this.filtered(true);
  }

  /** Another choice of filters. @param {boolean} settled  whether the reader has let go */
  filtered(settled) {
    const { inside, selection, hub } = this;
    if (!inside) return;
    selection.filter(inside.filters.left, settled);
    this.write();
    hub.paintSoon();
    if (settled) this.say(this.words(inside.filters), false);
  }

  /** @param {Filters} filters */
  words(filters) {
    const all = counted(this.objects.count);
    return filters.any ? `${counted(filters.count)} of ${all} objects left` : `all ${all} objects`;
  }

  /** List these. @param {"all"|"selected"|"regions"} listed */
  show(listed) {
    this.listed = listed;
    if (listed === "regions") this.divided = null;
    this.write();
    this.paint();
  }

  /** A row is pressed: look at its object, or change the selection by it. @param {number} i @param {MouseEvent|KeyboardEvent} event */
  take(i, event) {
    const how = manner(event);
    if (how === "set") this.reveal(i);
    else this.selection.change(how, [i]);
  }

  /** Follow the view: whether it is open, what is selected, and whether labels are hidden. */
  update() {
    const { open, element, toggler, hub, objects } = this;
    if (element.hidden === open) element.hidden = !open;
    attribute(toggler, "aria-expanded", open);
    if (open && !this.inside) {
      this.inside = this.make();
      this.version = -1;
    }
    const { inside } = this;
    if (!inside) return;
    if (this.hidden !== objects.hidden) {
      const { any } = inside.filters;
      this.hidden = objects.hidden;
      inside.filters.forgetLabels();
      inside.table.draw();
      inside.regions.forget();
      this.divided = null;
      if (any) this.filtered(true);
      else this.write();
    }
    if (!open) return;
    if (this.version !== this.selection.version) this.follow();
    if (!isBusy(hub.facts.status)) this.paint();
  }

  /** Another selection: what a hand selects on the map is listed. */
  follow() {
    const { inside, selection } = this;
    if (!inside) return;
    const by = focusWithin(inside.table.grid); // a hand in the table stays with its rows
    if (this.listed !== "regions" && !by) this.listed = selection.chosen ? "selected" : "all";
    else if (this.listed === "selected" && !selection.chosen) this.listed = "all";
    this.write();
  }

  /** Write what there is to see of the filters and the selection. */
  write() {
    const { inside, selection, listed, objects } = this;
    if (!inside) return;
    this.version = selection.version;
    const { filters, list, table, regions, said, clear, all, only, areas } = inside;
    list.update(objects.hidden);
    write(said, filters.any ? this.words(filters) : "");
    clear.hidden = !filters.any;
    write(all, `All ${counted(filters.count)}`);
    write(only, `Selected ${counted(selection.chosen)}`);
    only.disabled = !selection.chosen;
    for (const [one, what] of /** @type {[HTMLElement, string][]} */ ([
      [all, "all"],
      [only, "selected"],
      [areas, "regions"],
    ]))
      attribute(one, "aria-pressed", listed === what);
    table.grid.hidden = listed === "regions";
    regions.element.hidden = listed !== "regions";
    const before = table.only;
    table.only = listed === "selected";
    if (listed !== "regions") table.update(before !== table.only);
    attribute(this.toggler, "data-filters", filters.any);
    write(this.number, filters.any ? counted(filters.count) : "");
  }

  /** Find the regions of the map as it is now, seldom while it moves. */
  paint() {
    const { inside, stage } = this;
    if (!inside || !this.open || this.listed !== "regions" || stage.points === this.divided) return;
    const began = performance.now();
    if (this.divided && began < this.regionsDue) return;
    this.divided = stage.points;
    inside.regions.find(stage.points);
    const ended = performance.now();
    this.regionsDue = ended + Math.max(REGIONS_EVERY, REGIONS_SHARE * (ended - began));
  }
}
