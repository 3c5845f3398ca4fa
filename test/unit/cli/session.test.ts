import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runService, runSession, type Session } from '../../../src/cli/session.ts';
import { StoppedError } from '../../../src/cli/stopped-error.ts';

const FLAGS = { logLevel: 'error' };

/** Work that waits when the request to stop comes, and fails as timers of Node do. */
async function wait({ shutdown, signal }: Session): Promise<string> {
  setImmediate(() => shutdown.request());
  await sleep(60_000, undefined, { signal });
  return 'finished';
}

it('work that is stopped while it waits ends as stopped, and not as an error of its own', async () => {
  await expect(runSession(FLAGS, wait)).rejects.toThrow(StoppedError);
  await expect(runService(FLAGS, wait)).resolves.toBeUndefined();
});

it('an error that does not come from the stop is the error of the work', async () => {
  const work = async (session: Session) => {
    session.shutdown.request();
    throw new RangeError('wrong');
  };
  await expect(runSession(FLAGS, work)).rejects.toThrow(RangeError);
  await expect(runService(FLAGS, work)).rejects.toThrow(RangeError);
});

it('gives what the work gives', async () => {
  expect([await runSession(FLAGS, async () => 1), await runService(FLAGS, async () => 2)]).toEqual([1, 2]);
});
