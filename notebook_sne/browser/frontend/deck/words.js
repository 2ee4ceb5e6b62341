// Words of a slide that are more than it has room for become smaller, down to the least that a room can read; an equation
// becomes as narrow as its place.

const STEPS = [1, 0.9, 0.8, 0.72, 0.667]; // of 36 pixels at 1920 x 1080 the last are 24
const NEARLY = 2; // pixels

/** @param {Element} box */
const over = (box) => box.scrollHeight > box.clientHeight + NEARLY || box.scrollWidth > box.clientWidth + NEARLY;

/** Make an equation as narrow as its place; its spaces do not shrink with its letters. @param {HTMLElement} equation */
function narrow(equation) {
  equation.style.removeProperty("font-size");
  for (let k = 0; k < 3 && equation.scrollWidth > equation.clientWidth; k++) {
    const share = (0.98 * equation.clientWidth) / equation.scrollWidth;
    equation.style.setProperty("font-size", `${share * Number.parseFloat(getComputedStyle(equation).fontSize)}px`);
  }
}

/** @param {HTMLElement} slide */
export function fitWords(slide) {
  const boxes = [slide, ...slide.querySelectorAll(".body, .words, .shown")];
  const equations = /** @type {NodeListOf<HTMLElement>} */ (slide.querySelectorAll(".equation"));
  for (const tight of [false, true]) {
    slide.dataset.tight = String(tight); // then what was asked is not repeated beside what was found
    for (const step of STEPS) {
      slide.style.setProperty("--fit", String(step));
      for (const equation of equations) narrow(equation);
      if (!boxes.some(over)) return;
    }
  }
}
