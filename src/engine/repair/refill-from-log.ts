import type { LogRecord } from '../../log/port.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { storeStates } from '../replay/state-table.ts';
import { logRecords } from '../verify/log-pass.ts';

/** Stores the log's states and blocks of the steps that the store lacks. Returns the number of blocks. */
export async function refillFromLog(
  parts: EngineParts,
  database: string,
  ranges: readonly PositionRange[],
  signal: AbortSignal,
): Promise<number> {
  const { bus, client, codec, identity, projection } = parts;
  const isInside = ({ position }: LogRecord) =>
    ranges.some(({ first, last }) => position >= first && position <= last);
  let restored = 0;
  for await (const records of logRecords(bus, projection.reads, signal)) {
    const wanted = records.filter(isInside);
    if (wanted.length === 0) continue;
    const states = wanted.filter(({ headers }) => headers.kind === 'state');
    await storeStates(client, identity.network, states, 'repair/states');
    restored += await projection.input.refill({ client, database }, wanted, codec);
  }
  return restored;
}
