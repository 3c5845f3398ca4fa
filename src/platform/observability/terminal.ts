import { printableLines } from './printable.ts';

/** Writes the answer of a command to stdout: lines that end with a line feed, unprintable characters escaped. */
export function printAnswer(lines: string): void {
  process.stdout.write(printableLines(lines));
}

/** Writes what is not the answer to stderr, with the same rules. */
export function printNotice(lines: string): void {
  process.stderr.write(printableLines(lines));
}
