import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { deadLettersCommand } from './commands/dead-letters.ts';
import { indexCommand } from './commands/index-source.ts';
import { migrateCommand } from './commands/migrate.ts';
import { serveCommand } from './commands/serve.ts';
import { statusCommand } from './commands/status.ts';
import { upCommand } from './commands/up.ts';
import { verifyCommand } from './commands/verify.ts';

/** A command: added to the program, it reports the exit code when its work was done without an error. */
export type CommandDefinition = (exit: (code: number) => void) => Command;

const COMMANDS: readonly CommandDefinition[] = [
  upCommand,
  indexCommand,
  serveCommand,
  statusCommand,
  verifyCommand,
  migrateCommand,
  deadLettersCommand,
];

/** The command line of tonhouse. */
export function createProgram(exit: (code: number) => void): Command {
  const program = new Command('tonhouse')
    .description(
      'The TON blockchain as typed events in ClickHouse, with the TON Center v2 and v3 HTTP APIs on top.',
    )
    .version(version())
    .option('--debug', 'print stack traces of errors')
    .exitOverride()
    .showHelpAfterError('(try --help)');
  for (const define of COMMANDS) program.addCommand(define(exit).exitOverride());
  return program;
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
