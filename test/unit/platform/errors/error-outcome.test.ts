import { describe, expect, it } from 'vitest';
import { HttpError, NotHeldError, OverloadedError } from '../../../../src/api/http/errors/http-error.ts';
import { StoppedError } from '../../../../src/cli/stopped-error.ts';
import { OlderStoreError } from '../../../../src/engine/versions/older-store-error.ts';
import { TlError } from '../../../../src/liteapi/tl/tl-error.ts';
import { InvalidRequestError, LeaseHeldError } from '../../../../src/log/errors.ts';
import { BrokerUnavailableError } from '../../../../src/log/kafka/client/errors.ts';
import { StoreError, StoreUnavailableError } from '../../../../src/platform/clickhouse/store-errors.ts';
import { UsageError } from '../../../../src/platform/errors/error-kinds.ts';
import { getOutcome, isRetriable } from '../../../../src/platform/errors/error-outcome.ts';

/* The kind of an error decides retries, exit codes and HTTP statuses. */

const facts = { route: 'test', queryId: 'q' };
const away = new StoreUnavailableError({ code: 0, type: 'ECONNREFUSED', message: 'away' }, facts);
const syntax = new StoreError({ code: 62, type: 'SYNTAX_ERROR', message: 'syntax' }, facts);
const busy = new StoreError({ code: 202, type: 'TOO_MANY_SIMULTANEOUS_QUERIES', message: 'busy' }, facts);
const readOnly = new StoreError({ code: 242, type: 'TABLE_IS_READ_ONLY', message: 'read-only' }, facts);

describe('outcome of an error', () => {
  it.each([
    ['a setting', new UsageError('bad'), false, 2, 422],
    ['a stop', new StoppedError(), false, 130, 499],
    ['a held lease', new LeaseHeldError('log', 'other', new Date(0)), false, 1, 500],
    ['an older store', new OlderStoreError('mainnet', ['a table']), false, 3, 500],
    ['a value of TL', new TlError('seqno', 'an integer', 'a text'), false, 1, 500],
    ['a store that is away', away, true, 1, 503],
    ['a busy store', busy, true, 1, 503],
    ['a store that is read-only for now', readOnly, true, 1, 500],
    ['a wrong statement', syntax, false, 1, 500],
    ['brokers that were retried', new BrokerUnavailableError('read', ['b'], 1, null), false, 1, 503],
    ['a refused request', new HttpError(409, 'no'), false, 2, 409],
    ['a busy server', new OverloadedError('busy'), true, 1, 503],
    ['an account that is not indexed', new NotHeldError('x'), false, 1, 500],
    ['a fault of the program', new TypeError('x'), false, 1, 500],
    ['something thrown that is no error', 'text', false, 1, 500],
  ])('of %s', (_what, error, retriable, exitCode, httpStatus) => {
    expect(getOutcome(error)).toMatchObject({ exitCode, httpStatus });
    expect(isRetriable(error)).toBe(retriable);
  });

  it('is retriable if a cause is', () => {
    const wrapped = new Error('half of a migration', { cause: new Error('a statement', { cause: away }) });
    expect(isRetriable(wrapped)).toBe(true);
    expect(isRetriable(new Error('a statement', { cause: syntax }))).toBe(false);
  });
});

describe('an error with a kind', () => {
  it('has the name of its class, and only its facts as fields of its own', () => {
    const error = new InvalidRequestError('append', 'a step', 'nothing');
    expect(error.name).toBe('InvalidRequestError');
    expect(Object.keys(error)).toEqual(['name', 'where', 'expected', 'found']);
    expect(error.message).toBe('append: expected a step, found nothing');
  });
});
