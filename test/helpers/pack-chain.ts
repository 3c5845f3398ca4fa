import { readFileSync } from 'node:fs';
import { openArchive } from '../../src/capture/archive/archive-source.ts';
import { readSourceState } from '../../src/capture/read-state.ts';
import { LiteChain } from '../../src/liteserver/chain/lite-chain.ts';
import type { LiteContext } from '../../src/liteserver/lite-context.ts';
import { parseBoc } from '../../src/ton/boc/boc.ts';

/** A chain in packages from its zerostates on, with the signatures of its validators, as a lite server's chain. */
export async function packChain(packs: string, zerostates: readonly string[]): Promise<LiteContext> {
  const chain = new LiteChain();
  const states = zerostates.map((file) =>
    readSourceState(parseBoc(new Uint8Array(readFileSync(file))), file),
  );
  chain.take({ mcSeqno: 0, states, blocks: [] });
  const source = await openArchive(packs, []);
  for await (const step of source.steps(null, new AbortController().signal)) chain.take(step);
  // Signatures are read from files that are opened for each.
  await source.close();
  return {
    chain,
    zerostate: states[0]!.id,
    older: null,
    signatures: (block) => source.signatures!(block),
    send: null,
    runMethod: null,
    load: null,
  };
}
