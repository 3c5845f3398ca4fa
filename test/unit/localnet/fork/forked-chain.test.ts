import { beginCell, Cell, loadShardAccount, type ShardAccount } from '@ton/core';
import { expect, it } from 'vitest';
import { Engine } from '../../../../src/localnet/engine/engine.ts';
import { fromBase64 } from '../../../../src/ton/hash/base64.ts';
import { engineOptions, GENESIS_UTIME } from '../engine-test-options.ts';
import { makeSteps, openEngine, temporaryFolder } from '../local-engine.ts';
import {
  accountCell,
  activeState,
  addressOf,
  forkFolder,
  libraryCellOf,
  networkAccount,
  shardAccountCell,
} from './fork-accounts.ts';

/** Accepts everything: ACCEPT. */
const ACCEPTS = beginCell().storeUint(0xf800, 16).endCell();

function stateOf(engine: Engine, { hash, workChain }: { hash: Buffer; workChain: number }): ShardAccount {
  const { shardAccount } = engine.account({ workchain: workChain, address: hash });
  return loadShardAccount(Cell.fromBoc(Buffer.from(fromBase64(shardAccount!)!))[0]!.beginParse());
}

it('has the accounts of a fork, without their last transactions', async () => {
  const stateHash = BigInt(`0x${'ab'.repeat(32)}`);
  const accounts = [
    networkAccount(addressOf(1), { extra: [[100, 5n]], due: 17n }),
    networkAccount(addressOf(2), { state: { type: 'frozen', stateHash } }),
    networkAccount(addressOf(3), { state: { type: 'uninit' } }),
    networkAccount(addressOf(4, -1), {
      extra: [
        [100, 7n],
        [239, 1n << 100n],
      ],
    }),
  ];
  const folder = await forkFolder(
    Object.fromEntries(
      accounts.map((one, at) => [`${at}.boc`, at % 2 ? accountCell(one) : shardAccountCell(one)]),
    ),
  );
  const engine = await openEngine({ fork: [folder], shards: 2 });
  expect(engine.forkSummary()).toEqual({ accounts: 4, libraries: 0, params: [], notices: [] });
  await engine.resume(null);
  for (const given of accounts) {
    const { account, lastTransactionHash, lastTransactionLt } = stateOf(engine, given.addr);
    expect([lastTransactionHash, lastTransactionLt]).toEqual([0n, 0n]);
    expect(account!.storage.lastTransLt).toBe(0n);
    expect(account!.addr.equals(given.addr)).toBe(true);
    const { coins, other } = account!.storage.balance;
    expect([coins, [...(other ?? [])]]).toEqual([5_000_000_000n, [...given.storage.balance.other!]]);
    expect(account!.storageStats.lastPaid).toBe(GENESIS_UTIME);
    expect(account!.storageStats.duePayment).toBe(given.storageStats.duePayment);
    expect(toStateCell(account!.storage.state)).toBe(toStateCell(given.storage.state));
  }
  // The helper checks that the blocks are valid, with the sums of currencies.
  await makeSteps(engine, 3);
});

/** Status with the hashes of the state. */
function toStateCell(state: NonNullable<ShardAccount['account']>['storage']['state']): string {
  if (state.type === 'active')
    return ['active', state.state.code, state.state.data].map((one) => one?.toString()).join('\n');
  return state.type === 'frozen' ? `frozen ${state.stateHash}` : state.type;
}

it('executes forked accounts: their balance rises, and a library is public', async () => {
  const plain = addressOf(5);
  const shared = addressOf(6);
  const folder = await forkFolder({
    'plain.boc': accountCell(networkAccount(plain, { state: activeState(ACCEPTS) })),
    'shared.boc': accountCell(networkAccount(shared, { state: activeState(libraryCellOf(ACCEPTS)) })),
    'library.boc': ACCEPTS,
  });
  const engine = await openEngine({ fork: [folder] });
  await engine.resume(null);
  const [library] = engine.libraries([ACCEPTS.hash()]);
  expect(Cell.fromBoc(Buffer.from(library!))[0]!.equals(ACCEPTS)).toBe(true);
  await makeSteps(engine, 2);
  for (const { hash } of [plain, shared]) {
    const before = stateOf(engine, { hash, workChain: 0 }).account!.storage.balance.coins;
    expect(engine.fund({ workchain: 0, address: hash }, 2_000_000_000n, '').ok).toBe(true);
    await makeSteps(engine, 3);
    const { account, lastTransactionLt } = stateOf(engine, { hash, workChain: 0 });
    expect(account!.storage.balance.coins).toBeGreaterThan(before + 1_990_000_000n);
    expect(lastTransactionLt).toBeGreaterThan(0n);
  }
});

it('publishes the libraries of a forked masterchain account once', async () => {
  const publisher = networkAccount(addressOf(7, -1), { state: activeState(ACCEPTS, [ACCEPTS]) });
  const user = networkAccount(addressOf(8), { state: activeState(libraryCellOf(ACCEPTS)) });
  const folder = await forkFolder({ 'publisher.boc': accountCell(publisher), 'user.boc': accountCell(user) });
  const engine = await openEngine({ fork: [folder] });
  expect(engine.forkSummary()).toEqual({ accounts: 2, libraries: 1, params: [], notices: [] });
  await engine.resume(null);
  const { masterchain } = engine.chainState();
  expect(masterchain.libraries.size).toBe(1);
  const publishers = [...masterchain.libraries.get(ACCEPTS.hash())!.publishers.entries()];
  expect(publishers.map(([key]) => Buffer.from(key))).toEqual([publisher.addr.hash]);
  await makeSteps(engine, 2);
});

it('continues without --fork, and refuses another fork', async () => {
  const folder = await forkFolder({ 'one.boc': accountCell(networkAccount(addressOf(1))) });
  const other = await forkFolder({ 'two.boc': accountCell(networkAccount(addressOf(2))) });
  const directory = await temporaryFolder();
  const first = await Engine.open(engineOptions(directory, { fork: [folder] }));
  const states = first.zerostates().map((boc) => Buffer.from(boc).toString('hex'));
  await first.close();
  for (const fork of [[], [folder]]) {
    const again = await openEngine({ directory, fork });
    expect(again.zerostates().map((boc) => Buffer.from(boc).toString('hex'))).toEqual(states);
    await again.resume(null);
    expect(stateOf(again, addressOf(1)).account!.storage.balance.coins).toBe(5_000_000_000n);
  }
  await expect(openEngine({ directory, fork: [other] })).rejects.toThrow(
    /content of --fork, which is fixed when a chain begins: expected [0-9a-f]{64}, found [0-9a-f]{64}$/,
  );
  const plain = await temporaryFolder();
  await (await Engine.open(engineOptions(plain))).close();
  await expect(openEngine({ directory: plain, fork: [folder] })).rejects.toThrow(
    'expected none, the chain began without --fork',
  );
});
