/** The three graphs of one direction under one time axis, on uPlot: it draws axes, grid and cursor, we draw the rest. */
import uPlot from "uplot";
import { drawDots, drawEvents, drawLimits, drawMarks, drawPlaced, drawRate, drawSegments, drawSteps, extent } from "./draw.js";
import { DUPLICATE_ACK, LIMITS, MARKS, palette } from "./kinds.js";
import * as numbers from "./numbers.js";

const NARROW = 560;

/** Makes the graphs inside an element and keeps them at its width. */
export class Plots {
  #axis;
  #direction;
  #isShown;
  #plots = [];
  #element;
  #observer;
  #styles;

  /**
   * @param {HTMLElement} element where to
   * @param {TimeAxis} axis
   * @param {object} direction one direction of a timeline
   * @param {(group: string) => boolean} isShown whether a group of things is switched on
   * @param {(time: ?number) => void} onCursor told the instant under the pointer, null when it leaves
   */
  constructor(element, axis, direction, isShown, onCursor) {
    this.#element = element;
    this.#axis = axis;
    this.#direction = direction;
    this.#isShown = isShown;
    this.#readStyles();
    this.#plots = [
      this.#create("Bytes", 0, (plot) => this.#drawSequence(plot), onCursor),
      this.#create("Windows", 1, (plot) => this.#drawWindows(plot), onCursor),
      this.#create("Limits", 2, (plot) => this.#drawRibbon(plot), onCursor),
    ];
    this.#follow();
    axis.onChange(() => this.#follow());
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(element);
  }

  destroy() {
    this.#observer.disconnect();
    this.#plots.forEach((plot) => plot.destroy());
  }

  /** Draws everything again: other colours, or other things switched on. */
  redraw() {
    this.#readStyles();
    this.#follow();
  }

