import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PRODUCT_BUFFERS } from '../../test/simulation/common/product-memory.ts';
import { BenchError } from '../common/bench-error.ts';
import { productArguments } from '../common/product-arguments.ts';

const STDERR_TAIL = 4_096;

/** Processes of `tonhouse decode`, as a cluster runs them. */
export class DecodeProcesses {
  readonly #children: readonly ChildProcess[];
  #failure: BenchError | null = null;
  #stopping = false;

  constructor(count: number, environment: Readonly<Record<string, string>>) {
    this.#children = Array.from({ length: count }, () => this.#start(environment));
  }

  get pids(): readonly number[] {
    return this.#children.map(({ pid }) => pid ?? 0);
  }

  /** @throws BenchError if one of them has ended, with its last output */
  check(): void {
    if (this.#failure) throw this.#failure;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
      }),
    );
  }

  #start(environment: Readonly<Record<string, string>>): ChildProcess {
    const words = productArguments(['decode', '--projections', 'base', '--log-level', 'warn']);
    const child = spawn(process.execPath, words, {
      env: { PATH: process.env.PATH, ...PRODUCT_BUFFERS, ...environment },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-STDERR_TAIL);
    });
    child.on('exit', (code, signal) => {
      if (!this.#stopping) this.#failure = new BenchError(`a decoder ended (${code ?? signal}):\n${said}`);
    });
    return child;
  }
}
