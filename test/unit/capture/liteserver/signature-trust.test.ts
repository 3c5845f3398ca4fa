import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type LiveSource, openLiteServer } from '../../../../src/capture/liteserver/liteserver-source.ts';
import type { Source, Step } from '../../../../src/capture/source.ts';
import type { LiteAddress } from '../../../../src/liteapi/lite-connection.ts';
import { LiteListener } from '../../../../src/liteapi/lite-listener.ts';
import { BlockSigner } from '../../../../src/localnet/validator/block-signer.ts';
import { parseBoc } from '../../../../src/ton/boc/boc.ts';
import { openBlock } from '../../../../src/ton/decode/open-block.ts';
import type { SignatureSet } from '../../../../src/ton/proofs/signature-set.ts';
import { LiteBlocks } from '../../../helpers/lite-blocks.ts';
import { type Forge, LiteProofs, type ProofOptions } from '../../../helpers/lite-proofs.ts';
import { makeLocalBlocks } from '../../../helpers/local-blocks.ts';

const SEED = 'test';
/** Every fourth block or so is a key block. */
const SECONDS = 20_000;

let chain: readonly Step[];
beforeAll(async () => {
  chain = await makeLocalBlocks({ seed: SEED, transactions: 120, secondsPerStep: SECONDS });
});

async function serve(options: Partial<ProofOptions> = {}): Promise<LiteAddress> {
  const blocks = new LiteBlocks(chain, new LiteProofs({ seed: SEED, form: 'ordinary', ...options }));
  const { answer } = blocks;
  const seed = Buffer.alloc(32, 6);
  const listener = await LiteListener.open({ host: '127.0.0.1', port: 0, seed, answer, onError: () => {} });
  onTestFinished(() => listener.close());
  return { host: '127.0.0.1', port: listener.port, key: listener.publicKey };
}

function follow(servers: readonly LiteAddress[], directory = folder(), warnings: string[] = []): LiveSource {
  const zerostate = new LiteBlocks(chain).zerostate.id;
  const note = (_facts: object, text: string) => void warnings.push(text);
  const source = openLiteServer({
    config: { servers, ignored: [], zerostate, initBlock: zerostate, hardForks: [] },
    trust: 'signatures',
    trustedBlock: null,
    from: { kind: 'seqno', seqno: 1 },
    directory,
    log: { debug: note, info: note, warn: note, error: note },
  });
  onTestFinished(() => source.close());
  return source;
}

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'key-block-'));
}

async function readTo(source: Source, last: number): Promise<number[]> {
  const seqnos: number[] = [];
  for await (const { mcSeqno } of source.steps(null, new AbortController().signal)) {
    seqnos.push(mcSeqno);
    if (mcSeqno >= last) break;
  }
  return seqnos;
}

const last = () => chain.at(-1)?.mcSeqno ?? 0;
const keySeqnos = () =>
  chain.flatMap(({ blocks }) => blocks.filter(({ header }) => header.keyBlock).map(({ id }) => id.seqno));

const turnedBit: Forge = (set) => ({
  ...set,
  signatures: set.signatures.map(({ nodeId, signature }) => {
    const turned = Uint8Array.from(signature);
    turned[5] = (turned[5] as number) ^ 1;
    return { nodeId, signature: turned };
  }),
});
const twice: Forge = (set) => ({ ...set, signatures: [...set.signatures, ...set.signatures] });
const nobody: Forge = (set) => ({ ...set, signatures: [] });
const otherCandidate: Forge = (set) => {
  if (set.kind === 'ordinary') return set;
  const candidate = Uint8Array.from(set.candidate);
  candidate[60] = (candidate[60] as number) ^ 1;
  return { ...set, candidate };
};

