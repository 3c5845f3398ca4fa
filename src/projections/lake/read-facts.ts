import type { StoreDatabase } from '../../engine/projection/stored-input.ts';
import { ACCOUNT_KEY, toKeys } from '../../facts/read-accounts.ts';
import { type Key, type KeyType, keySet } from '../../platform/clickhouse/key-set.ts';
import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { formatRaw } from '../../ton/address/address.ts';
import { unpackMessages } from '../../ton/columns/message-pack.ts';
import type { PackedAddress } from '../../ton/columns/packed-message.ts';
import type { ActionFact, Details, MessageFact, TransactionFact } from './action-fact.ts';

/** Keys of one statement: its text stays below the server's `max_query_size`. */
const KEYS = 1_000;
/** Reads of so few keys take their turn among small inserts. */
const FEW_KEYS = 200;
export const LIMITS = { ...RANGE_QUERY, maxResultBytes: 1024 ** 3 } as const;

export type ActionCells = [
  position: number,
  type: string,
  traceId: string,
  actionId: string,
  txHashes: string[],
  details: string,
];

export const ACTION_COLUMNS =
  'mc_seqno, type, base64Encode(trace_id), base64Encode(action_id), arrayMap(x -> base64Encode(x), tx_hashes), details';

export function toAction([position, type, traceId, actionId, txHashes, details]: ActionCells): ActionFact {
  return { position, type, traceId, actionId, txHashes, details: JSON.parse(details) as Details };
}

/**
 * Reads the successful actions of the types whose traces these steps completed, in the order of the chain. An action within another
 * one of the types is left out.
 */
export async function readActions(
  { client, database }: StoreDatabase,
  types: readonly string[],
  { first, last }: { readonly first: number; readonly last: number },
): Promise<readonly ActionFact[]> {
  const list = types.map((type) => `'${type}'`).join(', ');
  const { rows } = await client.queryRows<ActionCells>(
    `SELECT ${ACTION_COLUMNS}
     FROM ${database}.actions
     WHERE mc_seqno BETWEEN ${first} AND ${last} AND type IN (${list}) AND success AND NOT hasAny(ancestor_types, [${list}]) AND details != ''
     ORDER BY mc_seqno, end_lt, action_id`,
    { route: 'lake/actions', ...LIMITS, inTurn: last - first < FEW_KEYS },
  );
  return rows.map(toAction);
}

export type TransactionCells = [
  hash: string,
  workchain: number,
  account: string,
  lt: string,
  now: number,
  messages: string,
];

export const TRANSACTION_COLUMNS =
  'base64Encode(hash), workchain, hex(account), toString(lt), now, base64Encode(messages)';

/** Reads transactions by their hashes (base64). */
export async function readTransactions(
  store: StoreDatabase,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, TransactionFact>> {
  const { database } = store;
  const keys = [...new Set(hashes)].map((hash) => [Buffer.from(hash, 'base64').readBigUInt64BE()]);
  const rows = await readKeys<TransactionCells>(
    store,
    'lake/transactions',
    { types: ['UInt64'], keys },
    (set) =>
      `SELECT ${TRANSACTION_COLUMNS} FROM ${database}.transaction_payloads
       WHERE (lt, hash8) IN (SELECT lt, hash8 FROM ${database}.transaction_hashes WHERE hash8 IN ${set})`,
  );
  return new Map(rows.map((cells) => [cells[0], toTransaction(cells)]));
}

/** `messages`: base64. */
export function toTransaction([
  hash,
  workchain,
  account,
  lt,
  now,
  messages,
]: TransactionCells): TransactionFact {
  return {
    hash,
    account: `${workchain}:${account}`,
    lt: BigInt(lt),
    now,
    messages: unpackMessages(Buffer.from(messages, 'base64')).map(
      ({ direction, opcode, bounced, source, destination, value, fwdFee, body }): MessageFact => ({
        direction,
        opcode,
        bounced,
        source: toText(source),
        destination: toText(destination),
        value,
        fwdFee,
        body,
      }),
    ),
  };
}

function toText(address: PackedAddress): string | null {
  return address.kind === 'std' ? formatRaw(address.workchain, address.hash) : null;
}

/** A state of an item, a sale, an auction, or of a name that is its own auction. */
export interface StateFact {
  readonly account: string;
  readonly position: number;
  readonly lt: bigint;
  readonly kind: string;
  readonly owner: string;
  readonly parent: string;
  readonly isInit: boolean;
  /** Of an item. */
  readonly index: bigint | null;
  /** JSON text of an item's content; empty without one. */
  readonly content: string;
  /** Of all but items. */
  readonly details: Details;
}

type StateCells = [
  account: string,
  position: number,
  lt: string,
  kind: string,
  owner: string,
  parent: string,
  isInit: boolean,
  index: string,
  content: string,
  details: string,
];

const toRaw = (name: string) => `if(has_${name}, concat(toString(${name}_workchain), ':', hex(${name})), '')`;
const HEAD = `concat(toString(workchain), ':', hex(account)), mc_seqno, toString(lt), toString(kind), ${toRaw('owner')}, ${toRaw('parent')}`;

/** Reads all states of items, sales and auctions up to a step, oldest first. `accounts`: raw addresses. */
export async function readStates(
  store: StoreDatabase,
  accounts: readonly string[],
  last: number,
): Promise<ReadonlyMap<string, readonly StateFact[]>> {
  const { database } = store;
  const keys = [...new Set(accounts)].flatMap(toKeys);
  const rows = await readKeys<StateCells>(
    store,
    'lake/states',
    { types: ACCOUNT_KEY, keys },
    (set) =>
      `SELECT ${HEAD}, flag, toString(amount), content, '' FROM ${database}.token_states
       WHERE (account, workchain) IN ${set} AND kind = 'nft_item' AND NOT is_gone AND mc_seqno <= ${last}
       UNION ALL
       SELECT ${HEAD}, true, '', '', details FROM ${database}.contract_states
       WHERE (account, workchain) IN ${set} AND kind IN ('nft_sale', 'nft_auction', 'teleitem', 'dns_item') AND NOT is_gone AND mc_seqno <= ${last}`,
  );
  const states = rows.map(
    ([account, position, lt, kind, owner, parent, isInit, index, content, details]): StateFact => ({
      account,
      position,
      lt: BigInt(lt),
      kind,
      owner,
      parent,
      isInit,
      index: index === '' ? null : BigInt(index),
      content,
      details: details === '' ? {} : (JSON.parse(details) as Details),
    }),
  );
  return Map.groupBy(
    states.toSorted((a, b) => (a.lt < b.lt ? -1 : 1)),
    ({ account }) => account,
  );
}

/** Keys of columns of these types. */
export interface KeyList {
  readonly types: readonly KeyType[];
  readonly keys: readonly Key[];
}

/** Reads the rows of keys, some at a time. */
export async function readKeys<R extends readonly unknown[]>(
  { client }: StoreDatabase,
  route: string,
  { types, keys }: KeyList,
  statement: (set: string) => string,
): Promise<R[]> {
  const found: R[] = [];
  for (let at = 0; at < keys.length; at += KEYS) {
    const set = keys.slice(at, at + KEYS);
    const options = { route, ...LIMITS, inTurn: set.length <= FEW_KEYS };
    found.push(...(await client.queryRows<R>(statement(keySet(types, set)), options)).rows);
  }
  return found;
}
