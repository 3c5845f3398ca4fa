import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatheredRenewals, isRenewal, type Outcome } from '../../../../src/log/sqlite/gathered-renewals.ts';
import { closeLogStore, type LogStore, openLogStore } from '../../../../src/log/sqlite/log-store.ts';
import type { Request } from '../../../../src/log/sqlite/operations.ts';

const claim = (id: number): Request => ({ id, operation: 'claim', args: [id] });
const keep = (store: LogStore, name: string) => store.log.run('INSERT INTO meta VALUES (?, ?)', name, '');
const kept = (store: LogStore) =>
  store.log.all<{ name: string }>('SELECT name FROM meta ORDER BY name').map(({ name }) => name);

let folder: string;
let store: LogStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonhouse-renewals-'));
  store = openLogStore(folder);
});
afterEach(() => {
  closeLogStore(store);
  rmSync(folder, { recursive: true, force: true });
});

describe('renewals that come together', () => {
  let begun: number;
  let answers: [number, Outcome][];
  const gathered = (run: (request: Request) => unknown) =>
    new GatheredRenewals({
      transaction: (body) => {
        begun++;
        return store.log.transaction(body);
      },
      run,
      answer: ({ id }, outcome) => answers.push([id, outcome]),
    });
  beforeEach(() => {
    begun = 0;
    answers = [];
  });

  it('are one transaction, and each has its own answer', () => {
    const renewals = gathered(({ id }) => store.log.transaction(() => keep(store, `${id}`)));
    for (const id of [3, 1, 2]) renewals.add(claim(id));
    expect([begun, answers]).toEqual([0, []]);
    renewals.flush();
    expect(begun).toBe(1);
    expect(answers).toEqual([3, 1, 2].map((id) => [id, { result: 1 }]));
    expect(kept(store)).toEqual(['1', '2', '3']);
  });

  it('leave nothing of one that is refused, and all of the others', () => {
    const refusal = new Error('refused');
    const renewals = gathered(({ id }) =>
      store.log.transaction(() => {
        keep(store, `${id}`);
        if (id === 2) throw refusal;
      }),
    );
    for (const id of [1, 2, 3]) renewals.add(claim(id));
    renewals.flush();
    expect(answers).toEqual([
      [1, { result: undefined }],
      [2, { error: refusal }],
      [3, { result: undefined }],
    ]);
    expect(kept(store)).toEqual(['1', '3']);
  });

  it('are all refused if the transaction itself fails', () => {
    const failure = new Error('disk full');
    const failing = new GatheredRenewals({
      transaction: () => {
        throw failure;
      },
      run: () => 'done',
      answer: ({ id }, outcome) => answers.push([id, outcome]),
    });
    failing.add(claim(1));
    failing.add(claim(2));
    failing.flush();
    expect(answers).toEqual([
      [1, { error: failure }],
      [2, { error: failure }],
    ]);
  });

  it('run without a further call after a moment', async () => {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const renewals = new GatheredRenewals({
      transaction: (body) => body(),
      run: () => 'done',
      answer: (_, outcome) => resolve(outcome),
    });
    renewals.add(claim(1));
    expect(await promise).toEqual({ result: 'done' });
  });
});

it('knows an append without a step for a renewal, and no other one', () => {
  const append = (steps: unknown[]): Request => ({
    id: 1,
    operation: 'append',
    args: [0, steps, new Uint8Array()],
  });
  expect([append([]), append([{}]), claim(1)].map(isRenewal)).toEqual([true, false, true]);
  expect(isRenewal({ id: 1, operation: 'journal', args: [] })).toBe(false);
});
