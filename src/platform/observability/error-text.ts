import { getCauses } from './error-facts.ts';
import { printable } from './printable.ts';

/**
 * An error for a terminal: a line with its facts, its `details`, a line for each cause, and with `withStack` the places.
 * Text in the message cannot start a line.
 */
export function errorText(error: unknown, withStack: boolean): string {
  if (!(error instanceof Error)) return `error: ${printable(String(error))}\n`;
  const lines = [
    toLine(error),
    ...getDetails(error),
    ...getCauses(error).map((cause) => `  because ${toLine(cause)}`),
    ...(withStack ? getStackLines(error) : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Lines that an error has after its message, such as the output of a process. */
function getDetails({ details }: Error & { readonly details?: unknown }): readonly string[] {
  return Array.isArray(details) ? details.map((line) => `  ${printable(String(line))}`) : [];
}

const toLine = ({ name, message }: Error): string => printable(`${name}: ${message}`);

/** The stack without the message, which the first line has. */
function getStackLines({ stack = '' }: Error): readonly string[] {
  return stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .map(printable);
}
