/** One thread of the pool: an emulator that answers one call after the other. */
import { parentPort } from 'node:worker_threads';
import { Emulator, EmulatorError } from '../../../../ton/tvm/emulator.ts';
import type { TvmAnswer, TvmCall } from './tvm-calls.ts';

const port = parentPort;
if (!port) throw new Error('the TVM pool runs in worker threads');

let emulator = await Emulator.create();

port.on('message', async (call: TvmCall) => {
  const answer = run(call);
  port.postMessage(answer);
  // After a failure of its own the emulator is not to be trusted.
  if (answer.error?.name === EmulatorError.name) emulator = await Emulator.create();
});

function run(call: TvmCall): TvmAnswer {
  try {
    if (call.kind === 'get') return { result: emulator.runGetMethod(call.request) };
    emulator.enter(call.trial.block);
    return { result: emulator.transact(call.trial.request) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { error: { name, message } };
  }
}

port.postMessage({});
