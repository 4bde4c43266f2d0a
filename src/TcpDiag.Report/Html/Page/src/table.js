/** The table of all connections. Only the rows in sight exist, so that a hundred thousand scroll like ten. */
import { element } from "./elements.js";
import * as numbers from "./numbers.js";

const COLUMNS = [
  { key: "index", title: "#", value: (rows, i) => rows.number[i], className: "number" },
  { key: "client", title: "Client", value: (rows, i) => rows.client[i], className: "end" },
  { key: "server", title: "Server", value: (rows, i) => rows.server[i], show: (rows, i) => rows.server[i] + (rows.name[i] ? ` (${rows.name[i]})` : ""), className: "end" },
  { key: "process", title: "Process", value: (rows, i) => rows.process[i] ?? "", className: "wide" },
  { key: "start", title: "Start", value: (rows, i) => rows.start[i], show: (rows, i) => numbers.duration(rows.start[i]), className: "number wide" },
  { key: "duration", title: "Lasted", value: (rows, i) => rows.duration[i], show: (rows, i) => numbers.duration(rows.duration[i]), className: "number extra" },
  { key: "end", title: "End", value: (rows, i) => rows.end[i], className: "wide" },
  { key: "up", title: "Up", value: (rows, i) => rows.up[i], show: (rows, i) => numbers.bytes(rows.up[i]), className: "number" },
  { key: "down", title: "Down", value: (rows, i) => rows.down[i], show: (rows, i) => numbers.bytes(rows.down[i]), className: "number" },
  { key: "goodput", title: "Goodput", value: (rows, i) => rows.goodput[i], show: (rows, i) => numbers.rate(rows.goodput[i]), className: "number wide" },
  { key: "rtt", title: "Min RTT", value: (rows, i) => rows.rtt[i], show: (rows, i) => numbers.duration(rows.rtt[i]), className: "number wide" },
  { key: "resent", title: "Resent", value: (rows, i) => rows.resent[i], show: (rows, i) => numbers.count(rows.resent[i]), className: "number" },
  { key: "limit", title: "Limited by", value: (rows, i) => rows.limit[i] ?? "", className: "wide" },
  { key: "findings", title: "Findings", value: (rows, i) => rows.findings[i].length, show: (rows, i) => rows.findings[i].join(", "), className: "wide" },
];

const ROW_HEIGHT = 32;
const SPARE_ROWS = 12;
const PRINTED_ROWS = 60;

export class ConnectionTable {
  #rows;
  #onOpen;
  #order;
  #sorting = { key: "worth", isDescending: true };
  #selected = 0;
  #opened = -1;
  #scroller;
  #body;
  #count;
  #texts;
  #isPrinting = false;

