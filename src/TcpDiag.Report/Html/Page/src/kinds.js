/** Names and colours of what the graphs show. The numbers are those of MarkKind and LimitState. */
import { hatching } from "./hatching.js";

export const MARKS = [
  { name: "retransmission", colour: "--retransmission", letter: "R", group: "retransmissions" },
  { name: "fast retransmission", colour: "--fast", letter: "F", group: "retransmissions" },
  { name: "tail loss probe", colour: "--tlp", letter: "P", group: "retransmissions" },
  { name: "timeout", colour: "--timeout", letter: "T", group: "retransmissions" },
  { name: "lost retransmission", colour: "--lost", letter: "L", group: "retransmissions" },
  { name: "out of order", colour: "--late", letter: "O", group: "retransmissions" },
  { name: "zero-window probe", colour: "--probe", letter: "Z", group: "signals" },
  { name: "keep-alive", colour: "--probe", letter: "K", group: "signals" },
  { name: "SACK", colour: "--sack", group: "sacks" },
  { name: "DSACK", colour: "--dsack", group: "sacks" },
  { name: "duplicate ACK", colour: "--duplicate", group: "sacks" },
  { name: "zero window", colour: "--window", letter: "0", group: "signals" },
  { name: "SYN", colour: "--signal", letter: "S", group: "signals" },
  { name: "FIN", colour: "--signal", letter: "F", group: "signals" },
  { name: "RST", colour: "--timeout", letter: "X", group: "signals" },
  { name: "stack event", colour: "--event", group: "events" },
];

export const DUPLICATE_ACK = MARKS.findIndex((mark) => mark.name === "duplicate ACK");

/** Each state has a hatching of its own, so that they can be distinguished without colour. */
export const LIMITS = [
  { name: "application", colour: "--limit-application", hatch: "plain" },
  { name: "idle", colour: "--limit-idle", hatch: "dots" },
  { name: "send buffer", colour: "--limit-send-buffer", hatch: "falling" },
  { name: "congestion window", colour: "--limit-cwnd", hatch: "rising" },
  { name: "receive window", colour: "--limit-window", hatch: "rows" },
  { name: "pacing", colour: "--limit-pacing", hatch: "columns" },
  { name: "recovery", colour: "--limit-recovery", hatch: "crossed" },
  { name: "timeout", colour: "--limit-timeout", hatch: "grid" },
  { name: "reassembly", colour: "--limit-reassembly", hatch: "checks" },
  { name: "not judged", colour: "--limit-not-judged", hatch: "dashes" },
];

/** What the legend switches. */
export const GROUPS = [
  { group: "sent", name: "sent, in flight", colour: "--sent" },
  { group: "acked", name: "acknowledged", colour: "--acked" },
  { group: "window", name: "receive window", colour: "--window" },
  { group: "retransmissions", name: "sent again (hollow: needless)", colour: "--fast" },
  { group: "sacks", name: "SACK, DSACK", colour: "--sack" },
  { group: "duplicates", name: "duplicate ACKs per time", colour: "--duplicate" },
  { group: "signals", name: "SYN, FIN, RST, probes", colour: "--signal" },
  { group: "cwnd", name: "congestion window", colour: "--cwnd", stack: true },
  { group: "rtt", name: "RTT", colour: "--rtt" },
  { group: "goodput", name: "goodput", colour: "--sent" },
  { group: "delivery", name: "delivery rate", colour: "--acked" },
  { group: "events", name: "stack events", colour: "--event", stack: true },
];

/** Styles of the theme now in force: colours by the name of the style sheet's variable, and what marks and limits are filled with. */
export function styles() {
  const sheet = getComputedStyle(document.documentElement);
  const colour = (name) => sheet.getPropertyValue(name).trim();
  return {
    colour,
    marks: MARKS.map((mark) => ({ ...mark, fill: colour(mark.colour) })),
    limits: LIMITS.map(({ hatch, colour: name }) => hatching(hatch, colour(name), colour("--card"))),
  };
}

/** A sample of a colour or hatching, for a legend. */
export function swatch(fill) {
  const box = document.createElement("canvas");
  const ratio = devicePixelRatio;
  box.className = "swatch";
  box.ariaHidden = "true";
  box.width = 18 * ratio;
  box.height = 12 * ratio;
  const context = box.getContext("2d");
  context.fillStyle = fill;
  context.fillRect(0, 0, box.width, box.height);
  return box;
}
