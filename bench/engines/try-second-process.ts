import { BenchError } from '../common/bench-error.ts';
import type { ChildTask, Visibility } from './child-task.ts';
import { runEngine, startEngine } from './engine-process.ts';

/** What a second process sees of a store, or why it cannot open it. */
export type SecondProcess = Visibility | { readonly error: string };

/** Reads in one process while another one writes. */
export async function trySecondProcess(store: Pick<ChildTask, 'engine' | 'place'>): Promise<SecondProcess> {
  const writer = startEngine({ ...store, kind: 'insert', firstBatch: 0 }, null);
  try {
    await writer.next();
    const message = await runEngine({ ...store, kind: 'watch' }, null);
    return message.kind === 'watched' ? message.visible : { error: `unexpected message ${message.kind}` };
  } catch (error) {
    if (error instanceof BenchError) return { error: error.message };
    throw error;
  } finally {
    await writer.kill();
  }
}
