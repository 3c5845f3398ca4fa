import { describe, expect, it } from 'vitest';
import { STATE_TARGET } from '../../../../src/tables/account-targets.ts';
import { ALL_TABLES } from '../../../../src/tables/all-tables.ts';
import {
  allLookUps,
  getLookUp,
  keyBuilder,
  keySql,
  valueColumns,
  valueSql,
} from '../../../../src/tables/look-ups/look-ups.ts';
import { packedSql } from '../../../../src/tables/packed.ts';
import { TOKEN_PAYLOAD, TOKEN_TARGETS } from '../../../../src/tables/token-states.ts';

const STATES = getLookUp(STATE_TARGET, 'state_by_account');
const toKey = keyBuilder(STATES);
const ACCOUNT = Buffer.alloc(32, 7);

describe('keys of look-ups', () => {
  it('sort the newest step of an account first', () => {
    const keys = [
      [3, 30n],
      [300, 5n],
      [3, 29n],
      [70_000, 1n],
    ].map(([step, lt]) => toKey(ACCOUNT, 0, step as number, lt as bigint));
    const order = keys.toSorted(Buffer.compare).map((key) => keys.indexOf(key));
    expect(order).toEqual([3, 1, 0, 2]);
  });

  it('begin with fewer values like every longer key', () => {
    const key = toKey(ACCOUNT, -1, 9, 2n ** 64n - 1n);
    expect(key).toHaveLength(32 + 4 + 4 + 8);
    expect(key.subarray(0, 36)).toEqual(toKey(ACCOUNT, -1));
    expect(key.subarray(32, 40).toString('hex')).toBe('fffffffffffffff6');
    expect(key.subarray(40).toString('hex')).toBe('0000000000000000');
  });

  it('name columns that their tables have, and a value of each version', () => {
    for (const { table, lookUp } of Object.values(ALL_TABLES).flatMap(({ targets }) => allLookUps(targets))) {
      const names = table.columns.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining([...valueColumns(lookUp)]));
      expect(keySql({ table, lookUp })).toMatch(/^concat\(/);
    }
    expect(valueColumns(STATES.lookUp, { lt: 'UInt64', extra: 'Map(UInt32, UInt256)' })).toEqual([
      'lt',
      'extra',
    ]);
  });

  it('are left out for a version without their columns', () => {
    const all = allLookUps([STATE_TARGET]).map(({ lookUp }) => lookUp.name);
    expect(all).toEqual(['state_by_account']);
    const columns = { account: 'FixedString(32)', workchain: 'Int32', mc_seqno: 'UInt32' };
    expect(allLookUps([STATE_TARGET], { account_states: columns })).toEqual([]);
    expect(allLookUps([STATE_TARGET], {})).toEqual([]);
    expect(allLookUps([STATE_TARGET], { account_states: { ...columns, lt: 'UInt64' } })).toHaveLength(1);
  });

  it('are left out for a version without a column of their payload', () => {
    const [states] = TOKEN_TARGETS;
    const [one] = allLookUps([states!]);
    expect(valueSql(one!.lookUp)).toBe(packedSql(TOKEN_PAYLOAD));
    const columns = Object.fromEntries(states!.columns.map(({ name, type }) => [name, type]));
    const findNames = (served: Readonly<Record<string, string>>) =>
      allLookUps([states!], { token_states: served }).map(({ lookUp }) => lookUp.name);
    expect(findNames(columns)).toEqual(['token_state', 'token_ranked']);
    const { link: _, ...without } = columns;
    expect(findNames(without)).toEqual(['token_ranked']);
  });

  it('are refused for a look-up that the table does not have', () => {
    expect(() => getLookUp(STATE_TARGET, 'state_by_colour')).toThrow('account_states has no look-up');
  });
});
