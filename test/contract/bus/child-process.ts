import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

interface Told {
  readonly did: 'ready' | 'appended';
  readonly next: number;
}

/** A writing child; see writer-child.ts. */
export interface WritingChild {
  readonly process: ChildProcess;
  /** The position behind the last append that the child knows to be durable. */
  acknowledged(): number;
  /** The next message of this kind that is not taken yet. */
  told(did: Told['did']): Promise<number>;
  /** Ends it at once (kill -9) and waits until it is gone. */
  kill(): Promise<void>;
}

export function startWriter(directory: string, seed: number, sessionMs: number): WritingChild {
  const child = fork(join(import.meta.dirname, 'writer-child.ts'), [directory, `${seed}`, `${sessionMs}`], {
    execArgv: [],
  });
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
