import { BURN_NOTIFICATION_OP, JETTON_BURN_OP } from '../../../../ton/messages/jetton-burn.ts';
import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { call } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { readPaid } from './dedust-messages.ts';
import { paid } from './dedust-swap.ts';
import { type DexPayout, getPayout, withdrawalKind } from './exchange-withdrawals.ts';

const WITHDRAWAL = withdrawalKind('dex_withdraw_liquidity');

/** The payout that the pool ordered from a vault, as it reached the user. */
function paidThrough(payment: Block, found: Found): DexPayout {
  const out = needed(
    found.all('out').find(({ previous }) => previous === payment),
    'what was paid',
  );
  return { ...getPayout(out), amount: readPaid(payment) };
}

function buildWithdrawal(block: Block, found: Found, context: Context): Block {
  const [first, second] = found.all('paid') as readonly [Block, Block];
  return context.merge({
    kind: WITHDRAWAL,
    parts: [block, ...found.blocks],
    data: {
      dex: 'dedust',
      source: block.source,
      pool: found.get('burnt').destination,
      lpWallet: block.destination,
      lpJetton: context.neededWallet(block.destination).jetton,
      lpTokensBurnt: block.body().skip(64).coins(),
      first: paidThrough(first, found),
      second: paidThrough(second, found),
      isRefund: false,
    },
  });
}

/** dedust withdrawal: 0x595f07bc → 0x7bdd97de → two payments of the pool, each through a vault. */
export const dedustWithdraw: readonly Matcher[] = [
  {
    name: 'dedust_withdraw',
    after: ['proxy_ton_transfer'],
    before: ['jetton_burn'],
    pattern: call(JETTON_BURN_OP, {
      child: call(BURN_NOTIFICATION_OP, { label: 'burnt', children: [paid, paid] }),
      build: buildWithdrawal,
    }),
  },
];
