import type { PackedMessage } from '../../ton/columns/message-pack.ts';
import type { PoolTransaction } from '../../ton/contracts/pool/pool-call.ts';
import type { PoolEvents } from '../../ton/contracts/pool/pool-events.ts';
import { poolHistory } from '../../ton/contracts/pool/pool-history.ts';
import { type PoolStorage, readPoolStorage } from '../../ton/contracts/pool/pool-storage.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { readTransactions } from '../entities/transactions/find.ts';
import type { TransactionRow } from '../entities/transactions/model.ts';
import { given } from '../parameters/parameter.ts';
import { type AccountId, rawAddress, toRawAddress } from '../query/account-id.ts';
import { isAccount } from '../query/keys.ts';
import type { ReadScope } from '../query/scope.ts';
import { identifier, type Sql, sql, text, u32, u64 } from '../query/sql.ts';
import { isDone } from './is-done.ts';
import { readElectorAddress } from './read-elector-address.ts';
import type { TimeSpan } from './time-span.ts';

type PoolScope = ReadScope<'base' | 'contracts'>;

/** Transactions that are read at a time. */
const CHUNK = 256;

/** Changes by one transaction of a pool. Hash base64. */
export interface PoolChange {
  readonly pool: string;
  readonly transaction: { readonly hash: string; readonly lt: string; readonly now: number };
  readonly events: PoolEvents;
}

interface KnownState {
  readonly lt: bigint;
  readonly storage: PoolStorage;
}

/** Changes of a pool, newest first, as long as a reader wants more. An account that is no pool now has none. */
export async function* poolChanges(
  scope: PoolScope,
  pool: AccountId,
  window: TimeSpan,
): AsyncGenerator<PoolChange> {
  if (!(await isPool(scope, pool))) return;
  const { workchain, address } = await readElectorAddress(scope);
  const elector = toRawAddress(workchain, address);
  let [endLt, waiting]: [bigint | undefined, TransactionRow[]] = [undefined, []];
  for (let isLast = false; !isLast; ) {
    const page = { limit: CHUNK, offset: 0, descending: true };
    const filter = { accounts: [pool], ...given({ ...window, endLt }) };
    const read = await readTransactions(scope, filter, page);
    isLast = read.length < CHUNK;
    const rows = [...waiting, ...read];
    const last = rows.at(-1);
    if (!last) return;
    endLt = BigInt(last.lt) - 1n;
    const states = await readStates(scope, pool, BigInt(rows[0]!.lt), rows.length + 1);
    waiting = yield* changesBetween(rows, states, { pool: rawAddress(pool), elector, isLast });
  }
}

async function isPool(scope: PoolScope, pool: AccountId): Promise<boolean> {
  const rows = await scope.query(
    sql`SELECT kind = 'nominator_pool' AND NOT is_gone FROM ${stateTable(scope)} WHERE ${isAccount(pool)} AND ${isVisible(scope)} ORDER BY lt DESC, is_gone LIMIT 1`,
  );
  return Boolean(rows[0]?.[0]);
}

function stateTable({ databases }: PoolScope): Sql {
  return identifier(databases.contracts, 'contract_states');
}

function isVisible({ visible }: PoolScope): Sql {
  return sql`mc_seqno <= ${u32(visible.last)}`;
}

/** States up to an lt, newest first. */
async function readStates(
  scope: PoolScope,
  pool: AccountId,
  lt: bigint,
  limit: number,
): Promise<KnownState[]> {
  const rows = await scope.query(
    sql`SELECT toString(lt), base64Encode(data) FROM ${stateTable(scope)} WHERE ${isAccount(pool)} AND kind = 'nominator_pool' AND NOT is_gone AND lt <= ${u64(lt)} AND ${isVisible(scope)} ORDER BY lt DESC LIMIT ${u32(limit)}`,
  );
  return rows.map(([at, data]) => ({
    lt: BigInt(String(at)),
    storage: readPoolStorage(fromBase64(String(data))!),
  }));
}

/** Position of a chunk in the history. */
interface Chunk {
  readonly pool: string;
  readonly elector: string;
  /** There is no older transaction. */
  readonly isLast: boolean;
}

/**
 * Changes between neighbouring states, newest first; both lists are newest first. @returns the transactions whose older
 * state the next chunk may still add to
 */
function* changesBetween(
  rows: readonly TransactionRow[],
  states: readonly KnownState[],
  chunk: Chunk,
): Generator<PoolChange, TransactionRow[]> {
  let left = rows;
  for (const [i, after] of states.entries()) {
    const before = states[i + 1];
    if (!before) return [];
    left = left.filter(({ lt }) => BigInt(lt) <= after.lt);
    const end = left.findIndex(({ lt }) => BigInt(lt) <= before.lt);
    if (end < 0 && !chunk.isLast) break;
    const between = end < 0 ? left : left.slice(0, end);
    yield* findChanges(between.toReversed(), { before, after }, chunk);
    left = end < 0 ? [] : left.slice(end);
    if (left.length === 0) break;
  }
  return [...left];
}

/** Changes of the transactions between two states, newest first; none if one of them is missing. */
function findChanges(
  rows: readonly TransactionRow[],
  { before, after }: { readonly before: KnownState; readonly after: KnownState },
  { pool, elector }: Chunk,
): PoolChange[] {
  let lt = before.lt;
  for (const row of rows) {
    if (BigInt(row.prev_trans_lt) !== lt) return [];
    lt = BigInt(row.lt);
  }
  if (lt !== after.lt) return [];
  const transactions = rows.map((row) => ({ ...poolTransaction(row), row }));
  const found = poolHistory(before.storage, after.storage, { transactions, elector }) ?? [];
  return found
    .map(({ transaction: { row }, events }) => ({
      pool,
      transaction: { hash: row.hash, lt: row.lt, now: row.now },
      events,
    }))
    .reverse();
}

function poolTransaction(row: TransactionRow): PoolTransaction {
  const received = row.messages.find(({ direction }) => direction === 'in');
  const source = received ? rawOrNull(received.source) : null;
  return {
    isDone: isDone(row),
    message:
      received && source !== null
        ? { source, value: received.value, bounced: received.bounced, body: received.body }
        : null,
    sent: row.messages.flatMap((message) => {
      const to = message.direction === 'out' ? rawOrNull(message.destination) : null;
      return to === null ? [] : [{ to, value: message.value }];
    }),
  };
}

function rawOrNull(address: PackedMessage['source']): string | null {
  return address.kind === 'std' ? toRawAddress(address.workchain, address.hash) : null;
}

/** Pools of a validator, by address. One query. */
export async function readPoolsOfValidator(
  scope: PoolScope,
  validator: AccountId,
): Promise<readonly AccountId[]> {
  const isOf = sql`JSONExtractString(details, 'validator_address') = ${text(rawAddress(validator))}`;
  const rows = await scope.query(
    sql`SELECT DISTINCT workchain, hex(account) AS name FROM ${stateTable(scope)} WHERE kind = 'nominator_pool' AND ${isVisible(scope)} AND ${isOf} ORDER BY name LIMIT 1000`,
  );
  return rows.map(([workchain, hash]) => ({ workchain: Number(workchain), hash: String(hash) }));
}
