import { expect, it } from 'vitest';
import type { AccountStateRow } from '../../../../src/api/read/account-state-row.ts';
import { readContents } from '../../../../src/api/read/read-account-cells.ts';
import { openScope } from '../../../../src/api/read/read-scope.ts';
import { StoreError } from '../../../../src/platform/clickhouse/store-errors.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';
import { testCaller } from '../../../helpers/test-caller.ts';
import { baseVector } from '../../../helpers/version-vector.ts';

const NONE = '0'.repeat(64);

/** A state without code and data. */
const stateOf = (account: string) =>
  ({ workchain: 0, account, lt: '1', code_hash: NONE, data_hash: NONE }) as unknown as AccountStateRow;

it('accounts with too many rows to be read in one pass are read by their keys', async () => {
  const asked: string[] = [];
  const client = {
    async queryBytes(sql: string) {
      asked.push(sql);
      const failure = { code: 158, type: 'TOO_MANY_ROWS', message: '' };
      if (asked.length === 1) throw new StoreError(failure, { route: 'test', queryId: '' });
      return new Uint8Array();
    },
  };
  const context = { ...storelessContext(), client, vector: () => baseVector('test', { first: 1, last: 9 }) };
  const scope = openScope(context as never, { route: 'test', reads: ['base'], caller: testCaller({}) });
  await readContents(scope, [stateOf('11'.repeat(32)), stateOf('22'.repeat(32))]).catch((error: unknown) => {
    if (asked.length < 2) throw error;
  });
  expect(asked[0]).toContain('LIMIT 4 BY');
  expect(asked[1]).toContain('min(lt)');
});
