import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/localnet/engine/engine.ts';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { walletMessage } from '../../../src/localnet/wallets/transfer.ts';
import type { Wallet } from '../../../src/localnet/wallets/wallet.ts';
import { parseBoc } from '../../../src/ton/boc/boc.ts';
import { CellBuilder } from '../../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { commentBody } from '../../../src/ton/messages/text-comment.ts';
import type { AccountAddress } from '../../../src/ton/store/store-address.ts';
import { loadAccount } from '../../../src/ton/tlb/account/account.ts';
import { loadShardAccount } from '../../../src/ton/tlb/account/shard-account.ts';
import { loadWholeCell } from '../../../src/ton/tlb/whole-cell.ts';
import { GENESIS_UTIME } from './engine-test-options.ts';
import { makeSteps, openEngine } from './local-engine.ts';
import { loadTransactions } from './read-transactions.ts';

const { faucet, wallets } = genesisWallets('test', LOCALNET_GLOBAL_ID);
const LATER = GENESIS_UTIME + 100_000;

function transfer(from: Wallet, seqno: number, validUntil = LATER): Uint8Array {
  const body = commentBody(
    'a text that is long enough to need more than the one cell that a short text would fill: '.repeat(3),
  );
  const message = walletMessage(from, [{ to: faucet.address, value: 1_000_000n, bounce: true, body }], {
    seqno,
    validUntil,
  });
  return writeBag(message);
}

async function started(shards = 1): Promise<Engine> {
  const engine = await openEngine({ shards });
  await engine.resume(null);
  await makeSteps(engine, 3);
  return engine;
}

function balanceOf(engine: Engine, address: AccountAddress): bigint | null {
  const { shardAccount } = engine.account(address);
  if (shardAccount === null) return null;
  const boc = parseBoc(Buffer.from(shardAccount, 'base64'));
  const { account } = loadWholeCell(boc, 0, 'ShardAccount', loadShardAccount);
  return loadWholeCell(boc, account, 'Account', loadAccount)?.balance.grams ?? null;
}

describe('mempool', () => {
  it('takes transfers of every wallet version, several in a row, into the next block', async () => {
    const engine = await started(2);
    const sent = wallets.flatMap((wallet) => [0, 1, 2].map((seqno) => engine.send(transfer(wallet, seqno))));
    expect(sent.map(({ ok }) => ok)).toEqual(sent.map(() => true));
    const [step] = await makeSteps(engine, 1);
    const transactions = step!.blocks.flatMap(loadTransactions).filter(({ inMsg }) => inMsg >= 0);
    expect(transactions.length).toBeGreaterThanOrEqual(sent.length);
    expect(engine.status().pending).toBe(0);
  });

  it('funds any address, also many times before the next block', async () => {
    const engine = await started(4);
    const addresses = [1, 2, 3, 254].map((byte) => ({
      workchain: 0,
      address: new Uint8Array(32).fill(byte),
    }));
    addresses.push({ workchain: -1, address: new Uint8Array(32).fill(9) });
    for (const address of addresses) expect(engine.fund(address, 5_000_000_000n, 'welcome').ok).toBe(true);
    await makeSteps(engine, 3);
    for (const address of addresses) expect(balanceOf(engine, address)).toBe(5_000_000_000n);
  });

  it('reports why it refuses a message', async () => {
    const engine = await started();
    const [v3, , v4] = wallets as [Wallet, Wallet, Wallet];
    const good = transfer(v4, 0);
    const problem = (bytes: Uint8Array) => {
      const outcome = engine.send(bytes);
      return outcome.ok ? 'ok' : [outcome.problem, outcome.exitCode];
    };
    expect(problem(new Uint8Array(5))).toEqual(['boc', null]);
    expect(problem(new Uint8Array(70_000))).toEqual(['size', null]);
    expect(problem(writeBag(new CellBuilder().uint(2, 3).cell()))).toEqual(['message', null]);
    // Seqno, time, signature: the wallets' own exit codes.
    expect(problem(transfer(v4, 7))).toEqual(['refused', 33]);
    expect(problem(transfer(v4, 0, GENESIS_UTIME))).toEqual(['refused', 36]);
    expect(problem(transfer({ ...v4, key: v3.key }, 0))).toEqual(['refused', 35]);
    expect(problem(good)).toBe('ok');
    expect(problem(good)).toEqual(['known', null]);
    await makeSteps(engine, 1);
    expect(problem(good)).toEqual(['refused', 33]);
  });

  it('refuses a message to an absent account, and one that is not external', async () => {
    const engine = await started();
    const nobody = { ...wallets[2]!, address: { workchain: 0, address: new Uint8Array(32).fill(7) } };
    expect(engine.send(transfer(nobody, 0))).toMatchObject({ ok: false, problem: 'refused' });
    const elsewhere = { ...wallets[2]!, address: { workchain: 5, address: new Uint8Array(32).fill(7) } };
    expect(engine.send(transfer(elsewhere, 0))).toMatchObject({ problem: 'destination' });
    const internal = new CellBuilder().bit(false).bit(true).uint(0, 2).uint(0b10, 2).bit(false).int(0, 8);
    internal.bytes(new Uint8Array(32)).uint(0b10, 2).bit(false).int(0, 8).bytes(new Uint8Array(32));
    internal.coins(1n).bit(false).coins(0n).coins(0n).u64(1n).uint(0, 32).bit(false).bit(false);
    expect(engine.send(writeBag(internal.cell()))).toMatchObject({ problem: 'external' });
  });
});
