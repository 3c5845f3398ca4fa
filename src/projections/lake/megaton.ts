import { type ActionFact, getAmount, getText } from './action-fact.ts';
import { toPoolTrade } from './pool-messages.ts';
import type { Trade } from './trade.ts';
import type { TradeTrace } from './trade-trace.ts';

/** Routers, raw text. Source: the public data lake. */
export const MEGATON_ROUTERS: readonly string[] = [
  '0:16709D273B75AD3654A652329CAAFE3BDF9602BE246ABBB2CC349A0F5EC74754',
  '0:310B71B340182396F5BA08903081A1EF6AB4DF571A3CA7B05EFFA44C4A3B0F92',
  '0:6D551DF4FBC1404FBDDC0B13EC32277386232750A9A9672FC5EDA6834116315A',
];

/** A transfer of jettons. */
interface Transfer {
  readonly action: ActionFact;
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly queryId: bigint | null;
}

/**
 * Swaps at Megaton: four transfers with one query id, of the sold token from the trader to a router and from there to the pool, and
 * of the bought token from the pool to the router and from there to the trader.
 */
export function toMegatonTrades(trace: TradeTrace): readonly Trade[] {
  const transfers = trace.transfers.map(toTransfer);
  return transfers.flatMap((paid, at) => {
    if (!MEGATON_ROUTERS.includes(paid.from)) return [];
    const same = transfers.slice(0, at).filter(({ queryId }) => queryId === paid.queryId);
    const [asked, sent, returned] = same.slice(-3);
    if (!asked || !sent || !returned || !isSwap({ asked, sent, returned, paid })) return [];
    const wallet = getText(paid.action.details, 'sender_jetton_wallet');
    const transaction = trace.transactions.find(
      ({ account, hash }) => account === wallet && paid.action.txHashes.includes(hash),
    );
    if (!transaction || paid.queryId === null) return [];
    return toPoolTrade(trace, transaction, {
      ...{ project: 'megaton', trader: paid.to, queryId: paid.queryId, router: paid.from, pool: sent.to },
      sold: asked,
      bought: paid,
    });
  });
}

function toTransfer(action: ActionFact): Transfer {
  const { details } = action;
  return {
    action,
    token: getText(details, 'asset'),
    from: getText(details, 'sender'),
    to: getText(details, 'receiver'),
    amount: getAmount(details, 'amount') ?? 0n,
    queryId: getAmount(details, 'query_id'),
  };
}

function isSwap(steps: Record<'asked' | 'sent' | 'returned' | 'paid', Transfer>): boolean {
  const { asked, sent, returned, paid } = steps;
  const router = paid.from;
  return (
    [asked.to, sent.from, returned.to].every((account) => account === router) &&
    sent.to === returned.from &&
    asked.from === paid.to &&
    asked.token === sent.token &&
    asked.amount === sent.amount &&
    returned.token === paid.token &&
    asked.token !== paid.token
  );
}
