import { SWAP_LOG_V2 } from '../../../../ton/contracts/dedust-pool.ts';
import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, type BlockPattern, blockThat, log, type Pattern } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { JETTON_TRANSFER } from '../jetton/jetton-transfer.ts';
import {
  asksForSwap,
  findOperation,
  getIncoming,
  isNative,
  lastMinOut,
  ownExcess,
  paidOut,
  payout,
  readTonPayout,
  sinceRelease13,
} from './dedust-v2-messages.ts';
import { type DexTransfer, JETTON_SWAP, type PeerSwap } from './exchange-kinds.ts';

/** More steps than any route has; the pattern of a chain is finite. */
const MAX_STEPS = 12;

/** swap#78e79ba4 x_to_y:Bool amount_in:Coins amount_out:Coins … */
function readSwapLog(block: Block) {
  const body = block.body().skip(1);
  return { amountIn: body.coins(), amountOut: body.coins() };
}

const hasLog = ({ children }: Block): boolean =>
  children.some(({ opcode, destination }) => opcode === SWAP_LOG_V2 && destination === null);

/** One entry for each pool: its input, and the asset of the next step's input. */
function buildHops(carriers: readonly Block[], logs: readonly Block[], assetOut: string | null): PeerSwap[] {
  demand(carriers.length === logs.length, 'a log for each pool');
  const assets = [...carriers.map((carrier) => getIncoming(carrier).asset), assetOut];
  return logs.map((one, at) => ({
    ...readSwapLog(one),
    assetIn: assets[at] as string | null,
    assetOut: assets[at + 1] as string | null,
  }));
}

function getOutgoing(out: Block): DexTransfer {
  if (out.is(JETTON_TRANSFER)) return getIncoming(out as Block);
  const { source, destination } = out as Block;
  const { amount } = paidOut(out);
  return { asset: null, source, sourceWallet: null, destination, destinationWallet: null, amount };
}

/** min_out of the route; null if the first transfer does not contain it. */
function findMinOut(block: Block): bigint | null {
  const operation = findOperation(block);
  return operation && asksForSwap(block) ? lastMinOut(operation) : null;
}

const isFine = ({ first: { transaction } }: Block): boolean =>
  !transaction.aborted && transaction.exitCode === 0;

function buildSwap(block: Block, found: Found, context: Context): Block {
  const out = found.get('out');
  demand(!out.is(JETTON_TRANSFER) || !asksForSwap(out as Block), 'the end of the route');
  const logs = found.all('log');
  const [incoming, outgoing] = [getIncoming(block), getOutgoing(out)];
  const hops = buildHops([block, ...found.all('next')], logs, outgoing.asset);
  return context.merge({
    kind: JETTON_SWAP,
    parts: [block, ...found.blocks],
    failed: !logs.every(isFine),
    data: {
      dex: 'dedust_v2',
      sender: incoming.source,
      assetIn: incoming.asset,
      assetOut: outgoing.asset,
      incoming: { ...incoming, amount: hops[0]!.amountIn },
      outgoing: { ...outgoing, amount: hops.at(-1)!.amountOut },
      minOut: findMinOut(block),
      peerSwaps: hops.length > 1 ? hops : [],
    },
  });
}

/** The pool's wanted asset; null if the pool is unknown. */
function otherAsset(pool: string | null, asset: string | null, context: Context): string | null {
  const assets = context.pool(pool)?.assets;
  if (!assets) return null;
  return assets[0] === asset ? assets[1] : assets[0];
}

function buildFailed(block: Block, found: Found, context: Context): Block {
  const incoming = getIncoming(block);
  const { source: sender, destination: pool, asset } = incoming;
  const outgoing = {
    asset: otherAsset(pool, asset, context),
    source: pool,
    sourceWallet: null,
    destination: sender,
    destinationWallet: null,
    amount: 0n,
  };
  return context.merge({
    kind: JETTON_SWAP,
    parts: [block, ...found.blocks],
    failed: true,
    data: {
      dex: 'dedust_v2',
      sender,
      assetIn: asset,
      assetOut: outgoing.asset,
      incoming,
      outgoing,
      minOut: findMinOut(block),
      peerSwaps: [],
    },
  });
}

/** Answers of a pool to money: its log, then the next pool or the payment. */
function answers(steps: number): readonly Pattern[] {
  const test = (block: Block): boolean => isNative(block) || (block.is(JETTON_TRANSFER) && hasLog(block));
  const step = (): BlockPattern => blockThat(test, { label: 'next', children: answers(steps - 1) });
  return [log(SWAP_LOG_V2, { label: 'log' }), anyOf(steps === 0 ? [payout] : [step(), payout]), ownExcess];
}

/** That the same asset went back to whom it came from. */
function isRefund(block: Block): boolean {
  const { asset, source } = getIncoming(needed(block.previous, 'what was paid in'));
  if (!block.is(JETTON_TRANSFER))
    return asset === null && block.destination === source && (readTonPayout(block)?.exitCode ?? 0) !== 0;
  const back = getIncoming(block as Block);
  return asset !== null && back.asset === asset && back.destination === source;
}

/**
 * DeDust V2 swap (v3-actions-rules 12.2): TON with 0xa5a7cbf8 and the operation 0xc442500f, or a jetton_transfer, answered by
 * the pool's log 0x78e79ba4 and the next pool or the payment. Without a log and with the money given back it has failed.
 */
export const dedustV2Swap: readonly Matcher[] = [
  {
    name: 'dedust_v2_swap',
    after: ['dedust_swap'],
    before: ['stonfi_swap'],
    pattern: sinceRelease13(
      blockThat(
        (block) => (isNative(block) ? asksForSwap(block) : block.is(JETTON_TRANSFER) && hasLog(block)),
        {
          children: answers(MAX_STEPS),
          build: buildSwap,
        },
      ),
    ),
  },
  {
    name: 'dedust_v2_failed_swap',
    after: ['dedust_v2_swap'],
    before: ['stonfi_swap'],
    pattern: sinceRelease13(
      blockThat(
        (block) => (isNative(block) || block.is(JETTON_TRANSFER)) && asksForSwap(block) && !hasLog(block),
        {
          children: [blockThat(isRefund), ownExcess],
          build: buildFailed,
        },
      ),
    ),
  },
];
