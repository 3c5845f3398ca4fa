import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import type { CellSlice } from '../../ton/boc/cell-slice.ts';
import { openBag } from '../../ton/boc/open-bag.ts';
import type { PackedMessage } from '../../ton/columns/message-pack.ts';
import { hexName } from '../../ton/contracts/elector/validator-set.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { ELECTOR_OP, loadNewStake } from '../../ton/messages/elector.ts';
import type { MessageFilter } from '../entities/messages/filter.ts';
import { readMessages } from '../entities/messages/find.ts';
import { readTransactions } from '../entities/transactions/find.ts';
import type { TransactionRow } from '../entities/transactions/model.ts';
import { given } from '../parameters/parameter.ts';
import { type AccountId, toRawAddress } from '../query/account-id.ts';
import type { ReadScope } from '../query/scope.ts';
import { isDone } from './is-done.ts';
import { readElectorAddress } from './read-elector-address.ts';
import { spanBehind, type TimeSpan } from './time-span.ts';

/** Nanotons that the elector keeps of a stake for its answer. */
const FEE = 1_000_000_000n;
/** Bits of a body that is read: opcode and query id. */
const HEAD_BITS = 96;
const CHUNK = 128;
/** Seconds that a message takes at most from its creation on. */
const DELIVERY = 600;

/** Something between an account and the elector (v3-more.md 5.2). Keys hex, hash base64. */
export interface ValidatorEvent {
  readonly type:
    | 'stake_accepted'
    | 'stake_rejected'
    | 'stake_recovered'
    | 'recover_requested'
    | 'recover_failed';
  readonly transaction: Pick<TransactionRow, 'hash' | 'lt' | 'now'>;
  readonly account: string;
  readonly queryId: bigint;
  readonly amount: bigint;
  /** Present for stakes that were accepted or rejected. */
  readonly stake?: { readonly publicKey: string; readonly adnl: string; readonly electionId: number };
  /** Why a stake was rejected, if the elector gave a reason. */
  readonly reason?: number;
}

/** The position of an event: its transaction's. */
export interface ValidatorEventPlace {
  readonly utime: number;
  readonly lt: string;
  /** Base64. */
  readonly hash: string;
}

type EventType = ValidatorEvent['type'];

/** Which events are wanted. */
export interface ValidatorEventFilter {
  readonly types: ReadonlySet<EventType>;
  readonly account: AccountId | undefined;
  readonly span: TimeSpan;
  readonly accepts: (event: ValidatorEvent) => boolean;
  /** Only what follows this place in the order that is asked for; null: all. */
  readonly after: ValidatorEventPlace | null;
}

/** Messages of one opcode, to the elector or from it. */
interface Stream {
  readonly types: readonly EventType[];
  readonly opcode: number;
  readonly isToElector: boolean;
}

const STREAMS: readonly Stream[] = [
  { types: ['stake_accepted', 'stake_rejected'], opcode: ELECTOR_OP.newStake, isToElector: true },
  { types: ['stake_recovered'], opcode: ELECTOR_OP.recovered, isToElector: false },
  { types: ['recover_requested'], opcode: ELECTOR_OP.recover, isToElector: true },
  { types: ['recover_failed'], opcode: ELECTOR_OP.recoverFailed, isToElector: false },
];

/**
 * The first `count` events by time, ties by lt. Messages are found by the elector's address and their opcode; a message
 * that took longer than ten minutes may be out of order.
 */
export async function readValidatorEvents(
  scope: ReadScope,
  filter: ValidatorEventFilter,
  count: number,
  descending: boolean,
): Promise<ValidatorEvent[]> {
  const { workchain, address } = await readElectorAddress(scope);
  const elector = { workchain, hash: hexName(address) };
  const sign = descending ? -1 : 1;
  const compare = (a: ValidatorEventPlace, b: ValidatorEventPlace) =>
    sign *
    (a.utime - b.utime ||
      Number(BigInt(a.lt) - BigInt(b.lt)) ||
      (a.hash < b.hash ? -1 : Number(a.hash > b.hash)));
  const order = (a: ValidatorEvent, b: ValidatorEvent) => compare(getKey(a), getKey(b));
  const { after } = filter;
  const follows = (event: ValidatorEvent) => !after || compare(after, getKey(event)) < 0;
  const bounded = { ...filter, span: spanBehind(filter.span, after, descending) };
  const found: ValidatorEvent[] = [];
  for (const stream of STREAMS.filter(({ types }) => types.some((type) => filter.types.has(type)))) {
    const own: ValidatorEvent[] = [];
    for await (const { events, reached } of chunks(
      scope,
      messageFilter(stream, elector, bounded),
      descending,
    )) {
      own.push(...events.filter((event) => isWanted(event, filter) && follows(event)));
      const last = own.sort(order)[count - 1];
      if (last && (descending ? last.transaction.now > reached + DELIVERY : last.transaction.now < reached))
        break;
    }
    found.push(...own);
  }
  return found.sort(order).slice(0, count);
}

