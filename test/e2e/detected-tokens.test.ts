/** Jettons and NFT items under codes that no table knows, with detection in the background, as in a server. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeContents } from '../../src/api/metadata/content-records.ts';
import type { JettonMasterAnswer } from '../../src/api/v3/schemas/jetton.ts';
import type { NftItemAnswer } from '../../src/api/v3/schemas/nft.ts';
import type { TraceAnswer } from '../../src/api/v3/schemas/trace.ts';
import { REFUSED } from '../helpers/changed-contracts.ts';
import { account, CustomTokenChain, DOCUMENT, findAction, raw } from '../helpers/custom-token-chain.ts';
import { ApiLake, JETTON_SUMS } from '../helpers/lake-of-api.ts';
import { openSse } from '../helpers/stream-client.ts';

describe('tokens under unknown codes', { timeout: 600_000 }, () => {
  let chain: CustomTokenChain;
  beforeAll(async () => {
    chain = await CustomTokenChain.open({ detects: true, awaited: ['contracts', 'actions'] });
  }, 600_000);
  afterAll(async () => {
    await chain?.api.close();
    expect(chain?.api.logged).toEqual([]);
  });

  it('are in stored actions of their first transfers: the step waited for its detections', async () => {
    for (const [place, one] of chain.jettonCases.entries()) {
      const to = account(0x80 + place);
      const hash = await chain.send(one.jetton.transfer(one.requested, { to }));
      await chain.mine(8);
      const { actions } = await chain.get('actions', { msg_hash: hash });
      expect(findAction(actions, 'jetton_transfer'), one.what).toMatchObject(chain.jettonAction(one, to));
      const { traces } = await chain.get('traces', { msg_hash: hash, include_actions: 'true' });
      const [trace] = traces as readonly TraceAnswer[];
      expect(findAction(trace!.actions, 'jetton_transfer'), one.what).toMatchObject(
        chain.jettonAction(one, to),
      );
    }
    const refused = { to: account(0x90), queryId: REFUSED };
    const given = { to: account(0x90), queryId: 8n };
    for (const handover of [refused, given]) {
      const hash = await chain.send(chain.nfts.transfer(handover));
      await chain.mine(8);
      const { actions } = await chain.get('actions', { msg_hash: hash });
      const expected = chain.nftAction(handover, handover === given);
      expect(findAction(actions, 'nft_transfer')).toMatchObject(expected);
    }
  });

  it('are in events of streams', async () => {
    const [one] = chain.jettonCases;
    const to = account(0xa0);
    const stream = await openSse(chain.api.url, {
      types: ['actions'],
      addresses: [chain.owner],
      min_finality: 'finalized',
    });
    await chain.send(one!.jetton.transfer(one!.requested, { to }));
    await chain.mine(8);
    await vi.waitFor(
      () => {
        const actions = stream.events.flatMap(({ data }) => (data.actions as object[] | undefined) ?? []);
        expect(actions).toContainEqual(expect.objectContaining({ type: 'jetton_transfer' }));
        expect(findAction(actions, 'jetton_transfer')).toMatchObject(chain.jettonAction(one!, to));
      },
      { timeout: 120_000, interval: 200 },
    );
    await stream.close();
  });

  it('are in the tables for analysts and in their sums', async () => {
    await chain.mine(8);
    const lake = new ApiLake(chain.api, 'detected_lake_test');
    const wallets = (await chain.get('jetton/wallets', { limit: '1000', exclude_zero_balance: 'true' }))
      .jetton_wallets as readonly { owner: string; jetton: string; balance: string }[];
    const own = new Set(chain.jettonCases.map(({ jetton }) => raw(jetton.minter.address)));
    const expected = wallets.map(({ owner, jetton, balance }) => `('${owner}','${jetton}',${balance})`);
    const balances =
      "SELECT address, asset, amount FROM ton.latest_balances WHERE asset != 'TON' AND amount > 0";
    // Get methods run after the step: the last states may come later.
    await vi.waitFor(async () => expect(await lake.texts(balances)).toEqual(expected.toSorted()), {
      timeout: 120_000,
      interval: 500,
    });
    const holders = await lake.ask<{ jetton_master: string; n: number }>(
      'SELECT jetton_master, toInt32(argMax(holders, day)) AS n FROM ton.jetton_holders_daily GROUP BY 1',
    );
    for (const master of own)
      expect([master, holders.find((one) => one.jetton_master === master)?.n]).toEqual([
        master,
        wallets.filter(({ jetton }) => jetton === master).length,
      ]);
    const transfers = (await chain.get('jetton/transfers', { limit: '1000' })).jetton_transfers as readonly {
      jetton_master: string;
    }[];
    const counted = await lake.texts(
      "SELECT jetton_master, count() FROM ton.jetton_events WHERE type = 'transfer' AND NOT tx_aborted GROUP BY 1",
    );
    const counts = Map.groupBy(transfers, ({ jetton_master }) => jetton_master);
    expect(counted).toEqual([...counts].map(([master, { length }]) => `('${master}',${length})`).sort());
    expect([...own].filter((master) => !counts.has(master))).toEqual([]);
    for (const [what, sums, plain] of JETTON_SUMS)
      expect([what, await lake.texts(sums)]).toEqual([what, await lake.texts(plain)]);
  });

  it('are in the tables of masters and items, each state once, with the time of its transaction', async () => {
    const lake = new ApiLake(chain.api, 'detected_lake_test');
    const own = chain.jettonCases.map(({ jetton }) => raw(jetton.minter.address));
    const { jetton_masters } = await chain.get('jetton/masters', { limit: '1000' });
    const masters = (jetton_masters as readonly JettonMasterAnswer[]).filter(({ address }) =>
      own.includes(address),
    );
    expect(masters.length).toBe(3);
    const found = await lake.ask(
      `SELECT address, mintable, admin_address, jetton_wallet_code_hash, code_hash, jetton_content_onchain AS content
       FROM ton.jetton_metadata_latest WHERE address IN (${own.map((one) => `'${one}'`).join(', ')}) ORDER BY address`,
    );
    expect(found).toEqual(
      masters
        .map(({ address, mintable, admin_address, jetton_wallet_code_hash, code_hash, jetton_content }) => ({
          ...{ address, mintable, admin_address, jetton_wallet_code_hash, code_hash },
          content: JSON.stringify(jetton_content),
        }))
        .sort((a, b) => (a.address < b.address ? -1 : 1)),
    );
    const { nft_items } = await chain.get('nft/items', {
      collection_address: raw(chain.nfts.collection.address),
    });
    const [item] = nft_items as readonly NftItemAnswer[];
    expect(
      await lake.ask(
        `SELECT i.is_init, i.index, i.collection_address, i.owner_address, toString(i.lt) AS lt, m.type, m.name, m.parent_address
         FROM ton.nft_items_latest_state AS i INNER JOIN ton.nft_metadata_latest AS m USING (address) WHERE address = '${item!.address}'`,
      ),
    ).toEqual([
      {
        ...{ is_init: true, index: item!.index, collection_address: item!.collection_address },
        ...{ owner_address: item!.owner_address, lt: item!.last_transaction_lt },
        ...{ type: 'item', name: 'Item', parent_address: item!.collection_address },
      },
    ]);
    const states = `SELECT address, lt, timestamp AS at FROM ton.nft_items UNION ALL SELECT address, toInt64(update_time_onchain), update_time_onchain FROM ton.jetton_metadata`;
    expect(await lake.texts(`SELECT count() - uniqExact(address, lt) FROM (${states})`)).toEqual(['(0)']);
    expect(
      await lake.texts(
        `SELECT countIf(n.block_time != t.block_time), count() > 0 FROM ton.nft_items AS n INNER JOIN ton.transactions AS t ON t.account = n.address AND t.lt = n.lt
         WHERE n.address = '${item!.address}'`,
      ),
    ).toEqual(['(0,1)']);
  });

  it('have the fields of the document that their content links', async () => {
    const lake = new ApiLake(chain.api, 'detected_lake_test');
    const select =
      "SELECT metadata_status, symbol, toInt32(decimals) AS decimals, image FROM ton.jetton_metadata_latest WHERE jetton_content_onchain LIKE '%custom.json%'";
    const none = { metadata_status: 0, symbol: null, decimals: 9, image: null };
    expect(await lake.ask(select)).toEqual([none, none]);
    const content = JSON.stringify({ symbol: 'CUSTOM', decimals: '6', image: 'https://example.org/i.png' });
    await writeContents(chain.api.client, 'localnet', [{ link: DOCUMENT, content, failures: 0, nextAt: 1 }]);
    const read = {
      metadata_status: 1,
      symbol: 'CUSTOM',
      decimals: 6,
      image: 'https://example.org/i.png',
    };
    expect(await lake.ask(select)).toEqual([read, read]);
  });
});
