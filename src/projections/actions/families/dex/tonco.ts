import {
  JETTON_NOTIFICATION_OP,
  loadJettonNotification,
} from '../../../../ton/messages/jetton-notification.ts';
import { rawText } from '../../body/body.ts';
import { demand } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, blockThat, call, optional, type Pattern } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { readForwardPayload } from '../jetton/jetton-messages.ts';
import { JETTON_TRANSFER, type JettonTransfer, shownAsset } from '../jetton/jetton-transfer.ts';
import { NFT_MINT } from '../nft/nft-single.ts';
import { type DexTransfer, depositKind, JETTON_SWAP, NO_SHARE, type PeerSwap } from './exchange-kinds.ts';
import { arrivesAtRouter, routerIncoming, routerOutgoing } from './stonfi-v2.ts';
import { TON_TRANSFER_OP } from './stonfi-v2-messages.ts';
import {
  FUND_ACCOUNT,
  lastWish,
  readAddLiquidity,
  readPosition,
  readToncoPay,
  TONCO_PAY,
  TONCO_SWAP,
  type ToncoPay,
} from './tonco-messages.ts';

const MAX_STEPS = 12;
const ADD_LIQUIDITY = 0x3ebe5431;
const MINT = 0x81702ef8;

const TONCO_DEPOSIT = depositKind('tonco_deposit_liquidity');

const isDone = ({ exitCode }: ToncoPay): boolean => exitCode === 0 || exitCode === 200;

/**
 * Steps of a route by each pool's payment. Empty if the first asset is unknown; a later one without sums is omitted.
 */
function buildHops(incoming: DexTransfer, pays: readonly ToncoPay[], context: Context): PeerSwap[] {
  const hops: PeerSwap[] = [];
  let [assetIn, amountIn] = [incoming.asset, incoming.amount ?? 0n];
  for (const [index, { sums }] of pays.entries()) {
    if (!sums && index === 0) return [];
    if (!sums) continue;
    const [first, second] = sums;
    const { amount, wallet } = first.amount >= second.amount ? first : second;
    const known = context.jettonWallet(wallet);
    if (!known && index === 0) return [];
    const assetOut = shownAsset(known?.jetton ?? null);
    hops.push({ assetIn, amountIn, assetOut, amountOut: amount });
    [assetIn, amountIn] = [assetOut, amount];
  }
  return hops.length > 1 ? hops : [];
}

/** Asset and amount that a failed swap of TON was for: the last step of the payload. */
function findWantedMoney(found: Found, context: Context) {
  const arrival = found.maybe('arrival');
  if (!arrival) return null;
  const body = arrival.body().skip(64);
  body.coins();
  body.address();
  const payload = body.bit() || body.bitsLeft === 0 ? body.ref() : body;
  const { wallet, amount } = lastWish(payload);
  return { asset: shownAsset(context.jettonWallet(wallet)?.jetton ?? null), amount };
}

function buildSwap(block: Block, found: Found, context: Context): Block {
  const pays = found.all('pay').map(readToncoPay);
  const steps = 1 + found.all('next').length;
  demand(steps === pays.length, 'a payment for each swap');
  found.nameFirst('swap', block);
  const [incoming, outgoing] = [routerIncoming(found), routerOutgoing(found)];
  const failed = !pays.every(isDone);
  const wish = failed ? findWantedMoney(found, context) : null;
  return context.merge({
    kind: JETTON_SWAP,
    parts: [block, ...found.blocks],
    failed,
    data: {
      dex: 'tonco',
      sender: incoming.source,
      assetIn: incoming.asset,
      assetOut: wish ? wish.asset : outgoing.asset,
      incoming,
      outgoing,
      minOut: wish ? wish.amount : outgoing.amount,
      peerSwaps: steps > 1 ? buildHops(incoming, pays, context) : [],
    },
  });
}

/** TON that the router's wallet of proxy-TON gives out. */
const left = call(TON_TRANSFER_OP, { label: 'left' });

/** Payment of a pool, and the swaps that may follow. */
function payment(steps: number): Pattern {
  const final = blockOfKind(JETTON_TRANSFER, { label: 'out', child: optional(left) });
  if (steps === 0) return call(TONCO_PAY, { label: 'pay', child: final });
  const next = call(TONCO_SWAP, { label: 'next', child: payment(steps - 1) });
  const throughTon = blockOfKind(JETTON_TRANSFER, {
    child: call(TON_TRANSFER_OP, { child: call(JETTON_NOTIFICATION_OP, { child: next }) }),
  });
  const throughJetton = blockOfKind(JETTON_TRANSFER, { child: next });
  return call(TONCO_PAY, { label: 'pay', child: anyOf([throughTon, throughJetton, final]) });
}

