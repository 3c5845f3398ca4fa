import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { LocalnetStateError } from '../../../src/localnet/engine/open-chain.ts';
import { restoreChain, saveChain } from '../../../src/localnet/state/save-chain.ts';
import { StateFiles } from '../../../src/localnet/state/state-files.ts';
import { GENESIS_UTIME } from './engine-test-options.ts';
import { makeSteps, openEngine, temporaryFolder } from './local-engine.ts';

describe('state files', () => {
  it.each([6, 5, 3, 0])('forget steps that the log never got (it ends at %d)', async (end) => {
    const directory = await temporaryFolder();
    const engine = await openEngine({ directory, shards: 2, traffic: 6 });
    await engine.resume(null);
    const steps = await makeSteps(engine, 6);
    await engine.close();
    const again = await openEngine({ directory, shards: 2, traffic: 6 });
    const at = end === 0 ? null : steps[end - 1]!;
    await again.resume(at && { mcSeqno: at.mcSeqno, rootHash: at.blocks.at(-1)!.id.rootHash });
    const [next] = await makeSteps(again, 1);
    expect(next!.mcSeqno).toBe(end + 1);
    if (at) expect(next!.blocks.at(-1)!.header.prevRefs[0]!.rootHash).toEqual(at.blocks.at(-1)!.id.rootHash);
  });

  it('take a journal that was cut off in the middle of a step', async () => {
    const directory = await temporaryFolder();
    const engine = await openEngine({ directory, traffic: 6 });
    await engine.resume(null);
    const steps = await makeSteps(engine, 4);
    await engine.close();
    const journal = join(directory, 'journal-0.bin');
    truncateSync(journal, readFileSync(journal).length - 3);
    const again = await openEngine({ directory, traffic: 6 });
    const end = (seqno: number) => ({
      mcSeqno: seqno,
      rootHash: steps[seqno - 1]!.blocks.at(-1)!.id.rootHash,
    });
    await expect(again.resume(end(4))).rejects.toThrow(LocalnetStateError);
    await again.resume(end(3));
    expect((await makeSteps(again, 1))[0]!.mcSeqno).toBe(4);
  });

  it('have no part of a step that found no room: it is made again, with all that it was to have', async () => {
    const script = join(import.meta.dirname, 'full-disk-child.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, await temporaryFolder()]);
    expect(JSON.parse(stdout)).toEqual({
      seqnos: [1, 2, 3, 4, 5],
      errors: ['EFBIG', 'EFBIG'],
      left: 0,
      stood: 2,
      pending: 1,
      after: 0,
      // Four steps of five seconds, and a jump that was asked for before the failures.
      utime: GENESIS_UTIME + 20 + 1_000,
    });
  }, 300_000);

  it('refuse another seed, another number of shards, and a log of another chain', async () => {
    const directory = await temporaryFolder();
    const engine = await openEngine({ directory });
    await expect(openEngine({ directory, seed: 'other' })).rejects.toThrow(LocalnetStateError);
    await expect(openEngine({ directory, shards: 2 })).rejects.toThrow(LocalnetStateError);
    await engine.resume(null);
    await makeSteps(engine, 2);
    await expect(engine.resume({ mcSeqno: 2, rootHash: new Uint8Array(32) })).rejects.toThrow(
      LocalnetStateError,
    );
    await expect(engine.resume({ mcSeqno: 9, rootHash: new Uint8Array(32) })).rejects.toThrow(
      LocalnetStateError,
    );
  });

  it('keep a snapshot that is complete or none', async () => {
    const directory = await temporaryFolder();
    const files = new StateFiles(directory);
    await files.writeValue('one.bin', { a: 1n, b: new Uint8Array([1, 2]) });
    expect(files.readValue('one.bin')).toEqual({ a: 1n, b: new Uint8Array([1, 2]) });
    expect(readdirSync(directory)).toEqual(['one.bin']);
    const bytes = readFileSync(join(directory, 'one.bin'));
    bytes[12]! ^= 1;
    writeFileSync(join(directory, 'one.bin'), bytes);
    expect(files.readValue('one.bin')).toBe(null);
  });

  it('give back the same ledgers', async () => {
    const engine = await openEngine({ shards: 4, traffic: 8 });
    await engine.resume(null);
    await makeSteps(engine, 6);
    const snapshot = saveChain(engine.chainState());
    const restored = restoreChain(snapshot, []);
    expect(saveChain(restored)).toEqual(snapshot);
  });
});
