/**
 * The decoder of `contracts` in the threads of the product's pool, whose facts are then moved to their place in the
 * synthetic chain: other accounts, later lt. Moving is part of the measured time: the rate is rather lower than it is.
 */
import type { DecodeRecords } from '../../src/engine/decoding/chunk.ts';
import {
  type ContractDecoderOptions,
  createDecoder as createContractDecoder,
} from '../../src/projections/contracts/contract-decoder.ts';
import type { Fact, StateFact, TransferFact } from '../../src/projections/contracts/fact.ts';
import { FactWriter, readFacts } from '../../src/projections/contracts/pack-facts.ts';
import type { NamedAddress } from '../../src/ton/contracts/read-fields.ts';
import type { MovingOptions } from '../ingest/moving-options.ts';
import { type ChainPlan, planChain } from '../synthetic/chain-plan.ts';
import { type CopyMasks, cachedMasks, type Mask } from '../synthetic/masks.ts';
import { xorAccount, xorHash } from '../synthetic/shift-bytes.ts';

export async function createDecoder(options: MovingOptions): Promise<DecodeRecords> {
  const decode = await createContractDecoder(options.decoder as ContractDecoderOptions);
  const { real, transactions, epochs, network } = options.plan;
  const plan = planChain(real, transactions, epochs, network);
  const masks = cachedMasks();
  const writer = new FactWriter();
  return (records, spare) => {
    const { outcomes, parts } = decode(records, spare);
    for (const fact of readFacts(parts)) {
      move(fact, plan, masks);
      writer.add(fact);
    }
    return { outcomes, parts: writer.take(parts.buffer) };
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Codes stay: the same contracts in each copy. */
function move(fact: Fact, plan: ChainPlan, masks: (copy: number) => CopyMasks): void {
  if (fact.type === 'code') return;
  const { workchain } = fact.account;
  const block = plan.step(fact.position).find(({ real }) => real.header.workchain === workchain);
  if (!block) throw new Error(`step ${fact.position} has no block of workchain ${workchain}`);
  const own = masks(block.copy);
  const moved = fact as Writable<StateFact | TransferFact>;
  moved.lt = fact.lt + block.ltShift;
  moveAccount(fact.account, own);
  if (fact.type === 'transfer') {
    moveHash(fact.hash, own.hash);
    for (const one of [fact.source, fact.destination, fact.response]) moveAccount(one, own);
    return;
  }
  moveHash(fact.dataHash, own.hash);
  for (let at = 0; at < fact.cells.shown.length; at += 32)
    moveHash(fact.cells.shown.subarray(at, at + 32), own.hash);
  if (fact.token === null || fact.token === 'hidden') return;
  moveAccount(fact.token.owner, own);
  moveAccount(fact.token.parent, own);
}

function moveHash(hash: Uint8Array, mask: Mask): void {
  xorHash(new DataView(hash.buffer, hash.byteOffset, 32), 0, mask);
}

/** Moves an address; one that names no account stays. */
function moveAccount(named: NamedAddress, masks: CopyMasks): void {
  if (named === null || typeof named === 'string') return;
  xorAccount(new DataView(named.address.buffer, named.address.byteOffset, 32), 0, masks);
}
