/** Get methods and estimates on states that only the store has: real mainnet blocks, no chain. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginCell, Cell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildServer } from '../../src/api/serve-stage.ts';
import { chainPort } from '../../src/cli/compose/chain-port.ts';
import { TvmPool } from '../../src/tvm/pool/tvm-pool.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const ELECTOR = `-1:${'3'.repeat(64)}`;

describeWithData('contracts of the store', (data) => {
  const pool = new TvmPool({ threads: 1, timeoutMs: 5_000 });
  let store: IndexedStore;
  let app: FastifyInstance;

  beforeAll(async () => {
    store = await openIndexedStore({
      folders: [join(data, 'blocks/mainnet-genesis-0001')],
      states: [-1, 0].map((workchain) => zerostate(data, workchain)),
    });
    app = await buildServer({ ...store.context, chain: chainPort(null, pool) });
  }, 300_000);
  afterAll(async () => {
    await app?.close();
    await pool.close();
    await store?.close();
    expect(store?.logged).toEqual([]);
  });

  const post = async (path: string, payload: object) =>
    (await app.inject({ method: 'POST', url: `/api/${path}`, payload })).json();

  it('has the configuration of the zerostate', async () => {
    const [state] = Cell.fromBoc(readFileSync(zerostate(data, -1)));
    // masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams …, the state's last reference
    const extra = state!.refs.at(-1)!.beginParse();
    expect(extra.loadUint(16)).toBe(0xcc26);
    extra.loadMaybeRef();
    extra.skip(256);
    const expected = extra.loadRef();
    for (const seqno of [1, 50, 99]) {
      const { result } = await post('v2/getConfigAll', { seqno });
      expect(Cell.fromBase64(result.config.bytes).equals(expected)).toBe(true);
    }
  });

  it('runs get methods on states of which each block has only what it changed', async () => {
    for (const seqno of [1, 2, 50, 99]) {
      const call = { address: ELECTOR, method: 'active_election_id', stack: [], seqno };
      const { result } = await post('v2/runGetMethod', call);
      expect(result).toMatchObject({
        exit_code: 0,
        stack: [['num', '0x0']],
        block_id: { workchain: -1, seqno },
      });
      const { stack } = await post('v3/runGetMethod', call);
      expect(stack).toEqual([{ type: 'num', value: '0x0' }]);
    }
  });

  it('estimates fees, and takes no messages', async () => {
    const body = beginCell().storeUint(7, 32).endCell().toBoc().toString('base64');
    const { source_fees } = await post('v3/estimateFee', { address: ELECTOR, body });
    // msg_forward_prices of the masterchain: 10,000,000 + (32 × 655,360,000 + 65,536,000,000) / 2^16
    expect(source_fees).toEqual({ in_fwd_fee: 11_320_000, storage_fee: 0, gas_fee: 0, fwd_fee: 0 });
    const { code } = await post('v3/message', { boc: body });
    expect(code).toBe(542);
  });
});

function zerostate(data: string, workchain: number): string {
  return join(data, `accounts/states/mainnet_zerostate_${workchain}.boc`);
}
