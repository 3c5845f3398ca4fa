import type { FileReading } from '../../platform/files/list-files.ts';
import type { BlockIdExt } from '../block-id.ts';
import { chainSteps } from '../chain/chain-steps.ts';
import type { Source, SourceFacts } from '../source.ts';
import { ArchiveSignatures } from './archive-signatures.ts';
import { describeStart } from './describe-start.ts';
import { type FollowOptions, GrowingShelf } from './growing-shelf.ts';
import { findPacks, type PackList } from './pack-groups.ts';
import { PackIndex } from './pack-index.ts';

/** Blocks from packages that a node is still writing. The source waits at the end for more; it ends with the signal. */
export async function followArchive(
  path: string,
  hardForks: readonly BlockIdExt[],
  reading: FileReading,
  follow: FollowOptions,
): Promise<Source> {
  const quiet = reportOnce(reading);
  const list = await findPacks(path, quiet);
  const packs = new PackIndex(list, quiet, path);
  const shelf = new GrowingShelf(packs, follow);
  const signatures = new ArchiveSignatures(packs, quiet);
  const closing = new AbortController();
  const untilClosed = (signal?: AbortSignal) =>
    AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
  let facts: Promise<SourceFacts> | null = null;
  return {
    name: `archive:${path}`,
    finite: false,
    continuity: 'chain',
    describe() {
      facts ??= describeFirst(shelf, list, untilClosed(reading.signal));
      return facts;
    },
    steps: (after, signal) => chainSteps(shelf, after, hardForks, untilClosed(signal)),
    signatures: (block) => signatures.read(block),
    async close() {
      closing.abort();
      await shelf.close();
    },
  };
}

/** Waits for the first masterchain block. How many there will be is unknown. */
async function describeFirst(
  shelf: GrowingShelf,
  { ignored }: PackList,
  signal: AbortSignal,
): Promise<SourceFacts> {
  let start = await describeStart(shelf);
  while (start.firstMcSeqno === null) {
    if (!(await shelf.more(null, null, signal))) throw signal.reason;
    start = await describeStart(shelf);
  }
  return { ...start, lastMcSeqno: null, blocks: null, bytes: 0, states: [], duplicates: 0, ignored };
}

/** The folder is listed again and again, and what is skipped in it is reported once. */
function reportOnce({ signal, onSkip }: FileReading): FileReading {
  const reported = new Set<string>();
  return {
    signal,
    onSkip(path, reason) {
      const text = JSON.stringify([path, reason]);
      if (reported.has(text)) return;
      reported.add(text);
      onSkip?.(path, reason);
    },
  };
}
