import { openArchive } from '../../../src/capture/archive/archive-source.ts';
import { describeWithChain } from '../../helpers/shared-data.ts';
import { sourceContract } from './source-contract.ts';
import { writePacks } from './write-pack.ts';

describeWithChain('archive', (chain) => {
  sourceContract('archive, one slice', chain, async (folder, blocks) => {
    await writePacks(folder, blocks, { separator: ':', slice: 100 });
    return openArchive(folder, []);
  });
  sourceContract('archive, many slices, newer names', chain, async (folder, blocks) => {
    await writePacks(folder, blocks, { separator: '_', slice: 10 });
    return openArchive(folder, []);
  });
});
