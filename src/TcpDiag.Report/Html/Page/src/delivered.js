/** What a receiver has, as its acknowledgments show it: acknowledged, or selectively acknowledged beyond that. */
import { emptyTrack } from "./tracks.js";
import { MARKS } from "./kinds.js";

const SACK = MARKS.findIndex((mark) => mark.name === "SACK");

/** Ranges of bytes without overlap, in order. */
class Ranges {
  #from = [];
  #to = [];

  /** Bytes in all of them. */
  total = 0;

  add(from, to) {
    const first = firstAtLeast(this.#to, from);
    let behind = first;
    while (behind < this.#from.length && this.#from[behind] <= to) {
      from = Math.min(from, this.#from[behind]);
      to = Math.max(to, this.#to[behind]);
      this.total -= this.#to[behind] - this.#from[behind];
      behind++;
    }
    this.#from.splice(first, behind - first, from);
    this.#to.splice(first, behind - first, to);
    this.total += to - from;
  }

  dropBelow(byte) {
    const kept = firstAtLeast(this.#to, byte + 1);
    for (let i = 0; i < kept; i++) {
      this.total -= this.#to[i] - this.#from[i];
    }
    this.#from.splice(0, kept);
    this.#to.splice(0, kept);
    if (this.#from[0] < byte) {
      this.total -= byte - this.#from[0];
      this.#from[0] = byte;
    }
  }
}

/** Place of the first of numbers in order that is not below a bound. */
function firstAtLeast(numbers, bound) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] >= bound) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/**
 * Bytes delivered over time: the cumulative acknowledgment, and what SACK blocks add to it. A receiver may take back what it only SACKed (RFC 2018); what was
 * counted stays counted.
 * @param {object} acked track of acknowledgments
 * @param {object} sacks marks of SACK blocks
 * @returns {object} a track; empty without acknowledgments
 */
export function delivered(acked, sacks) {
  const track = emptyTrack(acked.length + sacks.length);
  const ranges = new Ranges();
  let length = 0;
  let most = -Infinity;
  const add = (time, until, first, last) => {
    track.time[length] = time;
    track.until[length] = until;
    track.first[length] = track.min[length] = length > 0 ? most : first;
    most = Math.max(most, first, last);
    track.last[length] = track.max[length] = most;
    length++;
  };
  for (let a = 0, s = 0; a < acked.length || s < sacks.length; ) {
    if (a < acked.length && (s === sacks.length || acked.time[a] <= sacks.time[s])) {
      ranges.dropBelow(acked.last[a]);
      add(acked.time[a], acked.until[a], acked.first[a], acked.last[a] + ranges.total);
      a++;
    } else {
      if (a > 0 && sacks.kind[s] === SACK && sacks.to[s] > acked.last[a - 1]) {
        ranges.add(Math.max(sacks.from[s], acked.last[a - 1]), sacks.to[s]);
        const now = acked.last[a - 1] + ranges.total;
        add(sacks.time[s], sacks.time[s], now, now);
      }
      s++;
    }
  }
  return { ...track, length };
}
