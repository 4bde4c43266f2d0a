/**
 * Draws on a plot's canvas what is visible, one stroke per pixel column at most: of all points that fall into a column,
 * first, lowest, highest and last are drawn, so that no outlier is lost at any zoom level.
 */

/** Maps values of a plot to device pixels. */
export function pixels(plot, scale) {
  const { left, top, width, height } = plot.bbox;
  const { min: xMin, max: xMax } = plot.scales.x;
  const { min: yMin, max: yMax } = plot.scales[scale];
  const perSecond = width / (xMax - xMin);
  const perValue = height / (yMax - yMin);
  return {
    x: (time) => left + (time - xMin) * perSecond,
    y: (value) => top + height - (value - yMin) * perValue,
    right: left + width,
    top,
    bottom: top + height,
    ratio: devicePixelRatio,
  };
}

/** First item that begins after an instant. */
export function firstAfter(items, time) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (items.time[middle] > time) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** The items that touch a stretch of time, and one more on either side. */
export function visible(items, min, max) {
  return [Math.max(0, firstAfter(items, min) - 1), Math.min(items.length, firstAfter(items, max) + 1)];
}

/** Lowest and highest value of a track in a stretch of time; the value that holds when it begins counts. */
export function extent(track, min, max, into) {
  const [from, to] = visible(track, min, max);
  for (let i = from; i < to && track.time[i] <= max; i++) {
    const holdsAtStart = track.until[i] < min;
    into.min = Math.min(into.min, holdsAtStart ? track.last[i] : track.min[i]);
    into.max = Math.max(into.max, holdsAtStart ? track.last[i] : track.max[i]);
  }
  return into;
}

/** Data segments: an upright bar from first byte to last, or a slope where many became one. */
export function drawSegments(plot, track, colour) {
  const { x, y, ratio } = pixels(plot, "y");
  const [from, to] = visible(track, plot.scales.x.min, plot.scales.x.max);
  const path = new Path2D();
  let column = NaN;
  let low = 0;
  let high = 0;
  const flush = () => {
    if (!Number.isNaN(column)) {
      path.moveTo(column, Math.max(y(low), y(high) + 2 * ratio));
      path.lineTo(column, y(high));
    }
  };
  for (let i = from; i < to; i++) {
    const left = x(track.time[i]);
    const right = x(track.until[i]);
    if (right - left >= 1) {
      path.moveTo(left, y(track.first[i]));
      path.lineTo(right, y(track.last[i]));
    } else if (Math.round(left) === column) {
      low = Math.min(low, track.min[i]);
      high = Math.max(high, track.max[i]);
    } else {
      flush();
      column = Math.round(left);
      low = track.min[i];
      high = track.max[i];
    }
  }
  flush();
  stroke(plot.ctx, path, colour, 1.5 * ratio);
}

/** A value that holds until the next one. Where it is higher than the graph, it runs along the upper edge. */
export function drawSteps(plot, track, scale, colour, { width = 1.25, dash = [] } = {}) {
  const { x, y: place, top, right: end, ratio } = pixels(plot, scale);
  const y = (value) => Math.max(place(value), top + ratio);
  const [from, to] = visible(track, plot.scales.x.min, plot.scales.x.max);
  if (from === to) {
    return;
  }
  const path = new Path2D();
  path.moveTo(x(track.time[from]), y(track.first[from]));
  let column = NaN;
  let low = NaN;
  let high = NaN;
  let last = track.first[from];
  const flush = () => {
    if (!Number.isNaN(column)) {
      path.lineTo(column, y(low));
      path.lineTo(column, y(high));
      path.lineTo(column, y(last));
    }
  };
  for (let i = from; i < to; i++) {
    const left = Math.round(x(track.time[i]));
    if (left === column) {
      low = Math.min(low, track.min[i]);
      high = Math.max(high, track.max[i]);
    } else {
      flush();
      path.lineTo(left, y(last));
      column = left;
      low = track.min[i];
      high = track.max[i];
    }
    last = track.last[i];
    const right = x(track.until[i]);
    if (right - left >= 1) {
      flush();
      path.lineTo(right, y(last));
      column = NaN;
    }
  }
  flush();
  path.lineTo(end, y(last));
  stroke(plot.ctx, path, colour, width * ratio, dash.map((length) => length * ratio));
}

