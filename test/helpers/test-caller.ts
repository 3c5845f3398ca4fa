import type { Caller } from '../../src/api/caller.ts';

/** A client that waits for half a minute. */
export function testCaller(overrides: Partial<Caller> = {}): Caller {
  return {
    signal: new AbortController().signal,
    deadline: performance.now() + 30_000,
    client: 'test',
    readOnly: false,
    ...overrides,
  };
}
