import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import { note } from '../common/report.ts';

/** The masterchain and four shards make a block each; one transaction of a step leaves three of them empty. */
const SHARDS = 4;
export const BLOCKS_PER_STEP = SHARDS + 1;
const TRANSACTIONS_PER_STEP = 1;

/** Writes packages of a chain like mainnet's, of at least so many blocks. */
export async function generateChain(directory: string, blocks: number): Promise<void> {
  const transactions = Math.ceil(blocks / BLOCKS_PER_STEP) * TRANSACTIONS_PER_STEP;
  note(`generating ${Math.ceil(blocks)} blocks`);
  const chain = { transactions, shards: SHARDS, perStep: TRANSACTIONS_PER_STEP, everyShard: true };
  await generatePacks({ directory, seed: 'blocks', ...chain });
}
