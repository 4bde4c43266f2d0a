/** The stretch of time all graphs of a connection show together. */
export class TimeAxis {
  #whole;
  #listeners = [];

  /** @param {number} from seconds @param {number} to seconds */
  constructor(from, to) {
    this.#whole = [from, Math.max(to, from + 1e-6)];
    [this.min, this.max] = this.#whole;
  }

  get isWhole() {
    return this.min === this.#whole[0] && this.max === this.#whole[1];
  }

  /** @param {() => void} listener told of every change @returns {() => void} ends that */
  onChange(listener) {
    this.#listeners.push(listener);
    return () => this.#listeners.splice(this.#listeners.indexOf(listener), 1);
  }

  /** Length of the whole, seconds. */
  get length() {
    return this.#whole[1] - this.#whole[0];
  }

  /** Shows a stretch; what lies outside the connection's life is cut off. */
  show(min, max) {
    const [from, to] = this.#whole;
    const width = Math.min(Math.max(max - min, 2e-6), to - from);
    const start = Math.min(Math.max(min, from), to - width);
    this.min = start;
    this.max = start + width;
    for (const listener of this.#listeners) {
      listener();
    }
  }

  showWhole() {
    this.show(...this.#whole);
  }

  /** @param {number} factor below 1 to come nearer @param {number} at the instant that stays where it is */
  zoom(factor, at = (this.min + this.max) / 2) {
    this.show(at - (at - this.min) * factor, at + (this.max - at) * factor);
  }

  /** @param {number} share of the visible stretch, negative to the left */
  pan(share) {
    const step = (this.max - this.min) * share;
    this.show(this.min + step, this.max + step);
  }
}
