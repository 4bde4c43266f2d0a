/** Starts the page: the summary and the findings stand in it already, the rest is made here. */
import { ConnectionPanel } from "./connection.js";
import { readRows, readTimeline } from "./data.js";
import { element } from "./elements.js";
import { preparePrinting } from "./printing.js";
import { ConnectionTable } from "./table.js";
import { startTheme } from "./theme.js";

// #connection-17, or #connection-17-client@1.25-1.5: a connection, a direction and seconds of the trace.
const PLACE = /^#connection-(\d+)(?:-(client|server))?(?:@([\d.]+)-([\d.]+))?$/;

const panelRoot = document.getElementById("graphs");
let panel = null;
let opened = -1;

async function open(rows, table, index) {
  if (opened === index && panel) {
    return panel;
  }
  opened = index;
  const timeline = rows.charted[index] ? await readTimeline(rows.number[index]) : null;
  if (opened !== index) {
    return null; // another one was asked for meanwhile
  }
  panel?.destroy();
  panel = null;
  table.markOpened(index);
  if (timeline) {
    panel = new ConnectionPanel(panelRoot, rows, index, timeline);
  } else {
    panelRoot.replaceChildren(
      element("h3", {}, `#${rows.number[index]} ${rows.client[index]} → ${rows.server[index]}`),
      element("p", { className: "hint" }, "No graphs of this connection: only the connections with findings, or with the most bytes and repairs, have them."),
    );
  }
  return panel;
}

async function followPlace(rows, table) {
  const match = PLACE.exec(location.hash);
  const index = match ? rows.number.indexOf(Number(match[1])) : -1;
  if (index < 0) {
    return;
  }
  const shown = await open(rows, table, index);
  if (shown && match[2]) {
    shown.showDirection(match[2] === "client" ? "fromClient" : "fromServer");
  }
  if (shown && match[3]) {
    shown.show(Number(match[3]), Number(match[4]));
  }
  document.getElementById("connection").scrollIntoView({ block: "start" });
  shown?.focus();
}

async function start() {
  startTheme(document.getElementById("theme"), () => panel?.redraw());
  preparePrinting(() => panel);
  const rows = await readRows();
  const table = new ConnectionTable(document.getElementById("connections"), rows, async (index) => {
    history.replaceState(null, "", `#connection-${rows.number[index]}`);
    await open(rows, table, index);
  });
  addEventListener("hashchange", () => followPlace(rows, table));
  if (PLACE.test(location.hash)) {
    await followPlace(rows, table);
  } else if (rows.first >= 0) {
    await open(rows, table, rows.number.indexOf(rows.first));
  }
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

start();
