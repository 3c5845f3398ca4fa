import { type FileReading, listFiles } from '../../platform/files/list-files.ts';
import type { BlockIdExt } from '../block-id.ts';
import { ChangedBlockError } from '../chain/chain-errors.ts';
import { chainSteps } from '../chain/chain-steps.ts';
import { ClaimedBlocks } from '../rivals/claimed-blocks.ts';
import type { Claim } from '../rivals/rival-block-error.ts';
import type { ChainTip, Source, SourceBlock, SourceFacts, SourceState, Step } from '../source.ts';
import { distinctStates, startFromStates } from '../states.ts';
import { type BlockReferences, checkReferences } from './check-references.ts';
import { FileShelf, readBlockFile } from './file-shelf.ts';
import { scanFiles } from './scan-folder.ts';

interface Folder {
  readonly shelf: FileShelf;
  readonly facts: SourceFacts;
}

/**
 * Blocks of one chain from a folder of files, under any names and in any order. States among them are what the index
 * starts from. The folder is read once to know what is in it, then each block when its turn comes.
 */
export async function openFiles(
  path: string,
  hardForks: readonly BlockIdExt[],
  reading: FileReading = {},
): Promise<Source> {
  const files = await listFiles(path, reading);
  let folder: Promise<Folder> | null = null;
  const read = () => {
    folder ??= readFolder(files, reading);
    return folder;
  };
  return {
    name: `files:${path}`,
    finite: true,
    continuity: 'chain',
    describe: async () => (await read()).facts,
    async *steps(after: ChainTip | null, signal: AbortSignal): AsyncGenerator<Step> {
      const { shelf, facts } = await read();
      const start = after === null && facts.states.length > 0 ? startFromStates(facts.states) : null;
      if (start) yield start.step;
      yield* chainSteps(shelf, start?.tip ?? after, hardForks, signal);
    },
    close: async () => {},
  };
}

/** The kept facts of a block of the folder. */
type FolderBlock = BlockReferences & Claim;

/** @throws UnreadableError, ChangedBlockError, ForeignBlockError */
async function readFolder(files: readonly string[], reading: FileReading): Promise<Folder> {
  const claimed = new ClaimedBlocks<FolderBlock>();
  const states: SourceState[] = [];
  const ignored: string[] = [];
  let bytes = 0;
  for await (const found of scanFiles(files, reading)) {
    if (found.kind === 'bad') throw found.error;
    if (found.kind === 'other') {
      ignored.push(`${found.file}: ${found.reason}`);
      continue;
    }
    bytes += found.bytes.length;
    if (found.kind === 'state') states.push(found.state);
    else claimed.add(toFolderBlock(found.block, found.file));
  }
  ignored.push(...(await settle(claimed, reading)));
  const blocks = [...claimed.taken()];
  const shelf = new FileShelf(blocks, reading.signal);
  checkReferences(blocks);
  const facts = await describe({ blocks, shelf, states: distinctStates(states), bytes, ignored });
  return { shelf, facts: { ...facts, duplicates: claimed.duplicates } };
}

function toFolderBlock({ id, header, origin }: SourceBlock, file: string): FolderBlock {
  const { globalId, masterRef, prevRefs } = header;
  return { id, origin, file, globalId, masterRef, prevRefs };
}

/**
 * Leaves one block of each id and returns the refused ones. @throws ChangedBlockError: nothing shows which one is right
 */
async function settle(claimed: ClaimedBlocks<FolderBlock>, { signal }: FileReading): Promise<string[]> {
  const refused = await claimed.settle((block) => readBlockFile(block, signal));
  const open = refused.filter(({ winner }) => winner === null);
  const [one, other] = open.map(({ claim }) => claim);
  if (one && other) throw new ChangedBlockError(one.id, one.origin, other.id, other.origin);
  return refused.map(({ error }) => error.message);
}

/** Contents of a folder. */
interface FolderContents {
  readonly blocks: readonly BlockReferences[];
  readonly shelf: FileShelf;
  readonly states: readonly SourceState[];
  readonly bytes: number;
  /** Files and blocks that are not taken, each with the reason. */
  readonly ignored: readonly string[];
}

async function describe(contents: FolderContents): Promise<SourceFacts> {
  const { blocks, shelf, states, bytes, ignored } = contents;
  const firstMcSeqno = await shelf.masterchainFrom(0);
  const id = firstMcSeqno === null ? null : await shelf.masterchainId(firstMcSeqno);
  const prev = blocks.find((block) => block.id === id)?.prevRefs[0];
  const zerostate =
    prev?.seqno === 0 ? prev : states.find((state) => state.id.workchain === -1 && state.id.seqno === 0)?.id;
  return {
    firstMcSeqno,
    lastMcSeqno: shelf.lastMasterchain,
    zerostate: zerostate ? { rootHash: zerostate.rootHash, fileHash: zerostate.fileHash } : null,
    globalId: blocks[0]?.globalId ?? states[0]?.globalId ?? null,
    blocks: shelf.size,
    bytes,
    states,
    duplicates: shelf.duplicates,
    ignored,
  };
}
