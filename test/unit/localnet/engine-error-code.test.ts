import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EngineClient } from '../../../src/localnet/engine/engine-client.ts';
import { engineOptions } from './engine-test-options.ts';
import { temporaryFolder } from './local-engine.ts';

it('keeps the code of the operating system when the thread of the chain fails', async () => {
  const file = join(await temporaryFolder(), 'file');
  writeFileSync(file, '');
  const started = EngineClient.start(engineOptions(join(file, 'localnet')));
  await expect(started).rejects.toMatchObject({ name: 'EngineCallError', code: 'ENOTDIR' });
});
