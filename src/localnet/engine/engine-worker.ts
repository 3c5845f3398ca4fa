/**
 * The thread that executes transactions: each takes about a millisecond, during which a thread can answer nothing else.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Engine } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';
import {
  type CallRequest,
  type CallResponse,
  type EngineCall,
  type EngineCalls,
  OPENED,
} from './worker-calls.ts';

const port = parentPort;
if (!port) throw new Error('the localnet engine runs in a worker thread');

const answer = (response: CallResponse) => port.postMessage(response);

function failed(id: number, error: unknown): CallResponse {
  if (!(error instanceof Error))
    return { id, error: { name: 'Error', message: String(error), stack: undefined } };
  const { name, message, stack } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return { id, error: { name, message, stack, code } };
}

/** Calls that only look at the chain as the last step left it: they do not wait until the next one is made and written. */
const READ_CALLS: ReadonlySet<EngineCall> = new Set([
  'account',
  'view',
  'libraries',
  'proveOldBlock',
  'states',
  'status',
  'zerostates',
  'contracts',
  'forkSummary',
  'loads',
  'missing',
]);

/** Never rejects: failures are answers. */
async function run(engine: EngineCalls, { id, call, args }: CallRequest): Promise<void> {
  try {
    const method = engine[call] as (...args: readonly unknown[]) => unknown;
    answer({ id, result: await method.apply(engine, [...args]) });
  } catch (error) {
    answer(failed(id, error));
  }
  // Nothing is pending: the thread ends after its last answer.
  if (call === 'close') port?.close();
}

function serve(engine: EngineCalls): void {
  let turn = Promise.resolve();
  port?.on('message', (request: CallRequest) => {
    if (READ_CALLS.has(request.call)) void run(engine, request);
    else turn = turn.then(() => run(engine, request));
  });
}

try {
  serve(await Engine.open(workerData as EngineOptions));
  answer({ id: OPENED, result: undefined });
} catch (error) {
  answer(failed(OPENED, error));
  port.close();
}
