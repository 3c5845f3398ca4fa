/** Trades of a local chain: the exchange and the marketplace, as actions of the API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import { jettonWalletAddress } from '../../src/localnet/genesis/genesis-jetton.ts';
import { Chance } from '../../src/localnet/traffic/chance.ts';
import type { TrafficScene } from '../../src/localnet/traffic/traffic-kind.ts';
import { trafficKinds } from '../../src/localnet/traffic/traffic-kinds.ts';
import { raw, TOKENS, TradingChain, WALLETS } from '../helpers/trading-chain.ts';

const [alice, bob] = [WALLETS.traffic[0]!, WALLETS.traffic[1]!];
const { jetton, exchange } = TOKENS;
const minter = raw(jetton.minter.address);
const TON = 1_000_000_000n;
const COIN = 1_000_000_000n;

const typesOf = (actions: readonly ActionAnswer[]) =>
  actions.map(({ type, success }) => `${success ? '' : '!'}${type}`).sort();

describe('trades of a local chain', { timeout: 600_000 }, () => {
  let chain: TradingChain;
  beforeAll(async () => {
    chain = await TradingChain.open();
  }, 600_000);
  afterAll(async () => {
    await chain?.api.close();
    expect(chain?.api.logged).toEqual([]);
  });

  /** What a kind of traffic makes a wallet do. */
  function scene(from: TrafficScene['from'], name: string): TrafficScene {
    return { chance: new Chance(name), from, wallets: WALLETS.traffic, round: 0, account: () => null };
  }
  const kind = (name: string) => trafficKinds(TOKENS).find((one) => one.name === name)!;
  const swap = (from: TrafficScene['from'], name: string) => chain.act(kind(name).make(scene(from, name))!);

  /** What the pool gives for an input: 0.3 % of it stays in the pool. */
  const out = (amountIn: bigint, reserveIn: bigint, reserveOut: bigint) => {
    const paid = amountIn * 997n;
    return (reserveOut * paid) / (reserveIn * 1000n + paid);
  };
  const reserves = { ton: 1_000_000n * TON, jettons: 10_000_000n * COIN };

  it('show swaps of both directions with amounts, sender and pool', async () => {
    const { stored, predicted } = await swap(alice, 'swap TON');
    expect(typesOf(stored)).toEqual(['jetton_swap']);
    expect(typesOf(predicted)).toEqual(['jetton_swap']);
    const [bought] = stored;
    const amountIn = BigInt(
      (bought!.details as { dex_incoming_transfer: { amount: string } }).dex_incoming_transfer.amount,
    );
    const amountOut = out(amountIn, reserves.ton, reserves.jettons);
    expect(amountIn).toBeGreaterThan(TON / 10n);
    expect(bought).toMatchObject({
      success: true,
      details: {
        dex: 'dedust',
        sender: raw(alice.address),
        asset_in: null,
        asset_out: minter,
        dex_incoming_transfer: {
          asset: null,
          source: raw(alice.address),
          destination: raw(exchange.nativeVault.address),
        },
        dex_outgoing_transfer: {
          asset: minter,
          source: raw(exchange.jettonVault.address),
          destination: raw(alice.address),
          source_jetton_wallet: raw(jettonWalletAddress(jetton.minter.address, exchange.jettonVault.address)),
          destination_jetton_wallet: raw(jettonWalletAddress(jetton.minter.address, alice.address)),
          amount: `${amountOut}`,
        },
        peer_swaps: [],
      },
    });
    const sold = (await swap(bob, 'swap jettons')).stored;
    expect(typesOf(sold)).toEqual(['jetton_swap']);
    const details = sold[0]!.details as {
      dex_incoming_transfer: { amount: string };
      dex_outgoing_transfer: { amount: string };
    };
    const jettonsIn = BigInt(details.dex_incoming_transfer.amount);
    expect(details).toMatchObject({
      dex: 'dedust',
      sender: raw(bob.address),
      asset_in: minter,
      asset_out: null,
      dex_incoming_transfer: { asset: minter, destination: raw(exchange.jettonVault.address) },
      dex_outgoing_transfer: {
        asset: null,
        source: raw(exchange.nativeVault.address),
        destination: raw(bob.address),
        amount: `${out(jettonsIn, reserves.jettons - amountOut, reserves.ton + amountIn)}`,
      },
    });
    // The pool is in no field of the details, but among the accounts.
    const { actions } = await chain.get<{ actions: ActionAnswer[] }>(
      `v3/actions?action_type=jetton_swap&account=${raw(exchange.pool.address)}&sort=asc`,
    );
    expect(actions).toEqual([bought, ...sold]);
  });

  it('show a swap at a price that the pool refuses as failed', async () => {
    for (const name of ['swap TON too dear', 'swap jettons too dear']) {
      const { stored, predicted } = await swap(alice, name);
      expect([name, typesOf(stored)]).toEqual([name, ['!jetton_swap']]);
      expect(typesOf(predicted)).toEqual(typesOf(stored));
    }
  });
});
