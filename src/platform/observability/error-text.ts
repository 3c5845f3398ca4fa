import { causesOf } from './error-facts.ts';
import { printable } from './printable.ts';

/**
 * An error for a terminal: a line with its facts, its `details`, a line for each cause, and with `withStack` the places.
 * Text in the message cannot start a line.
 */
export function errorText(error: unknown, withStack: boolean): string {
  if (!(error instanceof Error)) return `error: ${printable(String(error))}\n`;
  const lines = [
    lineOf(error),
    ...detailsOf(error),
    ...causesOf(error).map((cause) => `  because ${lineOf(cause)}`),
    ...(withStack ? placesOf(error) : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Lines that an error has after its message, such as the output of a process. */
function detailsOf({ details }: Error & { readonly details?: unknown }): readonly string[] {
  return Array.isArray(details) ? details.map((line) => `  ${printable(String(line))}`) : [];
}

const lineOf = ({ name, message }: Error): string => printable(`${name}: ${message}`);

/** The stack without the message, which the first line has. */
function placesOf({ stack = '' }: Error): readonly string[] {
  return stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .map(printable);
}
