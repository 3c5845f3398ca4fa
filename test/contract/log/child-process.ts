import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LogPlace } from './open-place.ts';

interface Told {
  readonly did: 'ready' | 'appended';
  readonly next: number;
}

/** A child that works on a log; see writer-child.ts and consumer-child.ts. */
export interface LogChild {
  readonly process: ChildProcess;
  /** The position after the last append that the child knows to be durable. */
  acknowledged(): number;
  /** The next message of this kind that is not taken yet. */
  told(did: Told['did']): Promise<number>;
  /** Ends it at once (kill -9) and waits until it is gone. */
  kill(): Promise<void>;
}

export const startWriter = (place: LogPlace, seed: number, sessionMs: number) =>
  startChild('writer-child.ts', [JSON.stringify(place), `${seed}`, `${sessionMs}`]);

export const startConsumer = (place: LogPlace, sessionMs: number) =>
  startChild('consumer-child.ts', [JSON.stringify(place), `${sessionMs}`]);

function startChild(script: string, args: readonly string[]): LogChild {
  const child = fork(join(import.meta.dirname, script), args, { execArgv: [] });
  const exited = once(child, 'exit');
  const heard: Told[] = [];
  let acknowledged = 0;
  child.on('message', (message: Told) => {
    heard.push(message);
    acknowledged = message.next;
  });
  return {
    process: child,
    acknowledged: () => acknowledged,
    async told(did) {
      while (true) {
        const index = heard.findIndex((message) => message.did === did);
        if (index >= 0) return heard.splice(index, 1)[0]?.next ?? 0;
        const event = await Promise.race([once(child, 'message'), exited.then(() => null)]);
        if (!event)
          throw new Error(`the child ended (${child.exitCode ?? child.signalCode}) and never said ${did}`);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
