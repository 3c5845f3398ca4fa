import { describe, expect, it } from 'vitest';
import { ClientGoneError } from '../../../../src/api/http/errors/caller-errors.ts';
import { OverloadedError } from '../../../../src/api/http/errors/http-error.ts';
import { Admission } from '../../../../src/api/query/admission.ts';
import { testCaller } from '../../../helpers/test-caller.ts';

/** Statements that end on request, in the order of their start. */
function statements(admission: Admission) {
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string, client = 'a', begun = false) =>
    admission.run(testCaller({ client }), begun, async () => {
      began.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  /** Ends the oldest one that runs, and lets the next begin. */
  const endOne = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { began, run, endOne };
}

describe('admission to the store', () => {
  it('runs as many as it may at the same time, and the others in turn', async () => {
    const admission = new Admission({ running: 2, waiting: 10 });
    const { began, run, endOne } = statements(admission);
    const all = Promise.all(['1', '2', '3', '4'].map((name) => run(name)));
    expect([began, admission.running, admission.waiting]).toEqual([['1', '2'], 2, 2]);
    for (let i = 0; i < 4; i++) await endOne();
    expect(await all).toEqual(['1', '2', '3', '4']);
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it('lets clients take turns: a client with many statements delays only itself', async () => {
    const admission = new Admission({ running: 1, waiting: 10 });
    const { began, run, endOne } = statements(admission);
    const all = Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => run(name, 'a')),
      run('b1', 'b'),
      run('c1', 'c'),
      run('b2', 'b'),
    ]);
    for (let i = 0; i < 7; i++) await endOne();
    await all;
    expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('lets answers that have begun go first', async () => {
    const admission = new Admission({ running: 1, waiting: 10 });
    const { began, run, endOne } = statements(admission);
    const all = Promise.all([run('1'), run('2'), run('3'), run('second of 1', 'a', true)]);
    for (let i = 0; i < 4; i++) await endOne();
    await all;
    expect(began).toEqual(['1', 'second of 1', '2', '3']);
  });

  it('refuses what the queue has no room for, with a time to come again', async () => {
    const admission = new Admission({ running: 1, waiting: 2 });
    const { run, endOne } = statements(admission);
    const kept = [run('1'), run('2'), run('3')];
    await expect(run('4')).rejects.toThrow(OverloadedError);
    await expect(run('4')).rejects.toMatchObject({ status: 503, retryAfter: 1 });
    for (let i = 0; i < 3; i++) await endOne();
    expect(await Promise.all(kept)).toEqual(['1', '2', '3']);
  });

  it('gives up the last one of who fills the queue for another client', async () => {
    const admission = new Admission({ running: 1, waiting: 3 });
    const { began, run, endOne } = statements(admission);
    const greedy = ['1', '2', '3', '4'].map((name) => run(name, 'greedy'));
    const dropped = expect(greedy[3]).rejects.toThrow(OverloadedError);
    const other = run('other', 'other');
    await dropped;
    for (let i = 0; i < 4; i++) await endOne();
    await other;
    expect(began).toEqual(['1', '2', 'other', '3']);
  });

  it('refuses after half of the time that is left', async () => {
    const admission = new Admission({ running: 1, waiting: 2 });
    const { run, endOne } = statements(admission);
    const first = run('1');
    const started = performance.now();
    const late = testCaller({ deadline: started + 2_000 });
    await expect(admission.run(late, false, async () => 'never')).rejects.toThrow(OverloadedError);
    expect(performance.now() - started).toBeGreaterThan(900);
    expect(performance.now()).toBeLessThan(late.deadline);
    expect(admission.waiting).toBe(0);
    await endOne();
    await first;
  });

  it('forgets who left, and keeps no place for them', async () => {
    const admission = new Admission({ running: 1, waiting: 2 });
    const { began, run, endOne } = statements(admission);
    const first = run('1');
    const controller = new AbortController();
    const gone = admission.run(testCaller({ signal: controller.signal }), false, async () => 'never');
    controller.abort(new ClientGoneError('gone'));
    await expect(gone).rejects.toThrow(ClientGoneError);
    expect(admission.waiting).toBe(0);
    const third = run('3');
    await endOne();
    await endOne();
    expect(await Promise.all([first, third])).toEqual(['1', '3']);
    expect(began).toEqual(['1', '3']);
  });

  it('keeps the place of an aborted statement until the store has ended it', async () => {
    const admission = new Admission({ running: 1, waiting: 2 });
    const controller = new AbortController();
    const aborted = admission.run(testCaller({ signal: controller.signal }), false, () => {
      controller.abort(new ClientGoneError('gone'));
      return Promise.reject(controller.signal.reason);
    });
    await expect(aborted).rejects.toThrow(ClientGoneError);
    const started = performance.now();
    expect(await admission.run(testCaller(), false, async () => 'next')).toBe('next');
    expect(performance.now() - started).toBeGreaterThan(100);
  });

  it('releases its place if a statement fails', async () => {
    const admission = new Admission({ running: 1, waiting: 2 });
    await expect(admission.run(testCaller(), false, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    expect(await admission.run(testCaller(), false, async () => 'next')).toBe('next');
  });
});
