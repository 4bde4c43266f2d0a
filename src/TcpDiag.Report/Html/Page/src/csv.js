/** The graphs as numbers: comma-separated values of what is in view. Everything in them is a number or a name of ours. */
import { visible } from "./draw.js";
import { LIMITS, MARKS } from "./kinds.js";

const seconds = (value) => value.toFixed(6);
const whole = (value) => String(Math.round(value));
const eventName = (event) => document.body.dataset.events.split(" ")[event];

// What touches the visible stretch, without the neighbours that only lead into it; begin and end stand first.
function within({ min, max }, items, cells) {
  const rows = [];
  const [from, to] = visible(items, min, max);
  for (let i = from; i < to; i++) {
    const until = items.until?.[i] ?? items.time[i];
    if (items.time[i] <= max && until >= min) {
      rows.push([seconds(items.time[i]), seconds(until), ...cells(i)]);
    }
  }
  return rows;
}

function ofBytes({ axis, direction }) {
  const track = (what, values) => within(axis, values, (i) => [what, whole(values.first[i]), whole(values.last[i]), "", "", ""]);
  const marks = (list) =>
    within(axis, list, (i) => [MARKS[list.kind[i]].name, whole(list.from[i]), whole(list.to[i]), list.count[i], list.needless[i], list.packet[i]]);
  return [
    ["time_s", "until_s", "what", "first_byte", "last_byte", "count", "needless", "packet"],
    ...track("sent", direction.sent),
    ...track("acknowledged", direction.acked),
    ...track("edge of the receive window", direction.windowEdge),
    ...marks(direction.marks),
    ...marks(direction.sacks),
  ];
}

function ofWindows({ axis, direction }) {
  const { inFlight, receiveWindow, rtt, srtt, stack } = direction;
  const track = (what, unit, values, show) =>
    within(axis, values, (i) => [what, unit, show(values.first[i]), show(values.min[i]), show(values.max[i]), show(values.last[i])]);
  const ofStack = () => [
    ...track("cwnd", "bytes", stack.cwnd, whole),
    ...track("ssthresh", "bytes", stack.ssthresh, whole),
    ...track("SRTT of the stack", "s", stack.srtt, seconds),
  ];
  return [
    ["time_s", "until_s", "what", "unit", "first", "min", "max", "last"],
    ...track("in flight", "bytes", inFlight, whole),
    ...track("receive window", "bytes", receiveWindow, whole),
    ...track("RTT", "s", rtt, seconds),
    ...track("SRTT", "s", srtt, seconds),
    ...(stack ? ofStack() : []),
  ];
}

function ofRates({ rates: { step, goodput, delivery } }) {
  const begin = (k) => goodput.from + k * step;
  const known = (value) => (Number.isNaN(value) ? "" : whole(value));
  const rows = [...goodput.values].map((value, k) => [seconds(begin(k)), seconds(begin(k + 1)), known(value), known(delivery.values[k])]);
  return [["from_s", "until_s", "goodput_bit_per_s", "delivery_rate_bit_per_s"], ...rows.filter((row) => row[2] !== "" || row[3] !== "")];
}

function ofLimits({ axis, direction }) {
  const { limits, stack } = direction;
  return [
    ["from_s", "until_s", "what", "name"],
    ...within(axis, limits, (i) => ["limit", LIMITS[limits.state[i]].name]),
    ...(stack ? within(axis, stack.events, (i) => ["event", eventName(stack.events.event[i])]) : []),
  ];
}

const TABLES = { bytes: ofBytes, windows: ofWindows, rates: ofRates, limits: ofLimits };

/** @returns {string} the table of a graph; lines end as RFC 4180 has it */
export const csvOf = (graph, view) => TABLES[graph.key](view).map((row) => `${row.join(",")}\r\n`).join("");
