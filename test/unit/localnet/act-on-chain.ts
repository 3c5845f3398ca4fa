import { Address, beginCell, Cell, parseTuple, serializeTuple, type TupleItem, TupleReader } from '@ton/core';
import { expect } from 'vitest';
import type { Engine } from '../../../src/localnet/engine/engine.ts';
import { walletMessage } from '../../../src/localnet/wallets/transfer.ts';
import type { Wallet } from '../../../src/localnet/wallets/wallet.ts';
import { walletSeqno } from '../../../src/localnet/wallets/wallet-seqno.ts';
import { readCell } from '../../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { methodId } from '../../../src/ton/contracts/codes/method-id.ts';
import type { AccountAddress } from '../../../src/ton/store/store-address.ts';
import { Emulator } from '../../../src/tvm/emulator.ts';
import { makeSteps, openEngine } from './local-engine.ts';
import { loadTransactions, outcomeOf } from './read-transactions.ts';

const TVM = await Emulator.create();
const TON = 1_000_000_000n;

export const core = ({ workchain, address }: AccountAddress) => new Address(workchain, Buffer.from(address));

export const addressItem = (address: AccountAddress): TupleItem => ({
  type: 'slice',
  cell: beginCell().storeAddress(core(address)).endCell(),
});

/** Runs a get method on an account as the newest block left it; it has to end with exit code 0. */
export function get(
  engine: Engine,
  address: AccountAddress,
  name: string,
  args: TupleItem[] = [],
): TupleReader {
  const { shardAccount, config, utime } = engine.account(address);
  const [code, data] = Cell.fromBase64(shardAccount!).refs[0]!.refs;
  const result = TVM.runGetMethod({
    code: code!.toBoc().toString('base64'),
    data: data!.toBoc().toString('base64'),
    methodId: methodId(name),
    stack: serializeTuple(args).toBoc().toString('base64'),
    config,
    address: core(address).toRawString(),
    now: utime,
    balance: TON,
    gasLimit: 1_000_000n,
    randomSeed: new Uint8Array(32),
    libraries: null,
    prevBlocks: null,
  });
  expect([name, result.exitCode]).toEqual([name, 0]);
  return new TupleReader(parseTuple(Cell.fromBase64(result.stack)));
}

/** A chain whose shards are there. */
export async function startedChain(): Promise<Engine> {
  const engine = await openEngine({ shards: 2 });
  await engine.resume(null);
  await makeSteps(engine, 3);
  return engine;
}

/** Makes valid blocks until all is done; the outcomes but ticks and tocks. */
export async function settleChain(engine: Engine): Promise<string[]> {
  const outcomes: string[] = [];
  for (let isBusy = true; isBusy; ) {
    const [step] = await makeSteps(engine, 1);
    outcomes.push(...step!.blocks.flatMap(loadTransactions).map(outcomeOf));
    isBusy = step!.isBusy;
  }
  return outcomes.filter((outcome) => outcome !== 'tick' && outcome !== 'tock');
}

/** Sends a body from a wallet; the outcomes of all that comes of it. */
export async function sendFrom(
  engine: Engine,
  wallet: Wallet,
  to: AccountAddress,
  body: Cell,
  value = TON / 5n,
): Promise<string[]> {
  const transfer = { to, value, bounce: true, body: readCell(body.toBoc()) };
  const seqno = walletSeqno(wallet, engine.entry(wallet.address));
  const validUntil = engine.status().utime + 600;
  expect(engine.send(writeBag(walletMessage(wallet, [transfer], { seqno, validUntil })))).toMatchObject({
    ok: true,
  });
  return settleChain(engine);
}
