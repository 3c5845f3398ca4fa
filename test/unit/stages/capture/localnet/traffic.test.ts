import { describe, expect, it } from 'vitest';
import { genesisTokens } from '../../../../../src/stages/capture/localnet/genesis/genesis-contracts.ts';
import { genesisWallets } from '../../../../../src/stages/capture/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../../../src/stages/capture/localnet/localnet-source.ts';
import { Traffic } from '../../../../../src/stages/capture/localnet/traffic/traffic.ts';
import type { TrafficKind } from '../../../../../src/stages/capture/localnet/traffic/traffic-kind.ts';
import { trafficKinds } from '../../../../../src/stages/capture/localnet/traffic/traffic-kinds.ts';
import { writeBag } from '../../../../../src/ton/build/write-bag.ts';
import { GENESIS_UTIME, makeSteps, openEngine } from './local-engine.ts';
import { loadTransactions, outcomeOf } from './read-transactions.ts';

const { faucet, traffic: wallets } = genesisWallets('test', LOCALNET_GLOBAL_ID);
const kinds = trafficKinds(
  genesisTokens({ seed: 'test', globalId: LOCALNET_GLOBAL_ID, faucet: faucet.address }),
);

/** Transactions that are not of the clock, by outcome. */
function outcomesOf(steps: ReturnType<typeof makeSteps>): string[] {
  const outcomes = steps.flatMap(({ blocks }) => blocks.flatMap(loadTransactions)).map(outcomeOf);
  return outcomes.filter((outcome) => outcome !== 'tick' && outcome !== 'tock');
}

/** What becomes of a kind that is done several times, one after the other. */
async function outcomesOfKind(kind: TrafficKind, times: number): Promise<string[]> {
  const engine = await openEngine({ shards: 2 });
  engine.resume(null);
  makeSteps(engine, 3);
  const state = engine.chainState();
  const account = ({ address }: { address: Uint8Array }) =>
    state.shards.map(({ accounts }) => accounts.get(address)).find((entry) => entry) ?? null;
  const traffic = new Traffic('test', wallets, [kind]);
  for (const { cell } of traffic.messages(times * kind.transactions, GENESIS_UTIME, account))
    expect(engine.send(writeBag(cell))).toMatchObject({ ok: true });
  return outcomesOf(makeSteps(engine, 10)).sort();
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
  'too many jettons': ['exit 706, bounced', 'ok', 'ok'],
  'swap TON': ['ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  'swap jettons': ['ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  'swap TON too dear': ['exit 801, bounced', 'ok', 'ok'],
  'swap jettons too dear': ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  'NFT transfer': ['ok', 'ok', 'ok', 'ok'],
  'NFT offer': ['ok', 'ok', 'ok', 'ok'],
  'NFT of somebody else': ['exit 401, bounced', 'ok', 'ok'],
};

describe('traffic', () => {
  it.each(Object.entries(EXPECTED))('does: %s', async (name, outcomes) => {
    const kind = kinds.find((one) => one.name === name)!;
    const times = 2;
    expect(await outcomesOfKind(kind, times)).toEqual(
      Array.from({ length: times }, () => outcomes)
        .flat()
        .sort(),
    );
  });

  it.each([1, 4])('keeps the rate that is asked for, with %d shards', async (shards) => {
    const engine = await openEngine({ shards, traffic: 20, secondsPerBlock: 1 });
    engine.resume(null);
    const blocks = 40;
    const before = makeSteps(engine, 10);
    const steps = makeSteps(engine, blocks);
    const rate = outcomesOf(steps).length / blocks;
    expect(rate).toBeGreaterThan(18);
    expect(rate).toBeLessThan(22);
    expect([...before, ...steps].reduce((sum, { refused }) => sum + refused, 0)).toBe(0);
  });

  it('sells NFTs: purchases happen, and each pays the royalty', async () => {
    const engine = await openEngine({ traffic: 0 });
    engine.resume(null);
    makeSteps(engine, 2);
    const account = ({ address }: { address: Uint8Array }) =>
      engine.chainState().shards[0]!.accounts.get(address) ?? null;
    const only = (name: string) => kinds.filter((kind) => kind.name === name);
    const offers = new Traffic('test', wallets, only('NFT offer'));
    for (const { cell } of offers.messages(120, GENESIS_UTIME, account)) engine.send(writeBag(cell));
    expect(new Set(outcomesOf(makeSteps(engine, 4)))).toEqual(new Set(['ok']));
    const before = account(faucet.address)!.balance.grams;
    const purchases = new Traffic('other', wallets, only('NFT purchase'));
    for (const { cell } of purchases.messages(14, GENESIS_UTIME, account)) engine.send(writeBag(cell));
    const outcomes = outcomesOf(makeSteps(engine, 6));
    expect(outcomes).toEqual(Array.from({ length: 14 }, () => 'ok'));
    // Five in a hundred of two prices between 1 and 5 TON.
    expect(account(faucet.address)!.balance.grams - before).toBeGreaterThan(90_000_000n);
  });
});
