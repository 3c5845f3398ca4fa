import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/localnet/engine/engine.ts';
import { genesisTokens } from '../../../src/localnet/genesis/genesis-contracts.ts';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { Traffic } from '../../../src/localnet/traffic/traffic.ts';
import type { TrafficKind } from '../../../src/localnet/traffic/traffic-kind.ts';
import { trafficKinds } from '../../../src/localnet/traffic/traffic-kinds.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import type { AccountAddress } from '../../../src/ton/store/store-address.ts';
import { GENESIS_UTIME } from './engine-test-options.ts';
import { makeSteps, openEngine } from './local-engine.ts';
import { loadTransactions, outcomeOf } from './read-transactions.ts';

const { faucet, traffic: wallets } = genesisWallets('test', LOCALNET_GLOBAL_ID);
const tokens = genesisTokens({ seed: 'test', globalId: LOCALNET_GLOBAL_ID, faucet: faucet.address });
const kindsNamed = (name: string) => trafficKinds(tokens).filter((kind) => kind.name === name);

/** Transactions that are not of the clock, by outcome. */
function outcomesOf(steps: Awaited<ReturnType<typeof makeSteps>>): string[] {
  const outcomes = steps.flatMap(({ blocks }) => blocks.flatMap(loadTransactions)).map(outcomeOf);
  return outcomes.filter((outcome) => outcome !== 'tick' && outcome !== 'tock');
}

/**
 * Runs only the kind of this name, for a number of transactions, some seconds later; returns the outcomes of all its
 * messages.
 */
async function doKind(engine: Engine, name: string, transactions: number, seconds = 0): Promise<string[]> {
  if (seconds > 0) engine.warp(seconds);
  const account = (address: AccountAddress) => engine.entry(address);
  const traffic = new Traffic(name, wallets, kindsNamed(name));
  const utime = engine.account(faucet.address).utime + seconds;
  for (const { cell } of traffic.messages(transactions, utime, account))
    expect(engine.send(writeBag(cell))).toMatchObject({ ok: true });
  const outcomes: string[] = [];
  for (let isBusy = true; isBusy; ) {
    const [step] = await makeSteps(engine, 1);
    outcomes.push(...outcomesOf([step!]));
    isBusy = step!.isBusy;
  }
  return outcomes.sort();
}

async function started(options: Parameters<typeof openEngine>[0]): Promise<Engine> {
  const engine = await openEngine(options);
  await engine.resume(null);
  await makeSteps(engine, 3);
  return engine;
}

const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  transfer: ['ok', 'ok'],
  'cold address': ['no state', 'ok'],
  'bounce from nowhere': ['no state, bounced', 'ok', 'ok'],
  failure: ['exit 42, bounced', 'ok', 'ok'],
  'too much': ['ok'],
  masterchain: ['ok', 'ok'],
  'jetton transfer': ['ok', 'ok', 'ok', 'ok', 'ok'],
  'jetton burn': ['ok', 'ok', 'ok', 'ok'],
  'jetton mint': ['ok', 'ok', 'ok', 'ok'],
  'NFT mint': ['ok', 'ok', 'ok'],
  'too many jettons': ['exit 706, bounced', 'ok', 'ok'],
  'swap TON': ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  'swap jettons': ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  'swap TON too dear': ['ok', 'ok', 'ok', 'ok', 'ok'],
  'swap jettons too dear': ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  'NFT transfer': ['ok', 'ok', 'ok', 'ok'],
  'NFT of another owner': ['exit 401, bounced', 'ok', 'ok'],
  'NFT offer': ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  'NFT purchase': ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  'NFT auction': ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  'auction bid': ['ok', 'ok'],
  'username auction': ['ok', 'ok', 'ok'],
  'username bid': ['ok', 'ok'],
  'name record': ['ok', 'ok'],
  'name record removed': ['ok', 'ok'],
  'name renewed': ['ok', 'ok'],
  'multisig order': ['ok', 'ok', 'ok'],
  'multisig approval': ['ok', 'ok', 'ok'],
  'stake deposit': ['ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  'stake withdrawal': ['ok', 'ok', 'ok', 'ok', 'ok'],
};

