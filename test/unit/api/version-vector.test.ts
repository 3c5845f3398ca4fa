import { describe, expect, it } from 'vitest';
import { errorAnswer } from '../../../src/api/http/errors/error-answer.ts';
import {
  MAX_STEPS_BEHIND,
  ProjectionUnavailableError,
  resolveReads,
  sourceName,
  stepsBehind,
  type VersionVector,
} from '../../../src/api/version-vector.ts';
import { viewOf } from '../../helpers/version-vector.ts';

const base = viewOf('b3', { first: 10, last: 5_000 }, 3);
const vectorOf = (activity: VersionVector['activity']): VersionVector => ({
  base,
  activity,
  contracts: { state: 'off' },
  detections: { state: 'off' },
  traces: { state: 'off' },
  actions: { state: 'off' },
  lake: { state: 'off' },
});

/** State and status of the failure. */
function failure(vector: VersionVector, reads: readonly ('base' | 'activity')[]) {
  try {
    return resolveReads(vector, reads);
  } catch (error) {
    if (!(error instanceof ProjectionUnavailableError)) throw error;
    const { status } = errorAnswer(error);
    return [error.projection, error.state, status, error.retryAfter, error.message];
  }
}

describe('what an answer is read from', () => {
  it('is one version of each projection, and the range that all of them have', () => {
    const vector = vectorOf(viewOf('a2', { first: 1, last: 4_900 }, 2));
    expect(resolveReads(vector, ['base', 'activity'])).toEqual({
      databases: { base: 'b3', activity: 'a2' },
      versions: { base: 3, activity: 2 },
      added: {},
      visible: { first: 10, last: 4_900 },
    });
    expect(resolveReads(vector, ['activity']).visible).toEqual({ first: 1, last: 4_900 });
    expect(resolveReads(vector, ['base'])).toEqual({
      databases: { base: 'b3' },
      versions: { base: 3 },
      visible: { first: 10, last: 5_000 },
      added: {},
    });
    expect(stepsBehind(vector, 'activity')).toBe(100);
  });

  it('ends where `base` does if another one is ahead', () => {
    const vector = vectorOf(viewOf('a2', { first: 1, last: 5_007 }));
    expect(resolveReads(vector, ['base', 'activity']).visible).toEqual({ first: 10, last: 5_000 });
    expect(stepsBehind(vector, 'activity')).toBe(0);
  });

  const farBehind = 5_000 - MAX_STEPS_BEHIND - 1;
  it.each([
    ['off', { state: 'off' }, 501, null, 'the projection activity is off on this server'],
    ['building', viewOf('a1', null), 503, 2, 'the projection activity is being built'],
    [
      'behind',
      viewOf('a1', { first: 1, last: farBehind }),
      503,
      5,
      `the projection activity is not up to date: it has masterchain block ${farBehind}, the index has 5000`,
    ],
  ] as const)('is nothing of a projection that is %s', (state, view, status, retryAfter, text) => {
    const expected = ['activity', state, status, retryAfter, text];
    expect(failure(vectorOf(view), ['activity'])).toEqual(expected);
    expect(failure(vectorOf(view), ['base', 'activity'])).toEqual(expected);
    expect(failure(vectorOf(view), ['base'])).toMatchObject({ visible: { first: 10, last: 5_000 } });
  });

  it('has what adds to the answer where that can be read, and neither waits for it nor fails without it', () => {
    const traces = viewOf('t1', { first: 10, last: 12 });
    const off = vectorOf({ state: 'off' });
    expect(resolveReads({ ...off, traces }, ['base'], ['traces'])).toMatchObject({
      visible: { first: 10, last: 5_000 },
      added: { traces: { database: 't1', visible: { first: 10, last: 12 } } },
    });
    expect(resolveReads(off, ['base'], ['traces']).added).toEqual({});
    expect(resolveReads({ ...off, traces: viewOf('t1', null) }, ['base'], ['traces']).added).toEqual({});
    const names = [12, 13].map((last) =>
      sourceName(resolveReads({ ...off, traces: viewOf('t1', { first: 10, last }) }, ['base'], ['traces'])),
    );
    expect(names[0]).not.toBe(names[1]);
  });

  it('is nothing where two projections have no block in common', () => {
    const vector: VersionVector = {
      base: viewOf('b1', { first: 90, last: 100 }),
      activity: viewOf('a1', { first: 1, last: 50 }),
      contracts: { state: 'off' },
      detections: { state: 'off' },
      traces: { state: 'off' },
      actions: { state: 'off' },
      lake: { state: 'off' },
    };
    expect(failure(vector, ['activity'])).toMatchObject({ visible: { first: 1, last: 50 } });
    expect(failure(vector, ['base', 'activity'])).toEqual([
      'activity',
      'behind',
      503,
      5,
      'the projection activity is not up to date: it has masterchain block 50, the index has 90',
    ]);
  });

  it('is nothing while no block is indexed', () => {
    const vector = { ...vectorOf(viewOf('a1', null)), base: viewOf('b1', null) };
    expect(failure(vector, ['base'])).toEqual(['base', 'building', 503, 2, 'no blocks indexed yet']);
  });
});
