/** A table for people: the first column to the left, the others to the right. `to`: by default standard output. */
export function printTable(
  title: string,
  header: readonly string[],
  rows: readonly (readonly unknown[])[],
  to: NodeJS.WritableStream = process.stdout,
): void {
  const cells = [header, ...rows].map((row) => row.map(cell));
  const widths = header.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)));
  const line = (row: readonly string[]) =>
    row.map((text, i) => (i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))).join('  ');
  to.write(`\n${title}\n${cells.map((row) => `  ${line(row)}`.trimEnd()).join('\n')}\n`);
}

function cell(value: unknown): string {
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value)
    ? value.toLocaleString('en')
    : value.toPrecision(Math.abs(value) < 1 ? 2 : 4);
}

/** Progress, on stderr, so that stdout is the result. */
export function note(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

export const MIB = 2 ** 20;

export function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}

export function round(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}

/** The value that a share `q` (0 … 1) of the sorted values does not exceed. */
export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * q) - 1))] ?? 0;
}
