/** Signatures of masterchain blocks through v2, checked against the configuration that v2 answers. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { onlyRoot, parseBoc } from '../../src/ton/boc/boc.ts';
import { type BlockToProve, checkSignatures } from '../../src/ton/proofs/check-signatures.ts';
import { readConfiguredValidators } from '../../src/ton/proofs/configured-validators.ts';
import type { SignatureSet } from '../../src/ton/proofs/signature-set.ts';
import { headOf, openLocalApi } from '../helpers/local-api.ts';

interface BlockId {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

interface Header {
  readonly id: BlockId;
  readonly validator_list_hash_short: number;
  readonly catchain_seqno: number;
}

interface Signatures {
  readonly '@type': string;
  readonly id: BlockId;
  readonly signatures: readonly { readonly node_id_short: string; readonly signature: string }[];
  readonly session_id: string;
  readonly slot: number;
  readonly candidate: string;
}

const bytes = (text: string) => Uint8Array.fromBase64(text);

function blockOf({ id, validator_list_hash_short, catchain_seqno }: Header): BlockToProve {
  return {
    workchain: id.workchain,
    shard: BigInt.asUintN(64, BigInt(id.shard)),
    seqno: id.seqno,
    rootHash: bytes(id.root_hash),
    fileHash: bytes(id.file_hash),
    genValidatorListHashShort: validator_list_hash_short >>> 0,
    genCatchainSeqno: catchain_seqno,
  };
}

function setOf(answer: Signatures, block: BlockToProve): SignatureSet {
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

describe('getMasterchainBlockSignatures over a local chain', { timeout: 600_000 }, () => {
  it.each([
    ['ordinary', 'blocks.blockSignatures'],
    ['simplex', 'blocks.blockSignatures.simplex'],
  ] as const)('answers %s signatures that prove the block', async (localnetSignatures, type) => {
    const api = await openLocalApi({ localnetSignatures });
    onTestFinished(() => api.close());
    const get = async <T>(method: string, parameters: Record<string, string>): Promise<T> => {
      const answer = await fetch(`${api.url}/api/v2/${method}?${new URLSearchParams(parameters)}`);
      const { result, error } = (await answer.json()) as { result: T; error?: string };
      expect(error).toBeUndefined();
      return result;
    };
    while (headOf(api.context) < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const number of ['1', '2', '3']) {
      const answer = await get<Signatures>('getMasterchainBlockSignatures', { seqno: number });
      const place = { workchain: '-1', shard: '-9223372036854775808', seqno: number };
      const header = await get<Header>('getBlockHeader', place);
      const { config } = await get<{ config: { bytes: string } }>('getConfigAll', { seqno: number });
      expect(answer['@type']).toBe(type);
      expect(answer.id).toEqual(header.id);
      const boc = parseBoc(bytes(config.bytes));
      const block = blockOf(header);
      checkSignatures(setOf(answer, block), block, readConfiguredValidators(boc, onlyRoot(boc)));
    }
    const unknown = await fetch(`${api.url}/api/v2/getMasterchainBlockSignatures?seqno=999999`);
    expect(unknown.status).toBe(500);
  });
});
