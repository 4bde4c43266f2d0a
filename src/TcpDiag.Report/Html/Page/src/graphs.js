/**
 * The graphs of one direction under one time axis: what each is called, its axes, and what it draws. A view is what they share: the direction's data, the axis,
 * styles, what is switched on, the rates in view, and the place that was opened.
 */
import { drawAverages, drawBand, drawBeyond, drawDots, drawEvents, drawLimits, drawMarks, drawPlaced, drawRate, drawSegments } from "./draw.js";
import { drawSteps, extent } from "./draw.js";
import { DUPLICATE_ACK } from "./kinds.js";
import * as numbers from "./numbers.js";
import { rates, stepOf } from "./rates.js";

const DASHED = { dash: [6, 3] };

/** Goodput and delivery rate in what is in view. */
export function ratesOf({ direction, axis }) {
  const rtt = direction.rtt.min.reduce((least, sample) => Math.min(least, sample), Infinity);
  const step = stepOf(axis, Number.isFinite(rtt) ? rtt : 0);
  return { step, goodput: rates(direction.sent, axis, step), delivery: rates(direction.delivered, axis, step) };
}

const bytes = {
  key: "bytes",
  shows: ["sent", "acked", "window", "retransmissions", "sacks", "signals", "events"],
  title: "Bytes over time",
  note: () => "counted from the initial sequence number",
  label: "sequence (bytes)",
  heights: { tall: 340, low: 240 },
  values: numbers.byteSteps,
  ranges: (view) => ({ y: sequenceRange(view) }),
  draw(plot, view) {
    const { sent, acked, windowEdge, receiveWindow, sacks, marks, stack } = view.direction;
    const { colour, marks: styles } = view.styles;
    if (view.isShown("window")) {
      drawSteps(plot, windowEdge, "y", colour("--window"));
    }
    if (view.isShown("sacks")) {
      drawMarks(plot, sacks, styles, view.isShown);
    }
    if (view.isShown("acked")) {
      drawSteps(plot, acked, "y", colour("--acked"));
    }
    if (view.isShown("sent")) {
      drawSegments(plot, sent, colour("--sent"));
    }
    drawMarks(plot, marks, styles, view.isShown);
    if (stack && view.isShown("events")) {
      drawPlaced(plot, stack.events, colour("--event"));
    }
    drawWindowBeyond(plot, view, windowEdge, receiveWindow);
  },
};

const windows = {
  key: "windows",
  shows: ["sent", "window", "cwnd", "rtt"],
  title: "Windows and RTT",
  note: () => "bytes on the left, round-trip time (dashed: smoothed) on the right",
  label: "window (bytes)",
  right: { scale: "rtt", label: "RTT", values: (splits) => splits.map((value) => numbers.duration(value)) },
  heights: { tall: 200, low: 150 },
  values: numbers.byteSteps,
  ranges: (view) => ({ y: bytesRange(view), rtt: rttRange(view) }),
  draw(plot, view) {
    const { inFlight, receiveWindow, rtt, srtt, stack } = view.direction;
    const { colour } = view.styles;
    if (view.isShown("rtt")) {
      drawDots(plot, rtt, "rtt", colour("--rtt-sample"));
      drawSteps(plot, stack?.srtt.length ? stack.srtt : srtt, "rtt", colour("--rtt"), { width: 1.5, ...DASHED });
    }
    if (view.isShown("window")) {
      drawSteps(plot, receiveWindow, "y", colour("--window"), { width: 1.5 });
    }
    if (view.isShown("sent")) {
      drawSteps(plot, inFlight, "y", colour("--sent"));
    }
    if (stack && view.isShown("cwnd")) {
      drawSteps(plot, stack.ssthresh, "y", colour("--ssthresh"), DASHED);
      drawSteps(plot, stack.cwnd, "y", colour("--cwnd"), { width: 1.75 });
    }
    drawWindowBeyond(plot, view, receiveWindow, receiveWindow);
  },
};

const rate = {
  key: "rates",
  shows: ["goodput", "delivery"],
  title: "Rates",
  note: (view) => `goodput, and delivery rate (dashed), averages over ${numbers.duration(view.rates.step)}`,
  label: "rate (bit/s)",
  heights: { tall: 160, low: 130 },
  values: numbers.rateSteps,
  ranges(view) {
    const { goodput, delivery } = view.rates;
    const shown = [view.isShown("goodput") ? goodput.values : [], view.isShown("delivery") ? delivery.values : []];
    const most = shown.flatMap((values) => [...values]).reduce((max, value) => (value > max ? value : max), 0);
    return { y: { min: 0, max: (most || 1) * 1.08 } };
  },
  draw(plot, view) {
    const { goodput, delivery } = view.rates;
    if (view.isShown("goodput")) {
      drawAverages(plot, goodput, view.styles.colour("--sent"));
    }
    if (view.isShown("delivery")) {
      drawAverages(plot, delivery, view.styles.colour("--acked"), DASHED);
    }
  },
};

