const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/** A number of seconds in its largest unit: `42 s`, `3 min`, `5 h`, `12 d`. */
export function toDuration(seconds: number): string {
  for (const [name, size] of UNITS) if (seconds >= size) return `${Math.floor(seconds / size)} ${name}`;
  return `${Math.max(0, Math.round(seconds))} s`;
}

/** Unix seconds as `2026-11-28 20:15:04` in UTC. */
export function toUtc(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1_000);
  return Number.isNaN(date.getTime())
    ? String(unixSeconds)
    : date.toISOString().slice(0, 19).replace('T', ' ');
}
