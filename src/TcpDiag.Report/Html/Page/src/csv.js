/** The graphs as numbers: comma-separated values of what is in view. Everything in them is a number or a name of ours. */
import { visible } from "./draw.js";
import { LIMITS, MARKS } from "./kinds.js";

const seconds = (value) => value.toFixed(6);
const whole = (value) => String(Math.round(value));

// What touches the visible stretch, without the neighbours that only lead into it.
function within({ min, max }, items, row) {
  const rows = [];
  const [from, to] = visible(items, min, max);
  for (let i = from; i < to; i++) {
    if (items.time[i] <= max && (items.until?.[i] ?? items.time[i]) >= min) {
      rows.push(row(i));
    }
  }
  return rows;
}

const eventName = (event) => document.body.dataset.events.split(" ")[event];

function ofBytes({ axis, direction }) {
  const range = (what, track) => within(axis, track, (i) => [seconds(track.time[i]), seconds(track.until[i]), what, whole(track.first[i]), whole(track.last[i]), "", "", ""]);
  const marks = (list, name) =>
    within(axis, list, (i) => [seconds(list.time[i]), seconds(list.time[i]), name(i), whole(list.from[i]), whole(list.to[i]), list.count[i], list.needless[i], list.packet[i] || ""]);
  const { sent, acked, windowEdge, marks: repairs, sacks } = direction;
  return [
    ["time_s", "until_s", "what", "first_byte", "last_byte", "count", "needless", "packet"],
    ...range("sent", sent),
    ...range("acknowledged", acked),
    ...range("edge of the receive window", windowEdge),
    ...marks(repairs, (i) => MARKS[repairs.kind[i]].name),
    ...marks(sacks, (i) => MARKS[sacks.kind[i]].name),
  ];
}

function ofWindows({ axis, direction }) {
  const { inFlight, receiveWindow, rtt, srtt, stack } = direction;
  const track = (what, unit, values, show) =>
    within(axis, values, (i) => [seconds(values.time[i]), seconds(values.until[i]), what, unit, show(values.first[i]), show(values.min[i]), show(values.max[i]), show(values.last[i])]);
  return [
    ["time_s", "until_s", "what", "unit", "first", "min", "max", "last"],
    ...track("in flight", "bytes", inFlight, whole),
    ...track("receive window", "bytes", receiveWindow, whole),
    ...track("RTT", "s", rtt, seconds),
    ...track("SRTT", "s", srtt, seconds),
    ...(stack ? [...track("cwnd", "bytes", stack.cwnd, whole), ...track("ssthresh", "bytes", stack.ssthresh, whole), ...track("SRTT of the stack", "s", stack.srtt, seconds)] : []),
  ];
}

function ofRates({ rates: { step, goodput, delivery } }) {
  const known = (value) => (Number.isNaN(value) ? "" : whole(value));
  const rows = [...goodput.values].map((value, k) => [seconds(goodput.from + k * step), seconds(goodput.from + (k + 1) * step), known(value), known(delivery.values[k])]);
  return [["from_s", "until_s", "goodput_bit_per_s", "delivery_rate_bit_per_s"], ...rows.filter((row) => row[2] !== "" || row[3] !== "")];
}

function ofLimits({ axis, direction }) {
  const { limits, stack } = direction;
  const states = within(axis, limits, (i) => [seconds(limits.time[i]), seconds(limits.until[i]), "limit", LIMITS[limits.state[i]].name]);
  const events = stack ? within(axis, stack.events, (i) => [seconds(stack.events.time[i]), seconds(stack.events.time[i]), "event", eventName(stack.events.event[i])]) : [];
  return [["from_s", "until_s", "what", "name"], ...states, ...events];
}

const TABLES = { bytes: ofBytes, windows: ofWindows, rates: ofRates, limits: ofLimits };

/** @returns {string} the table of a graph; lines end as RFC 4180 has it */
export const csvOf = (graph, view) => TABLES[graph.key](view).map((row) => `${row.join(",")}\r\n`).join("");
