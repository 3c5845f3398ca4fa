import { describe, expect, it } from 'vitest';
import { MigrationError } from '../../../../src/platform/clickhouse/migrations/migration-errors.ts';
import { retryStore } from '../../../../src/platform/clickhouse/retry-store.ts';
import { StoreError, StoreUnavailableError } from '../../../../src/platform/clickhouse/store-errors.ts';

const facts = { route: 'test', queryId: 'q' };
const away = () => new StoreUnavailableError({ code: 0, type: 'ECONNREFUSED', message: 'away' }, facts);

function retryPolicy(over: object = {}) {
  const failures: unknown[] = [];
  const options = {
    signal: new AbortController().signal,
    onFailure: (error: unknown) => failures.push(error),
    backOffMs: 1,
    ...over,
  };
  return { failures, options };
}

describe('retryPolicy', () => {
  it('retries while the store is away, also if that is the cause of another error', async () => {
    const errors: Error[] = [away(), new MigrationError('0001_a.sql', 'failed', away())];
    const { failures, options } = retryPolicy();
    const work = async () => {
      const error = errors[failures.length];
      if (error) throw error;
      return 'done';
    };
    expect(await retryStore(work, options)).toBe('done');
    expect(failures).toEqual(errors);
  });

  it('throws permanent errors immediately', async () => {
    const { failures, options } = retryPolicy();
    const wrong = new StoreError({ code: 62, type: 'SYNTAX_ERROR', message: 'no' }, facts);
    await expect(retryStore(() => Promise.reject(wrong), options)).rejects.toBe(wrong);
    expect(failures).toEqual([]);
  });

  it('gives up at its limit, with the last failure', async () => {
    const { failures, options } = retryPolicy({ limitMs: 20 });
    await expect(retryStore(() => Promise.reject(away()), options)).rejects.toThrow(StoreUnavailableError);
    expect(failures.length).toBeGreaterThan(0);
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const { options } = retryPolicy({ signal: stop.signal, backOffMs: 60_000 });
    const waiting = retryStore(() => Promise.reject(away()), options);
    setTimeout(() => stop.abort(), 5);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
