import { CommanderError } from 'commander';
import { OlderStoreError } from '../engine/versions/older-store-error.ts';
import { UsageError } from '../platform/config/usage-error.ts';
import { causesOf } from '../platform/observability/error-facts.ts';
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
    return codeOf(error);
  }
}

function codeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof StoppedError) return EXIT.stopped;
  return error instanceof OlderStoreError ? EXIT.olderStore : EXIT.failed;
}

function report(error: unknown, withStack: boolean): void {
  if (!(error instanceof Error)) {
    process.stderr.write(`error: ${String(error)}\n`);
    return;
  }
  if (error instanceof StoppedError) {
    process.stderr.write(`${error.message}\n`);
    return;
  }
  const because = causesOf(error).map(({ name, message }) => `  because ${name}: ${message}\n`);
  process.stderr.write(`${error.name}: ${error.message}\n${because.join('')}`);
  if (withStack) process.stderr.write(`${error.stack}\n`);
}
