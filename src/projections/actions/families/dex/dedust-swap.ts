import { SWAP_LOG } from '../../../../ton/contracts/dedust-pool.ts';
import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, call, optional, type Pattern } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { JETTON_TRANSFER, type JettonTransfer, shownAsset } from '../jetton/jetton-transfer.ts';
import {
  NATIVE_SWAP,
  PAY_FROM_POOL,
  PAYOUT,
  readPaid,
  readRoute,
  readSwapLog,
  SWAP_EXTERNAL,
  SWAP_PAYLOAD,
  SWAP_PEER,
  type SwapLog,
} from './dedust-messages.ts';
import { type DexTransfer, JETTON_SWAP, toDexTransfer } from './exchange-kinds.ts';

/** Money that came in, and the pools that it was to go through. */
interface Order {
  readonly incoming: DexTransfer;
  readonly pools: readonly string[];
}

/** swap#ea06185d query amount:Coins step …, or the payload e3a0d482 of a jetton transfer */
function readOrder(carrier: Block): Order {
  if (carrier.is(JETTON_TRANSFER)) {
    const { request, payloadOp } = carrier.data;
    demand(payloadOp === SWAP_PAYLOAD, 'the payload of a swap');
    const payload = needed(request.forwardPayload, 'the payload').clone().skip(32);
    const incoming = toDexTransfer(carrier.data);
    return { incoming: { ...incoming, asset: shownAsset(incoming.asset) }, pools: readRoute(payload) };
  }
  const body = (carrier as Block).body().skip(64);
  const amount = body.coins();
  const { source, destination } = carrier as Block;
  const incoming = { asset: null, source, sourceWallet: null, destination, destinationWallet: null, amount };
  return { incoming, pools: readRoute(body) };
}

/** Asset that comes out at the end of a route: at each pool the first asset that is not the one going in. */
function findWantedAsset({ incoming, pools }: Order, context: Context): string | null {
  let asset = incoming.asset;
  for (const pool of pools) {
    const { assets } = needed(context.pool(pool), `pool ${pool}`);
    asset = assets[0] === asset ? assets[1] : assets[0];
  }
  return asset;
}

function getOutgoing(block: Block): DexTransfer {
  if (block.is(JETTON_TRANSFER)) {
    const transfer = toDexTransfer((block as Block<JettonTransfer>).data);
    return { ...transfer, asset: shownAsset(transfer.asset) };
  }
  const { source, destination, value } = block as Block;
  return { asset: null, source, sourceWallet: null, destination, destinationWallet: null, amount: value };
}

/** Steps from the logs of the pools; one step from end to end if there is no log. */
function buildSteps(found: Found, incoming: DexTransfer, outgoing: DexTransfer): readonly SwapLog[] {
  const logs = found
    .all('log')
    .toSorted((a, b) => (a.first.transaction.lt < b.first.transaction.lt ? -1 : 1));
  if (logs.length > 0) return logs.map((log) => readSwapLog(log.body()));
  const amountOut = readPaid(found.get('paid'));
  return [{ assetIn: incoming.asset, amountIn: incoming.amount ?? 0n, assetOut: outgoing.asset, amountOut }];
}

function buildSwap(block: Block, found: Found, context: Context): Block {
  const order = readOrder(found.get('carrier'));
  demand(found.all('paid').length === 1, 'one payment of a pool');
  const assetOut = findWantedAsset(order, context);
  const out = getOutgoing(found.get('out'));
  const steps = buildSteps(found, order.incoming, out);
  const [first, last] = [steps[0]!, steps.at(-1)!];
  const pools = 1 + found.all('peer').length;
  return context.merge({
    kind: JETTON_SWAP,
    parts: [block, ...found.blocks],
    failed: found.all('log').length < pools,
    data: {
      dex: 'dedust',
      sender: order.incoming.source,
      assetIn: order.incoming.asset,
      assetOut,
      incoming: { ...order.incoming, asset: first.assetIn, amount: first.amountIn },
      outgoing: { ...out, asset: last.assetOut, amount: last.amountOut },
      minOut: null,
      peerSwaps: steps.length > 1 ? steps : [],
    },
  });
}

/** Payment of a pool, and how it reaches the receiver. */
export const paid = call(PAY_FROM_POOL, {
  label: 'paid',
  child: anyOf([blockOfKind(JETTON_TRANSFER), call(PAYOUT)], { label: 'out' }),
});
const log = optional(call(SWAP_LOG, { label: 'log' }));
const throughPools: Pattern = {
  form: 'repeat',
  step: call([SWAP_PEER, SWAP_EXTERNAL], { label: 'peer', child: log }),
  exit: paid,
};

/**
 * dedust swap: a jetton_transfer with the payload 0xe3a0d482, or 0xea06185d, then 0x61ee542d, further pools 0x72aca8aa,
 * then 0xad4eb6f5 → jetton_transfer or 0x474f86cf. Amounts come from the pools' logs 0x9c610de3; it fails if a pool has
 * no log.
 */
export const dedustSwap: readonly Matcher[] = [
  {
    name: 'dedust_swap',
    after: ['jetton_burn'],
    before: ['stonfi_swap'],
    pattern: call(SWAP_EXTERNAL, {
      parent: anyOf([blockOfKind(JETTON_TRANSFER), call(NATIVE_SWAP)], { label: 'carrier' }),
      children: [anyOf([paid, throughPools]), log],
      build: buildSwap,
    }),
  },
];
