// A comparison as a page: its transport, and the films that it plays.

import { begin, PageModel, showAll, unpack } from "../page/page.js";

/**
 * Show a comparison: its transport, and below it the films of its parts, which share what a reader chooses in one.
 * @param {{initialize: Function, render: Function}} transport @param {{initialize: Function, render: Function}} player
 */
export const openTogether = (transport, player) =>
  showAll(async (text, el) => {
    const { parts, ...own } = JSON.parse(text);
    const model = new PageModel(await unpack(own));
    const [head, grid] = [document.createElement("div"), document.createElement("div")];
    el.classList.add("nsne-comparison");
    grid.style.gridTemplateColumns = `repeat(auto-fill, minmax(${model.get("least")}, 1fr))`;
    el.replaceChildren(head, grid);
    /** @type {PageModel[]} */
    const films = [];
    for (const part of parts) {
      films.push(new PageModel(await unpack(part)));
      grid.append(document.createElement("div"));
      await begin(player, films[films.length - 1], /** @type {HTMLElement} */ (grid.lastElementChild));
    }
    for (const name of /** @type {string[]} */ (model.get("linked")))
      for (const film of films)
        film.on(`change:${name}`, () => {
          for (const other of films) other.set(name, film.get(name));
        });
    await begin(transport, model, head);
  });
