import type { LogIdentity } from '../../../engine/projection/projection.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { parseStartLts } from '../../../ton/decode/start-lts.ts';
import type { IndexFacts } from './check.ts';

/** Facts that decide which neighbours of a block may be missing: continuity of the log, and its first blocks. */
export async function readIndexFacts(
  client: StoreClient,
  db: string,
  { facts }: LogIdentity,
): Promise<IndexFacts> {
  return {
    continuity: facts.continuity === 'isolated' ? 'isolated' : 'chain',
    firstStep: await readFirstStep(client, db),
    startLt: parseStartLts(facts.start_lt ?? '0').highest,
  };
}

/** First masterchain step that has blocks. While lanes fill side by side it may be lower a moment later. */
export async function readFirstStep(client: StoreClient, db: string): Promise<number> {
  const { rows } = await client.queryRows<[number]>('SELECT min(mc_seqno) FROM {db:Identifier}.blocks', {
    route: 'index-facts',
    params: { db },
  });
  // No block has the seqno 0: it means a table without blocks, of a chain with only its zerostate so far.
  return rows[0]?.[0] || 1;
}
