/** One process at a time has the turn, over a real log; the next has it when that one ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turn } from '../../../../src/engine/turns/turn.ts';
import { eachTestOwnsALog, SESSION_MS } from '../../../contract/log/log-fixture.ts';
import { temporaryLog } from '../../../contract/log/temporary-log.ts';

const { bus: openBus } = eachTestOwnsALog(temporaryLog);
const log = { debug() {}, info() {}, warn() {}, error() {} };
const LONG_MS = 600_000;
const options = (owner: string, sessionMs: number) => ({ name: 'webhooks', owner, sessionMs, log });

it('belongs to one process, and to the next when that one gives it up', async () => {
  const bus = await openBus();
  const first = await Turn.join(bus, options('first', LONG_MS));
  expect(first.leftMs).toBeGreaterThan(LONG_MS / 2);
  // However many join, and whatever their names: nothing is taken from the one that has it.
  const others: Turn[] = [];
  for (const owner of ['a', 'z', 'second']) others.push(await Turn.join(bus, options(owner, LONG_MS)));
  expect(others.map(({ leftMs }) => leftMs)).toEqual([0, 0, 0]);
  const again = await Turn.join(bus, options('first', LONG_MS));
  expect(again.leftMs).toBeGreaterThan(0);
  for (const turn of [...others, first, again]) await turn.close();
  expect(first.leftMs).toBe(0);
  const next = await Turn.join(bus, options('next', LONG_MS));
  expect(next.leftMs).toBeGreaterThan(0);
  await next.close();
});

it('passes to another when a process is silent, whose own clock notices first', async () => {
  const bus = await openBus();
  // A member that never renews: as a process that was stopped.
  const silent = await bus.consumer({
    topic: 'webhooks',
    group: 'webhooks',
    owner: 'x',
    sessionMs: SESSION_MS,
  });
  const leases = await silent.claim();
  expect(leases.map(({ lane }) => lane)).toContain(0);
  const heir = await Turn.join(bus, options('heir', SESSION_MS));
  while (heir.leftMs === 0) await sleep(20);
  expect(silent.left(leases.find(({ lane }) => lane === 0)!)).toBe(0);
  await heir.close();
});
