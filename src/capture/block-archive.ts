import { UsageError } from '../platform/config/usage-error.ts';
import { NotRegularFileError } from '../platform/files/file-errors.ts';
import { errorCode, type FileReading, listFiles } from '../platform/files/list-files.ts';
import { parseBlockName } from '../ton/decode/block-error.ts';
import { ArchiveShelf } from './archive/archive-shelf.ts';
import { listPacks } from './archive/pack-groups.ts';
import type { BlockShelf } from './chain/chain-steps.ts';
import { type BlockFile, FileShelf } from './files/file-shelf.ts';
import { scanFiles } from './files/scan-folder.ts';

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

/** An archive that is open. */
export interface OpenArchive {
  readonly name: string;
  /** Null if it has no such block. Called in the order of masterchain steps. */
  read(block: WantedBlock): Promise<ArchivedBlock | null>;
  close(): Promise<void>;
}

/** The given spec names no archive that can be read. */
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
 * Opens an archive from which a replay may read blocks: `archive:PATH` or `files:PATH`.
 * @throws ArchiveSpecError
 */
export async function openBlockArchive(spec: string, reading: FileReading = {}): Promise<OpenArchive> {
  const [, kind, path] = /^(archive|files):(.+)$/s.exec(spec) ?? [];
  if (!kind || !path) throw new ArchiveSpecError(spec, 'neither of them');
  try {
    const shelf =
      kind === 'archive'
        ? new ArchiveShelf(await listPacks(path, reading), reading)
        : await openFolder(path, reading);
    return {
      name: spec,
      read: (block) => readShelf(shelf, block),
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

async function readShelf(shelf: BlockShelf, { key, ...record }: WantedBlock): Promise<ArchivedBlock | null> {
  const block = { ...record, ...parseBlockName(key) };
  // Packages are filed by masterchain seqno: a shard block is searched next to the block that committed it.
  await shelf.masterchainId(block.position);
  const found = await shelf.read(block);
  return found && { boc: found.boc, rootHash: found.id.rootHash, origin: found.origin };
}
