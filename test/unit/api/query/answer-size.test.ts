import { describe, expect, it } from 'vitest';
import { MAX_ANSWER_BYTES, openScope } from '../../../../src/api/query/scope.ts';
import { sql } from '../../../../src/api/query/sql.ts';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import type { StoreClient } from '../../../../src/platform/clickhouse/client.ts';
import { StoreError } from '../../../../src/platform/clickhouse/store-errors.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';
import { baseVector } from '../../../helpers/version-vector.ts';

/* Limit on the results of one answer, all its statements together. */

const SERVED = { vector: () => baseVector('none_test', { first: 1, last: 2 }) };
const caller = {
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  client: 'test',
  readOnly: false,
};
const statement = sql`SELECT 1`;

describe('the results of an answer', () => {
  it('are counted together, and refused beyond the bound', async () => {
    const limits: (number | undefined)[] = [];
    const client: StoreClient = {
      ...storelessContext().client,
      queryBytes: async (_sql, { maxResultBytes }) => {
        limits.push(maxResultBytes);
        return Buffer.alloc(1_000);
      },
      queryRows: async (_sql, { maxResultBytes }) => {
        limits.push(maxResultBytes);
        return { names: [], rows: [], bytes: MAX_ANSWER_BYTES - 1_500 };
      },
    };
    const scope = openScope(
      { ...storelessContext(), ...SERVED, client },
      { route: 'test', reads: ['base'], caller },
    );
    await scope.queryBytes(statement);
    await scope.query(statement);
    await expect(scope.queryBytes(statement)).rejects.toMatchObject({
      name: 'AnswerTooLargeError',
      status: 422,
    });
    expect(limits).toEqual([MAX_ANSWER_BYTES, MAX_ANSWER_BYTES - 1_000, 500]);
  });

  it('that the store refuses for their size are 422 in both generations', async () => {
    const tooLarge = async () => {
      const failure = { code: 396, type: 'TOO_MANY_ROWS_OR_BYTES', message: 'Limit for result exceeded' };
      throw new StoreError(failure, { route: 'test', queryId: 'test' });
    };
    const client: StoreClient = { ...storelessContext().client, queryBytes: tooLarge, queryRows: tooLarge };
    const app = await buildServer({ ...storelessContext(), ...SERVED, client });
    const error = 'the answer would be too large: ask for fewer rows';
    const v3 = await app.inject('/api/v3/transactions?limit=1000');
    expect([v3.statusCode, v3.json()]).toEqual([422, { code: 422, error }]);
    const v2 = await app.inject(`/api/v2/getTransactions?address=-1:${'3'.repeat(64)}`);
    expect([v2.statusCode, v2.json().error]).toEqual([422, error]);
    await app.close();
  });
});
