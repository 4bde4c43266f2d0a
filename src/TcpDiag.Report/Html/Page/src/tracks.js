/** Tracks: values over time as columns, `time` … `until`, in which a value went from `first` to `last` between `min` and `max`. */

/** @param {number} length number of points @param {Float64Array} time their instants */
export function emptyTrack(length, time = new Float64Array(length)) {
  const column = () => new Float64Array(length);
  return { length, time, until: column(), first: column(), last: column(), min: column(), max: column() };
}

/** The right edge of the receive window: the acknowledgment plus the window, whichever of both changed. */
export function windowEdge(acked, window) {
  const edge = emptyTrack(acked.length + window.length);
  let length = 0;
  let a = 0;
  let w = 0;
  while (a < acked.length || w < window.length) {
    const time = Math.min(acked.time[a] ?? Infinity, window.time[w] ?? Infinity);
    const isAck = acked.time[a] === time;
    const isWindow = window.time[w] === time; // mostly of the same segment: between both the edge is nowhere
    const until = Math.max(isAck ? acked.until[a] : time, isWindow ? window.until[w] : time);
    a += isAck ? 1 : 0;
    w += isWindow ? 1 : 0;
    if (a === 0 || w === 0) {
      continue;
    }
    const first = (isAck ? acked.first[a - 1] : acked.last[a - 1]) + (isWindow ? window.first[w - 1] : window.last[w - 1]);
    const last = acked.last[a - 1] + window.last[w - 1];
    edge.time[length] = time;
    edge.until[length] = until;
    edge.first[length] = first;
    edge.last[length] = last;
    edge.min[length] = Math.min(first, last);
    edge.max[length] = Math.max(first, last);
    length++;
  }
  return { ...edge, length };
}
