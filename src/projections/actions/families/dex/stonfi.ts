import { loadStonfiSwap, STONFI_SWAP_OP } from '../../../../ton/messages/stonfi-swap.ts';
import { type Body, rawText } from '../../body/body.ts';
import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockOfKind, call } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { JETTON_TRANSFER, type JettonTransfer } from '../jetton/jetton-transfer.ts';
import { type DexTransfer, JETTON_SWAP, toDexTransfer } from './exchange-kinds.ts';

const PAYMENT = 0xf93bb43f;

/** How a payment ended a swap: done, refused for want of liquidity, refused for the price. */
const DONE = 0xc64370e5;
const FOR_USER: ReadonlySet<number> = new Set([DONE, 0x5ffe1295, 0x38976e9b]);
const FOR_REFERRER = 0x45078540;

/** swap#25938561 (to the pool) query user token_wallet amount:Coins min_out:Coins has_ref:Bool ^(sender ref?) */
function readSwap(body: Body) {
  body.skip(64);
  const user = body.address();
  const tokenWallet = body.address();
  const [amount, minOut] = [body.coins(), body.coins()];
  body.bit();
  return { user, tokenWallet, amount, minOut, sender: body.ref().address() };
}

/** The user's intent, in the payload of the transfer. */
function readWish({ request, payloadOp }: JettonTransfer) {
  if (payloadOp !== STONFI_SWAP_OP || !request.forwardPayload) return { wallet: null, receiver: null };
  const { tokenWallet, receiver } = loadStonfiSwap(request.forwardPayload.clone().skip(32).slice);
  return { wallet: rawText(tokenWallet), receiver: rawText(receiver) };
}

/** One message of the pool that money is to be paid. */
interface Payment {
  readonly block: Block;
  readonly exitCode: number;
  readonly amount: bigint;
  readonly wallet: string | null;
}

/** pay_to#f93bb43f query owner exit_code:uint32 ^(amount0:Coins token0 amount1:Coins token1) */
function readPayment(block: Block): Payment {
  const body = block.body().skip(64);
  body.address();
  const exitCode = body.uint(32);
  const sums = body.ref();
  const first = { amount: sums.coins(), wallet: sums.address() };
  return {
    block,
    exitCode,
    ...(first.amount > 0n ? first : { amount: sums.coins(), wallet: sums.address() }),
  };
}

/** Whether a block hangs under one of others, or is one. */
function isUnder(block: Block, others: ReadonlySet<Block>): boolean {
  for (let one: Block | null = block; one; one = one.previous) if (others.has(one)) return true;
  return false;
}

/** Money for the user: from the transfer below the payment; proxy-TON goes to whom the user named. */
function getOutgoing(paid: Payment, receiver: string | null, context: Context): DexTransfer {
  const out = paid.block.children.find((child) => child.is(JETTON_TRANSFER)) as Block<JettonTransfer>;
  const transfer = toDexTransfer(needed(out, 'the outgoing transfer').data);
  const asset = context.neededWallet(paid.wallet).jetton;
  if (!out.data.isProxyTon) return { ...transfer, asset, amount: paid.amount };
  return { ...transfer, asset, amount: paid.amount, destination: receiver, destinationWallet: null };
}

function buildSwap(block: Block, found: Found, context: Context): Block {
  const transfer = (block as Block<JettonTransfer>).data;
  const swap = readSwap(found.get('swap').body());
  const wish = readWish(transfer);
  const payments = found.all('payment').map(readPayment);
  const forUser = payments.filter(({ exitCode }) => FOR_USER.has(exitCode));
  demand(forUser.length > 0, 'a payment to the user');
  const paid = forUser.reduce((best, one) => (one.amount > best.amount ? one : best));
  const tokenWallet = context.neededWallet(swap.tokenWallet);
  const outgoing = getOutgoing(paid, wish.receiver ?? swap.user, context);
  const wanted = wish.wallet === null ? null : context.jettonWallet(wish.wallet);
  const referrals = new Set(
    payments.filter(({ exitCode }) => exitCode === FOR_REFERRER).map((one) => one.block),
  );
  return context.merge({
    kind: JETTON_SWAP,
    parts: [block, ...found.blocks.filter((one) => !isUnder(one, referrals))],
    failed: forUser.at(-1)!.exitCode !== DONE,
    data: {
      dex: 'stonfi',
      sender: swap.sender,
      assetIn: tokenWallet.jetton,
      assetOut: wanted?.jetton ?? outgoing.asset,
      incoming: {
        asset: tokenWallet.jetton,
        source: swap.sender,
        sourceWallet: transfer.senderWallet,
        destination: tokenWallet.owner,
        destinationWallet: swap.tokenWallet,
        amount: swap.amount,
      },
      outgoing,
      minOut: swap.minOut,
      peerSwaps: [],
      receivingWallet: wish.wallet,
    },
  });
}

/**
 * stonfi (v1) swap: jetton_transfer → 0x25938561 → 0xf93bb43f → jetton_transfer. The pool may send several payments.
 * Payments to the user decide: 0xc64370e5 done, 0x5ffe1295 and 0x38976e9b refused; the larger one is the outgoing
 * transfer. The payment to a referrer (0x45078540) and everything below it stay separate actions. Assets are the
 * masters of the router's wallets; proxy-TON has its own master.
 */
export const stonfi: readonly Matcher[] = [
  {
    name: 'stonfi_swap',
    after: ['jetton_burn'],
    before: ['dns_release'],
    pattern: blockOfKind(JETTON_TRANSFER, {
      child: call(STONFI_SWAP_OP, {
        label: 'swap',
        child: call(PAYMENT, { label: 'payment', child: blockOfKind(JETTON_TRANSFER) }),
      }),
      build: buildSwap,
    }),
  },
];
