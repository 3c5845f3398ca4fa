import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../../../src/capture/source.ts';
import type { LiteAddress } from '../../../src/liteapi/lite-connection.ts';
import { LiteServerError } from '../../../src/liteapi/lite-errors.ts';
import { LiteListener } from '../../../src/liteapi/lite-listener.ts';
import { decodeBoxed, encodeBoxed, type LiteRequest } from '../../../src/liteapi/schema/codec.ts';
import type { TlValue } from '../../../src/liteapi/schema/values.ts';
import type { SignatureForm } from '../../../src/localnet/validator/block-signer.ts';
import type { SignatureSet } from '../../../src/ton/proofs/signature-set.ts';
import { LiteBlocks } from '../../helpers/lite-blocks.ts';
import { LiteProofs } from '../../helpers/lite-proofs.ts';
import type { SeededRandom } from '../../helpers/seeded-random.ts';
import { FaultyLine } from './chunk-faults.ts';
import type { Fault } from './fault-plan.ts';

const LATE = 38;
const BACK = 5;
const SILENCE_MS = 10_000;
const AFTER_LIMIT_MS = 6_000;
const DISORDER_MS = 150;

/** A lite server over a chain, and the line to it. Its fault can be changed while it runs. */
export class FaultyServer {
  private readonly blocks: LiteBlocks;
  private readonly listener: LiteListener;
  private readonly line: FaultyLine;
  private current: Fault | null = null;

  static async open(
    chain: readonly Step[],
    { seed, form }: { readonly seed: string; readonly form: SignatureForm },
    random: SeededRandom,
  ): Promise<FaultyServer> {
    const state: { server: FaultyServer | null } = { server: null };
    const fault = () => state.server?.current ?? null;
    const proofs = new LiteProofs({
      seed,
      form,
      forge: (set) => forge(set, fault()),
      get skipsKeyBlocks() {
        return fault() === 'old validators';
      },
    });
    const blocks = new LiteBlocks(chain, proofs);
    const listener = await LiteListener.open({
      host: '127.0.0.1',
      port: 0,
      seed: Buffer.alloc(32, random.below(256)),
      answer: (request) => answerWith(fault(), request, blocks, random),
      onError: () => {},
    });
    const line = new FaultyLine(listener.port);
    await line.open();
    state.server = new FaultyServer(blocks, listener, line);
    return state.server;
  }

  private constructor(blocks: LiteBlocks, listener: LiteListener, line: FaultyLine) {
    this.blocks = blocks;
    this.listener = listener;
    this.line = line;
  }

  get address(): LiteAddress {
    return { host: '127.0.0.1', port: this.line.port, key: this.listener.publicKey };
  }

  async setFault(fault: Fault | null): Promise<void> {
    this.current = fault;
    this.line.fault = fault;
    if (fault === 'away') await this.line.close();
    else await this.line.open();
  }

  /** The chain has grown; a server whose head stands still does not notice. */
  grow(head: number): void {
    if (this.current === 'head stands still') return;
    this.blocks.grow(this.current === 'head goes back' ? Math.max(1, head - BACK) : head);
  }

  async close(): Promise<void> {
    await this.line.close();
    await this.listener.close();
  }
}

async function answerWith(
  fault: Fault | null,
  request: LiteRequest,
  blocks: LiteBlocks,
  random: SeededRandom,
): Promise<Uint8Array> {
  const { name, parameters } = request;
  const isInfo = name === 'getMasterchainInfoExt' || name === 'getMasterchainInfo';
  switch (fault) {
    case 'silent for 10 s':
      await sleep(SILENCE_MS);
      break;
    case 'answer after the time limit':
      await sleep(AFTER_LIMIT_MS);
      break;
    case 'answers out of order':
      await sleep(random.below(DISORDER_MS));
      break;
    case 'unknown answer type':
      return encodeBoxed('currentTime', { now: 1 });
    case 'not in db':
      if (!isInfo) throw new LiteServerError(-400, 'block is not in db');
      break;
    case 'announces and never delivers':
      if (name === 'getBlock') throw new LiteServerError(651, 'block is not applied');
      break;
    case 'shard blocks missing for 15 s':
      if (name === 'getBlock' && parameters.id.workchain === 0) throw new LiteServerError(651, 'not applied');
      break;
    case 'names blocks that do not exist':
      if (name === 'lookupBlock') return unknownBlock(parameters.id, random);
      break;
    case 'announces 38 blocks late':
      if (isInfo || request.wait) return await late(request, blocks);
      break;
    case 'another network':
      if (name === 'getMasterchainInfoExt') return anotherNetwork(await blocks.answer(request));
      break;
    case 'wrong file hash':
    case 'another block':
      if (name === 'getBlock') return falseBlock(fault, await blocks.answer(request), blocks);
      break;
  }
  return await blocks.answer(request);
}

function unknownBlock(id: TlValue<'blockId'>, random: SeededRandom): Uint8Array {
  const root_hash = Buffer.alloc(32, random.below(256));
  const named = { ...id, root_hash, file_hash: root_hash };
  return encodeBoxed('blockHeader', { id: named, mode: 1, header_proof: new Uint8Array() });
}

/** Answers as if the newest blocks were not there, also to those who wait for one. */
async function late(request: LiteRequest, blocks: LiteBlocks): Promise<Uint8Array> {
  const { wait } = request;
  if (wait && wait.seqno > blocks.head - LATE) {
    await sleep(wait.timeoutMs);
    throw new LiteServerError(652, 'timeout');
  }
  const answer = decodeBoxed(await blocks.answer(request));
  if (answer.type !== 'masterchainInfoExt') return encodeBoxed(answer.type, answer.value as never);
  const last = { ...answer.value.last, seqno: Math.max(1, answer.value.last.seqno - LATE) };
  return encodeBoxed('masterchainInfoExt', { ...answer.value, last });
}

function anotherNetwork(info: Uint8Array): Uint8Array {
  const value = decodeBoxed(info).value as TlValue<'masterchainInfoExt'>;
  const init = { ...value.init, root_hash: Buffer.alloc(32, 1) };
  return encodeBoxed('masterchainInfoExt', { ...value, init });
}

function falseBlock(fault: Fault, answer: Uint8Array, blocks: LiteBlocks): Uint8Array {
  const { id, data } = decodeBoxed(answer).value as TlValue<'blockData'>;
  if (fault === 'another block')
    return encodeBoxed('blockData', { id, data: blocks.masterchainBlock(1).boc });
  const turned = Buffer.from(data);
  turned[turned.length >> 1] = (turned[turned.length >> 1] as number) ^ 1;
  return encodeBoxed('blockData', { id, data: turned });
}

function forge(set: SignatureSet, fault: Fault | null): SignatureSet {
  switch (fault) {
    case 'turned signature bit':
      return {
        ...set,
        signatures: set.signatures.map((one) => ({ ...one, signature: turnedBit(one.signature, 5) })),
      };
    case 'no signatures':
      return { ...set, signatures: [] };
    case 'a signer twice':
      return { ...set, signatures: [...set.signatures, ...set.signatures] };
    case 'another candidate':
      return set.kind === 'simplex' ? { ...set, candidate: turnedBit(set.candidate, 60) } : set;
    default:
      return set;
  }
}

function turnedBit(bytes: Uint8Array, at: number): Uint8Array {
  const turned = Uint8Array.from(bytes);
  turned[at] = (turned[at] as number) ^ 1;
  return turned;
}
