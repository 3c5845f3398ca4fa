import { readSealedColdRanges } from '../cold/cold-epochs.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { FoundRecord, KnownRecord, RecordArchive, RestoreOptions } from '../projection/stored-input.ts';
import { subtractRanges } from '../ranges/position-ranges.ts';
import { LostBlocksError } from './lost-records.ts';

/**
 * Stores all input to decode: missing blocks come from the log or from the given archive. Every block of the archive is
 * compared with the index, missing or not.
 * @throws OtherBlockError, LostBlocksError
 */
export async function restoreInput(
  parts: EngineParts,
  options: RestoreOptions,
  archive: RecordArchive | null,
): Promise<void> {
  const { log, projection } = parts;
  const { input } = projection;
  const say = (blocks: number, from: string) => {
    if (blocks > 0) log.info({ blocks, from }, 'blocks are read that the store had not kept');
  };
  const hot = await withoutCold(parts, options);
  const missing = await input.missing(hot);
  if (missing.blocks > 0) {
    const logged = await LogRecords.find(parts, hot);
    say(await input.restore(hot, logged, false), logged.name);
  }
  if (archive) say(await input.restore(hot, archive, true), archive.name);
  if (missing.blocks === 0) return;
  const { blocks, first } = await input.missing(hot);
  if (first) throw new LostBlocksError(blocks, first, ['the log', ...(archive ? [archive.name] : [])]);
}

/**
 * Checks that the store keeps what is to be decoded.
 * @throws LostBlocksError
 */
export async function requireStored(parts: EngineParts, options: RestoreOptions): Promise<void> {
  const { blocks, first } = await parts.projection.input.missing(await withoutCold(parts, options));
  if (first) throw new LostBlocksError(blocks, first, []);
}

/** Without the cold epochs that sealed files have: their records are read from there. */
async function withoutCold(parts: EngineParts, options: RestoreOptions): Promise<RestoreOptions> {
  return { ...options, ranges: subtractRanges(options.ranges, await readSealedColdRanges(parts)) };
}

const SOME = { records: 2_000, bytes: 16 << 20 } as const;

/** The log as an archive. One pass over all lanes finds the position of each block. */
class LogRecords implements RecordArchive {
  readonly name = 'the log';
  readonly #parts: EngineParts;
  private readonly places: ReadonlyMap<string, readonly [lane: number, offset: number]>;

  private constructor(parts: EngineParts, places: LogRecords['places']) {
    this.#parts = parts;
    this.places = places;
  }

  static async find(parts: EngineParts, { ranges, signal }: RestoreOptions): Promise<LogRecords> {
    const { bus, projection } = parts;
    const places = new Map<string, readonly [number, number]>();
    const isInside = (position: number) =>
      ranges.some(({ first, last }) => position >= first && position <= last);
    for (const { lane, first, next } of await bus.bounds(projection.reads)) {
      for (let at = first; at < next; ) {
        signal.throwIfAborted();
        const records = await bus.read(projection.reads, lane, at, SOME);
        if (records.length === 0) break;
        for (const { key, headers, offset, position } of records)
          if (headers.kind !== 'state' && isInside(position)) places.set(key, [lane, offset]);
        at = (records.at(-1)?.offset ?? at) + 1;
      }
    }
    return new LogRecords(parts, places);
  }

  async read({ key }: KnownRecord): Promise<FoundRecord | null> {
    const { bus, codec, projection } = this.#parts;
    const place = this.places.get(key);
    if (!place) return null;
    const [lane, offset] = place;
    const records = await bus.read(projection.reads, lane, offset, { records: 1, bytes: 1 });
    const record = records.find((one) => one.offset === offset);
    const datum = record && codec.decode(record.value);
    if (datum?.kind !== 'raw-block') return null;
    const { boc, root_hash: rootHash } = datum.value;
    return { boc, rootHash, origin: `the log, lane ${lane}, offset ${offset}` };
  }
}
