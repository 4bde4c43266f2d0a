/** Rates: how many bytes a track of bytes moved in each of equal steps of time. */
import { visible } from "./draw.js";

const STEPS = 160; // in view, at most: as many as can be followed by eye
const BITS = 8;

/**
 * The step in which rates are averaged: one of 1, 2, 5 times a power of ten, at least a round trip, within which a rate says nothing.
 * @param {object} axis what is in view
 * @param {number} roundTrip the smallest one, seconds; 0 when not known
 */
export function stepOf({ min, max }, roundTrip) {
  const least = Math.max((max - min) / STEPS, roundTrip, 1e-6);
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least * 0.999);
}

/**
 * Bits per second in each step that is in view; steps begin at multiples of their length, so that they stay while the view moves.
 * @param {object} track bytes over time: what a point rises by is what moved
 * @param {object} axis what is in view
 * @param {number} step seconds
 * @returns {{from: number, step: number, values: Float64Array}} `from` is the instant of the first; steps before and after the track are NaN
 */
export function rates(track, { min, max }, step) {
  const begin = Math.floor(min / step);
  const bytes = new Float64Array(Math.max(Math.ceil(max / step) - begin, 1));
  const [first, behind] = visible(track, min - step, max + step);
  for (let i = first; i < behind; i++) {
    spread(bytes, begin, step, track.time[i], track.until[i], track.last[i] - track.first[i]);
  }
  const [lives, ends] = track.length > 0 ? [track.time[0], track.until[track.length - 1]] : [Infinity, -Infinity];
  const values = bytes.map((sum, k) => ((begin + k + 1) * step <= lives || (begin + k) * step > ends ? NaN : (sum * BITS) / step));
  return { from: begin * step, step, values };
}

// Bytes of a stretch of time, evenly over it.
function spread(bytes, begin, step, from, until, amount) {
  if (amount <= 0) {
    return;
  }
  if (until <= from) {
    const k = Math.floor(from / step) - begin;
    if (k >= 0 && k < bytes.length) {
      bytes[k] += amount;
    }
    return;
  }
  const last = Math.min(Math.floor(until / step) - begin, bytes.length - 1);
  for (let k = Math.max(Math.floor(from / step) - begin, 0); k <= last; k++) {
    const share = Math.min(until, (begin + k + 1) * step) - Math.max(from, (begin + k) * step);
    bytes[k] += (amount * Math.max(share, 0)) / (until - from);
  }
}
