import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LiteConnection } from '../../../src/liteapi/lite-connection.ts';
import { LiteServerError } from '../../../src/liteapi/lite-errors.ts';
import type { FunctionName, TlAnswer, TlParameters, TlValue } from '../../../src/liteapi/schema/values.ts';
import { ACCOUNT_ANSWERS } from '../../../src/liteserver/answers/account-answers.ts';
import { blockKey } from '../../../src/liteserver/chain/lite-block.ts';
import type { LiteContext } from '../../../src/liteserver/lite-context.ts';
import { LiteServer } from '../../../src/liteserver/lite-server.ts';
import { fromTl, toTl } from '../../../src/liteserver/tl-values.ts';
import { onlyRoot, parseBoc } from '../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../src/ton/boc/cell-hashes.ts';
import { readCell } from '../../../src/ton/cell/cells-of-bag.ts';
import { readBlockHeader, readShardHashes } from '../../../src/ton/decode/block-header.ts';
import { sha256 } from '../../../src/ton/hash/sha256.ts';
import { checkAccount } from '../../../src/ton/proofs/check-account.ts';
import { checkHeader } from '../../../src/ton/proofs/check-header.ts';
import { checkShardHashes } from '../../../src/ton/proofs/check-shards.ts';
import {
  checkSeparateState,
  checkState,
  findConfigParam,
  findOldBlock,
} from '../../../src/ton/proofs/check-state.ts';
import { visitTransactions } from '../../../src/ton/proofs/visit-transactions.ts';
import { Visits } from '../../../src/ton/proofs/visits.ts';
import { packChain } from '../../helpers/pack-chain.ts';
import { describeWithChain } from '../../helpers/shared-data.ts';

const SEED = Buffer.alloc(32, 5);
const MASTERCHAIN = { workchain: -1, shard: -(1n << 63n) };

