import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseBoc } from '../../src/ton/boc/boc.ts';
import { serializeCell } from '../../src/ton/boc/serialize.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { unpackMessages } from '../../src/ton/columns/message-pack.ts';
import { readBlockHeader } from '../../src/ton/decode/block-header.ts';
import { BlockError, decodeBlock } from '../../src/ton/decode/decode-block.ts';
import { decodeState } from '../../src/ton/decode/decode-state.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import {
  decodeRows,
  ownMeta,
  type Rows,
  readBytes,
  readRows,
  type SharedBlock,
  sharedBlocks,
} from './facts-blocks.ts';

type StateRow = Rows['account_states'][number];

interface AccountFacts {
  readonly address: string;
  readonly account_hash: string;
  readonly last_trans_hash: string;
  readonly last_trans_lt: string;
  readonly balance: string;
  readonly status: string;
  readonly extra_currencies?: Record<string, string>;
  readonly code_hash?: string;
  readonly data_hash?: string;
}

interface StateFacts {
  readonly root_hash: string;
  readonly global_id: number;
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly gen_utime: number;
  readonly gen_lt: string;
  readonly account_count: number;
  readonly accounts?: readonly AccountFacts[];
}

const NO_HASH = '00'.repeat(32);
const NONE_HASH = '90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4';

/** A row of account_states in the form of the facts. */
function factsOf(row: StateRow): AccountFacts {
  const extra = row.extra.map(([id, amount]) => [id, String(amount)] as const);
  return {
    address: row.account.toHex(),
    account_hash: row.hash.toHex(),
    last_trans_hash: row.last_trans_hash.toHex(),
    last_trans_lt: String(row.lt),
    balance: String(row.balance),
    status: row.status,
    ...(extra.length > 0 ? { extra_currencies: Object.fromEntries(extra) } : {}),
    ...(row.code_hash.toHex() === NO_HASH ? {} : { code_hash: row.code_hash.toHex() }),
    ...(row.data_hash.toHex() === NO_HASH ? {} : { data_hash: row.data_hash.toHex() }),
  };
}

const STATES = [
  'mainnet_-1_8000000000000000_2659',
  'mainnet_-1_8000000000000000_2674',
  'mainnet_0_2000000000000000_571524',
  'mainnet_0_f800000000000000_4262143',
  'mainnet_zerostate_-1',
  'mainnet_zerostate_0',
  'prelaunch2019_-1_zerostate_a',
];

function decodeStateRows(path: string): { rows: Rows; head: ReturnType<typeof decodeState> } {
  const columns = new BaseColumns();
  const head = decodeState(readBytes(path), 7, columns);
  return { rows: readRows(columns), head };
}