const limits = {
  key: "limits",
  shows: ["duplicates", "events"],
  title: "What limited the sender",
  note: () => "",
  label: "",
  height: (view) => 40 + Object.values(lanes(view.direction)).reduce((sum, height) => sum + height, 0),
  values: (splits) => splits.map(() => ""),
  ranges: () => ({ y: { min: 0, max: 1 } }),
  draw(plot, view) {
    const { limits: states, sacks, stack } = view.direction;
    const { top, height } = plot.bbox;
    const lane = lanes(view.direction);
    const unit = height / Math.max(lane.events + lane.duplicates + lane.limits, 1);
    if (lane.events > 0 && view.isShown("events")) {
      drawEvents(plot, stack.events, view.styles.colour("--event"), top, lane.events * unit * 0.8);
    }
    if (lane.duplicates > 0 && view.isShown("duplicates")) {
      drawRate(plot, sacks, DUPLICATE_ACK, view.styles.colour("--duplicate"), top + lane.events * unit, lane.duplicates * unit * 0.9);
    }
    drawLimits(plot, states, view.styles.limits, top + (lane.events + lane.duplicates) * unit, lane.limits * unit);
  },
  /** Names of what lies above each other, left of the graph. */
  drawOutside(plot, view) {
    const { left, top, height } = plot.bbox;
    const lane = lanes(view.direction);
    const unit = height / Math.max(lane.events + lane.duplicates + lane.limits, 1);
    const names = { events: "events", duplicates: "dup. ACKs", limits: "limit" };
    plot.ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    plot.ctx.textAlign = "right";
    plot.ctx.textBaseline = "middle";
    plot.ctx.fillStyle = view.styles.colour("--muted");
    let at = top;
    for (const [key, part] of Object.entries(lane)) {
      if (part > 0) {
        plot.ctx.fillText(names[key], left - 6 * devicePixelRatio, at + (part * unit) / 2);
      }
      at += part * unit;
    }
    plot.ctx.textBaseline = "alphabetic";
  },
};

/** From the top. */
export const GRAPHS = [bytes, windows, rate, limits];

/** Draws a graph; nothing lies outside its frame. */
export function drawGraph(graph, plot, view) {
  const { left, top, width, height } = plot.bbox;
  graph.drawOutside?.(plot, view);
  plot.ctx.save();
  plot.ctx.beginPath();
  plot.ctx.rect(left, top, width, height);
  plot.ctx.clip();
  if (view.band) {
    drawBand(plot, view.band, view.styles.colour("--band"));
  }
  graph.draw(plot, view);
  plot.ctx.restore();
}

// What lies above the time axis, from the top, with its height.
function lanes({ limits: states, sacks, stack }) {
  return { events: stack?.events.length > 0 ? 14 : 0, duplicates: sacks.kind.includes(DUPLICATE_ACK) ? 18 : 0, limits: states.length > 0 ? 26 : 0 };
}

function drawWindowBeyond(plot, view, line, receiveWindow) {
  const { min, max } = view.axis;
  const highest = extent(line, min, max, { min: Infinity, max: -Infinity });
  if (view.isShown("window") && highest.max > plot.scales.y.max) {
    const most = extent(receiveWindow, min, max, { min: Infinity, max: -Infinity }).max;
    drawBeyond(plot, `receive window of up to ${numbers.bytes(most)}`, view.styles.colour("--window"), view.styles.colour("--card"));
  }
}

function sequenceRange({ direction, axis, isShown }) {
  const { sent, acked, windowEdge } = direction;
  const { min, max } = axis;
  const range = { min: Infinity, max: -Infinity };
  extent(sent, min, max, range);
  extent(acked, min, max, range);
  if (range.min > range.max) {
    return { min: 0, max: 1 };
  }
  const edge = extent(windowEdge, min, max, { min: Infinity, max: -Infinity });
  const height = Math.max(range.max - range.min, 1);

  // A window that leaves ample room would squeeze everything else to a line.
  if (isShown("window") && edge.min < range.max + height / 2) {
    range.max = Math.max(range.max, Math.min(edge.max, range.max + height / 2));
  }
  const margin = Math.max(range.max - range.min, 1) * 0.06;
  return { min: range.min - margin, max: range.max + margin };
}

function bytesRange({ direction, axis, isShown }) {
  const { inFlight, receiveWindow, stack } = direction;
  const { min, max } = axis;
  const range = { min: 0, max: 0 };
  const tracks = [["sent", inFlight], ["cwnd", stack?.cwnd]].filter(([group, track]) => track && isShown(group));
  tracks.forEach(([, track]) => extent(track, min, max, range));
  const most = range.max;
  if (isShown("window")) {
    extent(receiveWindow, min, max, range);
    range.max = most > 0 ? Math.min(range.max, most * 2) : range.max;
  }
  return { min: 0, max: Math.max(range.max, 1) * 1.08 };
}

function rttRange({ direction, axis }) {
  const { rtt, srtt, stack } = direction;
  const range = { min: 0, max: 0 };
  [rtt, srtt, stack?.srtt].filter(Boolean).forEach((track) => extent(track, axis.min, axis.max, range));
  return { min: 0, max: (range.max || 0.001) * 1.08 };
}
