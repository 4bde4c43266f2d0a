/** How numbers are shown: the same words as on the terminal (Quantity.cs). */

const PREFIXES = ["", "k", "M", "G", "T", "P"];

/** Three significant digits. */
function digits(value) {
  const magnitude = Math.abs(value);
  return value.toFixed(magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0);
}

function scaled(value, gap) {
  let prefix = 0;
  while (Math.abs(value) >= 999.5 && prefix < PREFIXES.length - 1) {
    value /= 1000;
    prefix++;
  }
  return (prefix === 0 ? value.toFixed(0) : digits(value)) + gap + PREFIXES[prefix];
}

/** @param {?number} value bytes; null when not known */
export const bytes = (value) => (value == null ? "–" : `${scaled(value, "\u00a0")}B`);

/** @param {?number} value bits per second; null when not known */
export const rate = (value) => (value == null ? "–" : `${scaled(value, "\u00a0")}bit/s`);

/** @param {?number} seconds a duration; null when not known */
export function duration(seconds) {
  if (seconds == null) {
    return "–";
  }
  const magnitude = Math.abs(seconds);
  if (magnitude === 0) {
    return "0\u00a0s";
  }
  if (magnitude < 999.5e-6) {
    return `${digits(seconds * 1e6)}\u00a0µs`;
  }
  return magnitude < 0.9995 ? `${digits(seconds * 1e3)}\u00a0ms` : `${digits(seconds)}\u00a0s`;
}

/** @param {?number} value a whole number; null when not known */
export const count = (value) => (value == null ? "–" : value.toLocaleString("en-US"));

// As many as write a step of 2.5 or 0.25 out; not those of its binary fraction.
function decimalsOf(step, most) {
  let decimals = Math.min(most, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
  const rest = (places) => Math.abs(step * 10 ** places - Math.round(step * 10 ** places));
  while (decimals < most && rest(decimals) > 1e-6 * step * 10 ** decimals) {
    decimals++;
  }
  return decimals;
}

/** Labels of an axis: as many decimals as write its steps out. */
export function steps(splits, show = (value) => value) {
  const step = splits.length > 1 ? Math.abs(splits[1] - splits[0]) : 1;
  const decimals = decimalsOf(step, 9);
  return splits.map((value) => show(value.toFixed(decimals)));
}

/** Labels of an axis of bytes. */
export const byteSteps = (splits) => prefixedSteps(splits, "B");

/** Labels of an axis of rates, bits per second. */
export const rateSteps = (splits) => prefixedSteps(splits, "bit/s");

// One prefix for all.
function prefixedSteps(splits, unitName) {
  const most = Math.max(...splits.map(Math.abs));
  const prefix = Math.min(PREFIXES.length - 1, most > 0 ? Math.max(0, Math.floor(Math.log10(most) / 3)) : 0);
  const unit = 1000 ** prefix;
  const step = splits.length > 1 ? Math.abs(splits[1] - splits[0]) / unit : 1;
  const decimals = decimalsOf(step, 6);
  return splits.map((value) => (value === 0 ? "0" : `${(value / unit).toFixed(decimals)} ${PREFIXES[prefix]}${unitName}`));
}
