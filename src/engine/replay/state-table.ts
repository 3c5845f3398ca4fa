import type { LogRecord } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock, type NativeTable, varUint } from '../../platform/clickhouse/native-format.ts';

/** Stores records of start states outside the log: a replay reads them there. `route` names the caller. */
export async function storeStates(
  client: StoreClient,
  network: string,
  states: readonly StateRecord[],
  route: string,
): Promise<void> {
  if (states.length === 0) return;
  await client.insertNative(`${metaDatabase(network)}.raw_states`, encodeNativeBlock(stateTable(states)), {
    route,
  });
}

/** Root hashes (hex) of the states that are stored outside the log, by key. */
export async function readStateHashes(
  client: StoreClient,
  network: string,
  route: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT key, root_hash FROM ${metaDatabase(network)}.raw_states`,
    { route, maxRows: 1_000_000 },
  );
  return new Map(rows);
}

/** A record of a state, and its position. */
export type StateRecord = Pick<LogRecord, 'key' | 'position' | 'headers' | 'value'>;

/** Records of start states as rows of `raw_states` (migration meta/0002). */
function stateTable(states: readonly StateRecord[]): NativeTable {
  const column = (name: string, type: string, parts: readonly Uint8Array[]) => ({
    name,
    type,
    parts: () => parts,
  });
  const strings = (values: readonly Uint8Array[]) =>
    values.flatMap((value) => [varUint(value.length), value]);
  const texts = (values: readonly string[]) =>
    strings(values.map((value) => new TextEncoder().encode(value)));
  const positions = new DataView(new ArrayBuffer(states.length * 4));
  states.forEach(({ position }, i) => {
    positions.setUint32(i * 4, position, true);
  });
  return {
    name: 'raw_states',
    rows: states.length,
    columns: [
      column('position', 'UInt32', [new Uint8Array(positions.buffer)]),
      column('key', 'String', texts(states.map(({ key }) => key))),
      column('root_hash', 'String', texts(states.map(({ headers }) => headers.root_hash ?? ''))),
      column('value', 'String', strings(states.map(({ value }) => value))),
    ],
  };
}
