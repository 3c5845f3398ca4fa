import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { scanPack } from '../../../../src/capture/archive/scan-pack.ts';
import type { Cell } from '../../../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { readCell } from '../../../../src/ton/cell/cells-of-bag.ts';
import { toSlice } from '../../../../src/ton/cell/to-slice.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import { toHex } from '../../../../src/ton/hash/hex.ts';
import { type AccountAnswer, accountIn, checkAccount } from '../../../../src/ton/proofs/check-account.ts';
import { checkHeader } from '../../../../src/ton/proofs/check-header.ts';
import { checkMcExtra, checkShardHashes } from '../../../../src/ton/proofs/check-shards.ts';
import {
  checkSeparateState,
  checkState,
  findConfigParam,
  findOldBlock,
  findShardTop,
} from '../../../../src/ton/proofs/check-state.ts';
import { makeProof } from '../../../../src/ton/proofs/make-proof.ts';
import { openProof } from '../../../../src/ton/proofs/open-proof.ts';
import { ProofError } from '../../../../src/ton/proofs/proof-error.ts';
import { visitHeader, visitMcExtra } from '../../../../src/ton/proofs/visit-block.ts';
import {
  visitAccount,
  visitConfig,
  visitExtra,
  visitOldBlock,
  visitShard,
} from '../../../../src/ton/proofs/visit-state.ts';
import { Visits } from '../../../../src/ton/proofs/visits.ts';
import { describeWithChain, describeWithData } from '../../../helpers/shared-data.ts';
import { seeded } from '../boc/made-cells.ts';
import { type StatedBlock, statedBlocks } from './states-of-chain.ts';

/** A proof of what `visit` reads. */
function prove<T>(root: Cell, visit: (visits: Visits) => T): { proof: Cell; result: T } {
  const visits = new Visits();
  const result = visit(visits);
  return { proof: makeProof(root, visits), result };
}

const headerProof = (block: Cell) => prove(block, (visits) => visitHeader(visits, block)).proof;
/** Without a checksum, so that a turned bit is found by the proof and not by the bag. */
const bag = (roots: Cell | Cell[]) => writeBag(roots, { index: false, crc: false });

/** An honest answer of `getAccountState`. */
function answerFor(
  master: StatedBlock,
  shard: StatedBlock,
  workchain: number,
  address: Uint8Array,
): AccountAnswer {
  const point = { workchain, prefix: new DataView(address.buffer, address.byteOffset).getBigUint64(0) };
  const inMaster = prove(master.state, (visits) =>
    visitShard(visits, visitExtra(visits, master.state).shardHashes, point),
  );
  const inShard = prove(shard.state, (visits) => visitAccount(visits, shard.state, address));
  const isMaster = workchain === -1;
  return {
    id: master.header,
    shardBlock: shard.header,
    account: { workchain, address },
    shardProof: isMaster ? new Uint8Array() : bag([headerProof(master.block), inMaster.proof]),
    proof: bag([headerProof(shard.block), inShard.proof]),
    state: inShard.result ? bag(inShard.result.account) : new Uint8Array(),
  };
}

