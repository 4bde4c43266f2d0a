/** The keys of the page, as the page documents them. */
import { element } from "./elements.js";

const KEYS = [
  ["n, p", "in the graphs: to the next or previous repair or signal; at first to the first or last one in view"],
  ["\u2190 \u2192", "in the graphs: earlier, later"],
  ["\u2191 \u2193, + \u2212, wheel", "in the graphs: nearer, farther"],
  ["0, Home", "in the graphs: the whole connection"],
  ["drag, double-click", "in the graphs: nearer to a stretch of time; the whole connection"],
  ["\u2191 \u2193, Page, Home, End", "in the table: choose a connection"],
  ["Enter", "in the table: its graphs"],
  ["Tab", "from part to part; graphs and table need the focus for their keys"],
];

/** @returns {HTMLElement} all keys, folded away */
export function keysHint() {
  const named = (keys) => keys.split(", ").flatMap((key, i) => [...(i > 0 ? [", "] : []), element("kbd", {}, key)]);
  const entries = KEYS.flatMap(([keys, effect]) => [element("dt", {}, named(keys)), element("dd", {}, effect)]);
  return element("details", { className: "keys" }, [element("summary", {}, "Keys and mouse"), element("dl", {}, entries)]);
}
