import { StoreError } from '../../platform/clickhouse/store-errors.ts';
import { poll } from '../../platform/retry/poll.ts';
import type { Corrections } from './repairs.ts';
import { databasePrefix, type Range, route, type SinkContext } from './sink-context.ts';

/** Rows named in one statement: its text stays well below the server's `max_query_size`. */
const ROWS = 5_000;
const POLL_INTERVAL_MS = 50;
/** QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING. */
const SAME_ID = 216;

/** One target that is being corrected for one range. */
interface Correction {
  readonly context: SinkContext;
  readonly target: Corrections;
  readonly range: Range;
  readonly signal: AbortSignal;
}

/**
 * Writes rows that a target lacks for the range, while other processes insert and correct (docs/decisions/0003). Half
 * of a running insert may be visible, and would be corrected for. So a row is written only if it was missing before the
 * running inserts ended and is missing in the same way afterwards. The server runs one statement of an id at a time, so
 * the second check and the write are one statement under a shared id.
 *
 * Repeats until nothing is missing: a row that another insert changed meanwhile is left to the next pass.
 */
export async function correctTarget(
  context: SinkContext,
  target: Corrections,
  range: Range,
  signal: AbortSignal,
): Promise<void> {
  const correction = { context, target, range, signal };
  for (;;) {
    const missing = await readMissing(correction);
    if (missing.length === 0) return;
    await waitForInserts(context, signal);
    for (let i = 0; i < missing.length; i += ROWS) await writeMissing(correction, missing.slice(i, i + ROWS));
  }
}

const parameters = ({ context, range }: Correction) => ({
  db: context.database,
  first: range.firstPosition,
  last: range.lastPosition,
});

/** Missing rows, each by a hash of its columns. */
async function readMissing(correction: Correction): Promise<readonly string[]> {
  const { context, target, signal } = correction;
  const { table, corrections } = target;
  const { rows } = await context.client.queryRows<[string]>(`SELECT sipHash64(*) FROM (${corrections})`, {
    route: route(context, `look/${table}`),
    params: parameters(correction),
    timeoutMs: 0,
    signal,
  });
  return rows.map(([hash]) => hash);
}

/** Waits until the inserts that are under way now have ended, of all senders. */
async function waitForInserts(context: SinkContext, signal: AbortSignal): Promise<void> {
  const running = () =>
    context.client.runningQueries(databasePrefix(context), { route: route(context, 'wait'), signal });
  let waited = await running();
  const areEnded = async () => {
    if (waited.length === 0) return true;
    const left = new Set(await running());
    waited = waited.filter((id) => left.has(id));
    return waited.length === 0;
  };
  await poll(areEnded, { everyMs: POLL_INTERVAL_MS, signal });
}

async function writeMissing(correction: Correction, hashes: readonly string[]): Promise<void> {
  const { context, target, signal } = correction;
  const { table, corrections } = target;
  const sql = `INSERT INTO {db:Identifier}.${table} SELECT * FROM (${corrections}) WHERE sipHash64(*) IN (${hashes.join(',')})`;
  const write = async () => {
    try {
      await context.client.command(sql, {
        route: route(context, `repair/${table}`),
        queryId: `repair:${context.database}:${table}`,
        params: parameters(correction),
        signal,
        settings: { insert_deduplicate: 0 },
      });
      return true;
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== SAME_ID) throw error;
      return false;
    }
  };
  await poll(write, { everyMs: POLL_INTERVAL_MS, signal });
}
