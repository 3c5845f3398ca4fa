import { openArchive } from '../../../src/capture/archive/archive-source.ts';
import { describeWithData } from '../../helpers/shared-data.ts';
import { sourceContract } from './source-contract.ts';
import { writePacks } from './write-pack.ts';

describeWithData('archive', (data) => {
  sourceContract('archive, one slice', data, async (folder, blocks) => {
    await writePacks(folder, blocks, { separator: ':', slice: 100 });
    return openArchive(folder, []);
  });
  sourceContract('archive, many slices, newer names', data, async (folder, blocks) => {
    await writePacks(folder, blocks, { separator: '_', slice: 10 });
    return openArchive(folder, []);
  });
});
