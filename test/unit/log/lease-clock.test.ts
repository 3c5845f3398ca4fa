/** Leases of the embedded log when the clock was set back while their owner is paused: it lives, but does nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FencedError, LeaseHeldError } from '../../../src/log/errors.ts';
import { appendSteps } from '../../../src/log/sqlite/append-steps.ts';
import { execute } from '../../../src/log/sqlite/coordinate.ts';
import { claimLanes, commitOffset, openConsumer } from '../../../src/log/sqlite/group-member.ts';
import { closeLogStore, type LogStore, openLogStore } from '../../../src/log/sqlite/log-store.ts';
import { readLag } from '../../../src/log/sqlite/topics.ts';
import { readWriterLease, takeWriter } from '../../../src/log/sqlite/writer-lease.ts';

const TOPIC = 'raw-blocks';
const SESSION_MS = 10_000;
const HOUR_MS = 3_600_000;
const NO_VALUES = new Uint8Array(0);

let directory: string;
let wall: number;
let monotonic: number;
/** Two processes, from the files' point of view. */
let paused: LogStore;
let next: LogStore;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-lease-clock-'));
  wall = 1_700_000_000_000;
  monotonic = 5_000;
  const clock = { wall: () => wall, monotonic: () => monotonic };
  paused = openLogStore(directory, clock);
  next = openLogStore(directory, clock);
  execute(paused, 'establish', {
    identity: { network: 'test', id: 'a', epochSize: 10, lanes: 2, facts: {} },
  });
});
afterEach(() => {
  closeLogStore(paused);
  closeLogStore(next);
  rmSync(directory, { recursive: true });
});

function pass(ms: number): void {
  wall += ms;
  monotonic += ms;
}

const member = (store: LogStore, owner: string) =>
  openConsumer(store, { topic: TOPIC, group: 'g', owner, sessionMs: SESSION_MS });

it('a writer that does not renew loses the lease after a session, and is fenced when it resumes', () => {
  const first = takeWriter(paused, TOPIC, 'first', SESSION_MS);
  wall -= HOUR_MS;
  expect(readWriterLease(next, TOPIC)).toEqual({ owner: 'first', expiresAt: wall + SESSION_MS });
  const take = () => takeWriter(next, TOPIC, 'second', SESSION_MS);
  expect(take).toThrow(LeaseHeldError);
  pass(SESSION_MS - 1);
  expect(take).toThrow(LeaseHeldError);
  pass(1);
  const second = take();
  expect(second.generation).toBeGreaterThan(first.generation);
  expect(() => appendSteps(paused, first, [], NO_VALUES)).toThrow(FencedError);
});

it('a writer that renews keeps the lease when the clock changes', () => {
  const first = takeWriter(paused, TOPIC, 'first', SESSION_MS);
  for (const jump of [0, -HOUR_MS, 0, 0, 0, -HOUR_MS, 0, 0, 0, 0]) {
    wall += jump;
    expect(() => takeWriter(next, TOPIC, 'second', SESSION_MS)).toThrow(LeaseHeldError);
    pass(SESSION_MS / 3);
    appendSteps(paused, first, [], NO_VALUES);
  }
});

it('the session that counts is the one of the owner', () => {
  takeWriter(paused, TOPIC, 'first', SESSION_MS);
  wall -= HOUR_MS;
  const take = () => takeWriter(next, TOPIC, 'second', SESSION_MS / 10);
  expect(take).toThrow(LeaseHeldError);
  pass(SESSION_MS - 1);
  expect(take).toThrow(LeaseHeldError);
  pass(1);
  take();
});

it('lanes and membership of a member that does not renew end after a session', () => {
  takeWriter(paused, TOPIC, 'w', SESSION_MS);
  const first = member(paused, 'first');
  const second = member(next, 'second');
  const [lease] = claimLanes(paused, first);
  if (!lease) throw new Error('expected a lane');
  wall -= HOUR_MS;
  expect(claimLanes(next, second)).toEqual([]);
  pass(SESSION_MS - 1);
  expect(claimLanes(next, second)).toEqual([]);
  pass(1);
  expect(readLag(next).map(({ owner }) => owner)).toEqual([null, null]);
  expect(claimLanes(next, second)).toHaveLength(2);
  expect(() => commitOffset(paused, first, lease, 0)).toThrow(FencedError);
  // The first resumes: both share the lanes again.
  expect(claimLanes(paused, first)).toEqual([]);
  expect(claimLanes(next, second)).toHaveLength(1);
  expect(claimLanes(paused, first)).toHaveLength(1);
});
