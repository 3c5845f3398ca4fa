import { CommanderError } from 'commander';
import { getOutcome } from '../platform/errors/error-outcome.ts';
import { errorText } from '../platform/observability/error-text.ts';
import { printable } from '../platform/observability/printable.ts';
import { printNotice } from '../platform/observability/terminal.ts';
import { EXIT } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { StoppedError } from './stopped-error.ts';

/** Runs one command line; resolves to the exit code. Errors are one line with their facts; `--debug` adds the stack. */
export async function runCli(argv: readonly string[]): Promise<number> {
  const outcome = { code: EXIT.ok as number };
  try {
    const program = await createProgram(argv, (code) => {
      outcome.code = code;
    });
    await program.parseAsync(argv as string[]);
    return outcome.code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    report(error, argv.includes('--debug'));
    return getOutcome(error).exitCode;
  }
}

function report(error: unknown, withStack: boolean): void {
  if (error instanceof StoppedError) printNotice(`${printable(error.message)}\n`);
  else printNotice(errorText(error, withStack));
}
