import { RowBinary } from '../../../tables/row-binary.ts';
import type { AccountFacts } from '../../../ton/contracts/account-facts.ts';
import {
  type DetectedPool,
  detectPool,
  FIRST_MESSAGES,
  type PoolMessage,
  TELLING_OPS,
} from '../../../ton/contracts/dedust-pool.ts';
import { poolFact } from '../../../ton/contracts/fact-columns.ts';
import type { FactsByAddress } from '../../classifier-port.ts';
import { type AccountId, accountOfRaw, toRawAddress } from '../../query/account-id.ts';
import { accountKeys, toNumbers } from '../../query/keys.ts';
import type { ReadScope } from '../../query/scope.ts';
import { identifier, type Sql, sql, u32, unsafeSql } from '../../query/sql.ts';
import type { TokenScope } from '../tokens/filter.ts';
import { readTokensOfAccounts } from '../tokens/find.ts';
import type { TokenRow } from '../tokens/model.ts';

/**
 * Assets of dedust pools by the first swaps that they logged; null for those that did not swap, of v2 in both directions. One query,
 * and one for wallets of v2 pools in `tokens`.
 */
export async function readPools(
  scope: ReadScope,
  tokens: TokenScope,
  addresses: readonly string[],
): Promise<FactsByAddress> {
  if (addresses.length === 0) return new Map();
  const sent = parseMessages(await scope.queryBytes(planPools(scope, addresses.map(accountOfRaw))));
  const detectedPools = new Map(addresses.map((address) => [address, detectPool(sent.get(address) ?? [])]));
  const wallets = [...detectedPools.values()].flatMap((pool) =>
    pool && 'wallets' in pool ? pool.wallets : [],
  );
  const named = wallets.filter((wallet) => wallet !== null).map(accountOfRaw);
  const rows = await readTokensOfAccounts(tokens, 'jetton_wallet', named);
  const known = new Map(rows.map((row) => [row.address, row]));
  return new Map(
    [...detectedPools].map(([address, pool]) => [address, pool && buildFacts(address, pool, known)]),
  );
}

function buildFacts(
  address: string,
  pool: DetectedPool,
  wallets: ReadonlyMap<string, TokenRow>,
): AccountFacts | null {
  const found = poolFact(pool, (wallet) => {
    const row = wallets.get(wallet);
    return row?.owner === address ? (row.parent ?? undefined) : undefined;
  });
  return found && { pool: found };
}

/** By their source. */
function parseMessages(answer: Buffer): ReadonlyMap<string, readonly PoolMessage[]> {
  const sent = new Map<string, PoolMessage[]>();
  for (const rows = new RowBinary(answer); rows.more; ) {
    const source = toRawAddress(rows.i32(), rows.fixed(32));
    const [step, txLt, opcode, isLog] = [rows.u32(), rows.u64(), rows.u32(), rows.u8() === 1];
    const destination = toRawAddress(rows.i32(), rows.fixed(32));
    const message = { step, txLt, opcode, destination: isLog ? null : destination, body: rows.string() };
    sent.set(source, [...(sent.get(source) ?? []), message]);
  }
  return sent;
}

/** The first messages of pools and those that identify their assets, oldest first; only logs have bodies. */
export function planPools(
  { databases, visible }: Pick<ReadScope, 'databases' | 'visible'>,
  pools: readonly AccountId[],
): Sql {
  const isVisible = sql`mc_seqno <= ${u32(visible.last)}`;
  const sources = sql`SELECT source AS account, source_workchain AS workchain, source_kind, created_lt, hash8, mc_seqno FROM ${identifier(databases.base, 'messages_by_source')}`;
  const first = sql`SELECT created_lt, hash8 FROM (SELECT account, workchain, created_lt, hash8 FROM (${sources}) WHERE (account, workchain) IN ${accountKeys(pools)} AND source_kind = 'std' AND ${isVisible} ORDER BY account, workchain, created_lt, hash8 LIMIT ${unsafeSql(String(FIRST_MESSAGES))} BY account, workchain)`;
  const isTelling = sql`opcode IN ${toNumbers(TELLING_OPS.map(BigInt))}`;
  return sql`SELECT source_workchain, source, mc_seqno, tx_lt, assumeNotNull(opcode), toUInt8(kind = 'ext_out'), destination_workchain, destination, if(kind = 'ext_out', body, '') FROM ${identifier(databases.base, 'messages')} WHERE (created_lt, hash8) IN (${first}) AND side = 'out' AND ${isTelling} AND ${isVisible} ORDER BY created_lt, hash8`;
}
