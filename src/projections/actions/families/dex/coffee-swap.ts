import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, call, optional, repeat } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { JETTON_TRANSFER } from '../jetton/jetton-transfer.ts';
import { NOTIFICATION, payout, readAsset, readPayout } from './coffee-messages.ts';
import { type DexTransfer, JETTON_SWAP, type PeerSwap, toDexTransfer } from './exchange-kinds.ts';

const SWAP_NATIVE = 0xc0ffee00;
const SWAP = 0xc0ffee20;
const SWAPPED = 0xc0ffee30;

/** A jetton transfer, or swap#c0ffee00 query amount:Coins … with TON. */
function getIncoming(carrier: Block): DexTransfer {
  if (carrier.is(JETTON_TRANSFER)) return toDexTransfer(carrier.data);
  const { source, destination } = carrier as Block;
  const amount = (carrier as Block).body().skip(64).coins();
  return { asset: null, source, sourceWallet: null, destination, destinationWallet: null, amount };
}

/** A jetton transfer, TON as ordered from the vault, or the value of a notification. */
function getOutgoing(paid: Block, out: Block): DexTransfer {
  if (out.is(JETTON_TRANSFER)) return toDexTransfer(out.data);
  const { opcode, source, destination, value } = out as Block;
  const { recipient, amount } = readPayout(paid.body());
  const isNotified = opcode === NOTIFICATION;
  return {
    asset: null,
    // TON paid by a vault is shown as paid by the pool that ordered it.
    source: isNotified ? source : paid.source,
    sourceWallet: null,
    destination: isNotified ? destination : recipient,
    destinationWallet: null,
    amount: isNotified ? value : amount,
  };
}

/** swapped#c0ffee30 query asset_in amount_in:Coins amount_out:Coins, in the order of the pools. */
function buildHops(logs: readonly Block[], assetOut: string | null): PeerSwap[] {
  const hops = logs
    .toSorted((a, b) => (a.first.transaction.lt < b.first.transaction.lt ? -1 : 1))
    .map((log) => {
      const body = log.body().skip(64);
      return { assetIn: readAsset(body), amountIn: body.coins(), amountOut: body.coins() };
    });
  return hops.map((hop, at) => ({
    ...hop,
    assetOut: at + 1 < hops.length ? hops[at + 1]!.assetIn : assetOut,
  }));
}

function buildSwap(block: Block, found: Found, context: Context): Block {
  const incoming = getIncoming(found.get('carrier'));
  const outgoing = getOutgoing(found.get('paid'), found.get('out'));
  const logs = found.all('log');
  return context.merge({
    kind: JETTON_SWAP,
    parts: [block, ...found.blocks],
    failed: logs.length < 1 + found.all('pool').length,
    data: {
      dex: 'coffee',
      sender: incoming.source,
      assetIn: incoming.asset,
      assetOut: outgoing.asset,
      incoming,
      outgoing,
      minOut: null,
      peerSwaps: logs.length > 1 ? buildHops(logs, outgoing.asset) : [],
    },
  });
}

const log = call(SWAPPED, { label: 'log' });

/**
 * coffee swap (v3-actions 4.1, v3-actions-rules 5.5): a jetton_transfer or 0xc0ffee00, then 0xc0ffee20 for each pool
 * with its log 0xc0ffee30, then 0xc0ffee21 → jetton_transfer, 0xc0ffee32 or 0xc0ffee36. It fails if a pool has no log.
 */
export const coffeeSwap: readonly Matcher[] = [
  {
    name: 'coffee_swap',
    after: ['coffee_deposit'],
    pattern: call(SWAP, {
      parent: anyOf([blockOfKind(JETTON_TRANSFER), call(SWAP_NATIVE)], { label: 'carrier' }),
      children: [log, anyOf([payout, repeat(call(SWAP, { label: 'pool', child: optional(log) }), payout)])],
      build: buildSwap,
    }),
  },
];
