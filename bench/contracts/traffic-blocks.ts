import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSource } from '../../src/cli/compose/open-source.ts';
import { generatePacks, ZEROSTATE_FILES } from '../../src/localnet/generate/generate-packs.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { readBlockHeader } from '../../src/ton/decode/block-header.ts';
import { decodeBlock } from '../../src/ton/decode/decode-block.ts';
import type { RealBlock } from '../synthetic/real-blocks.ts';

/** Blocks of jetton, NFT and wallet traffic that the TVM executed, and the states that they begin with. */
export interface TrafficBlocks {
  readonly shard: readonly RealBlock[];
  readonly masterchain: readonly RealBlock[];
  readonly zerostates: readonly Uint8Array[];
}

/** Generates a local chain under mixed traffic; key blocks and empty ones are left out. */
export async function trafficBlocks(transactions: number): Promise<TrafficBlocks> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  try {
    await generatePacks({ directory, transactions, seed: 'bench', shards: 1, perStep: 200 });
    const source = await openSource(`archive:${directory}`);
    const [shard, masterchain]: [RealBlock[], RealBlock[]] = [[], []];
    for await (const { blocks } of source.steps(null, new AbortController().signal))
      for (const { boc, origin } of blocks) {
        const block = trafficBlock(boc, origin);
        if (block.header.keyBlock || block.transactions === 0) continue;
        (block.header.workchain === 0 ? shard : masterchain).push(block);
      }
    await source.close();
    const zerostates = ZEROSTATE_FILES.map((name) => new Uint8Array(readFileSync(join(directory, name))));
    return { shard, masterchain, zerostates };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function trafficBlock(bytes: Uint8Array, file: string): RealBlock {
  const boc = bytes.slice();
  const header = readBlockHeader(boc);
  const columns = new BaseColumns();
  const options = { verify: 'none', oldStatesBelowLt: 0n } as const;
  const { transactions } = decodeBlock(boc, { ...header, mcSeqno: header.seqno }, columns, options);
  const packBytes = columns.tables.transactions.col.messages.parts()[0]?.length ?? 0;
  return { file, boc, header, transactions, rows: columns.rows(), packBytes };
}
