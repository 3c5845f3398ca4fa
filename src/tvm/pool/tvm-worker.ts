/** One thread of the pool: an emulator that answers one call at a time. It restarts its emulator after a failure. */
import { parentPort, workerData } from 'node:worker_threads';
import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { Emulator, EmulatorError } from '../emulator.ts';
import { compiledModule, takeModule } from '../executor.ts';
import { readStack, StackTooLargeError } from '../stack/read-stack.ts';
import type {
  TvmAnswer,
  TvmCall,
  TvmFailure,
  TvmResult,
  TvmThreadReady,
  TvmThreadStart,
} from './tvm-calls.ts';

/** Limit of liteservers (v2-endpoints.md section 3). */
const MAX_ENTRIES = 8_000;
/** Largest serialised result: 512 times one cell of 300 KB were 156 MB. A contract's largest state is half of this. */
const MAX_RESULT_BYTES = 8 * 1024 * 1024;

const port = parentPort;
if (!port) throw new Error('the TVM pool runs in worker threads');

const { module, warmUp } = workerData as TvmThreadStart;
if (module) takeModule(module);
const emulator = await Emulator.create();

port.on('message', (call: TvmCall) => port.postMessage(answerTo(call)));

/** An unknown failure ends the thread, whose state is not known then. */
function answerTo(call: TvmCall): TvmAnswer {
  try {
    return { result: run(call) };
  } catch (error) {
    const failure = toFailure(error);
    if (!failure) throw error;
    return { failure };
  }
}

/** Results are read here and not in the answering thread, which serves all clients. */
function run(call: TvmCall): TvmResult {
  if (call.kind === 'get') {
    const result = emulator.runGetMethod(call.request);
    const limits = { maxEntries: MAX_ENTRIES, maxBytes: MAX_RESULT_BYTES };
    return { ...result, values: readStack(fromBase64(result.stack)!, limits) };
  }
  emulator.enter(call.trial.block);
  const outcome = emulator.transact(call.trial.request);
  if (outcome.accepted && outcome.transaction.length > MAX_RESULT_BYTES)
    throw new StackTooLargeError('maxBytes', MAX_RESULT_BYTES);
  return outcome;
}

function toFailure(error: unknown): TvmFailure | null {
  if (error instanceof StackTooLargeError) return { reason: 'result', message: error.message };
  if (error instanceof EmulatorError) return { reason: 'emulator', message: error.detail };
  const isUnread = error instanceof BocError || error instanceof CellError;
  return isUnread ? { reason: 'emulator', message: error.message } : null;
}

for (const call of warmUp) answerTo(call);
port.postMessage({ module: compiledModule() } satisfies TvmThreadReady);
