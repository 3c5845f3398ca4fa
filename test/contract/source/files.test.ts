import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { blockIdText } from '../../../src/capture/block-id.ts';
import { openFiles } from '../../../src/capture/files/files-source.ts';
import { describeWithChain } from '../../helpers/shared-data.ts';
import { sourceContract } from './source-contract.ts';

describeWithChain('files', (chain) => {
  // Names without meaning, which also shuffle the order; the id is kept in them for the errors to show.
  sourceContract('files, shuffled, in sub-folders', chain, async (folder, blocks) => {
    for (const [index, { id, boc }] of blocks.entries()) {
      const name = createHash('sha256').update(`${index}`).digest('hex');
      const below = join(folder, name.slice(0, 1));
      await mkdir(below, { recursive: true });
      await writeFile(join(below, `${name.slice(0, 12)} ${blockIdText(id)}.boc`), boc);
    }
    await writeFile(join(folder, 'facts.json'), '{}');
    return openFiles(folder, []);
  });
});
