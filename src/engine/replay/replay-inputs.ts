import type { LogRecord } from '../../log/port.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { type DeadLetter, openDeadLetters } from '../dead-letters/dead-letter-list.ts';
import type { EngineParts, InputParts } from '../engine-parts.ts';
import { type PositionRange, rangeCondition } from '../ranges/position-ranges.ts';

/** Inputs of a version in addition to `raw_blocks`: start states, and blocks that were dead letters. */
export interface ReplayInputs {
  readonly byPosition: ReadonlyMap<number, readonly LogRecord[]>;
  /** Open dead letters among them. */
  readonly deadLetters: readonly DeadLetter[];
}

/** A start state is neither in the log any more nor kept in the store. */
export class LostStateError extends DataError {
  readonly position: number;
  constructor(position: number) {
    super(
      `the state that the index begins with at masterchain ${position} is neither in the log nor in raw_states`,
    );
    this.position = position;
  }
}

/** Reads the start states and the dead letters of the ranges. Throws `LostStateError`. */
export async function readReplayInputs(
  parts: EngineParts,
  database: string,
  ranges: readonly PositionRange[],
): Promise<ReplayInputs> {
  const { bus, client, projection } = parts;
  const isInside = (position: number) =>
    ranges.some(({ first, last }) => position >= first && position <= last);
  const deadLetters = (await openDeadLetters(bus)).filter(
    ({ stage, code, record }) =>
      stage === projection.group && code !== 'changed-block' && isInside(Number(record.headers.position)),
  );
  const byPosition = new Map<number, LogRecord[]>();
  const add = (record: LogRecord) =>
    byPosition.set(record.position, [...(byPosition.get(record.position) ?? []), record]);
  if (projection.input.hasStates) {
    const states = await projection.input.startStates({ client, database }, ranges);
    const stored = await readStatePositions(parts, ranges);
    for (const position of new Set([...states, ...stored]))
      for (const state of await readStates(parts, position)) add(state);
  }
  for (const { record } of deadLetters) {
    const { position, kind = 'block', root_hash = '' } = record.headers;
    add({ ...record, position: Number(position), headers: { kind, root_hash } });
  }
  return { byPosition, deadLetters };
}

/** Positions of the ranges whose states are stored outside the log. */
export async function readStatePositions(
  { client, identity }: Pick<EngineParts, 'client' | 'identity'>,
  ranges: readonly PositionRange[],
): Promise<readonly number[]> {
  const { rows } = await client.queryRows<[number]>(
    `SELECT DISTINCT position FROM ${metaDatabase(identity.network)}.raw_states
     WHERE ${rangeCondition('position', ranges)}`,
    { route: 'replay/states', ...RANGE_QUERY },
  );
  return rows.map(([position]) => position);
}

/** The start states of a position, by key. Throws `LostStateError` if no copy exists. */
export async function readStates(
  parts: InputParts & Pick<EngineParts, 'client'>,
  position: number,
): Promise<readonly LogRecord[]> {
  const { client, identity } = parts;
  const { rows } = await client.queryRows<[string, string, string]>(
    `SELECT key, root_hash, base64Encode(value) FROM ${metaDatabase(identity.network)}.raw_states FINAL
     WHERE position = {position:UInt32} ORDER BY key`,
    {
      route: 'replay/states',
      params: { position },
      maxResultBytes: 1024 ** 3,
      maxMemoryBytes: 0,
      timeoutMs: 600_000,
    },
  );
  if (rows.length > 0) {
    return rows.map(([key, root_hash, value]) => ({
      ...NO_POSITION,
      key,
      position,
      headers: { kind: 'state', root_hash },
      value: new Uint8Array(Buffer.from(value, 'base64')),
    }));
  }
  const states = await statesInLog(parts, position);
  if (states.length === 0) throw new LostStateError(position);
  return states;
}

const NO_POSITION = { lane: 0, offset: 0, epoch: 0, endsStep: false, appendedAt: 0 };

/** States of a position in the log. An index begins with them, so they are at the start of the lane. */
export async function statesInLog(
  { bus, identity, projection }: InputParts,
  position: number,
): Promise<LogRecord[]> {
  const { epochSize, lanes } = identity;
  const lane = Math.floor(position / epochSize) % lanes;
  const { first = 0, next = 0 } =
    (await bus.bounds(projection.reads)).find((bounds) => bounds.lane === lane) ?? {};
  const found: LogRecord[] = [];
  for (let at = first; at < next; ) {
    const records = await bus.read(projection.reads, lane, at, { records: 64, bytes: 16 << 20 });
    if (records.length === 0) break;
    found.push(
      ...records.filter((record) => record.position === position && record.headers.kind === 'state'),
    );
    at = (records.at(-1)?.offset ?? at) + 1;
    if (found.length > 0 && records.at(-1)?.position !== position) break;
  }
  return found;
}
