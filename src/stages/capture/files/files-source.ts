import type { BlockIdExt } from '../block-id.ts';
import { chainSteps } from '../chain/chain-steps.ts';
import type { ChainTip, Source, SourceFacts, SourceState, Step } from '../source.ts';
import { distinctStates, startFromStates } from '../states.ts';
import { type BlockReferences, checkReferences } from './check-references.ts';
import { FileShelf } from './file-shelf.ts';
import { listFiles, scanFiles } from './scan-folder.ts';

interface Folder {
  readonly shelf: FileShelf;
  readonly facts: SourceFacts;
}

/**
 * Blocks of one chain from a folder of files, under any names and in any order. States among them are what the index
 * starts from. The folder is read once to know what is in it, then each block when its turn comes.
 */
export async function openFiles(path: string, hardForks: readonly BlockIdExt[]): Promise<Source> {
  const files = await listFiles(path);
  let folder: Promise<Folder> | null = null;
  const read = () => {
    folder ??= readFolder(files);
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

/** @throws UnreadableError, ChangedBlockError, ForeignBlockError */
async function readFolder(files: readonly string[]): Promise<Folder> {
  const blocks: BlockReferences[] = [];
  const states: SourceState[] = [];
  const ignored: string[] = [];
  let bytes = 0;
  for await (const found of scanFiles(files)) {
    if (found.kind === 'bad') throw found.error;
    if (found.kind === 'other') {
      ignored.push(`${found.file}: ${found.reason}`);
      continue;
    }
    bytes += found.bytes.length;
    if (found.kind === 'state') states.push(found.state);
    else {
      const { id, header } = found.block;
      const { globalId, masterRef, prevRefs } = header;
      blocks.push({ id, file: found.file, globalId, masterRef, prevRefs });
    }
  }
  const shelf = new FileShelf(blocks);
  checkReferences(blocks);
  const distinct = distinctStates(states);
  return { shelf, facts: await describe(blocks, shelf, distinct, bytes, ignored) };
}

async function describe(
  blocks: readonly BlockReferences[],
  shelf: FileShelf,
  states: readonly SourceState[],
  bytes: number,
  ignored: readonly string[],
): Promise<SourceFacts> {
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
