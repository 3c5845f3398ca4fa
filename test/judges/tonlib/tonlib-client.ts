import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export type TonlibAnswer = Readonly<Record<string, unknown>> & { readonly '@type': string };

const SCRIPT = resolve(import.meta.dirname, '../python/tonlib.py');

/** The official C++ library in a process of its own, connected to the servers of a configuration. */
export class TonlibClient {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #keys: string;

  private constructor(python: string, library: string) {
    this.#child = spawn(python, [SCRIPT, library], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
    this.#keys = mkdtempSync(join(tmpdir(), 'judge-keys-'));
  }

  /** @throws an error if the library refuses the configuration */
  static async open(python: string, library: string, configFile: string): Promise<TonlibClient> {
    const client = new TonlibClient(python, library);
    const config = readFileSync(configFile, 'utf8');
    const answer = await client.ask({
      '@type': 'init',
      options: {
        '@type': 'options',
        config: {
          '@type': 'config',
          config,
          use_callbacks_for_network: false,
          blockchain_name: '',
          ignore_cache: true,
        },
        keystore_type: { '@type': 'keyStoreTypeDirectory', directory: client.#keys },
      },
    });
    if (answer['@type'] === 'error') throw new Error(`tonlib init: ${answer.message}`);
    return client;
  }

  /** Sends a request and resolves to its answer, which may be an `error`. */
  async ask(request: object): Promise<TonlibAnswer> {
    this.#child.stdin!.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the process of tonlib ended');
    return JSON.parse(value) as TonlibAnswer;
  }

  async close(): Promise<void> {
    this.#child.stdin!.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    rmSync(this.#keys, { recursive: true, force: true });
  }
}

/** Text of an error answer; null for any other. */
export function toError(answer: TonlibAnswer): string | null {
  return answer['@type'] === 'error' ? String(answer.message) : null;
}
