import { DECODE } from '../../../pipelines/decode.ts';
import type { AvroCodec } from '../../platform/avro/avro-codec.ts';
import type { Bus } from '../../platform/bus/port.ts';
import { UsageError } from '../../platform/config/usage-error.ts';
import { ArchiveShelf } from '../../stages/capture/archive/archive-shelf.ts';
import { listPacks } from '../../stages/capture/archive/pack-groups.ts';
import type { BlockShelf } from '../../stages/capture/chain/chain-steps.ts';
import { type BlockFile, FileShelf } from '../../stages/capture/files/file-shelf.ts';
import { listFiles, scanFiles } from '../../stages/capture/files/scan-folder.ts';
import {
  type BlockArchive,
  type FoundBlock,
  LostBlocksError,
  missingBlocks,
  type RestoreOptions,
  restoreBlocks,
} from '../../stages/replay/restore-blocks.ts';
import { blockName } from '../../ton/decode/block-error.ts';
import type { DecodeParts } from './decode.ts';

/** An archive that is open. */
export interface OpenArchive extends BlockArchive {
  close(): Promise<void>;
}

/** What was given is no archive that can be read. */
export class ArchiveSpecError extends UsageError {
  override readonly name = 'ArchiveSpecError';
  readonly spec: string;

  constructor(spec: string, problem: string, options?: ErrorOptions) {
    super(
      `source ${JSON.stringify(spec)}: ${problem}; a replay reads blocks from archive:PATH or files:PATH`,
      options,
    );
    this.spec = spec;
  }
}

/**
 * Opens where a replay may read blocks again: `archive:PATH` or `files:PATH`.
 * @throws ArchiveSpecError
 */
export async function openBlockArchive(spec: string): Promise<OpenArchive> {
  const [, kind, path] = /^(archive|files):(.+)$/s.exec(spec) ?? [];
  if (!kind || !path) throw new ArchiveSpecError(spec, 'neither of them');
  try {
    const shelf = kind === 'archive' ? new ArchiveShelf(await listPacks(path)) : await openFolder(path);
    return {
      name: spec,
      read: (block) => readShelf(shelf, block),
      close: async () => {
        if (shelf instanceof ArchiveShelf) await shelf.close();
      },
    };
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    throw new ArchiveSpecError(spec, `${path} cannot be read (${cause.code})`, { cause });
  }
}

async function openFolder(path: string): Promise<FileShelf> {
  const files: BlockFile[] = [];
  for await (const found of scanFiles(await listFiles(path)))
    if (found.kind === 'block') files.push({ id: found.block.id, file: found.file });
  return new FileShelf(files);
}

async function readShelf(
  shelf: BlockShelf,
  block: Parameters<BlockArchive['read']>[0],
): Promise<FoundBlock | null> {
  // Packages are filed by masterchain seqno: a shard's block is looked for beside the one that committed it.
  await shelf.masterchainId(block.position);
  const found = await shelf.read(block);
  return found && { boc: found.boc, rootHash: found.id.rootHash, origin: found.origin };
}

/**
 * Makes `raw_blocks` hold what is to be decoded: from the log where it has the blocks that are missing, and from the
 * archive that is given. Of that every block is compared with what is indexed, missing or not.
 * @throws OtherBlockError, LostBlocksError
 */
export async function restoreRawBlocks(
  { bus, codec, log }: Pick<DecodeParts, 'bus' | 'codec' | 'log'>,
  options: RestoreOptions,
  archive: BlockArchive | null,
): Promise<void> {
  const say = (blocks: number, from: string) => {
    if (blocks > 0) log.info({ blocks, from }, 'blocks are read that raw_blocks had not');
  };
  const missing = await missingBlocks(options);
  if (missing.blocks > 0) {
    const logged = await LogBlocks.find(bus, codec, options);
    say(await restoreBlocks(options, logged, false), logged.name);
  }
  if (archive) say(await restoreBlocks(options, archive, true), archive.name);
  if (missing.blocks === 0) return;
  const { blocks, first } = await missingBlocks(options);
  if (first) throw new LostBlocksError(blocks, first, ['the log', ...(archive ? [archive.name] : [])]);
}

/**
 * That `raw_blocks` holds what is to be decoded.
 * @throws LostBlocksError
 */
export async function requireRawBlocks(options: RestoreOptions): Promise<void> {
  const { blocks, first } = await missingBlocks(options);
  if (first) throw new LostBlocksError(blocks, first, []);
}

const SOME = { records: 2_000, bytes: 16 << 20 } as const;

/** The log as an archive. Where a block stands in it, one pass over all lanes tells. */
class LogBlocks implements BlockArchive {
  readonly name = 'the log';
  readonly #bus: Bus;
  readonly #codec: AvroCodec;
  private readonly places: ReadonlyMap<string, readonly [lane: number, offset: number]>;

  private constructor(bus: Bus, codec: AvroCodec, places: LogBlocks['places']) {
    this.#bus = bus;
    this.#codec = codec;
    this.places = places;
  }

  static async find(bus: Bus, codec: AvroCodec, { ranges, signal }: RestoreOptions): Promise<LogBlocks> {
    const places = new Map<string, readonly [number, number]>();
    const isInside = (position: number) =>
      ranges.some(({ first, last }) => position >= first && position <= last);
    for (const { lane, first, next } of await bus.bounds(DECODE.topic)) {
      for (let at = first; at < next; ) {
        signal.throwIfAborted();
        const records = await bus.read(DECODE.topic, lane, at, SOME);
        if (records.length === 0) break;
        for (const { key, headers, offset, position } of records)
          if (headers.kind !== 'state' && isInside(position)) places.set(key, [lane, offset]);
        at = (records.at(-1)?.offset ?? at) + 1;
      }
    }
    return new LogBlocks(bus, codec, places);
  }

  async read(block: Parameters<BlockArchive['read']>[0]): Promise<FoundBlock | null> {
    const place = this.places.get(blockName(block));
    if (!place) return null;
    const [lane, offset] = place;
    const records = await this.#bus.read(DECODE.topic, lane, offset, { records: 1, bytes: 1 });
    const record = records.find((one) => one.offset === offset);
    const datum = record && this.#codec.decode(record.value);
    if (datum?.kind !== 'raw-block') return null;
    const { boc, root_hash: rootHash } = datum.value;
    return { boc, rootHash, origin: `the log, lane ${lane}, offset ${offset}` };
  }
}
