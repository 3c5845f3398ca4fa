import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { blockIdText } from '../../../../src/capture/block-id.ts';
import { archiveThenLive } from '../../../../src/capture/liteserver/archive-then-live.ts';
import { type LiveSource, openLiteServer } from '../../../../src/capture/liteserver/liteserver-source.ts';
import { fromTlId } from '../../../../src/capture/liteserver/tl-block-id.ts';
import { tipAfter } from '../../../../src/capture/log-tail.ts';
import type { Source, SourceBlock, Step } from '../../../../src/capture/source.ts';
import type { LiteAddress } from '../../../../src/liteapi/lite-connection.ts';
import { LiteServerError } from '../../../../src/liteapi/lite-errors.ts';
import { type AnswerRequest, LiteListener } from '../../../../src/liteapi/lite-listener.ts';
import { decodeBoxed, encodeBoxed } from '../../../../src/liteapi/schema/codec.ts';
import type { TlValue } from '../../../../src/liteapi/schema/values.ts';
import { LiteBlocks } from '../../../helpers/lite-blocks.ts';
import { makeLocalBlocks } from '../../../helpers/local-blocks.ts';

type Fault = (answer: AnswerRequest) => AnswerRequest;

let chain: readonly Step[];
let foreign: readonly Step[];
beforeAll(async () => {
  chain = await makeLocalBlocks({ shards: 2, transactions: 80 });
  foreign = await makeLocalBlocks({ seed: 'another', transactions: 5 });
});

async function serve(blocks: LiteBlocks, fault: Fault = (answer) => answer, port = 0): Promise<LiteAddress> {
  const answer = fault(blocks.answer);
  const seed = Buffer.alloc(32, 5);
  const listener = await LiteListener.open({ host: '127.0.0.1', port, seed, answer, onError: () => {} });
  onTestFinished(() => listener.close());
  return { host: '127.0.0.1', port: listener.port, key: listener.publicKey };
}

interface Follow {
  readonly from?: number;
  readonly trust?: 'hashes' | 'chain';
  readonly warnings?: string[];
}

function follow(
  servers: readonly LiteAddress[],
  { from = 1, trust = 'hashes', warnings = [] }: Follow = {},
): LiveSource {
  const zerostate = new LiteBlocks(chain).zerostate.id;
  const note = (_facts: object, text: string) => void warnings.push(text);
  const source = openLiteServer({
    config: { servers, ignored: [], zerostate, initBlock: zerostate, hardForks: [] },
    trust,
    trustedBlock: null,
    from: { kind: 'seqno', seqno: from },
    directory: mkdtempSync(join(tmpdir(), 'key-block-')),
    log: { debug: note, info: note, warn: note, error: note },
  });
  onTestFinished(() => source.close());
  return source;
}

/** Reads steps up to a masterchain seqno, each as text of its blocks. */
async function read(source: Source, last: number, after: Step | null = null): Promise<string[]> {
  const tip = after && tipAfter(after.blocks.at(-1) as SourceBlock);
  const texts: string[] = [];
  for await (const step of source.steps(tip, new AbortController().signal)) {
    texts.push(textOf(step));
    if (step.mcSeqno >= last) break;
  }
  return texts;
}

function textOf({ mcSeqno, states, blocks }: Step): string {
  const ids = [...states, ...blocks].map(({ id, boc }) => `${blockIdText(id)} ${boc.length}`);
  return [mcSeqno, ...ids].join(' ');
}

const lastSeqno = () => chain.at(-1)?.mcSeqno ?? 0;
const expected = () => chain.map(textOf);

