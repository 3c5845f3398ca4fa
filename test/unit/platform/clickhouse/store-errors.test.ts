import { ClickHouseError } from '@clickhouse/client';
import { describe, expect, it } from 'vitest';
import {
  StoreError,
  StoreTimeoutError,
  StoreUnavailableError,
  toStoreError,
} from '../../../../src/platform/clickhouse/store-errors.ts';
import { isRetriable } from '../../../../src/platform/errors/error-outcome.ts';

const facts = { route: 'v3/blocks', queryId: 'q' };
const server = (code: string, type: string) => new ClickHouseError({ message: 'text', code, type });
const system = (code: string) => Object.assign(new Error('socket hang up'), { code });

describe('toStoreError', () => {
  it.each<[string, unknown, new (...args: never[]) => StoreError, number, string, boolean]>([
    ['a refused statement', server('60', 'UNKNOWN_TABLE'), StoreError, 60, 'UNKNOWN_TABLE', false],
    ['a time limit', server('159', 'TIMEOUT_EXCEEDED'), StoreTimeoutError, 159, 'TIMEOUT_EXCEEDED', true],
    ['a query that would take too long', server('160', 'TOO_SLOW'), StoreTimeoutError, 160, 'TOO_SLOW', true],
    ['too many parts', server('252', 'TOO_MANY_PARTS'), StoreError, 252, 'TOO_MANY_PARTS', true],
    ['a refused connection', system('ECONNREFUSED'), StoreUnavailableError, 0, 'ECONNREFUSED', true],
    [
      'a refused connection on two addresses',
      new AggregateError([system('ECONNREFUSED')]),
      StoreUnavailableError,
      0,
      'ECONNREFUSED',
      true,
    ],
    [
      'a broken connection behind another error',
      new Error('x', { cause: system('ECONNRESET') }),
      StoreUnavailableError,
      0,
      'ECONNRESET',
      true,
    ],
    ['text that looks like a timeout', new Error('Timeout error.'), StoreError, 0, 'CLIENT', false],
    [
      'text that looks like a lost connection',
      new Error('socket hang up ECONNRESET'),
      StoreError,
      0,
      'CLIENT',
      false,
    ],
    ['a status without a word', new Error(''), StoreUnavailableError, 0, 'CLIENT', true],
    ['something that is no error', 'oops', StoreError, 0, 'CLIENT', false],
  ])('%s', (_, cause, kind, code, type, transient) => {
    const error = toStoreError(cause, facts);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ code, type, route: 'v3/blocks', queryId: 'q' });
    expect(isRetriable(error)).toBe(transient);
  });

  it('leaves what has its type already', () => {
    const error = new StoreError({ code: 1, type: 'X', message: 'm' }, facts);
    expect(toStoreError(error, { route: 'other', queryId: 'r' })).toBe(error);
  });
});
