import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BlockAnswer, BlocksAnswer, MasterchainInfoAnswer } from '../../src/api/v3/schemas/block.ts';
import { type ApiOfStore, type ApiParameters, openApi } from '../helpers/api-of-store.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithChain } from '../helpers/shared-data.ts';

/* The block endpoints over mainnet's first 99 masterchain blocks, where shards split 1 → 2 → 4. */

const id = ({ workchain, shard, seqno }: Pick<BlockAnswer, 'workchain' | 'shard' | 'seqno'>) =>
  `${workchain}:${shard}:${seqno}`;

describeWithChain('blocks of a chain from its first one', ({ data, set, last: lastSeqno }) => {
  let api: ApiOfStore;
  let all: BlockAnswer[];
  const blocks = async (path: string, parameters: ApiParameters): Promise<BlockAnswer[]> => {
    const reply = await api.get(path, parameters);
    expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
    return (reply.json as BlocksAnswer).blocks;
  };
  const list = (parameters: ApiParameters) => blocks('/api/v3/blocks', parameters);

  beforeAll(async () => {
    api = await openApi({ folders: [`${data}/blocks/${set}`] });
    all = await list({ limit: 1000, sort: 'asc' });
  });
  afterAll(async () => {
    expect(api.store.logged).toEqual([]);
    await api.close();
  });

  it('equals the facts of the blocks', () => {
    const facts = JSON.parse(readFileSync(`${data}/blocks/${set}/facts.json`, 'utf8')) as Record<
      string,
      Record<string, unknown>
    >;
    expect(all.length).toBe(Object.keys(facts).length);
    const hex = (base64: string) => Buffer.from(base64, 'base64').toString('hex');
    for (const block of all) {
      const fact =
        facts[`${block.workchain}_${block.shard.toLowerCase().padStart(16, '0')}_${block.seqno}.boc`];
      expect(fact, id(block)).toBeDefined();
      if (!fact) continue;
      expect(hex(block.root_hash)).toBe(fact.root_hash);
      expect(block.tx_count).toBe((fact.transactions as unknown[]).length);
    }
  });

  it('leads from every block to its predecessors through splits', () => {
    const known = new Map(all.map((block) => [id(block), block]));
    let split = 0;
    for (const block of all) {
      for (const previous of block.prev_blocks ?? []) {
        if (previous.seqno === 0) continue;
        const found = known.get(id(previous));
        expect(found, `${id(block)} after ${id(previous)}`).toBeDefined();
        if (found && found.shard !== block.shard) split++;
        expect(BigInt(found?.start_lt ?? 0) < BigInt(block.start_lt)).toBe(true);
      }
    }
    expect(split).toBeGreaterThan(3);
  });

  it('names both ends of the visible range', async () => {
    const { json } = await api.get('/api/v3/masterchainInfo');
    const { first, last } = json as MasterchainInfoAnswer;
    expect([id(first), id(last)]).toEqual(['-1:8000000000000000:1', `-1:8000000000000000:${lastSeqno}`]);
    expect(last.masterchain_block_ref).toEqual({
      workchain: -1,
      shard: '8000000000000000',
      seqno: lastSeqno,
    });
    expect(last.master_ref_seqno).toBe(0);
  });

  it('answers seeded combinations of filters as a model does', async () => {
    const random = new SeededRandom(99);
    for (let round = 0; round < 60; round++) {
      const wanted = chosen(random, all);
      const dir = wanted.sort === 'asc' ? 1 : -1;
      const model = all
        .filter((block) => matches(block, wanted))
        .sort((a, b) => dir * compare(a, b))
        .map(id);
      const limit = random.pick([1, 7, 500]);
      const offset = random.pick([0, 0, 3]);
      expect({ round, wanted, ids: (await list({ ...wanted, limit, offset })).map(id) }).toEqual({
        round,
        wanted,
        ids: model.slice(offset, offset + limit),
      });
    }
  });

  it('groups blocks by the masterchain block that committed them', async () => {
    let seen = 0;
    for (const seqno of [1, 2, 40, 99]) {
      const step = await blocks('/api/v3/masterchainBlockShards', { seqno, limit: 1000 });
      expect(step.map(id)).toEqual(expect.arrayContaining([`-1:8000000000000000:${seqno}`]));
      expect(new Set(step.map(id))).toEqual(
        new Set(all.filter((block) => block.masterchain_block_ref.seqno === seqno).map(id)),
      );
      const sorted = await blocks('/api/v3/masterchainBlockShards', { seqno, limit: 1000, sort: 'desc' });
      expect(new Set(sorted.map(id))).toEqual(new Set(step.map(id)));
      seen += step.length;
    }
    expect(seen).toBeGreaterThan(8);
  });

  it('gives the top block of every shard as of a masterchain block', async () => {
    for (const seqno of [5, 50, 99]) {
      const tops = await blocks('/api/v3/masterchainBlockShardState', { seqno });
      const shards = tops.filter(({ workchain }) => workchain === 0);
      const covered = shards.reduce((sum, { shard }) => {
        const value = BigInt(`0x${shard}`);
        return sum + 2n * (value & -value);
      }, 0n);
      expect(covered).toBe(1n << 64n);
      for (const top of shards) {
        const later = all.filter(
          (block) =>
            block.shard === top.shard &&
            block.workchain === 0 &&
            block.masterchain_block_ref.seqno <= seqno &&
            block.seqno > top.seqno,
        );
        expect(later).toEqual([]);
      }
      expect(tops.filter(({ workchain }) => workchain === -1).map(({ seqno: own }) => own)).toEqual([seqno]);
    }
  });

  it('does not know masterchain blocks outside the visible range', async () => {
    for (const path of ['/api/v3/masterchainBlockShards', '/api/v3/masterchainBlockShardState']) {
      for (const seqno of ['0', `${lastSeqno + 1}`, '-1', 'abc', '99999999999']) {
        const reply = await api.get(path, { seqno });
        expect([path, seqno, reply.status, reply.json]).toEqual([
          path,
          seqno,
          404,
          { code: 404, error: 'blocks not found' },
        ]);
      }
      expect((await api.get(path)).status).toBe(404);
    }
  });
});

