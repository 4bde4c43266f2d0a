/** The panel of one connection: its graphs, what they show, and how to move in them. */
import { firstAfter } from "./draw.js";
import { element } from "./elements.js";
import { DUPLICATE_ACK, LIMITS, MARKS } from "./kinds.js";
import * as numbers from "./numbers.js";
import { Plots } from "./plots.js";
import { TimeAxis } from "./timeaxis.js";

const GROUPS = [
  { group: "sent", name: "sent, in flight", colour: "--sent" },
  { group: "acked", name: "acknowledged", colour: "--acked" },
  { group: "window", name: "receive window", colour: "--window" },
  { group: "retransmissions", name: "sent again (hollow: needless)", colour: "--fast" },
  { group: "sacks", name: "SACK, DSACK", colour: "--sack" },
  { group: "duplicates", name: "duplicate ACKs per time", colour: "--acked" },
  { group: "signals", name: "SYN, FIN, RST, probes", colour: "--signal" },
  { group: "cwnd", name: "congestion window", colour: "--cwnd", stack: true },
  { group: "rtt", name: "RTT", colour: "--rtt" },
  { group: "events", name: "stack events", colour: "--event", stack: true },
];

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
  #direction;
  #plots = null;
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
  }

  /** Shows what one end sent. @param {"fromClient"|"fromServer"} name */
  showDirection(name) {
    this.#direction = name;
    for (const button of this.#parts.directions.children) {
      button.setAttribute("aria-pressed", String(button.value === name));
    }
    this.#plots?.destroy();
    this.#parts.plots.replaceChildren();
    const direction = this.#timeline[name];
    this.#plots = new Plots(this.#parts.plots, this.#axis, direction, (group) => !this.#hidden.has(group), (time) => this.#onCursor(time));
    this.#parts.limits.replaceChildren(...limitLegend(direction.limits));
    this.#parts.legend.replaceChildren(...this.#legend(direction));
    this.#onAxis();
  }

  /** Shows a stretch of time with a margin. */
  show(from, to) {
    const margin = Math.max((to - from) * 0.25, 1e-5);
    this.#axis.show(from - margin, to + margin);
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
    const tool = (text, label, act) => element("button", { type: "button", title: label, ariaLabel: label, onclick: act }, text);
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
    const frame = element("div", { className: "frame", tabIndex: 0, role: "group", ariaLabel: "Graphs: arrow keys move and zoom, 0 shows all, n and p go to the next and previous mark" }, [
      plots,
    ]);
    frame.addEventListener("keydown", (event) => this.#onKey(event));
    frame.addEventListener("dblclick", () => this.#axis.showWhole());
    const limits = element("ul", { className: "limits" });
    const heading = element("h3", {}, [
      element("span", { className: "number" }, `#${this.#rows.number[this.#index]} `),
      `${client[this.#index]} → ${server[this.#index]}`,
    ]);
    this.#parts = { directions, legend, plots, readout, frame, limits };
    this.#root.replaceChildren(heading, element("div", { className: "bar" }, [directions, tools]), legend, frame, readout, limits, hint());
  }

  #legend(direction) {
    return GROUPS.filter((entry) => !entry.stack || direction.stack).map((entry) => {
      const button = element("button", { type: "button", ariaPressed: String(!this.#hidden.has(entry.group)) }, [swatch(entry.colour), entry.name]);
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

  // To the next mark before or behind the one last gone to, else the middle of what is visible.
  #step(way) {
    const { marks } = this.#timeline[this.#direction];
    const { min, max, isWhole } = this.#axis;
    const from = this.#visited ?? (min + max) / 2;
    const target = marks.time[way > 0 ? firstAfter(marks, from) : firstAfter(marks, from - 1e-9) - 1];
    if (target === undefined) {
      return;
    }
    const half = (max - min) / (isWhole ? 20 : 2);
    this.#axis.show(target - half, target + half);
    this.#visited = target;
    this.#onCursor(target);
  }

  #onAxis() {
    this.#visited = null;
    this.#parts.frame.dataset.from = this.#axis.min;
    this.#parts.frame.dataset.to = this.#axis.max;
  }

  #onCursor(time) {
    this.#parts.readout.textContent = time === null ? "" : describe(this.#timeline[this.#direction], time, (this.#axis.max - this.#axis.min) / 200);
  }
}

function hint() {
  return element("p", { className: "hint" }, "Drag to zoom in, double-click to show all. With the graphs in focus: the wheel or ↑ ↓ zoom, ← → move, 0 shows all, n and p go to the next and previous mark.");
}

function swatch(colour) {
  const box = element("span", { className: "swatch", ariaHidden: "true" });
  box.style.background = `var(${colour})`;
  return box;
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
  return LIMITS.map((limit, state) => ({ limit, part: seconds[state] }))
    .filter(({ part }) => part > 0)
    .sort((left, right) => right.part - left.part)
    .map(({ limit, part }) => element("li", {}, [swatch(limit.colour), `${limit.name} ${numbers.duration(part)} (${((100 * part) / total).toFixed(1)} %)`]));
}

function describe(direction, time, reach) {
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