describe('traffic', () => {
  it('has the transactions that each kind declares', async () => {
    const engine = await started({ shards: 2 });
    const found: Record<string, string[]> = {};
    for (const [name, { length }] of Object.entries(EXPECTED))
      found[name] = await doKind(engine, name, length);
    expect(found).toEqual(EXPECTED);
  });

  it('keeps the rate that is asked for', async () => {
    const engine = await openEngine({ shards: 2, traffic: 20, secondsPerBlock: 1 });
    await engine.resume(null);
    const before = await makeSteps(engine, 8);
    const steps = await makeSteps(engine, 15);
    const rate = outcomesOf(steps).length / steps.length;
    expect(rate).toBeGreaterThan(17);
    expect(rate).toBeLessThan(23);
    expect([...before, ...steps].reduce((sum, { refused }) => sum + refused, 0)).toBe(0);
  });

  it('mints NFTs one after the other', async () => {
    const engine = await started({ shards: 2 });
    for (let mint = 0; mint < 3; mint++)
      expect(await doKind(engine, 'NFT mint', 3)).toEqual(['ok', 'ok', 'ok']);
  });

  it('sells NFTs, and each purchase pays the royalty', async () => {
    const engine = await started({ shards: 1 });
    expect(new Set(await doKind(engine, 'NFT offer', 160))).toEqual(new Set(['ok']));
    const before = engine.entry(faucet.address)!.balance.grams;
    expect(await doKind(engine, 'NFT purchase', 16)).toEqual(Array.from({ length: 16 }, () => 'ok'));
    // Five in a hundred of two prices of 1 to 5 TON.
    expect(engine.entry(faucet.address)!.balance.grams - before).toBeGreaterThan(90_000_000n);
    expect(await doKind(engine, 'NFT offer withdrawn', 5)).toEqual(Array.from({ length: 5 }, () => 'ok'));
  });

  it('auctions NFTs: bids, refunds, cancelled and finished auctions', async () => {
    const engine = await started({ shards: 1 });
    expect(new Set(await doKind(engine, 'NFT auction', 160))).toEqual(new Set(['ok']));
    expect(await doKind(engine, 'auction cancelled', 5)).toEqual(Array.from({ length: 5 }, () => 'ok'));
    for (let round = 0; round < 4; round++)
      expect(new Set(await doKind(engine, 'auction bid', 30))).toEqual(new Set(['ok']));
    // Now all auctions are over.
    expect(new Set(await doKind(engine, 'auction end', 40, 10_000))).toEqual(new Set(['ok']));
  });

  it('sells usernames at their highest bid', async () => {
    const engine = await started({ shards: 1 });
    expect(new Set(await doKind(engine, 'username auction', 15))).toEqual(new Set(['ok']));
    const outcomes: string[] = [];
    for (let round = 0; round < 5; round++) outcomes.push(...(await doKind(engine, 'username bid', 9)));
    expect(new Set(outcomes)).toEqual(new Set(['ok']));
  });

  it('executes an order of the multisig with the third approval', async () => {
    const engine = await started({ shards: 1 });
    expect(await doKind(engine, 'multisig order', 3)).toEqual(['ok', 'ok', 'ok']);
    expect(await doKind(engine, 'multisig approval', 3)).toEqual(['ok', 'ok', 'ok']);
    // The wallet, the order, the multisig and the receiver of the payment.
    expect(await doKind(engine, 'multisig approval', 3)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await doKind(engine, 'multisig approval', 3)).toEqual([]);
    expect(await doKind(engine, 'multisig order', 3)).toEqual(['ok', 'ok', 'ok']);
  });

  it('does nothing where nothing can be done', () => {
    const idle: TrafficKind = { name: 'idle', weight: 1, transactions: 1, make: () => null };
    expect(new Traffic('test', wallets, [idle]).messages(5, GENESIS_UTIME, () => null)).toEqual([]);
  });
});
