import type { LogRecord } from '../../log/port.ts';
import { type NativeTable, varUint } from '../../platform/clickhouse/native-format.ts';

/** Records of start states as rows of `raw_states` (migration meta/0002). */
export function stateTable(states: readonly LogRecord[]): NativeTable {
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