describeWithChain('proofs of states and blocks', (chain) => {
  let blocks: StatedBlock[];
  let master: StatedBlock;
  beforeAll(() => {
    blocks = statedBlocks(chain, 40);
    master = blocks.findLast(({ header }) => header.workchain === -1)!;
  });

  /** The newest block of the shard that contains an address. */
  const shardOf = (address: Uint8Array) => {
    const point = { workchain: 0, prefix: new DataView(address.buffer, address.byteOffset).getBigUint64(0) };
    const { proof } = prove(master.state, (visits) =>
      visitShard(visits, visitExtra(visits, master.state).shardHashes, point),
    );
    const top = findShardTop(checkState(bag([headerProof(master.block), proof]), master.header), point)!;
    return blocks.find(({ header }) => toHex(header.rootHash) === toHex(top.rootHash))!;
  };
  const addresses = () => {
    const random = seeded(7);
    return Array.from({ length: 8 }, () => Uint8Array.from({ length: 32 }, () => random(256)));
  };

  it('shows every header, and its state hash', () => {
    for (const { block, header, state } of blocks) {
      const proven = checkHeader(bag(headerProof(block)), header);
      expect(proven.stateHash).toEqual(state.hash());
      expect(proven.info.genUtime).toBe(header.genUtime);
      expect(() => checkHeader(bag(headerProof(block)), { ...header, seqno: header.seqno + 1 })).toThrow(
        ProofError,
      );
      expect(() => checkHeader(bag(headerProof(block)), { ...header, rootHash: header.fileHash })).toThrow(
        ProofError,
      );
    }
  });

  it('shows accounts of the masterchain and of shards, present and absent', () => {
    const present = [
      { workchain: -1, address: Buffer.from('33'.repeat(32), 'hex') },
      { workchain: -1, address: Buffer.from('55'.repeat(32), 'hex') },
    ];
    const absent = addresses();
    let found = 0;
    for (const { workchain, address } of [
      ...present,
      ...absent.map((address) => ({ workchain: 0, address })),
    ]) {
      const shard = workchain === -1 ? master : shardOf(address);
      const answer = answerFor(master, shard, workchain, address);
      const account = checkAccount(answer);
      if (account) found++;
      expect(account === null).toBe(answer.state.length === 0);
      // Another account of the same proof, and another state.
      expect(() => checkAccount({ ...answer, state: bag(new CellBuilder().uint(1, 7).cell()) })).toThrow(
        ProofError,
      );
      if (account) expect(() => checkAccount({ ...answer, state: new Uint8Array() })).toThrow(ProofError);
    }
    expect(found).toBeGreaterThan(0);
  });

  it('refuses every turned bit of an account answer', () => {
    const random = seeded(8);
    const [address] = addresses();
    const shard = shardOf(address!);
    const answer = answerFor(master, shard, 0, address!);
    expect(checkAccount(answer)).toBeNull();
    for (const part of ['shardProof', 'proof'] as const) {
      for (let i = 0; i < 150; i++) {
        const bytes = answer[part].slice();
        const bit = random(bytes.length * 8);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        expect(() => checkAccount({ ...answer, [part]: bytes }), `${part} bit ${bit}`).toThrow(ProofError);
      }
    }
  });

  it('refuses an old shard block, and the shard proof of another masterchain block', () => {
    const [address] = addresses();
    const shard = shardOf(address!);
    const older = blocks.findLast(
      ({ header }) =>
        header.shard === shard.header.shard && header.workchain === 0 && header.seqno < shard.header.seqno,
    )!;
    const earlier = blocks.find(({ header }) => header.workchain === -1)!;
    const honest = answerFor(master, shard, 0, address!);
    expect(() => checkAccount(answerFor(master, older, 0, address!))).toThrow('shard block');
    expect(() =>
      checkAccount({ ...honest, shardProof: answerFor(earlier, shard, 0, address!).shardProof }),
    ).toThrow(ProofError);
    expect(() => checkAccount({ ...honest, shardProof: new Uint8Array() })).toThrow(ProofError);
    expect(() =>
      checkAccount({ ...honest, shardBlock: { ...shard.header, fileHash: shard.header.rootHash } }),
    ).toThrow('shard block');
  });

  it('shows shard hashes, parameters and earlier blocks', () => {
    const { block, state, header } = master;
    const extra = prove(block, (visits) => {
      const { shardHashes } = visitMcExtra(visits, visitHeader(visits, block).extra);
      visits.openAll(shardHashes!);
      return shardHashes!;
    });
    const data = bag(new CellBuilder().maybeRef(extra.result).cell());
    const tops = checkShardHashes(bag(extra.proof), data, header);
    expect(tops.length).toBeGreaterThan(0);
    const earlier = blocks.find(({ header: { workchain } }) => workchain === -1)!;
    expect(() => checkShardHashes(bag(extra.proof), data, earlier.header)).toThrow(ProofError);
    expect(() =>
      checkShardHashes(bag(extra.proof), bag(new CellBuilder().bit(false).cell()), header),
    ).toThrow(ProofError);
    const { proof } = prove(state, (visits) => {
      const parts = visitExtra(visits, state);
      visitConfig(visits, parts.config, [0, 15, -777]);
      visitOldBlock(visits, parts.history, 3);
    });
    const proven = checkSeparateState(bag(headerProof(block)), bag(proof), header);
    expect(findConfigParam(proven, 0)).toBeGreaterThan(0);
    expect(findConfigParam(proven, -777)).toBe(-1);
    expect(() => findConfigParam(proven, 21)).toThrow(ProofError);
    const third = blocks.find(({ header: { workchain, seqno } }) => workchain === -1 && seqno === 3)!;
    expect(findOldBlock(proven, 3)).toMatchObject({
      rootHash: third.header.rootHash,
      fileHash: third.header.fileHash,
    });
  });

  it('shows the zerostate by its own hash', () => {
    const zero = readCell(readFileSync(chain.states[0]));
    const { proof } = prove(zero, (visits) => visitConfig(visits, visitExtra(visits, zero).config, null));
    const id = { workchain: -1, shard: 1n << 63n, seqno: 0, rootHash: zero.hash() };
    const proven = checkSeparateState(new Uint8Array(), bag(proof), id);
    expect(findConfigParam(proven, 0)).toBeGreaterThan(0);
    expect(() =>
      checkSeparateState(new Uint8Array(), bag(proof), { ...id, rootHash: new Uint8Array(32) }),
    ).toThrow(ProofError);
  });
});

