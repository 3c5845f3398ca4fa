/**
 * A process that is a member of a group. Arguments: place of the log (JSON), session in ms. Claims, prints `ready` with
 * the number of its lanes, and on `confirm` journals and confirms the first record of lane 0. Exits with 3 if fenced
 * before it has journalled anything, with 0 if nothing stopped it.
 */
import { FencedError } from '../../../src/log/errors.ts';
import { openPlace } from './open-place.ts';
import { TOPIC } from './test-steps.ts';

const [place = '', sessionMs = ''] = process.argv.slice(2);
const bus = await openPlace(JSON.parse(place));
const owner = `child ${process.pid}`;
const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner, sessionMs: Number(sessionMs) });
const leases = await consumer.claim();
const [lease] = leases;
if (!lease) throw new Error('no lane was free');

process.on('message', async () => {
  const [record] = await consumer.read(0, lease.committed, { records: 1, bytes: 1 });
  if (!record) throw new Error('lane 0 is empty');
  const { lane, epoch, offset: from, position } = record;
  const entry = { lane, epoch, from, next: from + 1, firstPosition: position, lastPosition: position };
  try {
    await consumer.journal(lease, { ...entry, attempt: 1, expected: {} });
  } catch (error) {
    if (error instanceof FencedError) process.exit(3);
    throw error;
  }
  process.exit(0);
});
process.send?.({ did: 'ready', next: leases.length });