describe('trust by signatures', () => {
  test.each(['ordinary', 'simplex'] as const)(
    'follows a chain with key blocks, %s signatures',
    async (form) => {
      expect(keySeqnos().length).toBeGreaterThan(2);
      const directory = folder();
      const source = follow([await serve({ form })], directory);
      expect(await readTo(source, last())).toEqual(chain.map(({ mcSeqno }) => mcSeqno));
      expect(source.trust.keyBlock).toBe(keySeqnos().at(-1));
      const record = JSON.parse(readFileSync(join(directory, 'key-block.json'), 'utf8'));
      expect(record.seqno).toBe(source.trust.keyBlock);
      await source.close();
      expect(follow([await serve({ form })], directory).trust.keyBlock).toBe(record.seqno);
    },
  );

  test('ignores a damaged record, and one that began at another trusted block', async () => {
    const directory = folder();
    for (const text of ['{', '{"seqno":5,"root_hash":"00","file_hash":"00","trusted":"x"}']) {
      writeFileSync(join(directory, 'key-block.json'), text);
      expect(follow([await serve()], directory).trust.keyBlock).toBe(0);
    }
  });

  test.each<[string, Partial<ProofOptions>, RegExp]>([
    ['a turned bit', { forge: turnedBit }, /expected a signature of its key/],
    ['a signer twice', { forge: twice }, /a second time/],
    ['less than two thirds', { forge: nobody }, /more than two thirds/],
    ['another candidate', { form: 'simplex', forge: otherCandidate }, /block of the candidate/],
    ['validators of another chain', { seed: 'another' }, /unknown, or a second time/],
    ['a key block left out', { skipsKeyBlocks: true }, /from key block/],
  ])('refuses %s, names the server, and asks another one', async (_name, options, reason) => {
    const warnings: string[] = [];
    const servers = [await serve(options), await serve()];
    // The pool chooses whom it asks first: until it was the liar.
    let refusal: Error | null = null;
    for (let attempt = 0; attempt < 100 && refusal === null; attempt++) {
      const source = follow(servers, folder(), warnings);
      await expect.poll(() => source.pool.servers.map(({ state }) => state)).toEqual(['ready', 'ready']);
      expect(await readTo(source, last())).toEqual(chain.map(({ mcSeqno }) => mcSeqno));
      refusal = source.pool.servers[0]?.lastError ?? null;
      await source.close();
    }
    expect(refusal?.message).toMatch(reason);
    expect(warnings.join()).toContain(
      `data of 127.0.0.1:${servers[0]?.port} refused: a proof of masterchain block`,
    );
  });

  test('delivers nothing if only a liar is there', async () => {
    const source = follow([await serve({ forge: turnedBit })]);
    await expect.poll(() => source.pool.servers[0]?.state).toBe('ready');
    const steps = source.steps(null, new AbortController().signal)[Symbol.asyncIterator]();
    const first = steps.next();
    await expect.poll(() => source.pool.servers[0]?.health.failures.get('data') ?? 0).toBeGreaterThan(4);
    await source.close();
    expect(await first).toEqual({ done: true, value: undefined });
  });
});

describe('signatures of a block', () => {
  const signed = (seqno: number) => {
    const block = chain
      .flatMap(({ blocks }) => blocks)
      .find(({ id }) => id.workchain === -1 && id.seqno === seqno)!;
    const { genValidatorListHashShort, genCatchainSeqno, prevKeyBlockSeqno } = openBlock(block.boc).info;
    return { ...block.id, genValidatorListHashShort, genCatchainSeqno, prevKeyBlockSeqno };
  };

  test.each(['ordinary', 'simplex'] as const)('come from a server, %s', async (form) => {
    const source = follow([await serve({ form })]);
    for (const seqno of [1, 2, keySeqnos()[1]!, last()]) {
      const block = signed(seqno);
      const set = await source.signatures!(block);
      expect(set).toMatchObject({ kind: form, catchainSeqno: block.genCatchainSeqno });
      const hex = (given: SignatureSet) => given.signatures.map(({ signature }) => signature.toHex());
      expect(hex(set!)).toEqual(hex(new BlockSigner(SEED, form).sign(block)!));
    }
  });

  test('are none if they do not prove the block, or no server has it', async () => {
    const liar = follow([await serve({ forge: turnedBit })]);
    expect(await liar.signatures!(signed(2))).toBeNull();
    const source = follow([await serve()]);
    expect(await source.signatures!({ ...signed(2), rootHash: new Uint8Array(32) })).toBeNull();
  });

  test('of blocks before the newest proven key block come too: a link leads back to their key block', async () => {
    const source = follow([await serve()]);
    await readTo(source, last());
    expect(source.trust.keyBlock).toBeGreaterThan(2);
    expect(await source.signatures!(signed(2))).toMatchObject({ kind: 'ordinary' });
  });
});

describe('the proof of an earlier block', () => {
  const id = (seqno: number) =>
    chain.flatMap(({ blocks }) => blocks).find(({ id }) => id.workchain === -1 && id.seqno === seqno)!.id;

  test('comes from a server that has the state, for the right block only', async () => {
    const source = follow([await serve()]);
    const proof = await source.oldBlock!(id(4), id(2));
    const state = parseBoc(proof!);
    expect(state.roots).toHaveLength(1);
    expect(await source.oldBlock!(id(4), { ...id(2), rootHash: new Uint8Array(32) })).toBeNull();
    expect(await source.oldBlock!(id(2), id(4))).toBeNull();
  });
});
