/** Accounts of a fork that are loaded when a message needs them. */
import { beginCell, Cell, loadShardAccount } from '@ton/core';
import { expect, it } from 'vitest';
import type { Engine } from '../../../../src/localnet/engine/engine.ts';
import { fromBase64 } from '../../../../src/ton/hash/base64.ts';
import { engineOptions } from '../engine-test-options.ts';
import { makeSteps, openEngine, temporaryFolder } from '../local-engine.ts';
import { accountCell, activeState, addressOf, libraryCellOf, networkAccount } from './fork-accounts.ts';

/** Accepts everything: ACCEPT. */
const ACCEPTS = beginCell().storeUint(0xf800, 16).endCell();
const TON = 1_000_000_000n;
/** What networkAccount has. */
const BALANCE = 5n * TON;

const at = ({ hash, workChain }: { hash: Buffer; workChain: number }) => ({
  workchain: workChain,
  address: new Uint8Array(hash),
});

function stateOf(engine: Engine, address: ReturnType<typeof addressOf>) {
  const { shardAccount } = engine.account(at(address));
  if (shardAccount === null) return null;
  return loadShardAccount(Cell.fromBoc(Buffer.from(fromBase64(shardAccount)!))[0]!.beginParse()).account!;
}

/** A chain that is forked from a network with the configuration of a local chain. */
async function openForked(directory?: string) {
  const other = await openEngine();
  await other.resume(null);
  const config = fromBase64(other.account(at(addressOf(1))).config)!;
  const origin = { rootHash: new Uint8Array(32).fill(7), config };
  return openEngine({ origin, ...(directory !== undefined && { directory }) });
}

const fetched = (account: Parameters<typeof accountCell>[0], libraries: readonly Cell[] = []) => ({
  address: at(account.addr),
  account: new Uint8Array(accountCell(account).toBoc()),
  libraries: libraries.map((cell) => new Uint8Array(cell.toBoc())),
});

it('a message waits until its account is loaded, and blocks are made meanwhile', async () => {
  const engine = await openForked();
  await engine.resume(null);
  const [to, next] = [addressOf(5), addressOf(6)];
  expect(engine.fund(at(to), TON, '').ok).toBe(true);
  await makeSteps(engine, 3);
  expect(engine.fund(at(next), TON, '').ok).toBe(true);
  await makeSteps(engine, 2);
  expect(engine.loads([at(to)])).toEqual([null]);
  expect(engine.missing()).toEqual([at(to)]);
  expect([stateOf(engine, to), stateOf(engine, next)]).toEqual([null, null]);

  const origin = networkAccount(to, { state: activeState(ACCEPTS), extra: [[100, 5n]], due: 17n });
  engine.load([fetched(origin)]);
  // Not fetched again while it waits for its step.
  expect(engine.missing()).toEqual([]);
  await makeSteps(engine, 1);
  const loaded = stateOf(engine, to)!;
  expect(loaded.storage.balance.coins).toBe(BALANCE);
  expect(loaded.storageStats.duePayment).toBe(17n);
  await makeSteps(engine, 1);
  const { storage } = stateOf(engine, to)!;
  expect(storage.balance.coins).toBeGreaterThan(BALANCE + TON / 2n);
  expect(storage.state.type).toBe('active');
  // The message after it was behind it, and is the next to wait.
  await makeSteps(engine, 2);
  expect(engine.missing()).toEqual([at(next)]);
  engine.load([{ address: at(next), account: null, libraries: [] }]);
  await makeSteps(engine, 1);
  expect(stateOf(engine, next)!.storage).toMatchObject({
    balance: { coins: TON },
    state: { type: 'uninit' },
  });
});

it('a library of an account is public before the account is there', async () => {
  const engine = await openForked();
  await engine.resume(null);
  const to = addressOf(8);
  const origin = networkAccount(to, { state: activeState(libraryCellOf(ACCEPTS)) });
  engine.load([fetched(origin, [ACCEPTS])]);
  await makeSteps(engine, 1);
  expect(stateOf(engine, to)).toBeNull();
  expect(engine.libraries([ACCEPTS.hash()])[0]).not.toBeNull();
  await makeSteps(engine, 1);
  expect(stateOf(engine, to)!.storage.balance.coins).toBe(BALANCE);
  engine.fund(at(to), TON, '');
  await makeSteps(engine, 2);
  // A missing library would bounce the coins.
  expect(stateOf(engine, to)!.storage.balance.coins).toBeGreaterThan(BALANCE + TON / 2n);
  // A view of a block before the load has the account and its library.
  const [before, now] = [engine.view(at(to), 1)!, engine.view(at(to), null)!];
  expect([before.block.seqno, before.libraries]).toEqual([1, now.libraries]);
  expect(before.shardAccount).not.toBeNull();
});

it('a restart knows the loaded accounts, also one that ended', async () => {
  const directory = await temporaryFolder();
  const engine = await openForked(directory);
  await engine.resume(null);
  const [kept, ended] = [addressOf(11), addressOf(12)];
  engine.load([fetched(networkAccount(kept)), fetched(networkAccount(ended, { state: { type: 'uninit' } }))]);
  await makeSteps(engine, 1);
  engine.setAccount(at(ended), { balance: 0n });
  const [last] = await makeSteps(engine, 1);
  expect(stateOf(engine, ended)).toBeNull();
  await engine.close();

  const end = { mcSeqno: last!.mcSeqno, rootHash: last!.blocks.at(-1)!.id.rootHash };
  const again = await openForked(directory);
  await again.resume(end);
  expect(again.loads([at(kept), at(ended), at(addressOf(13))])).toEqual([0, 0, null]);
  // Now from a snapshot of the restart, without the step that loaded them.
  const [next] = await makeSteps(again, 1);
  await again.close();
  const third = await openForked(directory);
  await third.resume({ mcSeqno: next!.mcSeqno, rootHash: next!.blocks.at(-1)!.id.rootHash });
  expect(third.loads([at(kept), at(ended)])).toEqual([0, 0]);
  await third.close();

  await expect(openEngine(engineOptions(directory))).rejects.toThrow('origin of the fork');
});
