import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LiteListener } from '../../src/liteapi/lite-listener.ts';
import { decodeBoxed, encodeBoxed } from '../../src/liteapi/schema/codec.ts';
import { answerRequest } from '../../src/liteserver/answer-request.ts';
import { globalConfig } from '../../src/liteserver/global-config.ts';
import type { LiteContext } from '../../src/liteserver/lite-context.ts';
import { headerProof, toBag } from '../../src/liteserver/proof-bags.ts';
import { fromTl, toTl } from '../../src/liteserver/tl-values.ts';
import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import type { BlockId } from '../../src/ton/decode/block-header.ts';

/** Lies of a server, by name. */
export type Lie = 'turned signature bit' | 'wrong account state' | 'wrong block' | 'wrong shard proof';
export const LIES: readonly Lie[] = [
  'turned signature bit',
  'wrong account state',
  'wrong block',
  'wrong shard proof',
];

/** A server that listens, and its configuration file. */
export interface JudgedServer {
  readonly port: number;
  readonly publicKey: Uint8Array;
  readonly configFile: string;
  /** Names of answered functions, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

export interface JudgedServerOptions {
  readonly lie?: Lie;
  /** Block from which clients trust the chain. Default: the zerostate. */
  readonly initBlock?: BlockId;
}

/** Serves a chain, honestly or with one lie in each answer that can contain it. */
export async function serveChain(
  context: LiteContext,
  { lie, initBlock = context.zerostate }: JudgedServerOptions = {},
): Promise<JudgedServer> {
  const asked: string[] = [];
  const stop = new AbortController();
  const listener = await LiteListener.open({
    host: '127.0.0.1',
    port: 0,
    seed: Buffer.alloc(32, 40),
    onError: (error) => console.error(error),
    async answer(request) {
      asked.push(request.name);
      const bytes = await answerRequest(context, request, stop.signal);
      return lie ? falsify(lie, bytes, context) : bytes;
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'judge-'));
  const configFile = join(folder, 'global.config.json');
  const { port, publicKey } = listener;
  writeFileSync(
    configFile,
    globalConfig([{ ip: '127.0.0.1', port, publicKey }], context.zerostate, initBlock),
  );
  const close = async () => {
    stop.abort();
    await listener.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, publicKey, configFile, asked, close };
}

/** The answer with a lie, or as it is if it cannot contain this lie. */
function falsify(lie: Lie, bytes: Uint8Array, { chain }: LiteContext): Uint8Array {
  const answer = decodeBoxed(bytes);
  const other = chain.block({ workchain: -1, shard: 1n << 63n, seqno: chain.head!.header.seqno - 1 })!;
  const cell = writeBag(new CellBuilder().uint(5, 8).cell(), { index: false });
  if (lie === 'turned signature bit' && answer.type === 'partialBlockProof') {
    const last = answer.value.steps.at(-1);
    if (last?.type === 'blockLinkForward') {
      const { signature } = last.value.signatures.value.signatures[0]!;
      signature[5]! ^= 1;
    }
    return encodeBoxed('partialBlockProof', answer.value);
  }
  if (answer.type === 'accountState') {
    if (lie === 'wrong account state') return encodeBoxed('accountState', { ...answer.value, state: cell });
    if (lie === 'wrong shard proof' && answer.value.shard_proof.length > 0)
      return encodeBoxed('accountState', { ...answer.value, shard_proof: answer.value.proof });
  }
  if (answer.type === 'allShardsInfo' && lie === 'wrong shard proof')
    return encodeBoxed('allShardsInfo', { ...answer.value, proof: toBag(headerProof(other)) });
  if (answer.type === 'blockHeader' && lie === 'wrong block')
    return encodeBoxed('blockHeader', { ...answer.value, header_proof: toBag(headerProof(other)) });
  if (answer.type === 'lookupBlockResult' && lie === 'wrong block')
    return encodeBoxed('lookupBlockResult', {
      ...answer.value,
      id: toTl({ ...fromTl(answer.value.id), seqno: answer.value.id.seqno + 1 }),
      header: toBag(headerProof(other)),
    });
  if (answer.type === 'blockData' && lie === 'wrong block')
    return encodeBoxed('blockData', { ...answer.value, data: other.boc });
  return bytes;
}
