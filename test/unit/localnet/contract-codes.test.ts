import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runTolkCompiler } from '@ton/tolk-js';
import { describe, expect, it } from 'vitest';

const CONTRACTS = resolve(import.meta.dirname, '../../../src/localnet/contracts');
const CODES = join(CONTRACTS, 'codes');
const NAMES = readdirSync(CODES)
  .filter((file) => file.endsWith('-code.ts'))
  .map((file) => file.slice(0, -'-code.ts'.length));

describe('the committed code of localnet contracts', () => {
  it('is there for each source that is a contract', () => {
    const sources = readdirSync(CONTRACTS).filter((file) => file.endsWith('.tolk'));
    const isContract = (file: string) =>
      readFileSync(join(CONTRACTS, file), 'utf8').includes('fun onInternalMessage');
    expect(sources.filter(isContract).sort()).toEqual(NAMES.map((name) => `${name}.tolk`).sort());
  });

  it.each(NAMES)('equals %s.tolk', async (name) => {
    const module = (await import(join(CODES, `${name}-code.ts`))) as Record<string, string>;
    const result = await runTolkCompiler({
      entrypointFileName: `${name}.tolk`,
      fsReadCallback: (path) => readFileSync(join(CONTRACTS, path), 'utf8'),
    });
    if (result.status === 'error') throw new Error(result.message);
    expect(Object.values(module)).toEqual([result.codeBoc64]);
  });
});
