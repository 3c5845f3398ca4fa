import type { JournalEntry } from '../../log/port.ts';
import type { InsertCondition } from '../../platform/clickhouse/conditional-insert.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { StoreError } from '../../platform/clickhouse/store-errors.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import { queryPrefix, type Range, route, type SinkContext, type Tenure } from './sink-context.ts';

/** Another owner has, or may have, the batch: its running statements must end. */
export class RangeLostError extends ConflictError {
  readonly range: string;
  constructor(range: string, reason: string) {
    super(`${range}: ${reason}`);
    this.range = range;
  }
}

/** The table of closed attempts of a network's batches, qualified. */
export function getFencesTable(network: string): string {
  return `${metaDatabase(network)}.fences`;
}

/** FUNCTION_THROW_IF_VALUE_IS_NON_ZERO: a condition of an insert was false. */
const REFUSED = 395;

const CLOSED = 'range = {range:String} AND attempt >= {attempt:UInt32}';
/** Closed, or written by a tenure that another one has followed. In one look: a second one takes the store two milliseconds (decision 91). */
const CLOSED_OR_OVER =
  'range IN ({range:String}, {tenure:String}) AND attempt >= if(range = {range:String}, {attempt:UInt32}, {generation:UInt32} + 1)';

const none = (fences: string, which: string) => `(SELECT count() FROM ${fences} WHERE ${which}) = 0`;

/**
 * The condition of an attempt's statements. The server evaluates it when the statement starts and is listed in
 * `system.processes`. So a statement is refused, or the owner that closed the attempt sees it there.
 */
export function whileOpen(
  context: SinkContext,
  entry: Pick<JournalEntry, 'lane' | 'from' | 'attempt'>,
): InsertCondition & { readonly params: Readonly<Record<string, string | number>> } {
  const params = { range: queryPrefix(context, entry), attempt: entry.attempt };
  const { fences, tenure } = context;
  if (!tenure) return { sql: none(fences, CLOSED), params };
  return {
    sql: none(fences, CLOSED_OR_OVER),
    params: { ...params, tenure: tenure.name, generation: tenure.generation },
  };
}

/**
 * Begins a tenure: from now on the store refuses statements of those before it that are not under way yet, whatever the
 * group. Statements under way are killed or waited for next.
 */
export async function beginTenure(context: TenureStore, signal: AbortSignal): Promise<void> {
  await note(context, '', signal);
}

/** Notes that the tenure begins to write, before it does, or that all it wrote is confirmed. */
export async function noteWriting(
  context: TenureStore,
  what: 'begun' | 'done',
  signal: AbortSignal,
): Promise<void> {
  await note(context, what, signal);
}

/** True if some tenure began to write and its end was not recorded: it may have left rows. */
export async function wasCutOff({ client, fences, tenure }: TenureStore): Promise<boolean> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT toString(maxIf(attempt, range = {begun:String}) > maxIf(attempt, range = {done:String})) FROM ${fences}
     WHERE range IN ({begun:String}, {done:String})`,
    { route: 'sink/tenure', params: { begun: `${tenure.name}begun`, done: `${tenure.name}done` } },
  );
  return rows[0]?.[0] === '1';
}

/** Where tenures are noted. */
export interface TenureStore extends Pick<SinkContext, 'client' | 'fences'> {
  readonly tenure: Tenure;
}

async function note(
  { client, fences, tenure: { name, generation } }: TenureStore,
  what: string,
  signal: AbortSignal,
): Promise<void> {
  await client.command(`INSERT INTO ${fences} (range, attempt) VALUES ({name:String}, {generation:UInt32})`, {
    route: 'sink/tenure',
    params: { name: `${name}${what}`, generation },
    signal,
    settings: { insert_deduplicate: 0 },
  });
}

/**
 * Closes the entry's attempt and those before it: from now on the store refuses their statements that are not under way
 * yet. Statements under way are killed or waited for next.
 */
export async function closeAttempts(
  context: SinkContext,
  entry: JournalEntry,
  signal: AbortSignal,
): Promise<void> {
  await context.client.command(
    `INSERT INTO ${context.fences} (range, attempt) VALUES ({range:String}, {attempt:UInt32})`,
    {
      route: route(context, 'close'),
      params: { range: queryPrefix(context, entry), attempt: entry.attempt },
      signal,
      settings: { insert_deduplicate: 0 },
    },
  );
}

/** The error, or a `RangeLostError` if the store refused a closed attempt. */
export function asRangeLost(
  context: SinkContext,
  range: Pick<Range, 'lane' | 'from'>,
  error: unknown,
): unknown {
  if (!(error instanceof StoreError) || error.code !== REFUSED) return error;
  return new RangeLostError(queryPrefix(context, range), 'another owner has closed this attempt');
}
