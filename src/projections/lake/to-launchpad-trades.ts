import type { TransactionFact } from './action-fact.ts';
import { LAUNCHPAD_LOGS, type Launchpad, type LaunchpadEvent } from './launchpads.ts';
import { readOrNull } from './message-slice.ts';
import { NATIVE, type Trade } from './trade.ts';
import type { TradeTrace } from './trade-trace.ts';

/** Trades and launches that masters of launchpads logged in a trace. */
export function toLaunchpadTrades(trace: TradeTrace): readonly Trade[] {
  return trace.transactions.flatMap((transaction) =>
    transaction.messages.flatMap((message) => {
      const launchpad = LAUNCHPAD_LOGS.get(message.opcode ?? -1);
      if (!launchpad || message.direction !== 'out' || message.destination !== null) return [];
      if (launchpad.codes?.has(trace.getCode(transaction)) === false) return [];
      const events = readOrNull(() => launchpad.read(message)) ?? [];
      return events.map((event) => toTrade(trace, transaction, launchpad, event));
    }),
  );
}

function toTrade(
  { position, traceId }: TradeTrace,
  { lt, now: time, hash: txHash, account: pool }: TransactionFact,
  { project }: Launchpad,
  event: LaunchpadEvent,
): Trade {
  const place = { position, lt, time, txHash, traceId, project, version: 1, pool, router: '', payer: '' };
  const facts = { trader: event.trader, reserves: null, queryId: null };
  if (event.kind === 'launch')
    return {
      ...{ ...place, ...facts, sold: '', bought: '', amountSold: 0n, amountBought: 0n },
      ...{ referral: '', platformTag: '' },
    };
  const { isBuy, ton, jettons, referral = '', platformTag = '' } = event;
  return {
    ...place,
    ...facts,
    sold: isBuy ? NATIVE : pool,
    bought: isBuy ? pool : NATIVE,
    amountSold: isBuy ? ton : jettons,
    amountBought: isBuy ? jettons : ton,
    referral,
    platformTag,
  };
}
