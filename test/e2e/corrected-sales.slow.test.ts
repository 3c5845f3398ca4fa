/** Actions of sales and auctions that are detected long after them: a correction classifies the traces again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import { NFT_ITEM_CODE } from '../../src/localnet/contracts/codes/nft-item-code.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { auctionInit, saleInit } from '../../src/localnet/traffic/listing-init.ts';
import { type Transfer, walletMessage } from '../../src/localnet/wallets/transfer.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import { otherAuctionCode, otherSaleCode } from '../helpers/changed-contracts.ts';
import { CorrectedTables } from '../helpers/corrected-tables.ts';
import { account, CustomTokenChain, findAction } from '../helpers/custom-token-chain.ts';
import { CustomNfts, compiled, deployment } from '../helpers/custom-tokens.ts';

const TON = 1_000_000_000n;
/** A server keeps an answer for a minute while the head does not move. */
const CACHED = { timeout: 120_000, interval: 500 };
const { wallets } = genesisWallets('localnet', LOCALNET_GLOBAL_ID);
const seller = wallets.find(({ version }) => version === 'v4r2')!;
const buyer = wallets.find(({ version }) => version === 'v3r2')!;
const raw = ({ workchain, address }: AccountAddress) => formatRaw(workchain, address);

describe('sales and auctions that are detected after they sold', { timeout: 900_000 }, () => {
  let chain: CustomTokenChain;
  let tables: CorrectedTables;
  /** Hashes of messages, each with the action that it should have. */
  const sent: { readonly hash: string; readonly expected: Partial<ActionAnswer> & { type: string } }[] = [];
  let seqno = 0;

  const send = async (...transfers: readonly Transfer[]) => {
    const validUntil = Math.floor(Date.now() / 1000) + 3_600;
    const boc = writeBag(walletMessage(buyer, transfers, { seqno: seqno++, validUntil })).toBase64();
    return (await chain.post('v3/message', { boc })).message_hash as string;
  };
  const pay = (to: AccountAddress, value: bigint): Transfer => ({ to, value, bounce: true });
  /** Deploys a contract that sells the item, and hands it the item. */
  const list = async (code: Cell, data: Cell, by: (...transfers: Transfer[]) => Promise<string>) => {
    const { address: to, stateInit } = deployment(code, data);
    await by({ ...pay(to, TON / 5n), stateInit });
    await chain.mine(8);
    await by(items.transfer({ to, forward: TON / 20n }));
    await chain.mine(8);
    return to;
  };
  const items = new CustomNfts(seller.address, compiled(NFT_ITEM_CODE));

  beforeAll(async () => {
    chain = await CustomTokenChain.open({ awaited: ['contracts', 'actions'] });
    tables = new CorrectedTables(chain.api);
    const terms = { item: items.item, marketplace: account(0x71), royaltyTo: account(0x72), createdAt: 1 };
    await chain.send(items.mint());
    await chain.mine(8);
    const sale = await list(await otherSaleCode(), saleInit(terms, 2n * TON).refs[1]!, (...all) =>
      chain.send(...all),
    );
    sent.push({ hash: await send(pay(sale, 3n * TON)), expected: { type: 'nft_purchase' } });
    await chain.mine(8);
    const endTime = Math.floor(Date.now() / 1000) + 36_000;
    const bids = { minBid: TON, maxBid: 100n * TON, endTime };
    const auction = await list(await otherAuctionCode(), auctionInit(terms, bids).refs[1]!, send);
    sent.push({
      hash: await chain.send(pay(auction, 2n * TON)),
      expected: {
        type: 'auction_bid',
        success: true,
        details: { auction: raw(auction), bidder: raw(seller.address), nft_item: raw(items.item) },
      },
    });
    await chain.mine(8);
  }, 900_000);
  afterAll(() => chain?.api.close());

  it('are transfers at first, and the traces wait', async () => {
    for (const { hash, expected } of sent) {
      const { actions } = await chain.get('actions', { msg_hash: hash });
      expect(findAction(actions, expected.type)).toBeUndefined();
    }
    expect((await tables.figures())['waiting traces']).toBeGreaterThanOrEqual(sent.length);
  });

  it('are corrected, and are the rows of a replay', async () => {
    chain.api.detect();
    await expect.poll(async () => (await tables.figures())['waiting traces'], { timeout: 800_000 }).toBe(0);
    for (const { hash, expected } of sent)
      await expect
        .poll(async () => {
          const { actions } = await chain.get('actions', { msg_hash: hash });
          return findAction(actions, expected.type);
        }, CACHED)
        .toMatchObject(expected);
    await expect
      .poll(async () => (await tables.readDone()).lake, { timeout: 300_000 })
      .toBe((await tables.readDone()).actions);
    await tables.expectReplayed();
  });
});
