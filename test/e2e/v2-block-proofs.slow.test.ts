/** Signatures and proofs of blocks through v2, checked as a client does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../src/ton/boc/boc.ts';
import { CellSlice } from '../../src/ton/boc/cell-slice.ts';
import type { BlockId } from '../../src/ton/decode/block-header.ts';
import { checkHeader } from '../../src/ton/proofs/check-header.ts';
import { checkMcExtra } from '../../src/ton/proofs/check-shards.ts';
import { type BlockToProve, checkSignatures } from '../../src/ton/proofs/check-signatures.ts';
import { checkSeparateState, findOldBlock } from '../../src/ton/proofs/check-state.ts';
import { readConfiguredValidators } from '../../src/ton/proofs/configured-validators.ts';
import type { SignatureSet } from '../../src/ton/proofs/signature-set.ts';
import { loadBlock } from '../../src/ton/tlb/block/block.ts';
import { loadBlockInfo } from '../../src/ton/tlb/block/block-info.ts';
import { findShard } from '../../src/ton/tlb/block/find-shard.ts';
import { loadShardDescr } from '../../src/ton/tlb/block/shard-descr.ts';
import { headOf, type LocalApi, openLocalApi } from '../helpers/local-api.ts';

interface Id {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

interface Header {
  readonly id: Id;
  readonly validator_list_hash_short: number;
  readonly catchain_seqno: number;
}

interface Signatures {
  readonly '@type': string;
  readonly id: Id;
  readonly signatures: readonly { readonly node_id_short: string; readonly signature: string }[];
  readonly session_id: string;
  readonly slot: number;
  readonly candidate: string;
}

interface ShardBlockProof {
  readonly from: Id;
  readonly mc_id: Id;
  readonly links: readonly { readonly id: Id; readonly proof: string }[];
  readonly mc_proof: readonly {
    readonly to_key_block: boolean;
    readonly from: Id;
    readonly to: Id;
    readonly dest_proof: string;
    readonly proof: string;
    readonly state_proof: string;
  }[];
}

const WHOLE = '-9223372036854775808';
const bytes = (text: string) => Uint8Array.fromBase64(text);

function toBlockId({ workchain, shard, seqno, root_hash, file_hash }: Id): BlockId {
  const [rootHash, fileHash] = [bytes(root_hash), bytes(file_hash)];
  return { workchain, shard: BigInt.asUintN(64, BigInt(shard)), seqno, rootHash, fileHash };
}

function toBlock({ id, validator_list_hash_short, catchain_seqno }: Header): BlockToProve {
  const genValidatorListHashShort = validator_list_hash_short >>> 0;
  return { ...toBlockId(id), genValidatorListHashShort, genCatchainSeqno: catchain_seqno };
}

function toSet(answer: Signatures, block: BlockToProve): SignatureSet {
  const facts = {
    listHash: block.genValidatorListHashShort,
    catchainSeqno: block.genCatchainSeqno,
    signatures: answer.signatures.map(({ node_id_short, signature }) => ({
      nodeId: bytes(node_id_short),
      signature: bytes(signature),
    })),
    statedWeight: null,
  };
  if (answer['@type'] === 'blocks.blockSignatures') return { kind: 'ordinary', ...facts };
  const { session_id, slot, candidate } = answer;
  return { kind: 'simplex', ...facts, sessionId: bytes(session_id), slot, candidate: bytes(candidate) };
}

/** Root hashes of the blocks that a proven header names as the previous ones. */
function previousOf(proof: Uint8Array, id: BlockId): string[] {
  const { boc, root } = checkHeader(proof, id).tree;
  const { info } = loadBlock(new CellSlice(boc, root));
  return loadBlockInfo(new CellSlice(boc, info)).prevRefs.map(({ rootHash }) => rootHash.toHex());
}

/** Root hash of the top block of the shard of a block, as a proven masterchain block names it. */
function topIn(proof: Uint8Array, master: BlockId, { workchain, shard }: BlockId): string {
  const { tree, shardHashes } = checkMcExtra(proof, master);
  const found = findShard(new CellSlice(tree.boc, shardHashes), { workchain, prefix: shard });
  return loadShardDescr(found!.descr).rootHash.toHex();
}

