import { UnreadableLogError } from '../../log/errors.ts';
import { readColdEpochs, toEpochRange } from '../cold/cold-epochs.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { KnownRecord } from '../projection/stored-input.ts';
import type { CheckResult } from '../projection/table-audit.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';

type Parts = Pick<EngineParts, 'bus' | 'client' | 'identity' | 'projection'>;

/** Steps that are looked at together. */
const WINDOW = 2_000;
const SHOWN = 5;

/** A block that the store has dropped and no sealed file has. */
export interface LostColdBlock {
  readonly position: number;
  readonly reason: string;
}

/** Blocks of cold epochs that are indexed, and neither in the store nor in a sealed file with the same root hash. */
export async function* lostColdBlocks(
  parts: Parts,
  database: string,
  signal: AbortSignal,
): AsyncGenerator<LostColdBlock> {
  const { client, identity, projection } = parts;
  const { cold } = projection.input;
  if (!cold) return;
  for (const epoch of await readColdEpochs(client, identity))
    for (const range of windows(toEpochRange(epoch, identity))) {
      signal.throwIfAborted();
      const missing = await cold.missing({ client, database }, range);
      if (missing.length > 0) yield* unsealed(parts, range, missing);
    }
}

async function* unsealed(
  { bus, projection }: Parts,
  range: PositionRange,
  missing: readonly KnownRecord[],
): AsyncGenerator<LostColdBlock> {
  try {
    const sealed = new Map<string, string | undefined>();
    for (const { key, headers } of await bus.readSealed(projection.reads, { ...range, withoutValues: true }))
      if (!sealed.has(key)) sealed.set(key, headers.root_hash);
    for (const { key, position, rootHash } of missing)
      if (sealed.get(key) !== rootHash)
        yield { position, reason: `block ${key} of masterchain ${position} is in no sealed file` };
  } catch (error) {
    if (!(error instanceof UnreadableLogError)) throw error;
    for (const { position } of missing) yield { position, reason: error.message };
  }
}

function* windows({ first, last }: PositionRange): Generator<PositionRange> {
  for (let at = first; at <= last; at += WINDOW) yield { first: at, last: Math.min(last, at + WINDOW - 1) };
}

/** Checks that sealed files have every block that the store has dropped. */
export async function checkColdBlocks(
  parts: Parts,
  database: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  let problems = 0;
  const samples = new Set<string>();
  for await (const { reason } of lostColdBlocks(parts, database, signal)) {
    problems++;
    if (samples.size < SHOWN) samples.add(reason);
  }
  return {
    name: 'cold-blocks',
    law: 'sealed files have every block that was dropped from the store',
    problems,
    samples: [...samples],
  };
}
