// What a page keeps in the reader's browser: answers, and which lectures were read. Where a browser keeps nothing, as in a
// private window, the page goes on without.

const NAME = "notebook_sne";

/** All that is kept under a name. @param {string} name @returns {Record<string, any>} */
export function kept(name) {
  try {
    const found = JSON.parse(localStorage.getItem(`${NAME}.${name}`) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

/** @param {string} name @param {Record<string, unknown>} what */
export function keep(name, what) {
  try {
    localStorage.setItem(`${NAME}.${name}`, JSON.stringify(what));
  } catch {
    // it lasts as long as the page is open
  }
}