describeWithData('facts: account states', (data) => {
  const folder = join(data, 'accounts', 'states');

  describe('whole states', () => {
    it.each(STATES)('%s', (name) => {
      const facts = JSON.parse(readFileSync(join(folder, `${name}.facts.json`), 'utf8')) as StateFacts;
      const { rows, head } = decodeStateRows(join(folder, `${name}.boc`));
      expect(head).toMatchObject({
        globalId: facts.global_id,
        workchain: facts.workchain,
        shard: BigInt(`0x${facts.shard}`),
        seqno: facts.seqno,
        genUtime: facts.gen_utime,
        genLt: BigInt(facts.gen_lt),
        accounts: facts.account_count,
      });
      expect(head.rootHash.toHex()).toBe(facts.root_hash);
      expect(rows.account_states).toHaveLength(facts.account_count);
      const found = new Map(rows.account_states.map((row) => [row.account.toHex(), factsOf(row)]));
      for (const account of facts.accounts ?? []) {
        expect(found.get(account.address)).toStrictEqual(account);
      }
      for (const [index, cell] of rows.account_cells.entries()) {
        const state = rows.account_states[index] as StateRow;
        expect(cell.whole).toBe(true);
        expect(cell.hash).toEqual(state.hash);
        expect([state.origin, state.has_prev, state.mc_seqno]).toEqual(['state', false, 7]);
      }
    });

    it('refuses a state with pruned branches', () => {
      const columns = new BaseColumns();
      const bytes = readBytes(join(folder, 'proof_0_8000000000000000_56703838.boc'));
      expect(() => decodeState(bytes, 0, columns)).toThrow(BlockError);
      expect(columns.rows().account_states).toBe(0);
    });
  });

  it('masterchain state 2659 and the rows of blocks 2660 to 2674 give masterchain state 2674', () => {
    const before = decodeStateRows(join(folder, 'mainnet_-1_8000000000000000_2659.boc')).rows;
    const after = decodeStateRows(join(folder, 'mainnet_-1_8000000000000000_2674.boc')).rows;
    const states = new Map(before.account_states.map((row) => [row.account.toHex(), factsOf(row)]));
    const bySeqno = (a: { facts: { seqno?: unknown } }, b: { facts: { seqno?: unknown } }) =>
      Number(a.facts.seqno) - Number(b.facts.seqno);
    for (const block of sharedBlocks(data, 'mainnet-mc-2660').sort(bySeqno)) {
      for (const row of decodeRows(readBytes(block.path)).account_states) {
        const replaced = states.get(row.account.toHex());
        expect(replaced?.last_trans_lt ?? '0').toBe(String(row.prev_lt));
        expect(replaced?.balance ?? '0').toBe(String(row.prev_balance));
        if (row.status === 'nonexist') states.delete(row.account.toHex());
        else states.set(row.account.toHex(), factsOf(row));
      }
    }
    const found = [...states.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
    expect(found).toStrictEqual(after.account_states.map(factsOf));
  });

  it('the rows of a shard block are those of the state after it', () => {
    const block = blockOf(data, '0_f800000000000000_4262143.boc');
    const whole = decodeStateRows(join(folder, 'mainnet_0_f800000000000000_4262143.boc')).rows;
    const found = new Map(whole.account_states.map((row) => [row.account.toHex(), row]));
    const { account_states: rows } = decodeRows(readBytes(block.path));
    for (const row of rows) {
      const expected = found.get(row.account.toHex());
      if (row.status === 'nonexist') {
        expect(expected).toBeUndefined();
        continue;
      }
      // A state alone does not have the time of the transaction.
      const { mc_seqno, origin, has_prev, prev_lt, prev_balance, now, ...fields } = row;
      expect(now).toBeGreaterThan(0);
      expect(expected).toMatchObject(fields);
    }
  });

  it('every account that a block changes ends in the state that its last transaction states', () => {
    const seen = { shown: 0, derived: 0, created: 0, deleted: 0 };
    for (const block of sharedBlocks(data)) {
      const rows = decodeRows(readBytes(block.path), { verify: 'none', oldStatesBelowLt: 0n });
      const last = new Map(rows.transactions.map((row) => [row.account.toHex(), row]));
      const first = new Map([...rows.transactions].reverse().map((row) => [row.account.toHex(), row]));
      expect(rows.account_states.map((row) => row.account.toHex())).toEqual([...last.keys()]);
      for (const row of rows.account_states) {
        const name = `${block.name} ${row.account.toHex()}`;
        const begin = first.get(row.account.toHex()) as Rows['transactions'][number];
        const end = last.get(row.account.toHex()) as Rows['transactions'][number];
        expect(row.hash, name).toEqual(end.state_hash_after);
        expect([row.lt, row.last_trans_hash, row.status], name).toEqual([end.lt, end.hash, end.end_status]);
        expect(row.prev_lt, name).toBe(begin.orig_status === 'nonexist' ? 0n : begin.prev_trans_lt);
        // Reversing all transactions must give the balance of the old side, if it shows one.
        expect(row.balance + spentBy(rows, row.account), name).toBe(row.prev_balance);
        if (row.has_prev) seen.shown++;
        else if (begin.state_hash_before.toHex() === NONE_HASH) seen.created++;
        else seen.derived++;
        if (row.status === 'nonexist') seen.deleted++;
      }
    }
    expect(seen).toEqual({ created: 966, deleted: 117, derived: 172, shown: 1062 });
  });

  it('has old states where the index begins, and only states below the first step', () => {
    const bytes = readBytes(blockOf(data, '0_f800000000000000_4262143.boc').path);
    const all = decodeRows(bytes, { verify: 'none', oldStatesBelowLt: 1n << 63n });
    const old = all.account_states.filter((row) => row.origin === 'before');
    const shown = all.account_states.filter((row) => row.has_prev);
    expect(old.map((row) => row.account)).toEqual(shown.map((row) => row.account));
    for (const [index, row] of old.entries()) {
      const next = shown[index] as StateRow;
      const first = all.transactions.find((tx) => tx.account.toHex() === row.account.toHex());
      expect([row.lt, row.balance]).toEqual([next.prev_lt, next.prev_balance]);
      expect([row.hash, row.status]).toEqual([first?.state_hash_before, first?.orig_status]);
      expect([row.lt, row.last_trans_hash]).toEqual([first?.prev_trans_lt, first?.prev_trans_hash]);
    }
    const border = old.map((row) => row.lt).sort((a, b) => (a < b ? -1 : 1))[10] as bigint;
    const some = decodeRows(bytes, { verify: 'none', oldStatesBelowLt: border });
    const kept = some.account_states.filter((row) => row.origin === 'before');
    expect(kept).toEqual(old.filter((row) => row.lt < border));
    expect(some.account_states.filter((row) => row.origin === 'block')).toEqual(
      all.account_states.filter((row) => row.origin === 'block'),
    );
  });

  it('stores the cells of changed accounts unchanged, under the hash of the complete state', () => {
    let partial = 0;
    for (const block of sharedBlocks(data, 'mainnet-single')) {
      const columns = new BaseColumns();
      const bytes = readBytes(block.path);
      decodeBlock(bytes, ownMeta(readBlockHeader(bytes)), columns, { verify: 'none', oldStatesBelowLt: 0n });
      for (const row of readRows(columns).account_cells) {
        const boc = parseBoc(row.boc);
        expect(boc.complete[0] === 1, block.name).toBe(row.whole);
        expect(serializeCell(boc, 0), block.name).toEqual(row.boc);
        if (!row.whole) partial++;
      }
    }
    expect(partial).toBeGreaterThan(0);
  });
});

function blockOf(data: string, file: string): SharedBlock {
  const block = sharedBlocks(data).find(({ name }) => name.endsWith(`/${file}`));
  if (!block) throw new Error(`${file} is not among the shared blocks`);
  return block;
}

/** Fees and sent grams less received grams of an account's transactions. */
function spentBy(rows: Rows, account: Uint8Array): bigint {
  let spent = 0n;
  for (const row of rows.transactions) {
    if (row.account.toHex() !== account.toHex()) continue;
    spent += row.total_fees;
    for (const message of unpackMessages(row.messages)) {
      const { direction, value, fwdFee, ihrFee } = message;
      spent += direction === 'out' ? value + fwdFee + ihrFee : -(value + ihrFee);
    }
  }
  return spent;
}
