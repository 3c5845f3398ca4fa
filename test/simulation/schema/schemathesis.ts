import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION = '4.32.5';
const FOLDER = join(tmpdir(), `tonhouse-schemathesis-${VERSION}`);
const HOOKS = join(import.meta.dirname, 'hooks.py');
const CHECKS = [
  'documented_server_errors',
  'failures_name_their_status',
  'described_values_are_read',
  'response_schema_conformance',
  'content_type_conformance',
  'status_code_conformance',
].join();
/** Longer than the time limit of a query there: a busy machine is no failure, and no answer at all is one. */
const ANSWER_SECONDS = 120;
const MAX_OUTPUT_BYTES = 64 * 1024 ** 2;

/** Result of one run over one description. */
export interface SchemaRun {
  readonly generated: number;
  readonly failed: number;
  readonly output: string;
}

/** Makes a virtual environment with schemathesis from PyPI, once a machine; answers the program. */
export function installSchemathesis(): string {
  const program = join(FOLDER, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  const options = { stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] };
  execFileSync('python3', ['-m', 'venv', FOLDER], options);
  execFileSync(join(FOLDER, 'bin', 'pip'), ['install', '-q', `schemathesis==${VERSION}`], options);
  return program;
}

/** Sends generated requests, right and wrong ones, to every operation of the description at a path. @throws Error where nothing was run */
export function runSchemathesis(
  program: string,
  document: string,
  { url, examples, seed }: { readonly url: string; readonly examples: number; readonly seed: number },
): Promise<SchemaRun> {
  const parameters = ['run', `${url}${document}`, '-c', CHECKS, '--phases', 'fuzzing', '--warnings', 'off'];
  const numbers = ['--max-examples', `${examples}`, '--seed', `${seed}`, '--continue-on-failure'];
  const patience = ['--request-timeout', `${ANSWER_SECONDS}`];
  const options = {
    cwd: tmpdir(),
    env: { ...process.env, SCHEMATHESIS_HOOKS: HOOKS, TONHOUSE_URL: url },
    maxBuffer: MAX_OUTPUT_BYTES,
  };
  return new Promise((resolve, reject) => {
    execFile(program, [...parameters, ...numbers, ...patience], options, (error, output, errors) => {
      const generated = /(\d+) generated/.exec(output)?.[1];
      // A run that found failures ends with an error, and with a count.
      if (generated === undefined)
        reject(new Error(`schemathesis counted nothing: ${output}${errors}`, { cause: error }));
      else resolve({ generated: Number(generated), failed: failuresIn(output), output });
    });
  });
}

/** Failed requests, and errors of schemathesis itself, which prove nothing. */
function failuresIn(output: string): number {
  const found = Number(/generated, (\d+) found/.exec(output)?.[1] ?? 0);
  const isClean = output.includes('No issues found');
  return isClean ? 0 : Math.max(1, found);
}
