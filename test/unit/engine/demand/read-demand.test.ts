import { expect, it } from 'vitest';
import { ProjectionDemand } from '../../../../src/engine/demand/projection-demand.ts';
import { ReadDemand } from '../../../../src/engine/demand/read-demand.ts';

const NEVER_MS = 60_000;
const going = new AbortController().signal;

/** Whether a promise is settled once everything that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

it('a lane idles until a request for its projection, which waits until the lane has caught up', async () => {
  const demand = new ReadDemand(NEVER_MS);
  const lane = {};
  const rest = demand.of('base').idle(lane, going);
  const other = demand.of('activity').idle({}, going);
  expect(await isSettled(rest)).toBe(false);
  const asked = demand.activate(['base']);
  expect(await isSettled(rest)).toBe(true);
  expect(await isSettled(asked)).toBe(false);
  demand.of('base').settled(lane);
  await asked;
  expect(await isSettled(other)).toBe(false);
});

it('a request waits for a lane whose idle time ended and that has not caught up yet', async () => {
  const demand = new ReadDemand(0);
  const lane = {};
  await demand.of('base').idle(lane, going);
  const asked = demand.activate(['base']);
  expect(await isSettled(asked)).toBe(false);
  demand.of('base').settled(lane);
  await asked;
});

it('no request waits for lanes that do not idle', async () => {
  const demand = new ReadDemand(NEVER_MS);
  await demand.activate(['base']);
  expect(demand.of('base').isActive).toBe(true);
  // Asked a moment ago: the lane goes on at once.
  await demand.of('base').idle({}, going);
});

it('a lane that is stopped does not rest', async () => {
  const demand = new ReadDemand(NEVER_MS).of('base');
  const stop = new AbortController();
  const rest = demand.idle({}, stop.signal);
  stop.abort();
  await rest;
  await demand.idle({}, stop.signal);
});

it('a lane that never catches up does not block requests without end', async () => {
  const demand = new ReadDemand(NEVER_MS);
  void demand.of('base').idle({}, going);
  await demand.activate(['base']);
});

it('a lane rests for a sixth of the time where many transactions come', async () => {
  const demand = new ProjectionDemand(1_500);
  const ended: string[] = [];
  const rests = [
    demand.idle({}, going, 10).then(() => ended.push('few')),
    demand.idle({}, going, 100_000).then(() => ended.push('many')),
  ];
  await Promise.all(rests);
  expect(ended).toEqual(['many', 'few']);
});
