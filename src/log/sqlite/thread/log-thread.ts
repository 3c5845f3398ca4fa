import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { ValuePacking } from '../../sealed/value-packing.ts';
import { createOperations } from '../create-operations.ts';
import { DataWaiters } from '../data-waiters.ts';
import { toFacts } from '../error-transport.ts';
import { GatheredRenewals, isRenewal } from '../gathered-renewals.ts';
import { closeLogStore, type LogStore, openLogStore } from '../log-store.ts';
import type { OperationName, Operations, Request, Response, ThreadData } from '../operations.ts';
import { sweepSegments } from '../retention.ts';

const IDLE_CHECK_MS = 2_000;

/** The buffers of records' values: transferred, since this thread no longer needs them. */
function valueBuffers(result: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const item of Array.isArray(result) ? result : [result]) {
    const value: unknown = item?.value;
    if (value instanceof Uint8Array && value.byteLength > 0 && value.buffer instanceof ArrayBuffer)
      buffers.add(value.buffer);
  }
  return [...buffers];
}

/**
 * Runs in the thread that holds the files: SQLite blocks while it flushes, and must not block who answers HTTP.
 * `packing`: form of values in sealed files.
 */
export function runLogThread(packing: ValuePacking | null): void {
  const port = parentPort;
  if (!port) throw new Error('the embedded log runs in a worker thread');
  try {
    const { directory, reading } = workerData as ThreadData;
    const store = openLogStore(directory, undefined, packing, reading);
    sweepSegments(store);
    serve(store, port);
    port.postMessage({ id: 0, result: undefined } satisfies Response);
  } catch (error) {
    port.postMessage({ id: 0, error: toFacts(error) } satisfies Response);
    port.close();
  }
}

function serve(store: LogStore, port: MessagePort): void {
  const answer = (response: Response, transfer: ArrayBuffer[] = []) => port.postMessage(response, transfer);
  const waiters = new DataWaiters(store);
  const operations = createOperations(store, waiters);
  const renewals = new GatheredRenewals({
    transaction: (body) => store.log.transaction(body),
    run: ({ operation, args }) => call(operations, operation as OperationName, args),
    answer: ({ id }, outcome) =>
      answer('error' in outcome ? { id, error: toFacts(outcome.error) } : { id, ...outcome }),
  });
  const idle = setInterval(() => {
    store.segments.closeIdle();
    store.sealed.closeIdle();
  }, IDLE_CHECK_MS);
  port.on('message', async (request: Request) => {
    if (isRenewal(request)) return renewals.add(request);
    renewals.flush();
    const { id, operation, args } = request;
    try {
      if (operation === 'close') {
        clearInterval(idle);
        waiters.stop();
        closeLogStore(store);
        answer({ id, result: undefined });
        // Nothing is pending: the thread ends after its last answer.
        port.close();
        return;
      }
      // Frames of sealed files in buckets are fetched in between; other requests are served meanwhile.
      const result = await store.sealed.frames.run(() => call(operations, operation, args));
      answer({ id, result }, valueBuffers(result));
    } catch (error) {
      answer({ id, error: toFacts(error) });
    }
  });
}

function call(operations: Operations, operation: OperationName, args: readonly unknown[]): unknown {
  return (operations[operation] as (...args: readonly unknown[]) => unknown)(...args);
}