describeWithChain('answers of a lite server', ({ data, states }) => {
  let context: LiteContext;
  let server: LiteServer;
  let client: LiteConnection;
  const failures: unknown[] = [];
  beforeAll(async () => {
    context = await packChain(join(data, 'blocks/packs'), states);
    server = await LiteServer.open(context, {
      host: '127.0.0.1',
      port: 0,
      seed: SEED,
      onError: (error) => failures.push(error),
    });
    client = await LiteConnection.open({ host: '127.0.0.1', port: server.port, key: server.publicKey });
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });

  const ask = <F extends FunctionName>(name: F, parameters: TlParameters<F>): Promise<TlAnswer<F>> =>
    client.request(name, parameters, { timeoutMs: 60_000 });
  const head = () => context.chain.head!;
  const masterId = async (seqno: number) =>
    (await ask('lookupBlock', { mode: 1, id: { ...MASTERCHAIN, seqno } })).id;

  it('announces the head with the zerostate', async () => {
    const { last, init } = await ask('getMasterchainInfo', {});
    expect(last).toEqual({ ...toTl(head().header), root_hash: last.root_hash, file_hash: last.file_hash });
    expect(Buffer.from(init.root_hash)).toEqual(Buffer.from(context.zerostate.rootHash));
    const ext = await ask('getMasterchainInfoExt', { mode: 0 });
    expect(ext.last_utime).toBe(head().header.genUtime);
    expect((await ask('getTime', {})).now).toBeGreaterThan(1_700_000_000);
    expect((await ask('getVersion', {})).version).toBe(0x101);
  });

  it('returns blocks, headers and zerostates that fit their ids', async () => {
    for (const seqno of [1, 7, head().header.seqno]) {
      const id = await masterId(seqno);
      const block = await ask('getBlock', { id });
      expect(sha256(block.data)).toEqual(new Uint8Array(id.file_hash));
      const { header_proof } = await ask('getBlockHeader', { id, mode: 0 });
      expect(checkHeader(header_proof, fromTl(id)).info.genUtime).toBe(readBlockHeader(block.data).genUtime);
    }
    const zerostate = toTl(context.zerostate);
    const { data: bytes, root_hash } = await ask('getState', { id: zerostate });
    expect(sha256(bytes)).toEqual(new Uint8Array(zerostate.file_hash));
    expect(Buffer.from(root_hash)).toEqual(Buffer.from(zerostate.root_hash));
  });

  it('finds blocks by lt and time, with the block before as proof', async () => {
    const middle = context.chain.find({ workchain: -1, shard: 1n << 63n, seqno: 9 })!.header;
    const client = toTl(head().header);
    const id = { ...MASTERCHAIN, seqno: 0 };
    for (const sought of [
      { mode: 2, lt: middle.startLt },
      { mode: 4, utime: middle.genUtime },
    ]) {
      const plain = await ask('lookupBlock', { id, ...sought });
      const proven = await ask('lookupBlockWithProof', { id, mc_block_id: client, ...sought });
      expect(proven.id).toEqual(plain.id);
      const found = checkHeader(proven.header, fromTl(proven.id)).info;
      const state = checkSeparateState(proven.client_mc_state_proof, proven.mc_block_proof, head().header);
      expect(Buffer.from(plain.id.root_hash).equals(findOldBlock(state, found.seqno)!.rootHash)).toBe(true);
      const previous = context.chain.block({
        workchain: -1,
        shard: 1n << 63n,
        seqno: found.seqno - 1,
      })!.header;
      const before = checkHeader(proven.prev_header, previous).info;
      if (sought.lt !== undefined) expect(before.endLt < sought.lt && sought.lt <= found.endLt).toBe(true);
      else expect(before.genUtime < sought.utime! && sought.utime! <= found.genUtime).toBe(true);
    }
  });

  it('proves the way from the masterchain to each shard block', async () => {
    for (const top of readShardHashes(head().boc)) {
      const { masterchain_id, links } = await ask('getShardBlockProof', { id: toTl(top) });
      expect(masterchain_id.seqno).toBe(context.chain.block(top)!.mcSeqno);
      expect(links.at(-1)!.id.seqno).toBe(top.seqno);
    }
    const [top] = readShardHashes(head().boc);
    const early = { workchain: 0, shard: top!.shard, seqno: 2 };
    const block = context.chain.find(early)!;
    const { masterchain_id, links } = await ask('getShardBlockProof', { id: toTl(block.header) });
    expect(masterchain_id.seqno).toBe(block.mcSeqno);
    expect(Buffer.from(links.at(-1)!.id.root_hash).equals(block.header.rootHash)).toBe(true);
  });

  it('proves shards', async () => {
    const id = toTl(head().header);
    const { proof, data: bytes } = await ask('getAllShardsInfo', { id });
    const tops = checkShardHashes(proof, bytes, head().header);
    expect(tops.map(({ descr }) => descr.seqno)).toEqual(
      readShardHashes(head().boc).map(({ seqno }) => seqno),
    );
    for (const { workchain, shard, descr } of tops) {
      const asked = { id, workchain, shard: BigInt.asIntN(64, shard), exact: true };
      const { shardblk, shard_proof } = await ask('getShardInfo', asked);
      expect(Buffer.from(shardblk.root_hash).equals(descr.rootHash)).toBe(true);
      checkState(shard_proof, head().header);
    }
    await expect(ask('getShardInfo', { id, workchain: 5, shard: 1n, exact: false })).rejects.toThrow(
      LiteServerError,
    );
  });

  it('proves accounts of the masterchain and of shards, present and absent', async () => {
    const id = toTl(head().header);
    let present = 0;
    for (let byte = 0; byte < 256; byte += 17)
      for (const workchain of [-1, 0]) {
        const address = Buffer.alloc(32, byte);
        const asked = { id, account: { workchain, id: address } };
        const answer = await ask('getAccountState', asked);
        const account = checkAccount({
          id: fromTl(answer.id),
          shardBlock: fromTl(answer.shardblk),
          account: { workchain, address },
          shardProof: answer.shard_proof,
          proof: answer.proof,
          state: answer.state,
        });
        if (!account) continue;
        present++;
        const pruned = await ask('getAccountStatePrunned', asked);
        const boc = parseBoc(pruned.state);
        expect(new CellHashes(boc).hash(boc.refs[onlyRoot(boc) * 4]!, 0)).toEqual(account.hash);
      }
    expect(present).toBeGreaterThan(1);
  });

  it('says no account of a fork absent before it is loaded', async () => {
    const id = toTl(head().header);
    const account = { workchain: 0, id: Buffer.alloc(32, 0x5a) };
    const answerOf = async (load: LiteContext['load']) => {
      const fork = { ...context, load };
      const one = await ACCOUNT_ANSWERS.getAccountState(fork, { id, account });
      return one.state.length;
    };
    expect(await answerOf(null)).toBe(0);
    // Decided before, and loaded by this block: the chain has no such account.
    expect(await answerOf(async () => 0)).toBe(0);
    expect(await answerOf(async () => id.seqno)).toBe(0);
    await expect(answerOf(async () => id.seqno + 1)).rejects.toThrow(
      `is loaded by masterchain block ${id.seqno + 1}: ask for this block or a later one`,
    );
    const refused = new LiteServerError(651, 'no server has it');
    await expect(answerOf(() => Promise.reject(refused))).rejects.toBe(refused);
  });

  it('lists the transactions of a block in pages and in both orders', async () => {
    const id = toTl(head().header);
    const all = visitTransactions(new Visits(), head().root);
    for (const reverse of [false, true]) {
      const seen: TlValue<'transactionId'>[] = [];
      for (let more = true; more; ) {
        const last = seen.at(-1);
        const page = await ask('listBlockTransactions', {
          id,
          count: 2,
          mode: 7 | 32 | (reverse ? 64 : 0) | (last ? 128 : 0),
          ...(last && { after: { account: last.account!, lt: last.lt! } }),
        });
        expect(checkHeader(page.proof, head().header).info.seqno).toBe(head().header.seqno);
        seen.push(...page.ids);
        more = page.incomplete;
      }
      const expected = (reverse ? [...all].reverse() : all).map(({ lt }) => lt);
      expect(seen.map(({ lt }) => BigInt.asUintN(64, lt!))).toEqual(expected);
    }
    const { transactions } = await ask('listBlockTransactionsExt', { id, count: 10, mode: 7 });
    expect(parseBoc(transactions).roots).toHaveLength(Math.min(10, all.length));
  });

  it('walks back through the transactions of an account', async () => {
    const last = visitTransactions(new Visits(), head().root).at(-1)!;
    const account = { workchain: -1, id: last.account };
    const { ids, transactions } = await ask('getTransactions', {
      count: 5,
      account,
      lt: last.lt,
      hash: last.cell.hash(),
    });
    const boc = parseBoc(transactions);
    expect(ids).toHaveLength(boc.roots.length);
    expect(boc.roots.length).toBeGreaterThan(1);
    const hashes = new CellHashes(boc);
    expect(hashes.hash(boc.roots[0]!)).toEqual(last.cell.hash());
    expect(hashes.hash(boc.roots[1]!)).toEqual(last.prevHash);
    const one = await ask('getOneTransaction', { id: ids[0]!, account, lt: last.lt });
    expect(readCell(one.transaction).hash()).toEqual(last.cell.hash());
    checkHeader(one.proof, head().header);
    await expect(
      ask('getTransactions', { count: 1, account, lt: last.lt, hash: new Uint8Array(32) }),
    ).rejects.toThrow(LiteServerError);
  });

  it('proves the configuration and lists libraries and queues', async () => {
    const id = toTl(head().header);
    const all = await ask('getConfigAll', { mode: 0, id });
    const state = checkSeparateState(all.state_proof, all.config_proof, head().header);
    expect(findConfigParam(state, 0)).toBeGreaterThan(0);
    const some = await ask('getConfigParams', { mode: 0, id, param_list: [15, -77] });
    const part = checkSeparateState(some.state_proof, some.config_proof, head().header);
    expect([findConfigParam(part, 15) > 0, findConfigParam(part, -77)]).toEqual([true, -1]);
    const zero = toTl(context.zerostate);
    const start = await ask('getConfigParams', { mode: 0, id: zero, param_list: [15] });
    expect(
      findConfigParam(checkSeparateState(start.state_proof, start.config_proof, context.zerostate), 15),
    ).toBeGreaterThan(0);
    expect((await ask('getLibraries', { library_list: [new Uint8Array(32)] })).result).toEqual([]);
    const { shards } = await ask('getOutMsgQueueSizes', { mode: 0 });
    expect(shards).toHaveLength(readShardHashes(head().boc).length + 1);
    const queue = await ask('getBlockOutMsgQueueSize', { mode: 1, id });
    checkState(queue.proof!, head().header);
    const dispatch = await ask('getDispatchQueueInfo', { mode: 0, id, max_accounts: 5 });
    expect(dispatch.account_dispatch_queues).toEqual([]);
  });

  it('answers what it does not have with errors, and stays connected', async () => {
    const id = { ...toTl(head().header), root_hash: new Uint8Array(32) };
    await expect(ask('getBlock', { id })).rejects.toThrow('is not in db');
    await expect(masterId(4_000_000_000 | 0)).rejects.toThrow('is not in db');
    await expect(ask('lookupBlock', { mode: 0, id: { ...MASTERCHAIN, seqno: 1 } })).rejects.toThrow('mode 0');
    await expect(ask('sendMessage', { body: new Uint8Array(4) })).rejects.toThrow('takes no messages');
    await expect(ask('getValidatorStats', { mode: 0, id: toTl(head().header), limit: 1 })).rejects.toThrow(
      'statistics',
    );
    await expect(ask('nonfinal.getPendingShardBlocks', { mode: 0 })).rejects.toThrow(LiteServerError);
    expect((await ask('getTime', {})).now).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  });

  it('waits for a masterchain block until the time is over', async () => {
    const { seqno } = head().header;
    const options = (wait: number) => ({ timeoutMs: 60_000, wait: { seqno: wait, timeoutMs: 20 } });
    expect((await client.request('getTime', {}, options(seqno))).now).toBeGreaterThan(0);
    await expect(client.request('getTime', {}, options(seqno + 1))).rejects.toMatchObject({ code: 652 });
    expect(context.chain.zerostates.has(blockKey(context.zerostate))).toBe(true);
  });
});
