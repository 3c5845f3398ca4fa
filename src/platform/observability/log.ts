import { pino } from 'pino';
import { cut, errorFacts } from './error-facts.ts';
import { printable, printableLines } from './printable.ts';
import { printNotice } from './terminal.ts';

/** A structured logger: facts first, then the sentence. */
export interface Log {
  debug(facts: object, text: string): void;
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LEVELS)[number];

/** A log on stderr, so that stdout belongs to the command's answer. */
export function createLog(level: LogLevel, format: 'plain' | 'json'): Log {
  if (format === 'plain') return plainLog(level);
  // A closed terminal must not end the process: it stops in order.
  const stderr = pino.destination(2).on('error', () => {});
  // All of a JSON line but its end is inside of strings if it is not printable.
  const escaping = { write: (line: string) => void stderr.write(printableLines(line)) };
  return pino({ level, serializers: { error: errorFacts } }, escaping);
}

function plainLog(least: LogLevel): Log {
  const from = LEVELS.indexOf(least);
  const write = (level: LogLevel) => (facts: object, text: string) => {
    if (LEVELS.indexOf(level) < from) return;
    const details = Object.entries(facts).map(([name, value]) => `${name}=${printed(value)}`);
    printNotice(`${printable([level.padEnd(5), text, ...details].join(' '))}\n`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function printed(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(cut(value.message));
  return typeof value === 'string' ? value : JSON.stringify(value);
}