/** Says in the upper right corner what lies beyond the upper edge; over lines, in a border of the ground's colour. */
export function drawBeyond(plot, text, colour, ground) {
  const { right, top, ratio } = pixels(plot, "y");
  plot.ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  plot.ctx.textAlign = "right";
  plot.ctx.lineJoin = "round";
  plot.ctx.lineWidth = 5 * ratio;
  plot.ctx.strokeStyle = ground;
  plot.ctx.fillStyle = colour;
  plot.ctx.strokeText(`\u25b2 ${text}`, right - 4 * ratio, top + 14 * ratio);
  plot.ctx.fillText(`\u25b2 ${text}`, right - 4 * ratio, top + 14 * ratio);
}

/** The place that was opened, behind everything else. */
export function drawBand(plot, band, colour) {
  const { x, ratio } = pixels(plot, "y");
  const { left, top, width, height } = plot.bbox;
  const from = Math.min(Math.max(x(band.from), left), left + width);
  const to = Math.min(Math.max(x(band.to), left), left + width);
  plot.ctx.fillStyle = colour;
  plot.ctx.fillRect(from - ratio, top, to - from + 2 * ratio, height);
}

/** Averages, a step each; what is not known is left open. */
export function drawAverages(plot, { from, step, values }, colour, { width = 1.5, dash = [] } = {}) {
  const { x, y, ratio } = pixels(plot, "y");
  const path = new Path2D();
  let isOpen = false;
  values.forEach((value, k) => {
    if (!Number.isNaN(value)) {
      path[isOpen ? "lineTo" : "moveTo"](x(from + k * step), y(value));
      path.lineTo(x(from + (k + 1) * step), y(value));
    }
    isOpen = !Number.isNaN(value);
  });
  stroke(plot.ctx, path, colour, width * ratio, dash.map((length) => length * ratio));
}

/** Single samples as dots; those of one column as a bar. */
export function drawDots(plot, track, scale, colour) {
  const { x, y, ratio } = pixels(plot, scale);
  const [from, to] = visible(track, plot.scales.x.min, plot.scales.x.max);
  plot.ctx.fillStyle = colour;
  const size = 2 * ratio;
  for (let i = from; i < to; i++) {
    const top = y(track.max[i]);
    const width = Math.max(size, x(track.until[i]) - x(track.time[i]));
    plot.ctx.fillRect(x(track.time[i]) - size / 2, top - size / 2, width, y(track.min[i]) - top + size);
  }
}

/** Marks as bars over the bytes they concern, with a letter where there is room for it; those of needless retransmissions are hollow. */
export function drawMarks(plot, marks, styles, isShown) {
  const { x, y, ratio } = pixels(plot, "y");
  const [from, to] = visible(marks, plot.scales.x.min, plot.scales.x.max);
  const hasLetters = to - from <= 250;
  const width = 3 * ratio;
  plot.ctx.textAlign = "center";
  plot.ctx.font = `600 ${10 * ratio}px system-ui, sans-serif`;
  for (let i = from; i < to; i++) {
    const style = styles[marks.kind[i]];
    if (!isShown(style.group)) {
      continue;
    }
    const left = x(marks.time[i]);
    const top = y(marks.to[i]);
    plot.ctx.fillStyle = style.fill;
    if (style.group === "sacks") {
      plot.ctx.fillRect(left - ratio / 2, top, ratio, Math.max(y(marks.from[i]) - top, ratio * 2));
      continue;
    }
    const height = Math.max(y(marks.from[i]) - top, ratio) + 2 * ratio;
    if (marks.needless[i] > 0) {
      plot.ctx.strokeStyle = style.fill;
      plot.ctx.lineWidth = ratio;
      plot.ctx.strokeRect(left - width, top - ratio, 2 * width, height);
    } else {
      plot.ctx.fillRect(left - width / 2, top - ratio, width, height);
    }
    if (hasLetters && style.letter) {
      plot.ctx.fillText(style.letter, left, top - 3 * ratio);
    }
  }
}

