/** The panel of one connection: its graphs, what they show, and how to move in them. */
import { firstAfter } from "./draw.js";
import { element } from "./elements.js";
import { keysHint } from "./keys.js";
import { DUPLICATE_ACK, GROUPS, LIMITS, MARKS, styles, swatch } from "./kinds.js";
import * as numbers from "./numbers.js";
import { Plots } from "./plots.js";
import { TimeAxis } from "./timeaxis.js";

const KEYS = {
  ArrowLeft: (axis) => axis.pan(-0.2),
  ArrowRight: (axis) => axis.pan(0.2),
  ArrowUp: (axis) => axis.zoom(0.5),
  ArrowDown: (axis) => axis.zoom(2),
  "+": (axis) => axis.zoom(0.5),
  "=": (axis) => axis.zoom(0.5),
  "-": (axis) => axis.zoom(2),
  0: (axis) => axis.showWhole(),
  Home: (axis) => axis.showWhole(),
};

export class ConnectionPanel {
  #root;
  #rows;
  #index;
  #timeline;
  #axis;
  #plots = null;
  #view = null;
  #hidden = new Set();
  #visited = null;
  #parts;

  /**
   * @param {HTMLElement} root emptied and filled
   * @param {object} rows the connections
   * @param {number} index which of them
   * @param {object} timeline its decoded timeline
   */
  constructor(root, rows, index, timeline) {
    this.#root = root;
    this.#rows = rows;
    this.#index = index;
    this.#timeline = timeline;
    this.#axis = new TimeAxis(...lifetime(rows, index, timeline));
    this.#axis.onChange(() => this.#onAxis());
    this.#build();
    this.showDirection(rows.up[index] >= rows.down[index] ? "fromClient" : "fromServer");
  }

  destroy() {
    this.#plots?.destroy();
    this.#root.replaceChildren();
  }

  redraw() {
    this.#plots.redraw();
    this.#drawLegends();
  }

