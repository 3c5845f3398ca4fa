import { expect, it } from 'vitest';
import { type PackedState, unpackStates } from '../../src/ton/columns/state-pack.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { decodeRows, type Rows, readBytes, sharedBlocks } from './facts-blocks.ts';

type StateRow = Rows['account_states'][number];
type TransactionRow = Rows['transactions'][number];

const NO_HASH = new Uint8Array(32);
const NONE_HASH = '90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4';
const OPTIONS = { verify: 'none', oldStatesBelowLt: 1n << 63n } as const;

/** Facts of a row of account_states that a packed state also has. */
function rowFacts({ status, balance, extra, code_hash, data_hash, frozen_hash }: StateRow): object {
  return { status, balance, extra, code_hash, data_hash, frozen_hash };
}

function packFacts({ status, balance, extra, codeHash, dataHash, frozenHash }: PackedState): object {
  return {
    status,
    balance,
    extra,
    code_hash: codeHash ?? NO_HASH,
    data_hash: dataHash ?? NO_HASH,
    frozen_hash: frozenHash ?? NO_HASH,
  };
}

/** Key of a state: its account, the lt of the transaction before it, its hash. */
const keyOf = (account: Uint8Array, lt: bigint, hash: Uint8Array) =>
  `${account.toHex()} ${lt} ${hash.toHex()}`;

describeWithData('the states packed with transactions are those of account_states', (data) => {
  const blocks = sharedBlocks(data).map(({ name, path }) => ({
    name,
    rows: decodeRows(readBytes(path), OPTIONS),
  }));
  const statesOf = ({ account_states }: Rows, origins: readonly string[]) =>
    new Map(
      account_states
        .filter(({ origin }) => origins.includes(origin))
        .map((row) => [keyOf(row.account, row.lt, row.hash), row]),
    );

  /** Every transaction with its position among its account's transactions in the block. */
  function* transactions(rows: Rows): Generator<{ row: TransactionRow; first: boolean; last: boolean }> {
    const all = rows.transactions;
    const ofAnother = (row: TransactionRow, other: TransactionRow | undefined) =>
      other?.account.toHex() !== row.account.toHex();
    for (const [i, row] of all.entries()) {
      yield { row, first: ofAnother(row, all[i - 1]), last: ofAnother(row, all[i + 1]) };
    }
  }

  it('after: of the last transaction, unless the account is gone', () => {
    const seen = { given: 0, gone: 0, between: 0, frozen: 0, uninit: 0, extra: 0 };
    for (const { name, rows } of blocks) {
      const states = statesOf(rows, ['block']);
      for (const { row, last } of transactions(rows)) {
        const { after } = unpackStates(row.states);
        const state = states.get(keyOf(row.account, row.lt, row.state_hash_after));
        expect(state !== undefined, name).toBe(last);
        if (!after) {
          if (state) expect(state.status, name).toBe('nonexist');
          if (state) expect(row.state_hash_after.toHex(), name).toBe(NONE_HASH);
          seen[last ? 'gone' : 'between']++;
          continue;
        }
        expect(packFacts(after), name).toEqual(rowFacts(state as StateRow));
        seen.given++;
        if (after.status !== 'active') seen[after.status]++;
        if (after.extra.length > 0) seen.extra++;
      }
    }
    expect(seen).toEqual({ between: 1834, extra: 116, frozen: 0, given: 2083, gone: 117, uninit: 682 });
  });

  it('before: of the first transaction, wherever the old side shows it', () => {
    const seen = { given: 0, created: 0, hidden: 0, between: 0 };
    for (const { name, rows } of blocks) {
      const states = statesOf(rows, ['before']);
      for (const { row, first } of transactions(rows)) {
        const { before } = unpackStates(row.states);
        const state = states.get(keyOf(row.account, row.prev_trans_lt, row.state_hash_before));
        expect(before !== null, name).toBe(first && state !== undefined);
        if (before) {
          expect(packFacts(before), name).toEqual(rowFacts(state as StateRow));
          expect(before.status, name).toBe(row.orig_status);
          seen.given++;
        } else if (first) seen[row.state_hash_before.toHex() === NONE_HASH ? 'created' : 'hidden']++;
        else seen.between++;
      }
    }
    expect(seen).toEqual({ between: 1834, created: 966, given: 1062, hidden: 172 });
  });

  it('before: what an earlier block has stored of the same state', () => {
    const stored = new Map<string, StateRow>();
    for (const { rows } of blocks) for (const [key, row] of statesOf(rows, ['block'])) stored.set(key, row);
    let compared = 0;
    for (const { name, rows } of blocks) {
      for (const row of rows.transactions) {
        const { before } = unpackStates(row.states);
        const state = stored.get(keyOf(row.account, row.prev_trans_lt, row.state_hash_before));
        if (!before || !state) continue;
        expect(packFacts(before), name).toEqual(rowFacts(state));
        compared++;
      }
    }
    expect(compared).toBe(870);
  });
});
