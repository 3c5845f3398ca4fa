import { readFileSync } from 'node:fs';
import type {
  ActionFact,
  Details,
  MessageFact,
  TransactionFact,
} from '../../src/projections/lake/action-fact.ts';
import type { TradeTrace } from '../../src/projections/lake/trade-trace.ts';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';

/** A message of a made trace; without a destination it is a log. */
export interface MadeMessage {
  readonly from: string;
  readonly to?: string;
  readonly op: number;
  readonly body: Cell;
  readonly value?: bigint;
  readonly fwdFee?: bigint;
}

/** An account's transaction: what it received and what it sent. */
export interface MadeTransaction {
  readonly account: string;
  readonly in?: MadeMessage;
  readonly out?: readonly MadeMessage[];
}

/** A jetton transfer in the trace. */
export interface MadeTransfer {
  readonly asset: string;
  readonly sender?: string;
  readonly receiver?: string;
  readonly senderWallet?: string;
  readonly receiverWallet?: string;
  readonly amount?: bigint;
  readonly queryId?: bigint;
  /** Hashes of its transactions. */
  readonly txHashes?: readonly string[];
}

/** A trace of transactions in the order of time: the first has lt 1, hash `1`, and so on. `codes`: code hash by account. */
export function madeTrace(
  transactions: readonly MadeTransaction[],
  options: {
    readonly codes?: Readonly<Record<string, string>>;
    readonly transfers?: readonly MadeTransfer[];
  } = {},
): TradeTrace {
  const { codes = {}, transfers = [] } = options;
  return {
    position: 7,
    traceId: 'trace',
    transactions: transactions.map(({ account, in: incoming, out = [] }, at) => ({
      hash: `${at + 1}`,
      account,
      lt: BigInt(at + 1),
      now: 1_700_000_000 + at,
      messages: [...(incoming ? [toFact('in', incoming)] : []), ...out.map((one) => toFact('out', one))],
    })),
    transfers: transfers.map(toTransfer),
    getCode: ({ account }) => codes[account] ?? '',
  };
}

function toFact(
  direction: 'in' | 'out',
  { from, to, op, body, value = 0n, fwdFee = 0n }: MadeMessage,
): MessageFact {
  const ends = { source: from, destination: to ?? null };
  return { direction, opcode: op, bounced: false, ...ends, value, fwdFee, body: writeBag(body) };
}

function toTransfer(transfer: MadeTransfer): ActionFact {
  const { asset, sender, receiver, senderWallet, receiverWallet, amount, queryId, txHashes = [] } = transfer;
  const details: Details = {
    ...{ asset, sender, receiver, amount: `${amount}`, query_id: `${queryId}` },
    ...{ sender_jetton_wallet: senderWallet, receiver_jetton_wallet: receiverWallet },
  };
  return { position: 7, type: 'jetton_transfer', traceId: 'trace', actionId: '', txHashes, details };
}

interface RecordedMessage {
  readonly source: string | null;
  readonly destination: string | null;
  readonly value: string | null;
  readonly fwd_fee: string | null;
  readonly opcode: string | null;
  readonly bounced: boolean;
  readonly message_content: { readonly body: string };
}

interface RecordedTransaction {
  readonly account: string;
  readonly hash: string;
  readonly lt: string;
  readonly now: number;
  readonly in_msg: RecordedMessage;
  readonly out_msgs: readonly RecordedMessage[];
  readonly account_state_after: { readonly code_hash: string | null };
}

interface RecordedAnswer {
  readonly traces: readonly [
    {
      readonly trace_id: string;
      readonly transactions: Readonly<Record<string, RecordedTransaction>>;
      readonly actions: readonly {
        readonly type: string;
        readonly action_id: string;
        readonly transactions: readonly string[];
        readonly details: Details;
      }[];
    },
  ];
}

/** The trace of a recorded answer of /api/v3/traces. Accounts have the code that any transaction of theirs was recorded with. */
export function recordedTradeTrace(file: string): TradeTrace {
  const { traces } = JSON.parse(readFileSync(file, 'utf8')) as RecordedAnswer;
  const [{ trace_id: traceId, transactions: byHash, actions }] = traces;
  const recorded = Object.values(byHash).toSorted((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1));
  const codes = new Map(
    recorded.flatMap(({ account, account_state_after: { code_hash } }) =>
      code_hash ? [[account, code_hash]] : [],
    ),
  );
  const toMessage = (direction: 'in' | 'out', one: RecordedMessage): MessageFact => ({
    direction,
    opcode: one.opcode === null ? null : Number(one.opcode),
    bounced: one.bounced,
    source: one.source,
    destination: one.destination,
    value: BigInt(one.value ?? 0),
    fwdFee: BigInt(one.fwd_fee ?? 0),
    body: Buffer.from(one.message_content.body, 'base64'),
  });
  return {
    position: 7,
    traceId,
    transactions: recorded.map(
      ({ hash, account, lt, now, in_msg, out_msgs }): TransactionFact => ({
        ...{ hash, account, now, lt: BigInt(lt) },
        messages: [toMessage('in', in_msg), ...out_msgs.map((one) => toMessage('out', one))],
      }),
    ),
    transfers: actions
      .filter(({ type }) => type === 'jetton_transfer')
      .map(({ type, action_id: actionId, transactions: txHashes, details }) => ({
        ...{ position: 7, type, traceId, actionId, txHashes, details },
      })),
    getCode: ({ account }) => codes.get(account) ?? '',
  };
}
