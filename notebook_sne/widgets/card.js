// The card: what is known of the object under the pointer.

import { make } from "./elements.js";
import { digits, toPixel } from "./window.js";

export class Card {
  /** @param {any} hub @param {any} objects  names, classes, class names and values */
  constructor(hub, objects) {
    this.hub = hub;
    this.objects = objects;
    this.element = make("div", { class: "nsne-card", "data-part": "card", hidden: "" });
    this.index = -1;
  }

  hide() {
    this.index = -1;
    this.element.hidden = true;
  }

  /** Show object `index` beside its point; -1 hides the card. */
  show(index, window, [width, height]) {
    if (index < 0) return this.hide();
    const hidden = this.hub.model.get("hide_labels");
    if (index !== this.index || hidden !== this.hidden) this.fill(index, hidden);
    const { element } = this;
    element.hidden = false;
    const { points } = this.hub;
    const [x, y] = toPixel(window, points[2 * index], points[2 * index + 1], width, height);
    const within = (at, room) => `${Math.min(Math.max(at + 14, 4), Math.max(room - 4, 4))}px`;
    element.style.left = within(x, width - element.offsetWidth);
    element.style.top = within(y, height - element.offsetHeight);
  }

  fill(index, hidden) {
    const { names, classes, classNames, values } = this.objects;
    const rows = [];
    if (names[index] !== undefined) rows.push(make("strong", {}, names[index]));
    if (classes && !hidden) rows.push(make("span", {}, classNames[classes[index]]));
    if (values && !hidden) rows.push(make("span", {}, digits(values[index])));
    rows.push(make("small", {}, `object ${index}`));
    this.index = index;
    this.hidden = hidden;
    if (this.hub.model.get("has_images")) {
      this.thumbnail = make("canvas", { class: "nsne-thumbnail" });
      rows.unshift(this.thumbnail);
      this.image(index);
    }
    this.element.replaceChildren(...rows);
  }

  /** Draw the image of an object, if it is the one shown; ask the kernel for it if it is not here yet. */
  image(index) {
    if (index !== this.index || !this.thumbnail) return;
    const image = this.hub.images.get(index);
    if (!image) return this.hub.ask(index);
    const { width, height, pixels } = image;
    Object.assign(this.thumbnail, { width, height });
    const data = new ImageData(width, height);
    for (let i = 0; i < pixels.length; i++) data.data.set([pixels[i], pixels[i], pixels[i], 255], 4 * i);
    this.thumbnail.getContext("2d").putImageData(data, 0, 0);
  }
}
