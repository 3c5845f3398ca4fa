const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Bytes with three digits: `1.23 GB`. */
export function toBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1_000 && unit < UNITS.length - 1; unit++) value /= 1_000;
  return `${unit === 0 ? value : value.toPrecision(3)} ${UNITS[unit]}`;
}
