import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PRODUCT_HEAP } from '../../test/simulation/common/product-memory.ts';
import { BenchError } from '../common/bench-error.ts';
import type { UsageSummary } from '../common/process-usage.ts';
import { productEnvironment } from '../common/product-arguments.ts';
import type { ChildOptions } from '../ingest/child-options.ts';

export interface ReplayChildOptions extends ChildOptions {
  readonly network: string;
  /** Version of the decoder: differs from the served version's. */
  readonly codeVersion: number;
}

export interface ReplayDone {
  /** Time to decode and write every transaction again, until the last is confirmed. */
  readonly replaySeconds: number;
  /** From then until the store had merged what it merges. */
  readonly mergeSeconds: number;
  /** CPU time of it, by process. */
  readonly usage: Readonly<Record<string, UsageSummary | null>>;
  /** With the head, checks, comparison and switch. */
  readonly wholeSeconds: number;
  /** When the pointer was moved, ms since 1970. */
  readonly switchedAt: number;
  readonly rowsDiffer: number;
}

const CHILD = fileURLToPath(new URL('./replay-child.ts', import.meta.url));

/** Replays in a process of its own; `onBuilt` runs when the version is whole and is not served yet. */
export async function replayInChild(
  options: ReplayChildOptions,
  onBuilt: () => Promise<void>,
): Promise<ReplayDone> {
  const child = fork(CHILD, [JSON.stringify(options)], {
    // As bin/tonhouse runs it.
    execArgv: [PRODUCT_HEAP],
    env: productEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(([code]) => {
    throw new BenchError(`the replay ended with code ${code}`);
  });
  const next = async () => (await Promise.race([once(child, 'message'), exited]))[0] as 'built' | ReplayDone;
  try {
    await next();
    await onBuilt();
    const done = next();
    child.send('go');
    return (await done) as ReplayDone;
  } finally {
    child.kill();
    await exited.catch(() => {});
  }
}
