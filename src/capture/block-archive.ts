import type { LogIdentity, NewRecord, NewStep } from '../log/port.ts';
import type { AvroCodec } from '../platform/avro/avro-codec.ts';
import { UsageError } from '../platform/errors/error-kinds.ts';
import { NotRegularFileError } from '../platform/files/file-errors.ts';
import { errorCode, type FileReading, listFiles } from '../platform/files/list-files.ts';
import { parseBlockName } from '../ton/decode/block-error.ts';
import { ArchiveShelf } from './archive/archive-shelf.ts';
import { findPacks } from './archive/pack-groups.ts';
import { PackIndex } from './archive/pack-index.ts';
import { ChainGapError, MissingBlockError } from './chain/chain-errors.ts';
import { type BlockShelf, chainSteps } from './chain/chain-steps.ts';
import { type BlockFile, FileShelf } from './files/file-shelf.ts';
import { scanFiles } from './files/scan-folder.ts';
import { tipAfter } from './log-tail.ts';
import { readSourceBlock } from './read-block.ts';
import { stepRecords } from './step-records.ts';

/** A block that is looked for; hashes in lower-case hex. */
export interface WantedBlock {
  /** Its key in the log. */
  readonly key: string;
  /** The masterchain seqno that committed it. */
  readonly position: number;
  readonly rootHash: string;
  readonly fileHash: string;
}

/** A block as an archive has it. */
export interface ArchivedBlock {
  readonly boc: Uint8Array;
  readonly rootHash: Uint8Array;
  /** Origin, for errors. */
  readonly origin: string;
}

/** Form of the records that steps are made of. */
export interface StepsOptions {
  readonly identity: LogIdentity;
  readonly codec: AvroCodec;
  readonly signal: AbortSignal;
}

/** An archive that is open. */
export interface OpenArchive {
  readonly name: string;
  /** Null if it has no such block. Called in the order of masterchain steps. */
  read(block: WantedBlock): Promise<ArchivedBlock | null>;
  /**
   * The steps that follow a masterchain block (the record's value), proven to continue its chain, as the log would have
   * them; none after the first one that it lacks.
   */
  stepsAfter(before: Pick<NewRecord, 'key' | 'value'>, options: StepsOptions): AsyncIterable<NewStep>;
  close(): Promise<void>;
}

/** The given spec names no archive that can be read. */
export class ArchiveSpecError extends UsageError {
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
 * Opens an archive from which a replay may read blocks: `archive:PATH` or `files:PATH`.
 * @throws ArchiveSpecError
 */
export async function openBlockArchive(spec: string, reading: FileReading = {}): Promise<OpenArchive> {
  const [, kind, path] = /^(archive|files):(.+)$/s.exec(spec) ?? [];
  if (!kind || !path) throw new ArchiveSpecError(spec, 'neither of them');
  try {
    const shelf =
      kind === 'archive'
        ? new ArchiveShelf(new PackIndex(await findPacks(path, reading), reading))
        : await openFolder(path, reading);
    return {
      name: spec,
      read: (block) => readShelf(shelf, block),
      stepsAfter: (before, options) => stepsAfter(shelf, before, options),
      close: async () => {
        if (shelf instanceof ArchiveShelf) await shelf.close();
      },
    };
  } catch (cause) {
    if (cause instanceof NotRegularFileError) throw new ArchiveSpecError(spec, cause.message, { cause });
    const code = errorCode(cause);
    if (code === null) throw cause;
    throw new ArchiveSpecError(spec, `${path} cannot be read (${code})`, { cause });
  }
}

async function openFolder(path: string, reading: FileReading): Promise<FileShelf> {
  const files: BlockFile[] = [];
  for await (const found of scanFiles(await listFiles(path, reading), reading)) {
    if (found.kind === 'block') files.push({ id: found.block.id, file: found.file });
    if (found.kind === 'bad') reading.onSkip?.(found.file, found.error.message);
  }
  return new FileShelf(files, reading.signal);
}

/** @throws ChangedBlockError, ForeignBlockError: the archive has another chain */
async function* stepsAfter(
  shelf: BlockShelf,
  { key, value }: Pick<NewRecord, 'key' | 'value'>,
  { identity, codec, signal }: StepsOptions,
): AsyncGenerator<NewStep> {
  const tip = tipAfter(readSourceBlock(codec.decode(value).value.boc, `the store, ${key}`));
  try {
    for await (const step of chainSteps(shelf, tip, [], signal)) yield stepRecords(step, identity, codec);
  } catch (error) {
    if (!(error instanceof ChainGapError || error instanceof MissingBlockError)) throw error;
  }
}

async function readShelf(shelf: BlockShelf, { key, ...record }: WantedBlock): Promise<ArchivedBlock | null> {
  const block = { ...record, ...parseBlockName(key) };
  // Packages are filed by masterchain seqno: a shard block is searched next to the block that committed it.
  await shelf.masterchainId(block.position);
  const found = await shelf.read(block);
  return found && { boc: found.boc, rootHash: found.id.rootHash, origin: found.origin };
}
