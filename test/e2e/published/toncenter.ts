import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** JSON as the client reads it: a missing value throws. */
// biome-ignore lint/suspicious/noExplicitAny: the client names no types
type Json = any;

/** Runs call_toncenter.py with the package of `folder`. Resolves to what came of each call and stream. */
export function callPython(folder: string, asked: object): Promise<Json> {
  const script = join(import.meta.dirname, 'call_toncenter.py');
  return new Promise((resolve, reject) => {
    const options = {
      env: { ...process.env, PYTHONPATH: folder },
      maxBuffer: 64 * 1024 ** 2,
      timeout: 380_000,
    };
    const child = execFile('python3', [script], options, (error, output, errors) => {
      if (error) reject(new Error(`${error.message} ${errors}`));
      else resolve(JSON.parse(output));
    });
    child.stdin!.end(JSON.stringify(asked));
  });
}
