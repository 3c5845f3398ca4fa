import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../../src/localnet/engine/engine.ts';
import { makeGenesisRecord } from '../../../../src/localnet/engine/open-chain.ts';
import { readFork } from '../../../../src/localnet/fork/read-fork.ts';
import { LOCALNET_GLOBAL_ID } from '../../../../src/localnet/localnet-source.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { numberKey } from '../../../../src/ton/cell/key-bits.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { GENESIS_UTIME } from '../engine-test-options.ts';
import { makeSteps, openEngine } from '../local-engine.ts';
import { forkFolder } from './fork-accounts.ts';

const FACTS = { seed: 'another', shards: 1, globalId: LOCALNET_GLOBAL_ID, utime: GENESIS_UTIME };
const TO = { workchain: 0, address: new Uint8Array(32).fill(0x44) };

const param = (engine: Engine, number: number) =>
  engine.chainState().extra.config.dict.get(numberKey(number, 32))?.hash().toHex();

// msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64 ihr_price_factor:uint32
//   first_frac:uint16 next_frac:uint16 = MsgForwardPrices;
const prices = (lump: bigint) =>
  new CellBuilder()
    .uint(0xea, 8)
    .u64(lump)
    .u64(1n)
    .u64(1n)
    .uint(98_304, 32)
    .uint(21_845, 16)
    .uint(21_845, 16)
    .cell();
const NOTE = new CellBuilder().uint(7, 32).cell();

/** The masterchain state of a chain that begins with other parameters. */
const stateWith = (params: { param: number; cell: ReturnType<typeof prices> }[]) =>
  makeGenesisRecord(FACTS, [], { accounts: [], libraries: [], params }).zerostates[0];

/** The configuration of a masterchain state, whose last reference is the McStateExtra. */
// masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams …
// _ config_addr:bits256 config:^(Hashmap 32 ^Cell) = ConfigParams;
function configByTonCore(state: Cell): Dictionary<number, Cell> {
  const slice = state.refs.at(-1)!.beginParse();
  slice.skip(16);
  slice.loadMaybeRef();
  slice.skip(256);
  return Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), slice.loadRef());
}

describe('the configuration of a fork', () => {
  it('has the prices and limits of a masterchain state; addresses, version and validators stay', async () => {
    const state = stateWith([
      { param: 25, cell: prices(777_000n) },
      { param: 79, cell: NOTE },
      { param: 13, cell: NOTE },
    ]);
    const folder = await forkFolder({ 'state.boc': Buffer.from(state) });
    const [plain, engine] = [await openEngine(), await openEngine({ fork: [folder] })];
    await Promise.all([plain.resume(null), engine.resume(null)]);
    expect(engine.forkSummary()).toMatchObject({ params: [18, 20, 21, 24, 25, 79] });
    expect(param(engine, 25)).toBe(prices(777_000n).hash().toHex());
    expect(param(engine, 79)).toBe(NOTE.hash().toHex());
    for (const own of [0, 4, 8, 13, 34]) expect([own, param(engine, own)]).toEqual([own, param(plain, own)]);
    expect(engine.fund(TO, 1_000_000_000n, '').ok).toBe(true);
    await makeSteps(engine, 3);
    expect(engine.entry(TO)?.balance.grams).toBe(1_000_000_000n);
  });

  it('is that of the newest state, and two of the same block are refused', async () => {
    const engine = await openEngine({ seed: 'another' });
    await engine.resume(null);
    await makeSteps(engine, 1);
    const [older] = engine.states(1);
    engine.changeConfig(25, writeBag(prices(5n)));
    await makeSteps(engine, 1);
    const [newer] = engine.states(2);
    const folder = await forkFolder({ 'a.boc': Buffer.from(older!), 'b.boc': Buffer.from(newer!) });
    const fork = await readFork([folder], new Map());
    const found = fork.params.find(({ param: number }) => number === 25)!;
    expect(found.cell.hash().toHex()).toBe(prices(5n).hash().toHex());
    expect(fork.notices).toContainEqual(`older configurations not loaded: ${folder}/a.boc`);
    const same = await forkFolder({
      'a.boc': Buffer.from(stateWith([])),
      'b.boc': Buffer.from(stateWith([{ param: 25, cell: prices(5n) }])),
    });
    await expect(readFork([same], new Map())).rejects.toThrow(
      'the masterchain block 0 has two configurations',
    );
  });

  it('is refused if no block can be made with it', async () => {
    const state = stateWith([{ param: 21, cell: NOTE }]);
    const folder = await forkFolder({ 'state.boc': Buffer.from(state) });
    await expect(openEngine({ fork: [folder] })).rejects.toThrow(
      'no block can be made with its configuration',
    );
  });
});

describeWithData('a fork of a masterchain state of mainnet', (data) => {
  it('has its prices', async () => {
    const file = join(data, 'accounts/states/mainnet_-1_8000000000000000_2674.boc');
    const config = configByTonCore(Cell.fromBoc(readFileSync(file))[0]!);
    const engine = await openEngine({ fork: [file] });
    expect(engine.forkSummary()).toMatchObject({ params: [18, 20, 21, 24, 25] });
    await engine.resume(null);
    for (const number of [18, 20, 21, 24, 25])
      expect([number, param(engine, number)]).toEqual([number, config.get(number)!.hash().toString('hex')]);
    expect(engine.fund(TO, 1_000_000_000n, '').ok).toBe(true);
    await makeSteps(engine, 3);
    expect(engine.entry(TO)?.balance.grams).toBe(1_000_000_000n);
  });
});
