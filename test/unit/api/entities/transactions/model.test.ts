import { describe, expect, it } from 'vitest';
import { planByHash } from '../../../../../src/api/entities/transactions/look-up.ts';
import { packedTransactions } from '../../../../../src/api/entities/transactions/model.ts';
import { fillSelects } from '../../../../../src/api/query/fill-selects.ts';
import { UnknownLayoutError } from '../../../../../src/api/query/unknown-layout.ts';
import { BASE_TABLES } from '../../../../../src/ton/columns/tables.ts';

const HASH = 'AB'.repeat(32);
const KEY = BigInt(`0x${'AB'.repeat(8)}`);
const LANDED = { land_transactions: BASE_TABLES.transactions };
/** Tables of versions of `base`, limited to packed transactions. */
const FIVE = { ...LANDED, transactions: { lt: 'UInt64' }, transaction_payloads: { payload: 'String' } };
const FOUR = { ...LANDED, transactions: { lt: 'UInt64', payload: 'String' } };
const ONE = { ...LANDED, transactions: { lt: 'UInt64', answer: 'String' } };

const ofHash = (column: string, table: string, hash8: string) =>
  `SELECT ${column} FROM db.${table} PREWHERE lt IN` +
  ` (SELECT lt FROM db.transaction_hashes PREWHERE hash8 IN (${KEY})) AND ${hash8} IN (${KEY})`;
const HASH8 = 'reinterpretAsUInt64(reverse(substring(hash, 1, 8)))';

describe('packed transactions', () => {
  it.each([
    ['as this release makes them', null, ofHash('payload', 'transaction_payloads', 'hash8')],
    ['of version 5', FIVE, ofHash('payload', 'transaction_payloads', 'hash8')],
    ['of version 4, beside the columns', FOUR, ofHash('payload', 'transactions', HASH8)],
    ['of version 1, beside the columns', ONE, ofHash('answer', 'transactions', HASH8)],
  ])('%s are read from their own table', (_, tables, sql) => {
    expect(fillSelects(planByHash('db', [HASH]).sql, tables)).toBe(sql);
  });

  it('have the same details in every version that lands the same columns', () => {
    expect(packedTransactions(FOUR).details).toEqual(packedTransactions(FIVE).details);
    expect(packedTransactions(null).details).toEqual(packedTransactions(FIVE).details);
  });

  it('are refused if no column of a version contains them', () => {
    expect(() => packedTransactions({ ...LANDED, transactions: { lt: 'UInt64' } })).toThrow(
      UnknownLayoutError,
    );
    expect(() => packedTransactions({ ...FOUR, transaction_payloads: { packed: 'String' } })).toThrow(
      UnknownLayoutError,
    );
  });
});
