/** The published client @ton/ton against the real server and store: it checks every answer against strict schemas. */
import { join } from 'node:path';
import { Address, Cell, loadTransaction, type Transaction } from '@ton/core';
import { TonClient } from '@ton/ton';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Serving, startServing } from '../../src/api/serve-stage.ts';
import { readShardHashes } from '../../src/ton/decode/block-header.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const MASTERCHAIN = '-9223372036854775808';
/** Accounts of the masterchain that have all transactions of the set. */
const ELECTOR = Address.parse(`-1:${'3'.repeat(64)}`);
const FEES = Address.parse(`-1:${'0'.repeat(64)}`);
const VALIDATOR = Address.parse('-1:34517c7bdf5187c55af4f8b61fdc321588c7ab768dee24b006df29106458d7cf');

interface ExtTransactions {
  readonly result: {
    readonly transactions: readonly {
      readonly data: string;
      readonly transaction_id: { readonly lt: string; readonly hash: string };
      readonly account: string;
      readonly utime: number;
    }[];
  };
}

describeWithData('@ton/ton over /jsonRPC', (data) => {
  let store: IndexedStore;
  let serving: Serving;
  let client: TonClient;

  beforeAll(async () => {
    store = await openIndexedStore({
      folders: [join(data, 'blocks/mainnet-genesis-0001')],
      states: ['-1', '0'].map((workchain) =>
        join(data, `accounts/states/mainnet_zerostate_${workchain}.boc`),
      ),
    });
    serving = await startServing(store.context, { host: '127.0.0.1', port: 0 });
    client = new TonClient({ endpoint: `${serving.url}/api/v2/jsonRPC` });
  });
  afterAll(async () => {
    await serving?.close();
    await store?.close();
    expect(store?.logged).toEqual([]);
  });

  const masters = () => store.blocks.filter(({ header }) => header.workchain === -1);

  it('reads the newest masterchain block and the zero state', async () => {
    expect(await client.getMasterchainInfo()).toEqual({
      workchain: -1,
      shard: MASTERCHAIN,
      initSeqno: 0,
      latestSeqno: 99,
    });
  });

  it('reads the shards of masterchain blocks', async () => {
    for (const { header, bytes } of masters().filter(({ header }) => header.seqno % 12 === 1)) {
      const expected = readShardHashes(bytes).map(({ workchain, shard, seqno }) => ({
        workchain,
        shard: BigInt.asIntN(64, shard).toString(),
        seqno,
      }));
      expect(await client.getWorkchainShards(header.seqno)).toEqual(expected);
    }
  });

  it('every transaction of every block has the hash that its cell has', async () => {
    let seen = 0;
    for (const { header } of masters()) {
      const ids = await client.getShardTransactions(-1, header.seqno, MASTERCHAIN);
      const reply = await fetch(
        `${serving.url}/api/v2/getBlockTransactionsExt?workchain=-1&shard=${MASTERCHAIN}&seqno=${header.seqno}`,
      );
      const { result } = (await reply.json()) as ExtTransactions;
      for (const [index, { data, transaction_id, account, utime }] of result.transactions.entries()) {
        const cell = Cell.fromBase64(data);
        const transaction = loadTransaction(cell.asSlice());
        expect(cell.hash().toString('base64')).toBe(transaction_id.hash);
        expect([`${transaction.lt}`, transaction.now]).toEqual([transaction_id.lt, utime]);
        expect(ids[index]).toMatchObject({ hash: transaction_id.hash, lt: transaction_id.lt });
        expect(ids[index]!.account.toRawString()).toBe(account.toLowerCase());
        seen++;
      }
      expect(ids).toHaveLength(result.transactions.length);
    }
    expect(seen).toBe(1087);
  });

  it('walks the history of an account, whether the first of a page is taken or not', async () => {
    const whole = await client.getTransactions(ELECTOR, { limit: 1000 });
    expect(whole).toHaveLength(198);
    expectChain(whole);
    const paged: Transaction[] = await client.getTransactions(ELECTOR, { limit: 50 });
    for (let added = 1; added > 0; ) {
      const last = paged.at(-1)!;
      const from = { lt: `${last.lt}`, hash: last.hash().toString('base64') };
      const next = await client.getTransactions(ELECTOR, { limit: 50, ...from });
      paged.push(...next);
      added = next.length;
    }
    expect(paged.map(({ lt }) => lt)).toEqual(whole.map(({ lt }) => lt));
    const [, second] = whole;
    const cursor = { lt: `${second!.lt}`, hash: second!.hash().toString('base64') };
    const inclusive = await client.getTransactions(ELECTOR, { limit: 3, inclusive: true, ...cursor });
    expect(inclusive.map(({ lt }) => lt)).toEqual(whole.slice(1, 4).map(({ lt }) => lt));
    const until = await client.getTransactions(ELECTOR, { limit: 50, to_lt: `${whole[4]!.lt}` });
    expect(until.map(({ lt }) => lt)).toEqual(whole.slice(0, 4).map(({ lt }) => lt));
  });

  it('finds one transaction by lt and hash', async () => {
    const [wanted] = await client.getTransactions(FEES, { limit: 1 });
    const hash = wanted!.hash().toString('base64');
    const found = await client.getTransaction(FEES, `${wanted!.lt}`, hash);
    expect(found?.hash().toString('base64')).toBe(hash);
  });

  it('finds both ends of a message', async () => {
    const history = await client.getTransactions(FEES, { limit: 40 });
    let found = 0;
    for (const receiver of history) {
      const info = receiver.inMessage?.info;
      if (info?.type !== 'internal') continue;
      const { src, dest, createdLt } = info;
      const result = await client.tryLocateResultTx(src, dest, `${createdLt}`);
      expect(result.hash().equals(receiver.hash())).toBe(true);
      found++;
    }
    expect(found).toBeGreaterThan(5);
    let sent = 0;
    for (const sender of await client.getTransactions(VALIDATOR, { limit: 40 })) {
      for (const message of sender.outMessages.values()) {
        if (message.info.type !== 'internal') continue;
        const { src, dest, createdLt } = message.info;
        const source = await client.tryLocateSourceTx(src, dest, `${createdLt}`);
        expect(source.hash().equals(sender.hash())).toBe(true);
        sent++;
      }
    }
    expect(sent).toBeGreaterThan(5);
  });

  it('reads the state of accounts', async () => {
    const [newest] = await client.getTransactions(ELECTOR, { limit: 1 });
    const state = await client.getContractState(ELECTOR);
    expect(state).toMatchObject({
      state: 'active',
      lastTransaction: { lt: `${newest!.lt}`, hash: newest!.hash().toString('base64') },
      blockId: { workchain: -1, shard: MASTERCHAIN, seqno: 99 },
    });
    expect(Cell.fromBoc(state.code!)).toHaveLength(1);
    expect(await client.getBalance(ELECTOR)).toBe(state.balance);
    expect(await client.isContractDeployed(ELECTOR)).toBe(true);
    const unused = await client.getContractState(Address.parse(`0:${'ab'.repeat(32)}`));
    expect(unused).toMatchObject({
      balance: 0n,
      state: 'uninitialized',
      code: null,
      data: null,
      lastTransaction: null,
    });
  });

  it('gets the reason of a failure', async () => {
    await expect(client.getWorkchainShards(100)).rejects.toThrow();
    await expect(client.tryLocateResultTx(ELECTOR, FEES, '7')).rejects.toThrow();
  });

  /** Each transaction names the one before it. */
  function expectChain(newestFirst: readonly Transaction[]): void {
    for (const [index, transaction] of newestFirst.entries()) {
      const older = newestFirst[index + 1];
      if (!older) continue;
      expect(transaction.prevTransactionLt).toBe(older.lt);
      expect(transaction.prevTransactionHash.toString(16).padStart(64, '0')).toBe(
        older.hash().toString('hex'),
      );
    }
  }
});
