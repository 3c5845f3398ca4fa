import {
  type ActionFact,
  type Details,
  getAmount,
  getIncoming,
  getObject,
  getText,
  type MessageFact,
  type TransactionFact,
} from './action-fact.ts';
import { EXCHANGES, type Exchange, type LogFacts, type SwapFacts } from './exchanges.ts';
import { readOrNull } from './message-slice.ts';
import type { Trade } from './trade.ts';

/** One pool of a swap's route: what went in and what came out. Assets are jetton masters, empty for TON. */
interface Hop {
  readonly sold: string;
  readonly bought: string;
  readonly amountSold: bigint;
  readonly amountBought: bigint;
}

/** A pool's transaction of a swap. */
interface PoolSwap {
  readonly transaction: TransactionFact;
  readonly swap: MessageFact;
  readonly log: MessageFact | undefined;
}

/**
 * The trades of a swap, one a pool. None if the exchange is not one of dex_trades, or if the pools of the route cannot be told
 * apart: their number differs from that of the steps. `transactions`: those of the action.
 */
export function toTrades(action: ActionFact, transactions: readonly TransactionFact[]): readonly Trade[] {
  const { details } = action;
  const exchange = EXCHANGES[getText(details, 'dex')];
  if (!exchange) return [];
  const ordered = transactions.toSorted((a, b) => (a.lt < b.lt ? -1 : 1));
  const pools = ordered.flatMap((transaction) => findSwap(transaction, exchange));
  const hops = toHops(details);
  if (pools.length !== hops.length) return [];
  const payer = getText(getObject(details, 'dex_outgoing_transfer'), 'source');
  const asked = pools[0] ? readAsked(exchange, pools[0]) : {};
  return hops.map((hop, at): Trade => {
    const { transaction, log } = pools[at]!;
    const paid = exchange.pay === undefined ? undefined : findPayment(ordered, transaction, exchange.pay);
    const logged = readOrEmpty(exchange.readLog, log);
    return {
      position: action.position,
      lt: transaction.lt,
      time: transaction.now,
      txHash: (paid ?? transaction).hash,
      traceId: action.traceId,
      project: exchange.project,
      version: exchange.version,
      trader: asked.trader || getText(details, 'sender'),
      pool: transaction.account,
      router: paid?.account ?? '',
      payer: at === hops.length - 1 ? payer : '',
      sold: hop.sold || exchange.ton,
      bought: hop.bought || exchange.ton,
      amountSold: hop.amountSold,
      amountBought: hop.amountBought,
      reserves: logged.reserves ?? null,
      referral: asked.referral ?? '',
      platformTag: '',
      queryId: asked.queryId ?? null,
    };
  });
}

function toHops(details: Details): readonly Hop[] {
  const peers = Array.isArray(details.peer_swaps) ? (details.peer_swaps as readonly Details[]) : [];
  const [incoming, outgoing] = [
    getObject(details, 'dex_incoming_transfer'),
    getObject(details, 'dex_outgoing_transfer'),
  ];
  const steps =
    peers.length > 0
      ? peers.map((one) => [one, 'asset_in', 'amount_in', one, 'asset_out', 'amount_out'] as const)
      : [[incoming, 'asset', 'amount', outgoing, 'asset', 'amount'] as const];
  return steps.map(([from, soldName, soldAmount, to, boughtName, boughtAmount]) => ({
    sold: getText(from, soldName),
    bought: getText(to, boughtName),
    amountSold: getAmount(from, soldAmount) ?? 0n,
    amountBought: getAmount(to, boughtAmount) ?? 0n,
  }));
}

function findSwap(transaction: TransactionFact, { swap, log }: Exchange): readonly PoolSwap[] {
  const incoming = getIncoming(transaction);
  if (!incoming || incoming.bounced) return [];
  const logged = transaction.messages.find(
    ({ direction, destination, opcode }) => direction === 'out' && destination === null && opcode === log,
  );
  const isPool = swap === undefined ? logged !== undefined : incoming.opcode === swap;
  return isPool ? [{ transaction, swap: incoming, log: logged }] : [];
}

/** The first transaction that received a payment order of a pool. */
function findPayment(
  ordered: readonly TransactionFact[],
  pool: TransactionFact,
  op: number,
): TransactionFact | undefined {
  return ordered.find((one) => {
    const incoming = getIncoming(one);
    return one.lt > pool.lt && incoming?.opcode === op && incoming.source === pool.account;
  });
}

/** Who trades, as the first pool of the route was told: later pools get the message of a router or a pool. */
function readAsked({ readSwap, readLog }: Exchange, { swap, log }: PoolSwap): SwapFacts {
  return { ...readOrEmpty(readLog, log), ...readOrEmpty(readSwap, swap) };
}

/** Empty if the message has another layout: the trade is known without it. */
function readOrEmpty(
  read: ((message: MessageFact) => LogFacts) | undefined,
  message: MessageFact | undefined,
): LogFacts {
  return (read && message && readOrNull(() => read(message))) ?? {};
}
