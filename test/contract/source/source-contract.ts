import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { blockIdExtText, blockIdText, isMasterchain } from '../../../src/capture/block-id.ts';
import {
  ChainGapError,
  ChangedBlockError,
  ForeignBlockError,
  MissingBlockError,
} from '../../../src/capture/chain/chain-errors.ts';
import type { ChainTip, Source, Step } from '../../../src/capture/source.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import type { TestChain } from '../../helpers/shared-data.ts';
import { committedBlocks, never, readBlocks, stepsOf, tipAfter } from './real-chain.ts';
import type { TestBlock } from './write-pack.ts';

/** Puts blocks into an empty folder in the source's own form, and opens it. */
export type OpenWith = (folder: string, blocks: readonly TestBlock[]) => Promise<Source>;

const ids = (steps: readonly Step[]) => steps.map((step) => step.blocks.map(({ id }) => blockIdExtText(id)));

/** Requirements on a source of a chain at rest. Runs on mainnet's first 99 masterchain blocks, or on the fixture pack. */
export function sourceContract(name: string, network: TestChain, openWith: OpenWith): void {
  describe(`source: ${name}`, () => {
    const cleanUp: (() => Promise<unknown>)[] = [];
    let chain: TestBlock[];

    beforeAll(async () => {
      chain = await committedBlocks(join(network.data, 'blocks', network.set));
    });
    afterEach(async () => {
      for (const clean of cleanUp.splice(0).reverse()) await clean();
    });

    async function open(blocks: readonly TestBlock[]): Promise<Source> {
      const folder = await mkdtemp(join(tmpdir(), 'tonhouse-source-'));
      cleanUp.push(() => rm(folder, { recursive: true }));
      const source = await openWith(folder, blocks);
      cleanUp.push(() => source.close());
      return source;
    }

    const failure = async (blocks: readonly TestBlock[]) =>
      open(blocks)
        .then((source) => stepsOf(source))
        .then(
          () => new Error('nothing was thrown'),
          (error: Error) => error,
        );
    const without = (gone: TestBlock) => chain.filter((block) => block !== gone);
    const shardBlock = () => chain.filter(({ id }) => !isMasterchain(id))[120]!;
    const masterchainBlock = (seqno: number) =>
      chain.find(({ id }) => isMasterchain(id) && id.seqno === seqno)!;

    it('hands out each masterchain block with what it commits, parents first', async () => {
      const steps = await stepsOf(await open(chain));
      expect(ids(steps).flat()).toEqual(chain.map(({ id }) => blockIdExtText(id)));
      expect(steps.map(({ mcSeqno }) => mcSeqno)).toEqual(
        Array.from({ length: network.last }, (_, i) => i + 1),
      );
      const seen = new Set<string>();
      for (const { mcSeqno, blocks } of steps) {
        expect(blocks.at(-1)?.id).toMatchObject({ workchain: -1, seqno: mcSeqno });
        for (const { id, header } of blocks) {
          for (const prev of header.prevRefs)
            expect(prev.seqno === 0 || seen.has(blockIdExtText(prev))).toBe(true);
          seen.add(blockIdExtText(id));
        }
      }
      expect(seen.size).toBe(network.blocks);
    });

    it('knows itself', async () => {
      const source = await open(chain);
      const facts = await source.describe();
      expect(facts).toMatchObject({
        firstMcSeqno: 1,
        lastMcSeqno: network.last,
        globalId: network.isMainnet ? -239 : LOCALNET_GLOBAL_ID,
        blocks: network.blocks,
        duplicates: 0,
      });
      expect(Buffer.from(facts.zerostate!.rootHash).toString('hex')).toMatch(
        network.isMainnet ? /^17a3a929/ : /^[0-9a-f]{64}$/,
      );
      expect(facts.bytes).toBeGreaterThan(1_000_000);
      expect([source.finite, source.continuity]).toEqual([true, 'chain']);
    });

    it('continues after a tip', async () => {
      const source = await open(chain);
      const all = await stepsOf(source);
      for (const at of [0, 34, 76, 97])
        expect(ids(await stepsOf(source, tipAfter(all[at]!)))).toEqual(ids(all.slice(at + 1)));
      expect(await stepsOf(source, tipAfter(all.at(-1)!))).toEqual([]);
    });

    it('gives the same again', async () => {
      const source = await open(chain);
      expect(ids(await stepsOf(source))).toEqual(ids(await stepsOf(source)));
    });

    it('stops on abort', async () => {
      const stop = new AbortController();
      const seen: number[] = [];
      for await (const { mcSeqno } of (await open(chain)).steps(null, stop.signal)) {
        seen.push(mcSeqno);
        if (mcSeqno === 5) stop.abort();
      }
      expect(seen).toEqual([1, 2, 3, 4, 5]);
    });

    it('begins in mid-chain at its first masterchain block', async () => {
      const steps = await stepsOf(await open(chain.filter(({ mcSeqno }) => mcSeqno >= 60)));
      expect(ids(steps).flat()).toEqual(
        chain.filter(({ mcSeqno }) => mcSeqno >= 60).map(({ id }) => blockIdExtText(id)),
      );
    });

    it('drops and counts exact duplicates', async () => {
      const source = await open([...chain, ...chain.slice(40, 50)]);
      expect((await stepsOf(source)).flatMap(({ blocks }) => blocks)).toHaveLength(network.blocks);
      expect((await source.describe()).duplicates).toBe(10);
    });

    it('names a missing shard block and who names it', async () => {
      const gone = shardBlock();
      const error = await failure(without(gone));
      expect(error).toBeInstanceOf(MissingBlockError);
      expect(error.message).toContain(blockIdExtText(gone.id));
    });

    it('returns the blocks before the missing block', async () => {
      const gone = shardBlock();
      const seen: number[] = [];
      const source = await open(without(gone));
      await expect(async () => {
        for await (const { mcSeqno } of source.steps(null, never)) seen.push(mcSeqno);
      }).rejects.toThrow(MissingBlockError);
      expect(seen).toEqual(Array.from({ length: gone.mcSeqno - 1 }, (_, i) => i + 1));
    });

    it('names the first missing masterchain block and what was found next', async () => {
      const gone = new Set([50, 51].map(masterchainBlock));
      const error = await failure(chain.filter((block) => !gone.has(block)));
      expect(error).toBeInstanceOf(ChainGapError);
      expect(error).toMatchObject({ missing: 50, next: 52 });
    });

    it('refuses a log that ends before its first block', async () => {
      const [, , third] = await stepsOf(await open(chain));
      const source = await open(chain.filter(({ mcSeqno }) => mcSeqno >= 60));
      await expect(stepsOf(source, tipAfter(third!))).rejects.toMatchObject({
        name: 'ChainGapError',
        missing: 4,
        next: 60,
      });
    });

    it.each([0.02, 0.5, 0.98])(
      'refuses a block with a byte changed at %d of its length, by its name',
      async (part) => {
        for (const block of [shardBlock(), masterchainBlock(44)]) {
          const boc = block.boc.slice();
          boc[Math.floor(boc.length * part)]! ^= 0x10;
          const error = await failure(chain.map((known) => (known === block ? { ...block, boc } : known)));
          expect(['PackError', 'UnreadableError', 'ChangedBlockError', 'ForeignBlockError']).toContain(
            error.name,
          );
          const { workchain, shard, seqno } = block.id;
          expect(error.message).toMatch(`${workchain},${shard.toString(16)},${seqno}`);
        }
      },
    );

    it.runIf(network.isMainnet)('refuses a block of another network', async () => {
      const foreign = readBlocks(join(network.data, 'blocks/private-a')).find(
        ({ id }) => isMasterchain(id) && id.seqno === 100,
      )!;
      const error = await failure([...chain, foreign]);
      expect(error).toBeInstanceOf(ForeignBlockError);
      expect(error.message).toContain(blockIdText(foreign.id));
    });

    it('refuses a log that ends with another block than the one it follows or has', async () => {
      const steps = await stepsOf(await open(chain));
      const tip = tipAfter(steps[49]!);
      const other = { ...tip, masterchain: { ...tip.masterchain, fileHash: new Uint8Array(32) } } as ChainTip;
      await expect(stepsOf(await open(chain), other)).rejects.toThrow(ChangedBlockError);
      const behind = await open(chain.filter(({ mcSeqno }) => mcSeqno > 50));
      await expect(stepsOf(behind, other)).rejects.toThrow(ForeignBlockError);
      expect(ids(await stepsOf(behind, tip))).toEqual(ids(steps.slice(50)));
    });
  });
}