function compare(a: BlockAnswer, b: BlockAnswer): number {
  const key = (block: BlockAnswer) => [
    BigInt(block.gen_utime),
    BigInt(block.workchain),
    BigInt(`0x${block.shard}`),
    BigInt(block.seqno),
  ];
  const [x, y] = [key(a), key(b)];
  const at = x.findIndex((value, i) => value !== y[i]);
  return at < 0 ? 0 : (x[at] as bigint) < (y[at] as bigint) ? -1 : 1;
}

function matches(block: BlockAnswer, wanted: ApiParameters): boolean {
  const tests = [
    wanted.workchain === undefined || block.workchain === wanted.workchain,
    wanted.shard === undefined || block.shard === wanted.shard,
    wanted.seqno === undefined || block.seqno === wanted.seqno,
    wanted.root_hash === undefined || block.root_hash === wanted.root_hash,
    wanted.file_hash === undefined || block.file_hash === wanted.file_hash,
    wanted.mc_seqno === undefined || block.masterchain_block_ref.seqno === wanted.mc_seqno,
    wanted.start_utime === undefined || Number(block.gen_utime) >= Number(wanted.start_utime),
    wanted.end_utime === undefined || Number(block.gen_utime) <= Number(wanted.end_utime),
    wanted.start_lt === undefined || BigInt(block.start_lt) >= BigInt(String(wanted.start_lt)),
    wanted.end_lt === undefined || BigInt(block.start_lt) <= BigInt(String(wanted.end_lt)),
  ];
  return tests.every(Boolean);
}

function chosen(random: SeededRandom, all: readonly BlockAnswer[]): ApiParameters {
  const one = () => random.pick(all);
  const wanted: Record<string, string | number> = {};
  if (random.oneIn(2)) wanted.sort = random.pick(['asc', 'desc']);
  if (random.oneIn(3)) wanted.workchain = random.pick([-1, 0]);
  if (random.oneIn(4)) wanted.shard = one().shard;
  if (random.oneIn(5)) wanted.seqno = one().seqno;
  if (random.oneIn(8)) wanted.root_hash = one().root_hash;
  if (random.oneIn(10)) wanted.file_hash = one().file_hash;
  if (random.oneIn(6)) wanted.mc_seqno = one().masterchain_block_ref.seqno;
  if (random.oneIn(4)) wanted.start_utime = one().gen_utime;
  if (random.oneIn(4)) wanted.end_utime = one().gen_utime;
  if (random.oneIn(5)) wanted.start_lt = one().start_lt;
  if (random.oneIn(5)) wanted.end_lt = one().start_lt;
  return wanted;
}
