/** Names, queues, cells of accounts and the ways to call, through v2, over a local chain. */
import { Address, beginCell, Cell, loadShardAccount } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { genesisDns } from '../../src/localnet/genesis/genesis-dns.ts';
import { formatFriendly } from '../../src/ton/address/address.ts';
import { sha256 } from '../../src/ton/hash/sha256.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';

const friendly = ({ workchain, address }: AccountAddress) =>
  formatFriendly(workchain, address, { bounceable: true, testOnly: false });
const category = (kind: string) => Buffer.from(sha256(new TextEncoder().encode(kind))).toString('base64');

interface Answer {
  readonly status: number;
  readonly json: { readonly result?: unknown; readonly error?: string; readonly [field: string]: unknown };
}

describe('v2 over a local chain', { timeout: 600_000 }, () => {
  let api: LocalApi;
  beforeAll(async () => {
    api = await openLocalApi();
    // The basechain begins with a zerostate, which is no block.
    await api.control.fund({ workchain: 0, address: new Uint8Array(32).fill(9) }, 1_000_000_000n);
    const topSeqno = async () => {
      const { result } = (await get('getMasterchainInfo')).json as { result: { last: { seqno: number } } };
      const shards = (await get('shards', { seqno: `${result.last.seqno}` })).json;
      return (shards.result as { shards: { seqno: number }[] }).shards[0]?.seqno;
    };
    while (!(await topSeqno())) await new Promise((resolve) => setTimeout(resolve, 50));
  }, 600_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const get = async (method: string, parameters: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(`${api.url}/api/v2/${method}?${new URLSearchParams(parameters)}`);
    return { status: answer.status, json: (await answer.json()) as Answer['json'] };
  };
  const post = async (path: string, body: unknown): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${api.url}/api/v2${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
    });
    return { status: answer.status, json: (await answer.json()) as Answer['json'] };
  };
  const names = () => {
    const faucet = api.control.info.faucet.address;
    return { faucet, ...genesisDns(faucet, [{ label: 'faucet', owner: faucet }]) };
  };

  it('begins with the first block, which is not the zerostate', async () => {
    const { first, last } = (await (await fetch(`${api.url}/api/v3/masterchainInfo`)).json()) as Record<
      string,
      { seqno: number }
    >;
    expect(first!.seqno).toBe(1);
    expect(last!.seqno).toBeGreaterThan(1);
  });

  it('resolves a name through all resolvers, and stops at the limit', async () => {
    const { root, collection, faucet } = names();
    const address = friendly(root.address);
    expect((await get('dnsResolve', { address, name: 'faucet.ton' })).json.result).toEqual({
      '@type': 'dns.resolved',
      entries: [
        {
          '@type': 'dns.entry',
          name: 'faucet.ton',
          category: category('wallet'),
          entry: {
            '@type': 'dns.entryDataSmcAddress',
            smc_address: { '@type': 'accountAddress', account_address: friendly(faucet) },
          },
        },
      ],
    });
    expect((await get('dnsResolve', { address, name: 'faucet.ton', ttl: '0' })).json.result).toEqual({
      '@type': 'dns.resolved',
      entries: [
        {
          '@type': 'dns.entry',
          name: 'ton',
          category: category('dns_next_resolver'),
          entry: {
            '@type': 'dns.entryDataNextResolver',
            resolver: { '@type': 'accountAddress', account_address: friendly(collection.address) },
          },
        },
      ],
    });
  });

  it('returns no records of a free name, and refuses an invalid name or resolver', async () => {
    const { root, faucet } = names();
    const address = friendly(root.address);
    expect((await get('dnsResolve', { address, name: 'faucet.com' })).json.result).toMatchObject({
      entries: [],
    });
    expect(await get('dnsResolve', { address, name: 'a..ton' })).toMatchObject({ status: 422 });
    expect(await get('dnsResolve', { address, name: 'x'.repeat(127) })).toMatchObject({ status: 422 });
    expect(await get('dnsResolve', { address: friendly(faucet), name: 'a.ton' })).toMatchObject({
      status: 500,
      json: { error: 'Exit code 11 != 0' },
    });
  });

  it('shows an account as its ShardAccount, and an empty one if there is none', async () => {
    const { faucet } = names();
    const shown = (await get('getShardAccountCell', { address: friendly(faucet) })).json;
    const { bytes } = shown.result as { bytes: string };
    const { account } = loadShardAccount(Cell.fromBase64(bytes).beginParse());
    expect(account?.addr.equals(new Address(faucet.workchain, Buffer.from(faucet.address)))).toBe(true);
    const none = (await get('getShardAccountCell', { address: `0:${'1'.repeat(64)}` })).json;
    const empty = beginCell()
      .storeRef(beginCell().storeBit(0).endCell())
      .storeUint(0, 256)
      .storeUint(0, 64)
      .endCell();
    expect(none.result).toEqual({ '@type': 'tvm.cell', bytes: expect.any(String) });
    expect(Cell.fromBase64((none.result as { bytes: string }).bytes).equals(empty)).toBe(true);
  });

  it('returns the sizes of the queues, the masterchain first, under both names', async () => {
    for (const method of ['getOutMsgQueueSize', 'getOutMsgQueueSizes'])
      expect((await get(method)).json.result).toEqual({
        '@type': 'blocks.outMsgQueueSizes',
        shards: [-1, 0].map((workchain) => ({
          '@type': 'blocks.outMsgQueueSize',
          id: expect.objectContaining({ '@type': 'chain.blockIdExt', workchain }),
          size: 0,
        })),
        ext_msg_queue_size_limit: 0,
      });
  });

  it('refuses proofs of unknown blocks', async () => {
    const shard = '-9223372036854775808';
    const asked: [string, Record<string, string>][] = [
      ['getMasterchainBlockSignatures', {}],
      ['getShardBlockProof', { workchain: '0', shard }],
    ];
    for (const [method, parameters] of asked) {
      const unknown = await get(method, { ...parameters, seqno: '999999' });
      expect(unknown).toMatchObject({
        status: 500,
        json: { error: expect.stringMatching(/^LITE_SERVER_NOTREADY: block .* is not indexed$/) },
      });
      expect((await get(method, { ...parameters, seqno: '0' })).status).toBe(422);
    }
  });

  it('refuses a message with 400 if the setting replaces 500', async () => {
    const boc = beginCell().storeUint(0b10, 2).endCell().toBoc().toString('base64');
    expect((await post('/sendBocReturnHash', { boc })).status).toBe(500);
    expect((await post('/sendBocReturnHashNoError', { boc })).status).toBe(400);
  });

  it.each(['', '/', '/jsonRPC'])('takes calls at %j', async (path) => {
    expect((await post(path, { id: 7, jsonrpc: '2.0', method: 'healthcheck' })).json).toEqual({
      ok: true,
      result: 'OK',
      '@extra': expect.any(String),
      jsonrpc: '2.0',
      id: '7',
    });
    expect((await post(path, [])).json).toMatchObject({ ok: false, code: 422, jsonrpc: '2.0' });
  });
});
