import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BenchError } from '../common/bench-error.ts';
import type { ChildMessage, ChildTask } from './child-task.ts';
import type { MemoryGroup } from './memory-group.ts';

const CHILD = fileURLToPath(new URL('./engine-child.ts', import.meta.url));

/** A child that works on a store. */
export interface EngineProcess {
  /** Its next message. @throws BenchError if the child fails or ends without one */
  next(): Promise<ChildMessage>;
  /** Ends the child at once. Resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts a task in a process of its own, within a limit of memory if there is one. */
export function startEngine(task: ChildTask, group: MemoryGroup | null): EngineProcess {
  const child = fork(CHILD, [JSON.stringify(task)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting: ChildMessage[] = [];
  child.on('message', (message) => waiting.push(message as ChildMessage));
  const exited = once(child, 'exit');
  if (child.pid !== undefined) group?.add(child.pid);
  child.send('start');
  return {
    async next() {
      while (waiting.length === 0) {
        const ended = exited.then(([code, signal]) => {
          if (waiting.length === 0)
            throw new BenchError(`the process ended with ${signal ?? `code ${code}`}`);
        });
        await Promise.race([once(child, 'message'), ended]);
      }
      const message = waiting.shift() as ChildMessage;
      if (message.kind === 'failed') throw new BenchError(message.error);
      return message;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Does a task to its end. @throws BenchError if the child fails */
export async function runEngine(task: ChildTask, group: MemoryGroup | null): Promise<ChildMessage> {
  const child = startEngine(task, group);
  try {
    return await child.next();
  } finally {
    await child.kill();
  }
}