/** The limit states, each in its hatching; what shares a pixel column shares its height. */
export function drawLimits(plot, limits, fills, top, height) {
  const { x } = pixels(plot, "y");
  const { ctx } = plot;
  const shares = new Float64Array(fills.length);
  let column = NaN;
  const flush = () => {
    const total = shares.reduce((sum, share) => sum + share, 0);
    let at = top;
    for (let state = 0; total > 0 && state < shares.length; state++) {
      const part = (height * shares[state]) / total;
      ctx.fillStyle = fills[state];
      ctx.fillRect(column, at, 1, part);
      at += part;
    }
    shares.fill(0);
  };
  const share = (from, to, state) => {
    if (Math.floor(from) !== column) {
      flush();
      column = Math.floor(from);
    }
    shares[state] += to - from;
  };
  const [first, behind] = visible(limits, plot.scales.x.min, plot.scales.x.max);
  for (let i = first; i < behind; i++) {
    const left = x(limits.time[i]);
    const right = x(limits.until[i]);
    const next = Math.floor(left) + 1;
    share(left, Math.min(right, next), limits.state[i]);
    if (right > next) {
      ctx.fillStyle = fills[limits.state[i]];
      ctx.fillRect(next, top, Math.floor(right) - next, height);
      share(Math.floor(right), right, limits.state[i]);
    }
  }
  flush();
}

/** How often a kind of mark comes: bars of eight pixels, of which the highest visible one fills the lane. */
export function drawRate(plot, marks, kind, colour, top, height) {
  const { x, ratio } = pixels(plot, "y");
  const [from, to] = visible(marks, plot.scales.x.min, plot.scales.x.max);
  const width = 8 * ratio;
  const counts = new Map();
  for (let i = from; i < to; i++) {
    if (marks.kind[i] === kind) {
      const bar = Math.floor(x(marks.time[i]) / width);
      counts.set(bar, (counts.get(bar) ?? 0) + marks.count[i]);
    }
  }
  const most = Math.max(...counts.values());
  plot.ctx.fillStyle = colour;
  for (const [bar, count] of counts) {
    const part = (height * count) / most;
    plot.ctx.fillRect(bar * width, top + height - part, width - ratio, part);
  }
}

/** Events that name a byte, as diamonds at it. */
export function drawPlaced(plot, events, colour) {
  const { x, y, ratio } = pixels(plot, "y");
  const [from, to] = visible(events, plot.scales.x.min, plot.scales.x.max);
  const half = 4 * ratio;
  const path = new Path2D();
  for (let i = from; i < to; i++) {
    if (events.from[i] >= 0) {
      const [left, top] = [x(events.time[i]), y(events.from[i])];
      path.moveTo(left, top - half);
      path.lineTo(left + half, top);
      path.lineTo(left, top + half);
      path.lineTo(left - half, top);
      path.closePath();
    }
  }
  stroke(plot.ctx, path, colour, 1.25 * ratio);
}

/** Events as ticks on the time axis. */
export function drawEvents(plot, events, colour, top, height) {
  const { x, ratio } = pixels(plot, "y");
  const [from, to] = visible(events, plot.scales.x.min, plot.scales.x.max);
  plot.ctx.fillStyle = colour;
  for (let i = from; i < to; i++) {
    plot.ctx.fillRect(x(events.time[i]) - ratio, top, 2 * ratio, height);
  }
}

function stroke(context, path, colour, width, dash = []) {
  context.lineWidth = width;
  context.setLineDash(dash);
  context.lineJoin = "round";
  context.strokeStyle = colour;
  context.stroke(path);
  context.setLineDash([]);
}