describe.each(['ordinary', 'simplex'] as const)(
  'proofs of a local chain, %s',
  { timeout: 600_000 },
  (form) => {
    let api: LocalApi;
    beforeAll(async () => {
      api = await openLocalApi({ localnetSignatures: form, localnetShards: 2 });
      for (let byte = 1; byte < 255; byte += 60)
        await api.control.fund({ workchain: 0, address: new Uint8Array(32).fill(byte) }, 1_000_000_000n);
      while (headOf(api.context) < 6) await new Promise((resolve) => setTimeout(resolve, 20));
    }, 600_000);
    afterAll(() => api?.close());

    const ask = async (method: string, parameters: Record<string, string>) => {
      const answer = await fetch(`${api.url}/api/v2/${method}?${new URLSearchParams(parameters)}`);
      return { status: answer.status, json: (await answer.json()) as { result?: unknown; error?: string } };
    };
    const get = async <T>(method: string, parameters: Record<string, string>): Promise<T> => {
      const { json } = await ask(method, parameters);
      expect(json.error).toBeUndefined();
      return json.result as T;
    };

    it('getMasterchainBlockSignatures answers signatures that prove the block', async () => {
      for (const number of ['1', '2', '6']) {
        const answer = await get<Signatures>('getMasterchainBlockSignatures', { seqno: number });
        const place = { workchain: '-1', shard: WHOLE, seqno: number };
        const header = await get<Header>('getBlockHeader', place);
        const { config } = await get<{ config: { bytes: string } }>('getConfigAll', { seqno: number });
        expect(answer['@type']).toBe(`blocks.blockSignatures${form === 'simplex' ? '.simplex' : ''}`);
        expect(answer.id).toEqual(header.id);
        const boc = parseBoc(bytes(config.bytes));
        const block = toBlock(header);
        checkSignatures(toSet(answer, block), block, readConfiguredValidators(boc, onlyRoot(boc)));
      }
    });

    it('getShardBlockProof leads from a masterchain block down to each shard block', async () => {
      let lengths = 0;
      for (let seqno = 1; seqno <= 6; seqno++) {
        const { shards } = await get<{ shards: Id[] }>('shards', { seqno: String(seqno) });
        for (const shard of shards.filter(({ seqno: number }) => number > 0)) {
          const place = { workchain: '0', shard: shard.shard, seqno: String(shard.seqno) };
          const proof = await get<ShardBlockProof>('getShardBlockProof', place);
          const wanted = toBlockId(shard);
          let proven = toBlockId(proof.mc_id);
          for (const [index, { id, proof: text }] of proof.links.entries()) {
            const named =
              index === 0 ? [topIn(bytes(text), proven, wanted)] : previousOf(bytes(text), proven);
            expect(named).toContain(toBlockId(id).rootHash.toHex());
            proven = toBlockId(id);
          }
          expect(proven).toEqual(wanted);
          expectBack(proof);
          lengths += proof.links.length;
        }
      }
      expect(lengths).toBeGreaterThan(0);
    });

    /** The masterchain block of the shard block is before the one that the proof begins at. */
    function expectBack({ from, mc_id, mc_proof: [back] }: ShardBlockProof): void {
      if (from.seqno === mc_id.seqno) {
        expect(back).toBeUndefined();
        return;
      }
      expect(back).toMatchObject({ from, to: mc_id, to_key_block: mc_id.seqno === 1 });
      checkHeader(bytes(back!.dest_proof), toBlockId(mc_id));
      const state = checkSeparateState(bytes(back!.proof), bytes(back!.state_proof), toBlockId(from));
      expect(findOldBlock(state, mc_id.seqno)).toMatchObject({ rootHash: toBlockId(mc_id).rootHash });
    }

    it('getShardBlockProof begins at the block of from_seqno, which commits the block or is later', async () => {
      const place = { workchain: '-1', shard: WHOLE, seqno: '3' };
      const same = await get<ShardBlockProof>('getShardBlockProof', { ...place, from_seqno: '3' });
      expect(same).toMatchObject({ from: { seqno: 3 }, mc_id: { seqno: 3 }, links: [], mc_proof: [] });
      const { last } = await get<{ last: Id }>('getMasterchainInfo', {});
      const later = await get<ShardBlockProof>('getShardBlockProof', {
        ...place,
        from_seqno: `${last.seqno}`,
      });
      expect(later).toMatchObject({ from: last, mc_id: { seqno: 3 }, links: [] });
      expectBack(later);
      expect(await ask('getShardBlockProof', { ...place, from_seqno: '2' })).toMatchObject({
        status: 422,
        json: { error: expect.stringContaining('masterchain block 3') },
      });
    });
  },
);