  /**
   * @param {HTMLElement} root filled
   * @param {object} rows the connections, a column each
   * @param {(index: number) => void} onOpen told which connection is wanted
   */
  constructor(root, rows, onOpen) {
    this.#rows = rows;
    this.#onOpen = onOpen;
    this.#texts = rows.client.map((client, i) => [`#${rows.number[i]}`, client, rows.server[i], rows.name[i], rows.process[i], rows.end[i], rows.limit[i], ...rows.findings[i]].filter(Boolean).join(" ").toLowerCase());
    this.#build(root);
    this.#arrange();
    addEventListener("beforeprint", () => this.#print(true));
    addEventListener("afterprint", () => this.#print(false));
  }

  /** Marks the connection whose graphs are open. */
  markOpened(index) {
    this.#opened = index;
    const place = this.#order.indexOf(index);
    if (place >= 0) {
      this.#select(place);
    }
    this.#draw();
  }

  #build(root) {
    const filter = element("input", { type: "search", placeholder: "address, process, finding …", ariaLabel: "Filter connections" });
    const charted = element("input", { type: "checkbox" });
    const marked = element("input", { type: "checkbox" });
    this.#count = element("output", { className: "count" });
    filter.addEventListener("input", () => this.#arrange(filter.value, charted.checked, marked.checked));
    for (const box of [charted, marked]) {
      box.addEventListener("change", () => this.#arrange(filter.value, charted.checked, marked.checked));
    }
    const headings = COLUMNS.map((column) => {
      const button = element("button", { type: "button", onclick: () => this.#sort(column.key) }, column.title);
      const heading = element("th", { className: column.className, scope: "col" }, button);
      heading.dataset.key = column.key;
      return heading;
    });
    this.#body = element("tbody");
    const table = element("table", { className: "connections", role: "grid", ariaLabel: "Connections" }, [element("thead", {}, element("tr", {}, headings)), this.#body]);
    this.#scroller = element("div", { className: "scroller", tabIndex: 0, role: "group", ariaLabel: "Connections: arrow keys choose, Enter opens the graphs" }, table);
    this.#scroller.addEventListener("scroll", () => this.#draw(), { passive: true });
    this.#scroller.addEventListener("keydown", (event) => this.#onKey(event));
    this.#body.addEventListener("click", (event) => this.#onClick(event));
    new ResizeObserver(() => this.#draw()).observe(this.#scroller);
    root.replaceChildren(
      element("div", { className: "bar" }, [
        filter,
        element("label", {}, [charted, "with graphs"]),
        element("label", {}, [marked, "with findings"]),
        this.#count,
      ]),
      this.#scroller,
    );
  }

  #arrange(text = "", isCharted = false, isMarked = false) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = this.#rows;
    this.#order = [];
    for (let i = 0; i < rows.client.length; i++) {
      const isWanted = (!isCharted || rows.charted[i]) && (!isMarked || rows.findings[i].length > 0);
      if (isWanted && words.every((word) => this.#texts[i].includes(word))) {
        this.#order.push(i);
      }
    }
    this.#count.textContent = `${numbers.count(this.#order.length)} of ${numbers.count(rows.client.length)} connections`;
    this.#sort();
  }

  #sort(key) {
    if (key) {
      const isAgain = this.#sorting.key === key;
      this.#sorting = { key, isDescending: isAgain ? !this.#sorting.isDescending : typeof this.#valueOf(key, 0) === "number" && key !== "index" };
    }
    const { key: by, isDescending } = this.#sorting;
    const values = new Map(this.#order.map((i) => [i, this.#valueOf(by, i)]));
    const way = isDescending ? -1 : 1;
    this.#order.sort((left, right) => compare(values.get(left), values.get(right), way) || left - right);
    for (const heading of this.#scroller.querySelectorAll("th")) {
      heading.ariaSort = heading.dataset.key === by ? (isDescending ? "descending" : "ascending") : "none";
    }
    this.#selected = Math.max(0, this.#order.indexOf(this.#opened));
    this.#scroller.scrollTop = 0;
    this.#draw();
  }

  // At first, what costs most stands on top.
  #valueOf(key, i) {
    if (key === "worth") {
      return this.#rows.lost[i] * 1e15 + this.#rows.up[i] + this.#rows.down[i];
    }
    return COLUMNS.find((column) => column.key === key).value(this.#rows, i);
  }

  #draw() {
    const { scrollTop, clientHeight } = this.#scroller;
    const total = this.#order.length;
    const from = this.#isPrinting ? 0 : Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - SPARE_ROWS);
    const to = this.#isPrinting ? Math.min(total, PRINTED_ROWS) : Math.min(total, Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT) + SPARE_ROWS);
    const rows = [this.#spacer(from)];
    for (let place = from; place < to; place++) {
      rows.push(this.#row(place));
    }
    rows.push(this.#spacer(this.#isPrinting ? 0 : total - to));
    this.#body.replaceChildren(...rows);
  }

  #row(place) {
    const i = this.#order[place];
    const cells = COLUMNS.map((column) => {
      const text = String((column.show ?? column.value)(this.#rows, i));
      return element("td", { className: column.className, title: text }, text);
    });
    const row = element("tr", { ariaSelected: String(place === this.#selected) }, cells);
    row.dataset.place = place;
    row.classList.toggle("opened", i === this.#opened);
    row.classList.toggle("charted", Boolean(this.#rows.charted[i]));
    return row;
  }

  #spacer(rows) {
    const spacer = element("tr", { className: "spacer", ariaHidden: "true" });
    spacer.style.height = `${rows * ROW_HEIGHT}px`;
    return spacer;
  }

  #select(place) {
    this.#selected = Math.min(Math.max(place, 0), this.#order.length - 1);
    const top = this.#selected * ROW_HEIGHT;
    const room = this.#scroller.clientHeight - 2 * ROW_HEIGHT;
    if (top < this.#scroller.scrollTop) {
      this.#scroller.scrollTop = top;
    } else if (top > this.#scroller.scrollTop + room) {
      this.#scroller.scrollTop = top - room;
    }
    this.#draw();
  }

  #onKey(event) {
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / ROW_HEIGHT) - 2);
    const target = {
      ArrowDown: this.#selected + 1,
      ArrowUp: this.#selected - 1,
      PageDown: this.#selected + page,
      PageUp: this.#selected - page,
      Home: 0,
      End: this.#order.length - 1,
    }[event.key];
    if (event.target !== this.#scroller) {
      return;
    }
    if (target !== undefined) {
      event.preventDefault();
      this.#select(target);
    } else if (event.key === "Enter" && this.#order.length > 0) {
      event.preventDefault();
      this.#onOpen(this.#order[this.#selected]);
    }
  }

  #onClick(event) {
    const row = event.target.closest("tr[data-place]");
    if (row) {
      this.#select(Number(row.dataset.place));
      this.#onOpen(this.#order[this.#selected]);
    }
  }

  #print(isPrinting) {
    this.#isPrinting = isPrinting;
    this.#draw();
  }
}

// What is not known comes last, whichever way the rest is sorted.
function compare(left, right, way) {
  const isLeftKnown = left !== null && left !== "";
  const isRightKnown = right !== null && right !== "";
  if (!isLeftKnown || !isRightKnown) {
    return Number(isRightKnown) - Number(isLeftKnown);
  }
  return left < right ? -way : left > right ? way : 0;
}