  /** Shows what one end sent. @param {"fromClient"|"fromServer"} name */
  showDirection(name) {
    for (const button of this.#parts.directions.children) {
      button.setAttribute("aria-pressed", String(button.value === name));
    }
    this.#visited = null;
    this.#plots?.destroy();
    this.#parts.plots.replaceChildren();
    const { client, server } = this.#rows;
    const ends = [client[this.#index], server[this.#index]];
    this.#view = {
      title: `#${this.#index} ${(name === "fromClient" ? ends : ends.reverse()).join(" \u2192 ")}`,
      file: `${this.#index}-${name === "fromClient" ? "client" : "server"}`,
      direction: this.#timeline[name],
      isShown: (group) => !this.#hidden.has(group),
      band: null,
    };
    this.#plots = new Plots(this.#parts.plots, this.#axis, this.#view, (time) => this.#onCursor(time));
    this.#drawLegends();
    this.#onAxis();
  }

  /** Shows a stretch of time with a margin, and marks it. */
  show(from, to) {
    const margin = Math.max((to - from) * 0.25, this.#axis.length / 50);
    this.#view.band = { from, to };
    this.#axis.show(from - margin, to + margin);
  }

  /** Gives the graphs a width for paper; null for that of the window. */
  setWidth(width) {
    this.#plots.setWidth(width);
  }

  focus() {
    this.#parts.frame.focus({ preventScroll: true });
  }

  #build() {
    const { client, server } = this.#rows;
    const direction = (value, text) => element("button", { type: "button", value, onclick: () => this.showDirection(value) }, text);
    const directions = element("div", { className: "switch", role: "group", ariaLabel: "Direction" }, [
      direction("fromClient", "client → server"),
      direction("fromServer", "server → client"),
    ]);
    // Who speaks to a page says what stands on a button.
    const name = (text, label) => (/[a-z]/i.test(text) ? `${text}: ${label}` : label);
    const tool = (text, label, act) => element("button", { type: "button", title: label, ariaLabel: name(text, label), onclick: act }, text);
    const tools = element("div", { className: "tools", role: "toolbar", ariaLabel: "Move in the graphs" }, [
      tool("−", "Zoom out (−)", () => this.#axis.zoom(2)),
      tool("+", "Zoom in (+)", () => this.#axis.zoom(0.5)),
      tool("◀", "Earlier (←)", () => this.#axis.pan(-0.2)),
      tool("▶", "Later (→)", () => this.#axis.pan(0.2)),
      tool("‹ mark", "Previous repair or signal (p)", () => this.#step(-1)),
      tool("mark ›", "Next repair or signal (n)", () => this.#step(1)),
      tool("All", "Show all (0)", () => this.#axis.showWhole()),
    ]);
    const legend = element("div", { className: "legend", role: "group", ariaLabel: "Shown in the graphs" });
    const plots = element("div", { className: "plots" });
    const readout = element("output", { className: "readout", ariaLive: "off" });
    const keys = "Graphs: arrow keys move and zoom, 0 shows all, n and p go to the next and previous mark";
    const frame = element("div", { className: "frame", tabIndex: 0, role: "group", ariaLabel: keys }, [plots]);
    frame.addEventListener("keydown", (event) => this.#onKey(event));
    frame.addEventListener("dblclick", (event) => event.target.closest(".canvas") && this.#axis.showWhole());
    const limits = element("ul", { className: "limits" });
    const heading = element("h3", {}, [
      element("span", { className: "number" }, `#${this.#rows.number[this.#index]} `),
      `${client[this.#index]} → ${server[this.#index]}`,
    ]);
    this.#parts = { directions, legend, plots, readout, frame, limits };
    this.#root.replaceChildren(heading, element("div", { className: "bar" }, [directions, tools]), legend, frame, readout, limits, keysHint());
  }

  #drawLegends() {
    const { direction } = this.#view;
    this.#parts.limits.replaceChildren(...limitLegend(direction.limits));
    this.#parts.legend.replaceChildren(...this.#legend(direction));
  }

  #legend(direction) {
    const { colour } = styles();
    return GROUPS.filter((entry) => !entry.stack || direction.stack).map((entry) => {
      const button = element("button", { type: "button", ariaPressed: String(!this.#hidden.has(entry.group)) }, [swatch(colour(entry.colour)), entry.name]);
      button.addEventListener("click", () => {
        const isShown = this.#hidden.delete(entry.group);
        if (!isShown) {
          this.#hidden.add(entry.group);
        }
        button.setAttribute("aria-pressed", String(isShown));
        this.#plots.redraw();
      });
      return button;
    });
  }

  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const act = KEYS[event.key] ?? (event.key === "n" ? () => this.#step(1) : event.key === "p" ? () => this.#step(-1) : null);
    if (act) {
      event.preventDefault();
      act(this.#axis);
    }
  }

  // To the next or previous mark that is shown, from the one last gone to; else the first or last one in view.
  #step(way) {
    const { marks } = this.#view.direction;
    const { min, max, isWhole } = this.#axis;
    const from = this.#visited ?? (way > 0 ? min - 1e-9 : max + 2e-9);
    let place = way > 0 ? firstAfter(marks, from) : firstAfter(marks, from - 1e-9) - 1;
    while (marks.time[place] !== undefined && this.#hidden.has(MARKS[marks.kind[place]].group)) {
      place += way;
    }
    const target = marks.time[place];
    if (target === undefined) {
      return;
    }
    const half = (max - min) / (isWhole ? 20 : 2);
    this.#axis.show(target - half, target + half);
    this.#visited = target;
    this.#onCursor(target);
  }

  // A mark that moved out of sight is not where the reader is.
  #onAxis() {
    const { min, max } = this.#axis;
    if (this.#visited !== null && (this.#visited < min || this.#visited > max)) {
      this.#visited = null;
    }
    this.#parts.frame.dataset.from = min;
    this.#parts.frame.dataset.to = max;
  }

  #onCursor(time) {
    this.#parts.readout.textContent = time === null ? "" : describe(this.#view, time, (this.#axis.max - this.#axis.min) / 200);
  }
}

// From the first thing drawn to the last: events may come before the first packet.
function lifetime(rows, index, timeline) {
  const range = [rows.start[index], rows.start[index] + rows.duration[index]];
  for (const direction of Object.values(timeline)) {
    const { events } = direction.stack ?? {};
    if (events?.length) {
      range[0] = Math.min(range[0], events.time[0]);
      range[1] = Math.max(range[1], events.time[events.length - 1]);
    }
  }
  const margin = Math.max((range[1] - range[0]) * 0.01, 1e-6);
  return [range[0] - margin, range[1] + margin];
}

function limitLegend(limits) {
  const seconds = new Float64Array(LIMITS.length);
  for (let i = 0; i < limits.length; i++) {
    seconds[limits.state[i]] += limits.until[i] - limits.time[i];
  }
  const total = seconds.reduce((sum, part) => sum + part, 0);
  if (total === 0) {
    return [element("li", { className: "none" }, "What limited the sender was not judged for this direction.")];
  }
  const fills = styles().limits;
  return LIMITS.map((limit, state) => ({ limit, fill: fills[state], part: seconds[state] }))
    .filter(({ part }) => part > 0)
    .sort((left, right) => right.part - left.part)
    .map(({ limit, fill, part }) => element("li", {}, [swatch(fill), `${limit.name} ${numbers.duration(part)} (${((100 * part) / total).toFixed(1)} %)`]));
}

function describe({ direction, rates }, time, reach) {
  const at = (track) => {
    const i = firstAfter(track, time) - 1;
    return i < 0 ? null : track.last[i];
  };
  const parts = [`${time.toFixed(6)} s`];
  const add = (name, value, show) => value !== null && value !== undefined && parts.push(`${name} ${show(value)}`);
  add("sent", at(direction.sent), numbers.bytes);
  add("acknowledged", at(direction.acked), numbers.bytes);
  add("in flight", at(direction.inFlight), numbers.bytes);
  add("receive window", at(direction.receiveWindow), numbers.bytes);
  add("cwnd", direction.stack ? at(direction.stack.cwnd) : null, numbers.bytes);
  add("SRTT", at(direction.srtt), numbers.duration);
  add("goodput", averageAt(rates.goodput, time), numbers.rate);
  add("delivery rate", averageAt(rates.delivery, time), numbers.rate);
  const duplicates = rate(direction.sacks, DUPLICATE_ACK, time, reach * 10);
  if (duplicates > 0) {
    parts.push(`duplicate ACKs ${numbers.count(Math.round(duplicates))}/s`);
  }
  const limit = firstAfter(direction.limits, time) - 1;
  if (limit >= 0 && time <= direction.limits.until[limit]) {
    parts.push(`limited by ${LIMITS[direction.limits.state[limit]].name}`);
  }
  return [...parts, ...nearby(direction.marks, time, reach, markText), ...nearby(direction.stack?.events, time, reach, eventText)].join(" · ");
}

/** The average of the step an instant lies in; null where it is not known. */
function averageAt({ from, step, values }, time) {
  const value = values[Math.floor((time - from) / step)];
  return Number.isNaN(value) ? null : value;
}

/** Marks of a kind per second, around an instant. */
function rate(marks, kind, time, half) {
  let count = 0;
  for (let i = firstAfter(marks, time - half); i < marks.length && marks.time[i] <= time + half; i++) {
    count += marks.kind[i] === kind ? marks.count[i] : 0;
  }
  return count / (2 * half);
}

function nearby(marks, time, reach, text) {
  const found = [];
  for (let i = marks ? firstAfter(marks, time - reach) : 0; i < (marks?.length ?? 0) && marks.time[i] <= time + reach && found.length < 3; i++) {
    found.push(text(marks, i));
  }
  return found;
}

function markText(marks, i) {
  const size = marks.to[i] - marks.from[i];
  const times = marks.count[i] > 1 ? ` ×${marks.count[i]}` : "";
  const range = size > 0 ? ` of bytes ${marks.from[i]}–${marks.to[i]}` : "";
  const needless = marks.needless[i] === 0 ? "" : marks.count[i] > 1 ? `, ${marks.needless[i]} of them needless` : ", needless";
  return `${MARKS[marks.kind[i]].name}${times}${range}${needless} (packet ${marks.packet[i]})`;
}

function eventText(events, i) {
  const times = events.count[i] > 1 ? ` ×${events.count[i]}` : "";
  const place = events.from[i] >= 0 ? ` at byte ${events.from[i]}` : "";
  const packet = events.packet[i] > 0 ? ` (sent packet ${events.packet[i]})` : "";
  return `${document.body.dataset.events.split(" ")[events.event[i]]}${times}${place}${packet}`;
}