describe('a source of lite servers', () => {
  test('yields the zerostates and every step, equal to the packs', async () => {
    const source = follow([await serve(new LiteBlocks(chain))]);
    const facts = await source.describe();
    expect(facts).toMatchObject({ firstMcSeqno: 1, lastMcSeqno: null, globalId: -1000 });
    expect(facts.states).toHaveLength(2);
    expect(await read(source, lastSeqno())).toEqual(expected());
  });

  test('starts in mid-chain, and continues after the tip of a log', async () => {
    const address = await serve(new LiteBlocks(chain));
    const middle = chain.findIndex(({ mcSeqno }) => mcSeqno === 5);
    expect(await read(follow([address], { from: 6 }), lastSeqno())).toEqual(expected().slice(middle + 1));
    expect(await read(follow([address]), lastSeqno(), chain[middle] as Step)).toEqual(
      expected().slice(middle + 1),
    );
  });

  test('follows the head, also beyond the announced one', async () => {
    const blocks = new LiteBlocks(chain);
    const late = new LiteBlocks(chain);
    blocks.grow(3);
    late.grow(2);
    // This server announces block 2, waits for its announced head, and finds all others.
    const source = follow([
      await serve(blocks, (answer) => (request) => {
        const isInfo = request.name.startsWith('getMasterchainInfo');
        if (isInfo || request.wait) return late.answer(request);
        return answer(request);
      }),
    ]);
    const steps = source.steps(
      tipAfter(chain[2]?.blocks.at(-1) as SourceBlock),
      new AbortController().signal,
    );
    for (let seqno = 3; seqno <= 6; seqno++) {
      blocks.grow(seqno);
      expect(textOf((await steps[Symbol.asyncIterator]().next()).value)).toBe(expected()[seqno]);
    }
    await steps[Symbol.asyncIterator]().return?.();
  });

  test('drops data with a wrong hash or of another block, names the server, and asks another one', async () => {
    const warnings: string[] = [];
    const lie: Fault = (answer) => async (request) => {
      if (request.name !== 'getBlock') return answer(request);
      const { id, data } = decodeBoxed(await answer(request)).value as TlValue<'blockData'>;
      const isOther = id.seqno % 2 === 0;
      const [block] = chain[1]?.blocks ?? [];
      const turned = Buffer.from(isOther ? (block as SourceBlock).boc : data);
      if (!isOther) turned[turned.length >> 1] = (turned[turned.length >> 1] as number) ^ 1;
      return encodeBoxed('blockData', { id, data: turned });
    };
    const liar = await serve(new LiteBlocks(chain), lie);
    const source = follow([liar, await serve(new LiteBlocks(chain))], { warnings });
    expect(await read(source, lastSeqno())).toEqual(expected());
    const [server] = source.pool.servers;
    if (server?.health.failures.has('data'))
      expect(warnings.join()).toContain(`data of 127.0.0.1:${liar.port} refused: block`);
  });

  test('asks elsewhere if a server names a block that no server has', async () => {
    const lie: Fault = (answer) => async (request) => {
      if (request.name !== 'lookupBlock' || request.parameters.id.seqno !== 4) return answer(request);
      const rootHash = Buffer.alloc(32, 1);
      const id = { workchain: -1, shard: 1n << 63n, seqno: 4, root_hash: rootHash, file_hash: rootHash };
      return encodeBoxed('blockHeader', { id, mode: 1, header_proof: new Uint8Array() });
    };
    const servers = [await serve(new LiteBlocks(chain), lie), await serve(new LiteBlocks(chain))];
    expect(await read(follow(servers), lastSeqno())).toEqual(expected());
  });

  test('reports a server of another network, an unknown answer and a closed port, and follows the good one', async () => {
    const port = await closedPort();
    const source = follow([
      await serve(new LiteBlocks(foreign)),
      await serve(new LiteBlocks(chain), () => async () => encodeBoxed('currentTime', { now: 1 })),
      { host: '127.0.0.1', port, key: Buffer.alloc(32, 1) },
      await serve(new LiteBlocks(chain)),
    ]);
    expect(await read(source, lastSeqno())).toEqual(expected());
    const [other, unknown, closed, good] = source.pool.servers;
    await expect.poll(() => other?.state).toBe('foreign');
    expect(other?.lastError?.name).toBe('ForeignServerError');
    expect(unknown?.lastError?.name).toBe('UnknownAnswerError');
    expect(closed?.lastError?.name).toBe('ConnectionClosedError');
    expect(good).toMatchObject({ state: 'ready', lastError: null });
  });

  test('waits for shard blocks that no server has yet', async () => {
    const missing = new Map<string, number>();
    const late: Fault = (answer) => async (request) => {
      if (request.name !== 'getBlock' || request.parameters.id.workchain === -1) return answer(request);
      const key = blockIdText(fromTlId(request.parameters.id));
      missing.set(key, (missing.get(key) ?? 0) + 1);
      if ((missing.get(key) as number) <= 2) throw new LiteServerError(651, 'block is not applied');
      return answer(request);
    };
    const source = follow([await serve(new LiteBlocks(chain), late)]);
    expect(await read(source, 4)).toEqual(expected().slice(0, 5));
    expect(source.pool.servers[0]?.health.failures.get('not_ready')).toBeGreaterThan(4);
  });

  test('reconnects to a server that was away', async () => {
    const blocks = new LiteBlocks(chain);
    const seed = Buffer.alloc(32, 5);
    const options = { host: '127.0.0.1', seed, answer: blocks.answer, onError: () => {} };
    const first = await LiteListener.open({ ...options, port: 0 });
    const source = follow([{ host: '127.0.0.1', port: first.port, key: first.publicKey }]);
    const steps = source.steps(null, new AbortController().signal)[Symbol.asyncIterator]();
    const texts = [textOf((await steps.next()).value)];
    await first.close();
    const second = await LiteListener.open({ ...options, port: first.port });
    onTestFinished(() => second.close());
    while (texts.length < chain.length) texts.push(textOf((await steps.next()).value));
    expect(texts).toEqual(expected());
    await steps.return?.();
  });

  test('at the level chain begins after the trusted block only', async () => {
    const address = await serve(new LiteBlocks(chain));
    expect(await read(follow([address], { trust: 'chain' }), 3)).toEqual(expected().slice(0, 4));
    await expect(follow([address], { trust: 'chain', from: 7 }).describe()).rejects.toThrow(/--from "7"/);
  });

  test('follows the packs of an archive without a gap', async () => {
    const last = 7;
    const archive: Source = {
      name: 'archive:x',
      finite: true,
      continuity: 'chain',
      describe: async () => ({
        firstMcSeqno: 1,
        lastMcSeqno: last,
        zerostate: new LiteBlocks(chain).zerostate.id,
        globalId: -1000,
        blocks: null,
        bytes: 0,
        states: [],
        duplicates: 0,
        ignored: [],
      }),
      async *steps(after) {
        const from = after?.mcSeqno ?? -1;
        yield* chain.filter(({ mcSeqno }) => mcSeqno > from && mcSeqno <= last);
      },
      close: async () => {},
    };
    const live = follow([await serve(new LiteBlocks(chain))]);
    const source = archiveThenLive(archive, live);
    expect((await source.describe()).lastMcSeqno).toBeNull();
    expect(await read(source, lastSeqno())).toEqual(expected());
    expect(await read(source, lastSeqno(), chain[8] as Step)).toEqual(expected().slice(9));
  });

  test('ends at once with its signal, also while it waits for the next block', async () => {
    const source = follow([await serve(new LiteBlocks(chain))]);
    const stop = new AbortController();
    const texts: string[] = [];
    for await (const step of source.steps(null, stop.signal)) {
      texts.push(textOf(step));
      if (step.mcSeqno === lastSeqno()) setImmediate(() => stop.abort());
    }
    expect(texts).toEqual(expected());
  });
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address && typeof address === 'object' ? address.port : 0;
}