  #readStyles() {
    const colour = palette();
    this.#styles = {
      colour,
      marks: MARKS.map((mark) => ({ ...mark, fill: colour(mark.colour) })),
      limits: LIMITS.map((limit) => colour(limit.colour)),
    };
  }

  // What lies above the time axis, from the top, with its height.
  #lanes() {
    const { limits, sacks, stack } = this.#direction;
    return { events: stack?.events.length > 0 ? 12 : 0, duplicates: sacks.kind.includes(DUPLICATE_ACK) ? 18 : 0, limits: limits.length > 0 ? 26 : 0 };
  }

  #heights() {
    const ribbon = 38 + Object.values(this.#lanes()).reduce((sum, height) => sum + height, 0);
    return innerHeight < 700 ? [240, 150, ribbon] : [340, 200, ribbon];
  }

  get #isNarrow() {
    return this.#element.clientWidth < NARROW;
  }

  #create(name, row, draw, onCursor) {
    const plot = new uPlot(this.#options(name, row, draw, onCursor), [[this.#axis.min, this.#axis.max], [null, null]], this.#element);
    plot.root.classList.add(`plot-${name.toLowerCase()}`);
    plot.over.addEventListener("wheel", (event) => this.#onWheel(plot, event), { passive: false });
    return plot;
  }

  #options(name, row, draw, onCursor) {
    const fixed = { auto: false, range: [0, 1] }; // set in #follow, from what is visible
    const right = 56;
    return {
      width: Math.max(this.#element.clientWidth, 200),
      height: this.#heights()[row],
      scales: { x: { time: false, auto: false }, y: fixed, ...(name === "Windows" ? { rtt: fixed } : {}) },
      series: [{}, { scale: "y" }],
      axes: this.#axes(name, right),
      padding: [name === "Limits" ? 0 : 8, name === "Windows" ? 0 : right, 0, 0],
      legend: { show: false },
      cursor: {
        // The pointer shows in all graphs, but only the one it is in selects.
        sync: { key: "tcpdiag", scales: ["x", null], filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
        drag: { x: true, y: false, setScale: false },
        points: { show: false },
      },
      hooks: {
        draw: [draw],
        setSelect: [(plot) => this.#onSelect(plot)],
        setCursor: [(plot) => onCursor(plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, "x") : null)],
      },
    };
  }

  #axes(name, right) {
    const line = { stroke: () => this.#styles.colour("--muted"), grid: { stroke: () => this.#styles.colour("--grid"), width: 1 }, ticks: { show: false } };
    const size = this.#isNarrow ? 52 : 68;
    const isLast = name === "Limits";
    const time = { ...line, size: isLast ? 34 : 4, values: (_, splits) => (isLast ? numbers.steps(splits, (text) => `${text} s`) : splits.map(() => "")) };
    const left = { ...line, size, values: (_, splits) => (isLast ? splits.map(() => "") : numbers.byteSteps(splits)), grid: { ...line.grid, show: !isLast } };
    const rtt = { ...line, scale: "rtt", side: 1, size: right, grid: { show: false }, values: (_, splits) => splits.map((value) => numbers.duration(value)) };
    return name === "Windows" ? [time, left, rtt] : [time, left];
  }

  #sequenceRange() {
    const { sent, acked, windowEdge } = this.#direction;
    const { min, max } = this.#axis;
    const range = { min: Infinity, max: -Infinity };
    extent(sent, min, max, range);
    extent(acked, min, max, range);
    if (range.min > range.max) {
      return { min: 0, max: 1 };
    }
    const edge = extent(windowEdge, min, max, { min: Infinity, max: -Infinity });
    const height = Math.max(range.max - range.min, 1);

    // A window that leaves ample room would squeeze everything else to a line.
    if (this.#isShown("window") && edge.min < range.max + height / 2) {
      range.max = Math.max(range.max, Math.min(edge.max, range.max + height / 2));
    }
    const margin = Math.max(range.max - range.min, 1) * 0.06;
    return { min: range.min - margin, max: range.max + margin };
  }

  #bytesRange() {
    const { inFlight, receiveWindow, stack } = this.#direction;
    const { min, max } = this.#axis;
    const range = { min: 0, max: 0 };
    const tracks = [["inflight", inFlight], ["cwnd", stack?.cwnd]].filter(([group, track]) => track && this.#isShown(group));
    tracks.forEach(([, track]) => extent(track, min, max, range));
    const most = range.max;
    if (this.#isShown("window")) {
      extent(receiveWindow, min, max, range);
      range.max = most > 0 ? Math.min(range.max, most * 2) : range.max;
    }
    return { min: 0, max: Math.max(range.max, 1) * 1.08 };
  }

  #rttRange() {
    const { rtt, srtt, stack } = this.#direction;
    const range = { min: 0, max: 0 };
    [rtt, srtt, stack?.srtt].filter(Boolean).forEach((track) => extent(track, this.#axis.min, this.#axis.max, range));
    return { min: 0, max: (range.max || 0.001) * 1.08 };
  }

  #drawSequence(plot) {
    const { sent, acked, windowEdge, sacks, marks, stack } = this.#direction;
    const { colour, marks: styles } = this.#styles;
    clipped(plot, () => {
      if (this.#isShown("window")) {
        drawSteps(plot, windowEdge, "y", colour("--window"));
      }
      if (this.#isShown("sacks")) {
        drawMarks(plot, sacks, styles, this.#isShown);
      }
      if (this.#isShown("acked")) {
        drawSteps(plot, acked, "y", colour("--acked"));
      }
      if (this.#isShown("sent")) {
        drawSegments(plot, sent, colour("--sent"));
      }
      drawMarks(plot, marks, styles, this.#isShown);
      if (stack && this.#isShown("events")) {
        drawPlaced(plot, stack.events, colour("--event"));
      }
    });
  }

  #drawWindows(plot) {
    const { inFlight, receiveWindow, rtt, srtt, stack } = this.#direction;
    const { colour } = this.#styles;
    clipped(plot, () => {
      if (this.#isShown("rtt")) {
        drawDots(plot, rtt, "rtt", colour("--rtt-sample"));
        drawSteps(plot, stack?.srtt.length ? stack.srtt : srtt, "rtt", colour("--rtt"), 1.5);
      }
      if (this.#isShown("window")) {
        drawSteps(plot, receiveWindow, "y", colour("--window"), 1.5);
      }
      if (this.#isShown("inflight")) {
        drawSteps(plot, inFlight, "y", colour("--sent"));
      }
      if (stack && this.#isShown("cwnd")) {
        drawSteps(plot, stack.ssthresh, "y", colour("--ssthresh"));
        drawSteps(plot, stack.cwnd, "y", colour("--cwnd"), 1.75);
      }
    });
  }

  #drawRibbon(plot) {
    const { limits, sacks, stack } = this.#direction;
    const { top, height } = plot.bbox;
    const lanes = this.#lanes();
    const unit = height / Math.max(lanes.events + lanes.duplicates + lanes.limits, 1);
    clipped(plot, () => {
      if (lanes.events > 0 && this.#isShown("events")) {
        drawEvents(plot, stack.events, this.#styles.colour("--event"), top, lanes.events * unit * 0.8);
      }
      if (lanes.duplicates > 0 && this.#isShown("duplicates")) {
        drawRate(plot, sacks, DUPLICATE_ACK, this.#styles.colour("--acked"), top + lanes.events * unit, lanes.duplicates * unit * 0.9);
      }
      drawLimits(plot, limits, this.#styles.limits, top + (lanes.events + lanes.duplicates) * unit, lanes.limits * unit);
    });
  }

  #follow() {
    const { min, max } = this.#axis;
    const ranges = [{ y: this.#sequenceRange() }, { y: this.#bytesRange(), rtt: this.#rttRange() }, { y: { min: 0, max: 1 } }];
    this.#plots.forEach((plot, i) =>
      plot.batch(() => {
        plot.setScale("x", { min, max });
        Object.entries(ranges[i]).forEach(([scale, range]) => plot.setScale(scale, range));
      }),
    );
  }

  #resize() {
    const width = Math.max(this.#element.clientWidth, 200);
    this.#plots.forEach((plot, i) => {
      if (plot.width !== width) {
        plot.setSize({ width, height: this.#heights()[i] });
      }
    });
  }

  #onSelect(plot) {
    const { left, width } = plot.select;
    if (width > 3) {
      plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      this.#axis.show(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
    }
  }

  // The page scrolls by the wheel; graphs zoom by it once they have the focus, or with Ctrl.
  #onWheel(plot, event) {
    const hasFocus = this.#element.contains(document.activeElement);
    if (!event.ctrlKey && !hasFocus) {
      return;
    }
    event.preventDefault();
    const at = plot.posToVal(event.clientX - plot.rect.left, "x");
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.#axis.pan(event.deltaX / 600);
    } else {
      this.#axis.zoom(event.deltaY > 0 ? 1.25 : 0.8, at);
    }
  }
}

function clipped(plot, draw) {
  const { left, top, width, height } = plot.bbox;
  plot.ctx.save();
  plot.ctx.beginPath();
  plot.ctx.rect(left, top, width, height);
  plot.ctx.clip();
  draw();
  plot.ctx.restore();
}
