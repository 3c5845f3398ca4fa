/**
 * A process that writes the chain of its seed. Arguments: place of the log (JSON), seed, session in ms. Prints `ready`
 * with its start position when it has the lease, and `appended` with the next position after each append. Obeys
 * `append` (once) and `stream` (without end). Exits with 3 if fenced.
 */
import { FencedError, LeaseHeldError } from '../../../src/log/errors.ts';
import type { Bus, LogWriter } from '../../../src/log/port.ts';
import { openPlace } from './open-place.ts';
import { chainAppend, IDENTITY, TOPIC } from './test-steps.ts';

const [place = '', seed = '', sessionMs = ''] = process.argv.slice(2);

async function takeLease(bus: Bus): Promise<LogWriter> {
  while (true) {
    try {
      return await bus.writer(TOPIC, `child ${process.pid}`, Number(sessionMs));
    } catch (error) {
      if (!(error instanceof LeaseHeldError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

const bus = await openPlace(JSON.parse(place));
await bus.establish(IDENTITY);
const writer = await takeLease(bus);
let next = ((await writer.tail())?.position ?? -1) + 1;

async function append(): Promise<void> {
  const steps = chainAppend(Number(seed), next);
  try {
    await writer.append(steps);
  } catch (error) {
    if (error instanceof FencedError) process.exit(3);
    throw error;
  }
  next += steps.length;
  process.send?.({ did: 'appended', next });
}

process.on('message', async (command) => {
  if (command === 'append') await append();
  else while (true) await append();
});
process.send?.({ did: 'ready', next });