/** Asset, amount and sender in the router's notification. */
function findNotice(found: Found, context: Context) {
  const transfer = (found.maybe('incoming') as Block<JettonTransfer> | null)?.data;
  const payload = transfer?.request.forwardPayload?.clone() ?? null;
  if (transfer)
    return {
      asset: shownAsset(transfer.asset),
      amount: transfer.amount,
      sender: transfer.sender,
      wallet: transfer.senderWallet,
      payload,
    };
  const arrival = found.get('arrival');
  const body = found.get('notice').body();
  const { amount, sender } = loadJettonNotification(body.slice);
  const asset = shownAsset(context.jettonWallet(arrival.destination)?.jetton ?? null);
  return { asset, amount, sender: rawText(sender), wallet: null, payload: readForwardPayload(body) };
}

/** Master of the wallet that the payload names for the other token; null if unknown. */
function otherAsset(payload: ReturnType<typeof findNotice>['payload'], context: Context): string | null {
  if (payload?.peekOp() !== FUND_ACCOUNT) return null;
  return shownAsset(context.jettonWallet(payload.skip(32).address())?.jetton ?? null);
}

function buildDeposit(block: Block, found: Found, context: Context): Block {
  const { payload, asset, amount, wallet, sender } = findNotice(found, context);
  const added = readAddLiquidity(block);
  const other = otherAsset(payload, context);
  const [asset0, asset1] = added.isFirst ? [asset, other] : [other, asset];
  const minted = found.maybe('minted');
  const position = minted && readPosition(minted);
  const share = { asset, amount, wallet };
  return context.merge({
    kind: TONCO_DEPOSIT,
    parts: [block, ...found.blocks],
    data: {
      dex: 'tonco',
      sender,
      sourceWallet: wallet,
      pool: block.source,
      depositContract: block.destination,
      // The wallet is on the pool's side of the asset; amount and asset always come first.
      first: added.isFirst ? share : { ...share, wallet: null },
      second: added.isFirst ? NO_SHARE : { ...NO_SHARE, wallet },
      targets: [
        { asset: asset0, amount: added.enough[0] },
        { asset: asset1, amount: added.enough[1] },
      ],
      lpTokens: position?.liquidity ?? null,
      excesses: getRefunds(found),
      position: {
        tickLower: added.tickLower,
        tickUpper: added.tickUpper,
        nftIndex: position?.index ?? null,
        nftAddress: minted?.destination ?? null,
      },
    },
  });
}

/** Assets that were not needed, in the order of the pool's payments. */
function getRefunds(found: Found): { readonly asset: string | null; readonly amount: bigint }[] {
  return found.all('refund').map((block) => {
    const { asset, amount } = (block as Block<JettonTransfer>).data;
    return { asset: shownAsset(asset), amount };
  });
}

const refund = optional(blockOfKind(JETTON_TRANSFER, { label: 'refund', child: optional(left) }));

/**
 * tonco swap: an incoming jetton_transfer, or 0x01f3835d → 0x7362d09c, then 0xa7fb58f8 → 0xa1daa96d → outgoing transfer,
 * repeated for each pool; failed when a code is neither 0 nor 200. tonco deposit: the same → 0x4468de77 → 0x3ebe5431, and
 * with both assets there 0x81702ef8 with the minted position and what was too much (0xa1daa96d); never failed.
 */
export const tonco: readonly Matcher[] = [
  {
    name: 'tonco_swap',
    after: ['stonfi_v2_swap'],
    before: ['dns_release'],
    pattern: call(TONCO_SWAP, { parent: arrivesAtRouter, child: payment(MAX_STEPS), build: buildSwap }),
  },
  {
    name: 'tonco_deposit',
    after: ['jetton_mint'],
    pattern: call(ADD_LIQUIDITY, {
      parent: call(FUND_ACCOUNT, { parent: arrivesAtRouter }),
      child: optional(
        call(MINT, {
          children: [
            optional(call(TONCO_PAY, { children: [refund, refund] })),
            blockThat((block) => block.is(NFT_MINT), { label: 'minted' }),
          ],
        }),
      ),
      build: buildDeposit,
    }),
  },
];
