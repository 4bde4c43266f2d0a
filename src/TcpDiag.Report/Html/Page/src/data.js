/** Decodes what the page carries; the layout is in docs/formats/html-data.md. */
import { delivered } from "./delivered.js";
import { emptyTrack, windowEdge } from "./tracks.js";

const MICROSECONDS = 1e-6;

/** A text block of the page: base64 of raw deflate. */
async function inflate(id) {
  const text = document.getElementById(id).textContent;
  const packed = atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) {
    bytes[i] = packed.charCodeAt(i);
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @returns {Promise<object>} the connections, a column each, and what is said about the trace */
export async function readRows() {
  const rows = JSON.parse(new TextDecoder().decode(await inflate("rows")));
  rows.number ??= rows.client.map((_, row) => row);
  return rows;
}

/** @param {number} connection number of a connection that has charts */
export async function readTimeline(connection) {
  const reader = new NumberReader(await inflate(`timeline-${connection}`));
  return { fromClient: readDirection(reader), fromServer: readDirection(reader) };
}

/** Numbers of 7 bits a byte, the lowest first (LEB128); exact up to 2^53. */
export class NumberReader {
  #bytes;
  #next = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  unsigned() {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.#next++];
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        return value;
      }
      scale *= 128;
    }
  }

  /** Sign in the lowest bit. */
  signed() {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A column of numbers. */
  column(length, next) {
    const values = new Float64Array(length);
    for (let i = 0; i < length; i++) {
      values[i] = next.call(this, i);
    }
    return values;
  }

  unsignedColumn(length) {
    return this.column(length, this.unsigned);
  }

  signedColumn(length) {
    return this.column(length, this.signed);
  }

  /** Differences to the number before. */
  sums(length, scale) {
    let sum = 0;
    return this.column(length, () => (sum += this.signed()) * scale);
  }
}

function readDirection(reader) {
  const direction = {
    sent: readTrack(reader),
    acked: readTrack(reader),
    receiveWindow: readTrack(reader),
    inFlight: readTrack(reader),
    rtt: readTrack(reader, MICROSECONDS),
    srtt: readTrack(reader, MICROSECONDS),
    marks: readMarks(reader),
    sacks: readMarks(reader),
    limits: readLimits(reader),
    stack: null,
  };
  if (reader.unsigned() === 1) {
    direction.stack = {
      cwnd: readTrack(reader),
      ssthresh: readTrack(reader),
      srtt: readTrack(reader, MICROSECONDS),
      events: readMarks(reader),
    };
  }
  direction.windowEdge = windowEdge(direction.acked, direction.receiveWindow);
  direction.delivered = delivered(direction.acked, direction.sacks);
  return direction;
}

/** A value over time: `time` … `until`, in which it went from `first` to `last` between `min` and `max`. */
function readTrack(reader, unit = 1) {
  const length = reader.unsigned();
  const time = reader.sums(length, MICROSECONDS);
  const span = reader.unsignedColumn(length);
  const jump = reader.signedColumn(length);
  const rise = reader.signedColumn(length);
  const below = reader.unsignedColumn(length);
  const above = reader.unsignedColumn(length);
  const track = emptyTrack(length, time);
  let value = 0;
  for (let i = 0; i < length; i++) {
    const first = value + jump[i];
    value = first + rise[i];
    track.until[i] = time[i] + span[i] * MICROSECONDS;
    track.first[i] = first * unit;
    track.last[i] = value * unit;
    track.min[i] = (Math.min(first, value) - below[i]) * unit;
    track.max[i] = (Math.max(first, value) + above[i]) * unit;
  }
  return track;
}

function readMarks(reader) {
  const length = reader.unsigned();
  const time = reader.sums(length, MICROSECONDS);
  const kind = reader.unsignedColumn(length);
  const event = reader.unsignedColumn(length);
  const from = reader.sums(length, 1);
  const size = reader.unsignedColumn(length);
  const packet = reader.sums(length, 1);
  const count = reader.unsignedColumn(length);
  const needless = reader.unsignedColumn(length);
  return { length, time, kind, event, from, to: from.map((start, i) => start + size[i]), packet, count, needless };
}

/** Limit states follow each other without gaps. */
function readLimits(reader) {
  const length = reader.unsigned();
  if (length === 0) {
    return { length, time: new Float64Array(0), until: new Float64Array(0), state: new Float64Array(0) };
  }
  let sum = reader.signed();
  const time = new Float64Array(length);
  const until = reader.column(length, (i) => {
    time[i] = sum * MICROSECONDS;
    return (sum += reader.unsigned()) * MICROSECONDS;
  });
  return { length, time, until, state: reader.unsignedColumn(length) };
}
