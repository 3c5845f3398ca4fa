import {
  JETTON_NOTIFICATION_OP,
  loadJettonNotification,
} from '../../../../ton/messages/jetton-notification.ts';
import type { Body } from '../../body/body.ts';
import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, blockThat, call, optional, type Pattern } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { readForwardPayload } from '../jetton/jetton-messages.ts';
import { JETTON_TRANSFER, type JettonTransfer, shownAsset } from '../jetton/jetton-transfer.ts';
import { type DexTransfer, JETTON_SWAP, type PeerSwap, toDexTransfer } from './exchange-kinds.ts';
import {
  PAY_V2,
  type PayV2,
  readPayV2,
  readSwapV2,
  readTonArrival,
  SWAP_V2,
  TON_TRANSFER_OP,
} from './stonfi-v2-messages.ts';

const DONE = 0xc64370e5;
/** More steps than any route has; the pattern of a chain is finite. */
const MAX_STEPS = 12;

/** Asset of the router's wallet, null for proxy-TON. */
function getAsset(wallet: string | null, context: Context): string | null {
  return shownAsset(context.neededWallet(wallet).jetton);
}

/** TON that came in or went out as proxy-TON, or the jetton transfer. */
export function routerIncoming(found: Found): DexTransfer {
  const transfer = found.maybe('incoming') as Block<JettonTransfer> | null;
  if (transfer) return shown(transfer.data);
  const arrival = found.get('arrival');
  return {
    asset: null,
    source: arrival.source,
    sourceWallet: null,
    destination: found.get('swap').source,
    destinationWallet: arrival.destination,
    amount: readTonArrival(arrival).amount,
  };
}

function shown(transfer: JettonTransfer): DexTransfer {
  return { ...toDexTransfer(transfer), asset: shownAsset(transfer.asset) };
}

/** The last outgoing transfer; one of proxy-TON that goes on as TON is shown as that. */
export function routerOutgoing(found: Found): DexTransfer {
  const out = needed(found.all('out').at(-1), 'the outgoing transfer') as Block<JettonTransfer>;
  const left = out.data.isProxyTon && found.all('left').find(({ previous }) => previous === (out as Block));
  const transfer = shown(out.data);
  if (!left) return transfer;
  return { ...transfer, asset: null, amount: readTonArrival(left).amount, destination: left.destination };
}

/** Executed steps, if there are two or more. */
function buildHops(incoming: DexTransfer, pays: readonly PayV2[], context: Context): PeerSwap[] {
  const hops: PeerSwap[] = [];
  let [assetIn, amountIn] = [incoming.asset, incoming.amount ?? 0n];
  for (const { exitCode, amount, wallet } of pays) {
    if (exitCode !== DONE) continue;
    const assetOut = getAsset(wallet, context);
    hops.push({ assetIn, amountIn, assetOut, amountOut: amount });
    [assetIn, amountIn] = [assetOut, amount];
  }
  return hops.length > 1 ? hops : [];
}

/** The asset that the user wanted: of the last swap of the chain, or of the wallet that the payload names. */
function wantedAsset(found: Found, lastWallet: string | null, context: Context): string | null {
  const known = context.jettonWallet(lastWallet);
  if (known) return shownAsset(known.jetton);
  const wallet = noticePayload(found)?.skip(32).address() ?? null;
  return shownAsset(context.jettonWallet(wallet)?.jetton ?? null);
}

/** Payload of the router's notification; for jettons, the payload of their transfer. */
function noticePayload(found: Found): Body | null {
  const transfer = found.maybe('incoming') as Block<JettonTransfer> | null;
  if (transfer) return transfer.data.request.forwardPayload?.clone() ?? null;
  const body = found.get('notice').body();
  loadJettonNotification(body.slice);
  return readForwardPayload(body);
}

function buildSwap(block: Block, found: Found, context: Context): Block {
  const swaps = [block, ...found.all('next')].map(readSwapV2);
  const pays = found.all('pay').map(readPayV2);
  const failed = pays.some(({ exitCode }) => exitCode !== DONE);
  found.nameFirst('swap', block);
  const [incoming, outgoing] = [routerIncoming(found), routerOutgoing(found)];
  if (swaps.length > 1) for (const { tokenWallet } of swaps) context.neededWallet(tokenWallet);
  return context.merge({
    kind: JETTON_SWAP,
    parts: [block, ...found.blocks],
    failed,
    data: {
      dex: 'stonfi_v2',
      sender: incoming.source,
      assetIn: incoming.asset,
      assetOut: failed ? wantedAsset(found, swaps[0]!.lastWallet, context) : outgoing.asset,
      incoming,
      outgoing,
      minOut: swaps[0]!.minOut,
      peerSwaps: swaps.length > 1 ? buildHops(incoming, pays, context) : [],
    },
  });
}

/** TON that leaves the router's wallet of proxy-TON for its receiver. */
const leavesAsTon = optional(call(TON_TRANSFER_OP, { label: 'left' }));

/** TON that one router hands to the next, which is to swap it. */
function handsOn(next: Pattern): Pattern {
  const arrives = (block: Block): boolean =>
    block.opcode === TON_TRANSFER_OP && readTonArrival(block).payloadOp === SWAP_V2;
  return blockThat((block) => block.is(JETTON_TRANSFER) && block.data.isProxyTon, {
    child: blockThat(arrives, { child: call(JETTON_NOTIFICATION_OP, { child: next }) }),
  });
}

/** Answer of a pool, and the swaps that may follow. */
function answer(steps: number): Pattern {
  const out = { label: 'out', child: leavesAsTon };
  if (steps === 0) return call(PAY_V2, { label: 'pay', child: blockOfKind(JETTON_TRANSFER, out) });
  const next = call(SWAP_V2, { label: 'next', child: answer(steps - 1) });
  const transfer = blockOfKind(JETTON_TRANSFER, { ...out, child: optional(anyOf([next, leavesAsTon])) });
  return call(PAY_V2, { label: 'pay', child: anyOf([handsOn(next), transfer, next]) });
}

/** How money comes to a router: as jettons, or as TON through its wallet of proxy-TON. */
export const arrivesAtRouter: Pattern = anyOf([
  blockOfKind(JETTON_TRANSFER, { label: 'incoming' }),
  call(JETTON_NOTIFICATION_OP, { label: 'notice', parent: call(TON_TRANSFER_OP, { label: 'arrival' }) }),
]);

/**
 * stonfi_v2 swap: an incoming jetton_transfer, or 0x01f3835d → 0x7362d09c, then 0x6664de2a → 0x657b54f5 → outgoing
 * jetton_transfer, or the next 0x6664de2a, which may be of another router. Failed when any 0x657b54f5 ended with another
 * code than 0xc64370e5. Vault (0x63381632) and referral (0x0490f09b) messages stay calls.
 */
export const stonfiV2: readonly Matcher[] = [
  {
    name: 'stonfi_v2_swap',
    after: ['stonfi_swap'],
    before: ['dns_release'],
    pattern: call(SWAP_V2, { parent: arrivesAtRouter, child: answer(MAX_STEPS), build: buildSwap }),
  },
];
