/** The graphs of one direction under one time axis, on uPlot: it draws axes, grid and cursor, we draw the rest. */
import uPlot from "uplot";
import { saveCsv, savePng } from "./download.js";
import { element } from "./elements.js";
import { drawGraph, GRAPHS, ratesOf } from "./graphs.js";
import { styles } from "./kinds.js";
import * as numbers from "./numbers.js";

const NARROW = 560;
const LABEL = 18; // height of an axis' name, CSS pixels

/** Makes the graphs inside an element and keeps them at its width. */
export class Plots {
  #element;
  #axis;
  #view;
  #graphs = [];
  #observer;
  #width = null;
  #unfollow;

  /**
   * @param {HTMLElement} root where to
   * @param {TimeAxis} axis
   * @param {object} view what all graphs share: the name of what is shown, the direction's data, what is switched on, the place that was opened
   * @param {(time: ?number) => void} onCursor told the instant under the pointer, null when it leaves
   */
  constructor(root, axis, view, onCursor) {
    this.#element = root;
    this.#axis = axis;
    this.#view = view;
    view.axis = axis;
    view.styles = styles();
    view.rates = ratesOf(view);
    this.#graphs = GRAPHS.map((graph) => this.#create(graph, onCursor));
    this.#follow();
    this.#unfollow = axis.onChange(() => this.#follow());
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(root);
  }

  destroy() {
    this.#unfollow();
    this.#observer.disconnect();
    this.#graphs.forEach(({ plot }) => plot.destroy());
  }

  /** Draws everything again: other colours, or other things switched on. */
  redraw() {
    this.#view.styles = styles();
    this.#follow();
  }

  /** Gives the graphs a width whatever room there is, CSS pixels; null for the width there is. */
  setWidth(width) {
    this.#width = width;
    this.#resize();
  }

  get #room() {
    return Math.max(this.#width ?? this.#element.clientWidth, 200);
  }

  get #isNarrow() {
    return this.#room < NARROW;
  }

  #heightOf(graph) {
    return graph.height?.(this.#view) ?? (innerHeight < 700 ? graph.heights.low : graph.heights.tall) + (this.#isNarrow ? 0 : LABEL);
  }

  #create(graph, onCursor) {
    const note = element("span", { className: "note" });
    const save = (text, what, act) => element("button", { type: "button", title: what, ariaLabel: `${text}: ${what}, ${graph.title}`, onclick: act }, text);
    const canvas = element("div", { className: "canvas" });
    const caption = element("figcaption", {}, [
      element("strong", {}, graph.title),
      note,
      element("span", { className: "saves" }, [
        save("PNG", "save as an image", () => savePng(graph, plot, this.#view)),
        save("CSV", "save what is in view as numbers", () => saveCsv(graph, this.#view)),
      ]),
    ]);
    this.#element.append(element("figure", { className: `graph plot-${graph.key}` }, [caption, canvas]));
    const plot = new uPlot(this.#options(graph, onCursor), [[this.#axis.min, this.#axis.max], [null, null]], canvas);
    plot.over.addEventListener("wheel", (event) => this.#onWheel(plot, event), { passive: false });
    return { graph, plot, note };
  }

  #options(graph, onCursor) {
    const fixed = { auto: false, range: [0, 1] }; // set in #follow, from what is visible
    const right = 56 + (this.#isNarrow ? 0 : LABEL);
    return {
      width: this.#room,
      height: this.#heightOf(graph),
      scales: { x: { time: false, auto: false }, y: fixed, ...(graph.right ? { [graph.right.scale]: fixed } : {}) },
      series: [{}, { scale: "y" }],
      axes: this.#axes(graph, right),
      padding: [6, graph.right ? 0 : right, 0, 0],
      legend: { show: false },
      cursor: {
        // The pointer shows in all graphs, but only the one it is in selects.
        sync: { key: "tcpdiag", scales: ["x", null], filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
        drag: { x: true, y: false, setScale: false },
        points: { show: false },
      },
      hooks: {
        draw: [(plot) => drawGraph(graph, plot, this.#view)],
        setSelect: [(plot) => this.#onSelect(plot)],
        setCursor: [(plot) => onCursor(plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, "x") : null)],
      },
    };
  }

  // All graphs leave the same room on both sides, so that an instant is in one line.
  #axes(graph, right) {
    const colour = (name) => () => this.#view.styles.colour(name);
    const line = { stroke: colour("--muted"), grid: { stroke: colour("--grid"), width: 1 }, ticks: { show: false }, labelGap: 0 };
    const named = (label, size) => (this.#isNarrow ? { size } : { label, labelSize: LABEL, labelFont: "12px system-ui, sans-serif", size });
    const time = { ...line, ...named("time in the trace (s)", 28), values: (_, splits) => numbers.steps(splits, (text) => `${text} s`) };
    const left = {
      ...line,
      ...named(graph.label, this.#isNarrow ? 66 : 72),
      values: (_, splits) => graph.values(splits),
      grid: { ...line.grid, show: graph.label !== "" },
    };
    if (!graph.right) {
      return [time, left];
    }
    const other = {
      ...line,
      ...named(graph.right.label, this.#isNarrow ? right : right - LABEL),
      scale: graph.right.scale,
      side: 1,
      grid: { show: false },
      values: (_, splits) => graph.right.values(splits),
    };
    return [time, left, other];
  }

  #follow() {
    const { min, max } = this.#axis;
    this.#view.rates = ratesOf(this.#view);
    for (const { graph, plot, note } of this.#graphs) {
      note.textContent = graph.note(this.#view);
      plot.batch(() => {
        plot.setScale("x", { min, max });
        Object.entries(graph.ranges(this.#view)).forEach(([scale, range]) => plot.setScale(scale, range));
      });
    }
  }

  #resize() {
    const width = this.#room;
    for (const { graph, plot } of this.#graphs) {
      if (plot.width !== width) {
        plot.setSize({ width, height: this.#heightOf(graph) });
      }
    }
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
    const hasFocus = this.#element.contains(document.activeElement) || this.#element.parentElement === document.activeElement;
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
