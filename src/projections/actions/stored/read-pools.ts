import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import { assetsOfSwap, SWAP_LOG } from '../../../ton/contracts/dedust-pool.ts';
import type { DatedFact } from './fact-book.ts';
import { readAccounts } from './read-facts.ts';

/** A pool's first messages, among which its first swap is looked for. */
const FIRST_MESSAGES = 256;

/**
 * Assets of dedust pools by the first swap that they logged, from its step on: they do not change. Pools are asked for where a swap
 * failed; one that never swapped before stays unknown.
 */
export async function readPools(
  chain: StoreDatabase,
  accounts: readonly string[],
  { last }: PositionRange,
): Promise<DatedFact[]> {
  const { database } = chain;
  const rows = await readAccounts<[number, string, number, string]>(
    chain,
    accounts,
    'actions/pools',
    (keys) =>
      `WITH first AS
       (
           SELECT created_lt, hash8 FROM
           (SELECT source AS account, source_workchain AS workchain, source_kind, created_lt, hash8, mc_seqno FROM ${database}.messages_by_source)
           WHERE ${keys} AND source_kind = 'std' AND mc_seqno <= ${last}
           ORDER BY account, workchain, created_lt, hash8 LIMIT ${FIRST_MESSAGES} BY account, workchain
       )
       SELECT source_workchain, hex(source), mc_seqno, base64Encode(body) FROM ${database}.messages
       WHERE (created_lt, hash8) IN (SELECT created_lt, hash8 FROM first) AND kind = 'ext_out' AND side = 'out'
         AND opcode = ${SWAP_LOG} AND mc_seqno <= ${last}
       ORDER BY created_lt, hash8`,
  );
  const pools = new Map<string, DatedFact>();
  for (const [workchain, hash, position, body] of rows) {
    const account = `${workchain}:${hash}`;
    const assets = pools.has(account) ? null : assetsOfSwap(Buffer.from(body, 'base64'));
    if (assets) pools.set(account, { account, position, kind: 'pool', facts: { pool: { assets } } });
  }
  return [...pools.values()];
}
