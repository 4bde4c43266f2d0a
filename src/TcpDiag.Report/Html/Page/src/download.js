/** Saves a graph: as an image that says what it shows, or as numbers. */
import { csvOf } from "./csv.js";
import { GROUPS, LIMITS } from "./kinds.js";

const FONT = "system-ui, sans-serif";
const LINE = 20; // CSS pixels

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const nameOf = (graph, view, ending) => `tcpdiag-${view.file}-${graph.key}.${ending}`;

/** Saves what a graph has in view as comma-separated values. */
export function saveCsv(graph, view) {
  save(new Blob([csvOf(graph, view)], { type: "text/csv" }), nameOf(graph, view, "csv"));
}

/** Saves a graph as it stands, with its name above and its legend below. */
export function savePng(graph, plot, view) {
  const source = plot.ctx.canvas;
  const ratio = source.width / plot.width;
  const image = document.createElement("canvas");
  const context = image.getContext("2d");
  const entries = [...(graph.key === "limits" ? limitEntries(view) : []), ...groupEntries(graph, view)];
  const rows = wrap(context, entries, plot.width);
  image.width = source.width;
  image.height = source.height + (2 * LINE + rows.length * LINE + 8) * ratio;
  context.fillStyle = view.styles.colour("--card");
  context.fillRect(0, 0, image.width, image.height);
  context.drawImage(source, 0, 2 * LINE * ratio);
  context.scale(ratio, ratio);
  context.fillStyle = view.styles.colour("--text");
  context.font = `600 14px ${FONT}`;
  context.fillText(view.title, 8, 16, plot.width - 16);
  context.font = `13px ${FONT}`;
  context.fillText([graph.title, graph.note(view)].filter(Boolean).join(": "), 8, 35, plot.width - 16);
  rows.forEach((row, i) => drawRow(context, row, 2 * LINE + plot.height + i * LINE, view));
  image.toBlob((blob) => save(blob, nameOf(graph, view, "png")), "image/png");
}

function groupEntries(graph, view) {
  return GROUPS.filter(({ group, stack }) => graph.shows.includes(group) && view.isShown(group) && (!stack || view.direction.stack))
    .map(({ name, colour }) => ({ name, fill: view.styles.colour(colour) }));
}

function limitEntries({ direction, styles }) {
  return LIMITS.map(({ name }, state) => ({ name, fill: styles.limits[state], state })).filter(({ state }) => direction.limits.state.includes(state));
}

// Entries side by side as far as the width goes.
function wrap(context, entries, width) {
  context.font = `12px ${FONT}`;
  const rows = [[]];
  let left = 8;
  for (const entry of entries) {
    const room = 18 + 6 + context.measureText(entry.name).width + 16;
    if (left + room > width && rows.at(-1).length > 0) {
      rows.push([]);
      left = 8;
    }
    rows.at(-1).push({ ...entry, left });
    left += room;
  }
  return rows;
}

function drawRow(context, row, top, view) {
  context.font = `12px ${FONT}`;
  for (const { name, fill, left } of row) {
    context.fillStyle = fill;
    context.fillRect(left, top + 3, 18, 12);
    context.fillStyle = view.styles.colour("--text");
    context.fillText(name, left + 24, top + 13);
  }
}
