/** Contract data that is built to be expensive: readers end, and return only what they could read. */
import { createHash } from 'node:crypto';
import { beginCell, Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../../../src/ton/contracts/contract-layouts.ts';
import { readElectorState } from '../../../../src/ton/contracts/elector/elector-state.ts';
import { readTokenContent } from '../../../../src/ton/contracts/tokens/token-content.ts';

const POOL = Buffer.from('9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf', 'hex');
const key = (name: string) => BigInt(`0x${createHash('sha256').update(name).digest('hex')}`);

/** A dictionary of 2^bits keys in `bits` + 1 cells: both ways of every fork lead to the same cell. */
function shared(bits: number): Cell {
  let cell = beginCell().storeUint(0, 2).storeCoins(1).storeCoins(1).endCell();
  for (let i = 0; i < bits; i++) cell = beginCell().storeUint(0, 2).storeRef(cell).storeRef(cell).endCell();
  return cell;
}

function pool(nominators: Cell | null) {
  const config = beginCell().storeUint(0, 256).storeUint(0, 32).storeCoins(1).storeCoins(1).endCell();
  const data = beginCell()
    .storeUint(0, 24)
    .storeCoins(0)
    .storeCoins(0)
    .storeRef(config)
    .storeMaybeRef(nominators);
  return readContract({
    account: { workchain: -1, address: new Uint8Array(32) },
    code: { hash: POOL, depth: 0 },
    data: data.storeBit(false).storeUint(0, 32).endCell().toBoc(),
  });
}

const content = (values: Dictionary<bigint, Cell>) =>
  readTokenContent(beginCell().storeUint(0, 8).storeDict(values).endCell().toBoc());
const attributes = () => Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());

describe('hostile cells', () => {
  it('of a dictionary whose keys no computer could visit are refused', () => {
    expect(pool(shared(4))).toBeNull();
    expect(pool(null)?.kind).toBe('nominator_pool');
    expect(pool(shared(256))).toBeNull();
    expect(
      readElectorState(beginCell().storeUint(0, 2).storeMaybeRef(shared(32)).endCell().toBoc()),
    ).toBeNull();
  });

  it('of ten thousand attributes are read by the names that are wanted', { timeout: 120_000 }, () => {
    const values = attributes();
    for (let i = 0; i < 10_000; i++) values.set(key(`other ${i}`), Cell.EMPTY);
    values.set(key('symbol'), beginCell().storeUint(0, 8).storeStringTail('MANY').endCell());
    expect(content(values)).toEqual({ type: 'onchain', data: { symbol: 'MANY' } });
  });

  it('of a text a thousand cells deep give a text of bounded size, and no bytes that are no UTF-8', () => {
    let deep = beginCell().storeBuffer(Buffer.alloc(127, 0x61)).endCell();
    for (let i = 0; i < 1_000; i++)
      deep = beginCell().storeBuffer(Buffer.alloc(126, 0x61)).storeRef(deep).endCell();
    const values = attributes()
      .set(key('name'), beginCell().storeUint(0, 8).storeRef(deep).endCell())
      .set(key('symbol'), beginCell().storeUint(0, 8).storeBuffer(Buffer.from('ff41fe80', 'hex')).endCell());
    const found = content(values);
    const { name = '', symbol = '' } = (found?.type === 'onchain' ? found.data : {}) as Record<
      string,
      string
    >;
    expect(name.length).toBeLessThanOrEqual(65_536);
    expect(symbol.isWellFormed()).toBe(true);
    expect(Buffer.from(JSON.stringify(found)).toString()).toBe(JSON.stringify(found));
  });

  it('of a thousand chunks that are one and the same long text cost no more memory than is kept', () => {
    let deep = beginCell().storeBuffer(Buffer.alloc(127, 0x61)).endCell();
    for (let i = 0; i < 900; i++)
      deep = beginCell().storeBuffer(Buffer.alloc(127, 0x61)).storeRef(deep).endCell();
    const chunks = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
    for (let i = 0; i < 1_000; i++) chunks.set(i, deep);
    const value = beginCell().storeUint(1, 8).storeDict(chunks).endCell();
    const values = attributes();
    for (const name of ['name', 'description', 'image', 'symbol']) values.set(key(name), value);
    const bag = beginCell().storeUint(0, 8).storeDict(values).endCell().toBoc();
    const before = process.resourceUsage().maxRSS;
    expect(readTokenContent(bag)).toEqual({
      type: 'onchain',
      data: Object.fromEntries(
        ['name', 'description', 'image', 'symbol'].map((name) => [name, 'a'.repeat(8_192)]),
      ),
    });
    // Kilobytes: the chunks together have 114 MB.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(80_000);
  });
});