// block_proof#c3 proof_for:BlockIdExt root:^Cell signatures:(Maybe ^BlockSignatures) = BlockProof;
// block_id_ext$_ shard_id:ShardIdent seq_no:uint32 root_hash:bits256 file_hash:bits256 = BlockIdExt;
function networkProof(bytes: Uint8Array) {
  const slice = toSlice(readCell(bytes));
  slice.skipBits(8 + 2);
  const prefixBits = slice.uint(6);
  const [workchain, prefix, seqno] = [slice.int(32), slice.u64(), slice.uint(32)];
  const shard = prefix | (1n << BigInt(63 - prefixBits));
  const id = { workchain, shard, seqno, rootHash: slice.bytes(32) };
  return { id, proof: bag(readCell(bytes).refs[0]!) };
}

describeWithData('proofs that the network made', (data) => {
  it('are accepted: headers of the genesis packs and key-block proofs with the configuration', async () => {
    let count = 0;
    for (const name of ['.0_8000000000000000', '']) {
      const file = join(data, `blocks/packs/mainnet-genesis.archive.00000${name}.pack`);
      const bytes = new Uint8Array(readFileSync(file));
      const { entries } = await scanPack(file);
      for (const entry of entries.filter((one) => one.name.startsWith('proof'))) {
        const { id, proof } = networkProof(bytes.subarray(entry.dataOffset, entry.dataOffset + entry.length));
        expect(checkHeader(proof, id).stateHash).toHaveLength(32);
        count++;
      }
    }
    expect(count).toBe(299);
  });

  it('are accepted: a key block with its configuration, and 51 accounts of a state', () => {
    const key = networkProof(readFileSync(join(data, 'blocks/mainnet-mc-3082181/key_proof__3082181.boc')));
    expect(checkMcExtra(key.proof, key.id).config).toBeGreaterThan(0);
    const file = join(data, 'accounts/states/proof_0_8000000000000000_56703838');
    const facts = JSON.parse(readFileSync(`${file}.facts.json`, 'utf8'));
    const tree = openProof('a state', readFileSync(`${file}.boc`));
    expect(toHex(tree.hash)).toBe(facts.root_hash_of_full_state);
    const state = checkSeparateState(new Uint8Array(), readFileSync(`${file}.boc`), {
      workchain: 0,
      shard: 1n << 63n,
      seqno: 0,
      rootHash: tree.hash,
    });
    for (const { address, account_hash, last_trans_lt } of facts.accounts) {
      const account = accountIn(state, Buffer.from(address, 'hex'))!;
      expect(toHex(account.hash)).toBe(account_hash);
      expect(account.lastTransLt).toBe(BigInt(last_trans_lt));
    }
    expect(facts.accounts).toHaveLength(51);
  });
});

describe('a proof error', () => {
  it('names what was expected and found', () => {
    const random = new CellBuilder().uint(5, 8).cell();
    const id = { workchain: -1, shard: 1n << 63n, seqno: 1, rootHash: new Uint8Array(32) };
    expect(() => checkHeader(bag(random), id)).toThrow(
      'proof of a block header: expected a Merkle proof of level 0',
    );
    expect(() => checkHeader(new Uint8Array(), id)).toThrow(ProofError);
    expect(() => checkHeader(bag(makeProof(random, new Visits())), id)).toThrow(toHex(random.hash()));
  });
});
