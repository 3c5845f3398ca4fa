import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFiles } from '../../../src/capture/files/files-source.ts';
import { readShardTops, readSourceBlock } from '../../../src/capture/read-block.ts';
import type { ChainTip, Source, Step } from '../../../src/capture/source.ts';
import type { TestBlock } from './write-pack.ts';

export const never = new AbortController().signal;

export async function stepsOf(source: Source, after: ChainTip | null = null): Promise<Step[]> {
  const steps: Step[] = [];
  for await (const step of source.steps(after, never)) steps.push(step);
  return steps;
}

/** The blocks of a folder of the shared data, each with the masterchain block that commits it. */
export async function committedBlocks(folder: string): Promise<TestBlock[]> {
  const source = await openFiles(folder, []);
  const steps = await stepsOf(source);
  return steps.flatMap(({ mcSeqno, blocks }) => blocks.map(({ id, boc }) => ({ id, boc, mcSeqno })));
}

/** Blocks of a folder that form no chain. */
export function readBlocks(folder: string, wanted: (name: string) => boolean = () => true): TestBlock[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.boc') && wanted(name))
    .map((name) => {
      const boc = new Uint8Array(readFileSync(join(folder, name)));
      const { id, header } = readSourceBlock(boc, name);
      return { id, boc, mcSeqno: header.masterRef?.seqno ?? id.seqno };
    });
}

/** The tip of a chain after a step. */
export function tipAfter({ mcSeqno, blocks }: Step): ChainTip {
  const block = blocks.at(-1)!;
  const { globalId, vertSeqno } = block.header;
  return { mcSeqno, masterchain: block.id, shards: readShardTops(block), globalId, vertSeqno };
}
