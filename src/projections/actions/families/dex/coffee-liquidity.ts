import {
  INTERNAL_TRANSFER_OP,
  loadInternalTransfer,
} from '../../../../ton/messages/jetton-internal-transfer.ts';
import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, call, optional } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { JETTON_BURN, type JettonBurn } from '../jetton/jetton-supply.ts';
import { JETTON_TRANSFER } from '../jetton/jetton-transfer.ts';
import { DEPLOY, DEPOSITED, PAYOUT, payout, readLiquidity, readPoolParameters } from './coffee-messages.ts';
import { type DexDeposit, depositKind, NO_SHARE } from './exchange-kinds.ts';
import { type DexPayout, getPayout, withdrawalKind } from './exchange-withdrawals.ts';

const DEPOSIT_NATIVE = 0xc0ffee04;
const CREATE_DEPOSIT = 0xc0ffee27;
const DEPOSIT_INTERNAL = 0xc0ffee29;
const WITHDRAWN = 0xc0ffee35;

const DEPOSIT = depositKind('coffee_deposit_liquidity');
const WITHDRAWAL = withdrawalKind('dex_withdraw_liquidity');

/** The sent asset and the sender's wallet, for a jetton transfer; both null for TON. */
function sentWith(carrier: Block) {
  if (!carrier.is(JETTON_TRANSFER)) return { asset: null, wallet: null };
  return { asset: carrier.data.asset, wallet: carrier.data.senderWallet };
}

/** query amount:Coins ^(recipient:MsgAddress Bool) ^pool_parameters sender:MsgAddress … */
function readCreation(block: Block) {
  const body = block.body().skip(64);
  const amount = body.coins();
  body.ref();
  return { amount, assets: readPoolParameters(body.ref()), sender: body.address() };
}

/** The pool and what it minted: by its log, else by the tokens that arrived. */
function getMinted(found: Found) {
  const [deposited, minted] = [found.maybe('deposited'), found.maybe('minted')];
  if (deposited) return { pool: deposited.source, lpTokens: readLiquidity(deposited.body()).lpTokens };
  if (minted) return { pool: minted.source, lpTokens: loadInternalTransfer(minted.body().slice).amount };
  return { pool: null, lpTokens: null };
}

function getExcesses(found: Found): DexDeposit['excesses'] {
  const out = found.maybe('out');
  if (!out) return [];
  if (out.is(JETTON_TRANSFER)) return [{ asset: out.data.asset, amount: out.data.amount }];
  return [{ asset: null, amount: (out as Block).value }];
}

function buildDeposit(block: Block, found: Found, context: Context): Block {
  const { asset, wallet } = sentWith(found.get('carrier'));
  const { amount, assets, sender } = readCreation(block);
  const share = { asset, amount, wallet };
  const isFirst = asset === assets[0];
  demand(isFirst || asset === assets[1], 'an asset of the pool');
  const [own, other] = isFirst ? assets : [assets[1], assets[0]];
  return context.merge({
    kind: DEPOSIT,
    parts: [block, ...found.blocks],
    data: {
      ...getMinted(found),
      dex: 'coffee',
      sender,
      depositContract: found.get('contract').destination,
      first: isFirst ? share : NO_SHARE,
      second: isFirst ? NO_SHARE : share,
      targets: [
        { asset: own, amount: null },
        { asset: other, amount: null },
      ],
      excesses: getExcesses(found),
    },
  });
}

/**
 * The payout of one payment to the user, by the pool that ordered it from a vault; for TON, its receiver is the wallet.
 */
function payoutBelow(paid: Block, found: Found): DexPayout {
  const out = needed(
    found.all('out').find(({ previous }) => previous === paid),
    'what was paid',
  );
  const payment = { ...getPayout(out), dexWallet: paid.source };
  return out.opcode === PAYOUT ? { ...payment, userWallet: out.destination } : payment;
}

function buildWithdrawal(block: Block, found: Found, context: Context): Block {
  const { owner, wallet, asset } = (block as Block<JettonBurn>).data;
  const log = found.get('withdrawn');
  const { amount1, amount2, lpTokens } = readLiquidity(log.body());
  const [first, second] = found.all('paid') as readonly [Block, Block];
  return context.merge({
    kind: WITHDRAWAL,
    parts: [block, ...found.blocks],
    data: {
      dex: 'coffee',
      source: owner,
      pool: log.source,
      lpWallet: wallet,
      lpJetton: asset,
      lpTokensBurnt: lpTokens,
      first: { ...payoutBelow(first, found), amount: amount1 },
      second: { ...payoutBelow(second, found), amount: amount2 },
      isRefund: false,
    },
  });
}

const minted = call(INTERNAL_TRANSFER_OP, { label: 'minted' });

/**
 * coffee deposit (v3-actions 4.2, v3-actions-rules 5.5): a jetton_transfer or 0xc0ffee04, then 0xc0ffee27 → 0xc0ffee22,
 * which is the deposit contract. With both assets: 0xc0ffee29 with the minted tokens, the log 0xc0ffee33 and the
 * refund. coffee withdrawal (v3-actions 4.3): a jetton_burn with two payments and the log 0xc0ffee35.
 */
export const coffeeLiquidity: readonly Matcher[] = [
  {
    name: 'coffee_deposit',
    after: ['proxy_ton_transfer'],
    pattern: call(CREATE_DEPOSIT, {
      parent: anyOf([blockOfKind(JETTON_TRANSFER), call(DEPOSIT_NATIVE)], { label: 'carrier' }),
      child: call(DEPLOY, {
        label: 'contract',
        child: optional(
          call(DEPOSIT_INTERNAL, {
            children: [minted, optional(call(DEPOSITED, { label: 'deposited' })), optional(payout)],
          }),
        ),
      }),
      build: buildDeposit,
    }),
  },
  {
    name: 'coffee_withdraw',
    after: ['coffee_swap'],
    pattern: blockOfKind(JETTON_BURN, {
      children: [payout, payout, call(WITHDRAWN, { label: 'withdrawn' })],
      build: buildWithdrawal,
    }),
  },
];
