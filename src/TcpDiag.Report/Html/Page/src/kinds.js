/** Names and colours of what the graphs show. The numbers are those of MarkKind and LimitState. */

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
  { name: "duplicate ACK", colour: "--acked", group: "sacks" },
  { name: "zero window", colour: "--window", letter: "0", group: "signals" },
  { name: "SYN", colour: "--signal", letter: "S", group: "signals" },
  { name: "FIN", colour: "--signal", letter: "F", group: "signals" },
  { name: "RST", colour: "--timeout", letter: "X", group: "signals" },
  { name: "stack event", colour: "--event", group: "events" },
];

export const DUPLICATE_ACK = MARKS.findIndex((mark) => mark.name === "duplicate ACK");

export const LIMITS = [
  { name: "application", colour: "--limit-application" },
  { name: "idle", colour: "--limit-idle" },
  { name: "send buffer", colour: "--limit-send-buffer" },
  { name: "congestion window", colour: "--limit-cwnd" },
  { name: "receive window", colour: "--limit-window" },
  { name: "pacing", colour: "--limit-pacing" },
  { name: "recovery", colour: "--limit-recovery" },
  { name: "timeout", colour: "--limit-timeout" },
  { name: "reassembly", colour: "--limit-reassembly" },
  { name: "not judged", colour: "--limit-not-judged" },
];

/** Colours of the theme now in force, by the name of the style sheet's variable. */
export function palette() {
  const style = getComputedStyle(document.documentElement);
  return (name) => style.getPropertyValue(name).trim();
}
