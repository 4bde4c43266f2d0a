/** What a receiver has, as its acknowledgments show it: acknowledged, or selectively acknowledged beyond that. */
import { emptyTrack } from "./tracks.js";
import { MARKS } from "./kinds.js";

const SACK = MARKS.findIndex((mark) => mark.name === "SACK");

/** Ranges of bytes without overlap, in order. */
class Ranges {
  #ranges = [];

  get total() {
    return this.#ranges.reduce((sum, [from, to]) => sum + to - from, 0);
  }

  add(from, to) {
    const touched = this.#ranges.filter((range) => range[0] <= to && range[1] >= from);
    const merged = [Math.min(from, ...touched.map((range) => range[0])), Math.max(to, ...touched.map((range) => range[1]))];
    this.#ranges = [...this.#ranges.filter((range) => range[1] < from), merged, ...this.#ranges.filter((range) => range[0] > to)];
  }

  dropBelow(byte) {
    this.#ranges = this.#ranges.filter((range) => range[1] > byte).map(([from, to]) => [Math.max(from, byte), to]);
  }
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
