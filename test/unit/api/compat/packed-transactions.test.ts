import { describe, expect, it } from 'vitest';
import { packedTransactions } from '../../../../src/api/compat/packed-transactions.ts';
import { UnknownLayoutError } from '../../../../src/api/query/unknown-layout.ts';
import { BASE_TABLES } from '../../../../src/tables/base-tables.ts';

const LANDED = { land_transactions: BASE_TABLES.transactions };

describe('packed transactions', () => {
  it('have the same details in every version that lands the same columns', () => {
    const tables = { ...LANDED, transaction_payloads: { payload: 'String' } };
    expect(packedTransactions(null).details).toEqual(packedTransactions(tables).details);
  });

  it('are refused if no column of a version contains them', () => {
    for (const tables of [LANDED, { ...LANDED, transaction_payloads: { packed: 'String' } }])
      expect(() => packedTransactions(tables)).toThrow(UnknownLayoutError);
  });
});