function getKey({ transaction: { now: utime, lt, hash } }: ValidatorEvent): ValidatorEventPlace {
  return { utime, lt, hash };
}

function isWanted(event: ValidatorEvent, { types, span, accepts }: ValidatorEventFilter): boolean {
  const { now } = event.transaction;
  const isInTime = now >= (span.startUtime ?? 0) && now <= (span.endUtime ?? Number.POSITIVE_INFINITY);
  return isInTime && types.has(event.type) && accepts(event);
}

function messageFilter(
  { opcode, isToElector }: Stream,
  elector: AccountId,
  { account, span }: ValidatorEventFilter,
): MessageFilter {
  const [source, destination] = isToElector ? [account, elector] : [elector, account];
  const { startUtime, endUtime } = span;
  return {
    opcode,
    direction: 'in',
    ...given({
      source,
      destination,
      endUtime,
      startUtime: startUtime === undefined ? undefined : Math.max(0, startUtime - DELIVERY),
    }),
  };
}

/** Events of messages in the order of their creation; `reached`: when the last message was made. */
async function* chunks(scope: ReadScope, filter: MessageFilter, descending: boolean) {
  for (let offset = 0, isLast = false; !isLast; offset += CHUNK) {
    const records = await readMessages(scope, filter, { limit: CHUNK, offset, descending });
    isLast = records.length < CHUNK;
    const hashes = records.flatMap(({ receivedBy }) =>
      receivedBy ? [hexName(fromBase64(receivedBy) as Uint8Array)] : [],
    );
    const page = { limit: hashes.length, offset: 0, descending };
    const rows = hashes.length === 0 ? [] : await readTransactions(scope, { hashes }, page);
    const reached = records.at(-1)?.message.createdAt ?? 0;
    yield { events: rows.flatMap((row) => validatorEvent(row) ?? []), reached };
  }
}

/** Event of a transaction; null if it failed, or its message is another one. */
export function validatorEvent(row: TransactionRow): ValidatorEvent | null {
  const message = row.messages.find(({ direction }) => direction === 'in');
  if (!message || message.bounced || !isDone(row)) return null;
  try {
    const body = parseBody(message);
    if (body.bitsLeft < HEAD_BITS) return null;
    const [op, queryId] = [body.uint(32), body.u64()];
    const shared = { transaction: row, queryId };
    const own = toRawAddress(row.workchain, Buffer.from(row.account, 'hex'));
    if (op === ELECTOR_OP.newStake) return stakeEvent(row, message, body, queryId);
    if (op === ELECTOR_OP.recover)
      return { ...shared, type: 'recover_requested', account: getSource(message), amount: message.value };
    const type = op === ELECTOR_OP.recovered ? 'stake_recovered' : 'recover_failed';
    return { ...shared, type, account: own, amount: message.value };
  } catch (error) {
    if (error instanceof CellError || error instanceof BocError) return null;
    throw error;
  }
}

function parseBody({ body }: PackedMessage): CellSlice {
  return openBag(body);
}

function getSource({ source }: PackedMessage): string {
  return source.kind === 'std' ? toRawAddress(source.workchain, source.hash) : '';
}

function stakeEvent(
  row: TransactionRow,
  message: PackedMessage,
  body: CellSlice,
  queryId: bigint,
): ValidatorEvent | null {
  const { publicKey, stakeAt: electionId, adnl } = loadNewStake(body);
  const stake = { publicKey: hexName(publicKey), electionId, adnl: hexName(adnl) };
  const shared = { transaction: row, account: getSource(message), queryId, stake };
  const sent = row.messages.filter(({ direction }) => direction === 'out');
  const refusal = sent.find(({ opcode }) => opcode === ELECTOR_OP.stakeRefused);
  if (refusal) {
    const answer = parseBody(refusal);
    answer.skipBits(HEAD_BITS);
    const reason = answer.bitsLeft >= 32 ? { reason: answer.uint(32) } : {};
    return { ...shared, type: 'stake_rejected', amount: refusal.value, ...reason };
  }
  const isAccepted = sent.length === 0 ? queryId === 0n : sent.some((out) => isAcceptance(out, queryId));
  const amount = message.value - FEE;
  return isAccepted ? { ...shared, type: 'stake_accepted', amount: amount < 0n ? 0n : amount } : null;
}

function isAcceptance(message: PackedMessage, queryId: bigint): boolean {
  if (message.opcode !== ELECTOR_OP.stakeAccepted) return false;
  const body = parseBody(message);
  body.skipBits(32);
  return body.u64() === queryId;
}
