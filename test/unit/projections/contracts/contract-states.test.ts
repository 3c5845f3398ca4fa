import { Address, beginCell, Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import type { StoreClient } from '../../../../src/platform/clickhouse/client.ts';
import { ContractMaker } from '../../../../src/projections/contracts/contract-rows.ts';
import { NO_CELLS, type ShownContract, type StateFact } from '../../../../src/projections/contracts/fact.ts';
import { FactWriter } from '../../../../src/projections/contracts/pack-facts.ts';
import { readTable } from '../../../../src/ton/columns/column-reader.ts';
import type { NativeTable } from '../../../../src/ton/columns/native-column.ts';

/*
 * Sales in the order of the chain: a block leaves out the cells that it does not change.
 */

const bytes = (value: number) => new Uint8Array(32).fill(value);
const address = (value: number) => new Address(0, Buffer.alloc(32, value));
const SALE_CODE = Buffer.from('8278f4c5233de6fbedc969af519344a7a9bffc544856dba986a95c0bcf8571c9', 'hex');
const VESTING_CODE = Buffer.from('b48b531abec3b714638291f7d77ed6dc9f6a2729efca20477137374d4ae8b590', 'hex');
const fees = (amount: number) =>
  beginCell().storeAddress(address(5)).storeCoins(amount).storeAddress(address(6)).storeCoins(60).endCell();

/** The pruned branch of a cell in a state update. */
function pruned(cell: Cell): Cell {
  const bits = beginCell()
    .storeUint(1, 8)
    .storeUint(1, 8)
    .storeBuffer(cell.hash(0))
    .storeUint(cell.depth(0), 16);
  return new Cell({ exotic: true, bits: bits.endCell().bits, refs: [] });
}

function sale(owner: number, price: number, feesCell: Cell): Cell {
  return beginCell()
    .storeBit(false)
    .storeUint(1_700_000_000, 32)
    .storeAddress(address(1))
    .storeAddress(address(2))
    .storeAddress(address(owner))
    .storeCoins(price)
    .storeRef(feesCell)
    .endCell();
}

const shown = (data: Cell): ShownContract => ({ codeDepth: 3, data: data.toBoc() });

function state(position: number, contract: ShownContract, dataHash: Uint8Array = bytes(0)): StateFact {
  return {
    type: 'state',
    position,
    account: { workchain: 0, address: bytes(9) },
    lt: BigInt(position * 100),
    now: position * 10,
    codeHash: contract === null ? bytes(0) : SALE_CODE,
    dataHash,
    token: null,
    cells: NO_CELLS,
    contract,
  };
}

/** Rows of one partition, none of which is in the store yet. */
async function rowsOf(facts: readonly StateFact[]) {
  const stored = null as unknown as StoreClient;
  const maker = new ContractMaker({ client: stored, database: 'none', partition: 0, partitions: 1, next: 0 });
  const writer = new FactWriter();
  for (const fact of facts) writer.add(fact);
  const parts = writer.take(null);
  await maker.prepare([parts]);
  const rows = maker.createRowSet();
  rows.append(parts);
  rows.endStep?.();
  const table = (name: string) =>
    readTable<Record<string, 'UInt64'>>(
      rows.tables.find((one) => one.name === name) as NativeTable,
    ) as readonly Record<string, unknown>[];
  return { states: table('contract_states'), keys: table('contract_keys'), gaps: table('gaps') };
}

const text = (value: unknown) =>
  typeof value === 'string' ? value : Buffer.from(value as Uint8Array).toString();

describe('a sale in the order of the chain', () => {
  it('keeps what a block leaves out, and is found by each of its sellers', async () => {
    const whole = sale(3, 1_000, fees(50));
    const cheaper = sale(4, 900, pruned(fees(50)));
    const { states, keys, gaps } = await rowsOf([
      state(1, shown(whole), whole.hash()),
      state(2, shown(cheaper), cheaper.hash(0)),
      state(3, 'hidden', cheaper.hash(0)),
    ]);
    expect(gaps).toEqual([]);
    const details = states.map(({ details }) => JSON.parse(text(details)));
    expect(details.map(({ full_price: price, marketplace_fee: fee }) => [price, fee])).toEqual([
      ['1000', '50'],
      ['900', '50'],
      ['900', '50'],
    ]);
    expect(Cell.fromBoc(Buffer.from(states[2]!.data as Uint8Array))[0]!.hash()).toEqual(
      sale(4, 900, fees(50)).hash(),
    );
    expect(keys.map(({ role, key }) => [role, (key as Uint8Array)[0]])).toEqual([
      ['owner', 3],
      ['owner', 4],
    ]);
  });

  it('is a gap where a cell that is left out was never shown, and stays as it was', async () => {
    const whole = sale(3, 1_000, fees(50));
    const other = sale(3, 900, pruned(fees(51)));
    const { states, gaps } = await rowsOf([
      state(1, shown(whole), whole.hash()),
      state(2, shown(other), other.hash(0)),
      state(3, 'hidden', bytes(7)),
    ]);
    expect(states).toHaveLength(1);
    expect(gaps.map(({ missing }) => missing)).toEqual(['data', 'data']);
  });

  it('ends where the account is no sale any more, its data is too large, or is none of one', async () => {
    const whole = sale(3, 1_000, fees(50));
    const { states, keys, gaps } = await rowsOf([
      state(1, shown(whole), whole.hash()),
      state(2, 'large'),
      state(3, shown(whole), whole.hash()),
      state(4, null),
      state(5, null),
      state(6, shown(beginCell().endCell())),
    ]);
    expect(states.map(({ is_gone: gone }) => gone)).toEqual([false, true, false, true]);
    // It is found again by what it is again.
    expect(keys).toHaveLength(2);
    expect(gaps.map(({ missing, is_unread: isUnread }) => [missing, isUnread])).toEqual([
      ['size', false],
      ['data', true],
    ]);
  });
});

describe('vesting in the order of the chain', () => {
  const schedule = beginCell()
    .storeUint(1_700_000_000, 64)
    .storeUint(0, 96)
    .storeCoins(1_000)
    .storeAddress(address(1))
    .storeAddress(address(2))
    .endCell();
  function vesting(members: readonly number[], scheduleCell: Cell): Cell {
    const list = Dictionary.empty(Dictionary.Keys.BigUint(264), Dictionary.Values.Uint(0));
    for (const member of members) list.set(BigInt(`0x${bytes(member).toHex()}`), 0);
    return beginCell().storeUint(0, 320).storeDict(list).storeRef(scheduleCell).endCell();
  }

  it('is found by each account that is new to it, in every role', async () => {
    const [first, second] = [vesting([7], schedule), vesting([7, 8], pruned(schedule))];
    const codeHash = VESTING_CODE;
    const { states, keys, gaps } = await rowsOf([
      { ...state(1, shown(first), first.hash()), codeHash },
      { ...state(2, shown(second), second.hash(0)), codeHash },
      { ...state(3, null) },
    ]);
    expect(gaps).toEqual([]);
    expect(states.map(({ kind, is_gone: gone }) => [kind, gone])).toEqual([
      ['vesting', false],
      ['vesting', false],
      ['vesting', true],
    ]);
    expect(JSON.parse(text(states[1]!.details))).toMatchObject({
      total_amount: '1000',
      whitelist: [7, 8].map((member) => `0:${bytes(member).toHex().toUpperCase()}`),
    });
    expect(keys.map(({ mc_seqno: seqno, role, key }) => [seqno, role, (key as Uint8Array)[0]])).toEqual([
      [1, 'owner', 2],
      [1, 'sender', 1],
      [1, 'whitelisted', 7],
      [2, 'whitelisted', 8],
    ]);
  });
});
