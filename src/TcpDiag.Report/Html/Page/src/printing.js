/** On paper everything that is folded away on the screen is read too, and the graphs fit its width. */

const PAPER_WIDTH = 700; // CSS pixels: A4 between usual margins, at 96 a inch

/** @param {() => ?object} panel of the connection whose graphs are open */
export function preparePrinting(panel) {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open]):not(.keys)")];
    opened.forEach((details) => (details.open = true));
    panel()?.setWidth(PAPER_WIDTH);
  });
  addEventListener("afterprint", () => {
    opened.forEach((details) => (details.open = false));
    panel()?.setWidth(null);
  });
}
