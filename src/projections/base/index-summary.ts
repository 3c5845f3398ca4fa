import type { StoreClient } from '../../platform/clickhouse/client.ts';

/** Content of a data directory: the last line of `tonhouse index`. */
export interface IndexSummary {
  readonly first_mc_seqno: number | null;
  readonly last_mc_seqno: number | null;
  readonly blocks: number;
  readonly transactions: number;
  /** Distinct messages. */
  readonly messages: number;
  /** Open dead letters. */
  readonly dead_letters: number;
  /** Seconds that this run took. */
  readonly seconds: number;
}

/** Counts of everything confirmed in a version database of `base`. */
export async function indexSummary(
  client: StoreClient,
  db: string,
  run: Pick<IndexSummary, 'dead_letters' | 'seconds'>,
): Promise<IndexSummary> {
  const { rows } = await client.queryRows<[string, number, number, string, string, string]>(
    `SELECT
       (SELECT countIf(workchain = -1) FROM {db:Identifier}.blocks),
       (SELECT minIf(seqno, workchain = -1) FROM {db:Identifier}.blocks),
       (SELECT maxIf(seqno, workchain = -1) FROM {db:Identifier}.blocks),
       (SELECT count() FROM {db:Identifier}.blocks),
       (SELECT count() FROM {db:Identifier}.transactions),
       (SELECT uniqExact(hash8, created_lt) FROM {db:Identifier}.message_hashes)`,
    { route: 'summary', params: { db }, timeoutMs: 600_000 },
  );
  const [masterchain, first, last, blocks, transactions, messages] = rows[0] ?? ['0', 0, 0, '0', '0', '0'];
  const empty = masterchain === '0';
  return {
    first_mc_seqno: empty ? null : first,
    last_mc_seqno: empty ? null : last,
    blocks: Number(blocks),
    transactions: Number(transactions),
    messages: Number(messages),
    dead_letters: run.dead_letters,
    seconds: Math.round(run.seconds * 1000) / 1000,
  };
}
