/** Data of token contracts of a local chain, through v2. */
import { Cell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JETTON_WALLET_CODE } from '../../src/localnet/contracts/codes/jetton-wallet-code.ts';
import { genesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import { genesisDns } from '../../src/localnet/genesis/genesis-dns.ts';
import { jettonWalletAddress } from '../../src/localnet/genesis/genesis-jetton.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { formatFriendly, formatRaw } from '../../src/ton/address/address.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';

const friendly = ({ workchain, address }: AccountAddress) =>
  formatFriendly(workchain, address, { bounceable: true, testOnly: false });

describe('token data of a local chain', { timeout: 300_000 }, () => {
  let api: LocalApi;
  beforeAll(async () => {
    api = await openLocalApi();
  }, 300_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const ask = async (address: string, more = '') => {
    const answer = await fetch(
      `${api.url}/api/v2/getTokenData?address=${encodeURIComponent(address)}${more}`,
    );
    const { result, error } = (await answer.json()) as { result?: object; error?: string };
    return { status: answer.status, result, error };
  };
  const tokens = () => {
    const faucet = api.control.info.faucet.address;
    return { faucet, ...genesisTokens({ seed: 'localnet', globalId: LOCALNET_GLOBAL_ID, faucet }) };
  };

  it('answers about jettons: the master, and a wallet that the master confirms', async () => {
    const { faucet, jetton } = tokens();
    const master = jetton.minter.address;
    const code = Cell.fromBase64(JETTON_WALLET_CODE).hash().toString('hex');
    const { result } = (await ask(friendly(master))) as { result: { jetton_wallet_code: string } };
    expect(result).toEqual({
      '@type': 'ext.tokens.jettonMasterData',
      address: friendly(master),
      contract_type: 'jetton_master',
      total_supply: '1042000000000000000',
      mintable: true,
      admin_address: friendly(faucet),
      jetton_content: { type: 'onchain', data: expect.objectContaining({ symbol: 'LOCAL', decimals: '9' }) },
      jetton_wallet_code: expect.any(String),
    });
    expect(Cell.fromBase64(result.jetton_wallet_code).hash().toString('hex')).toBe(code);
    const wallet = jettonWalletAddress(master, faucet);
    const raw = formatRaw(wallet.workchain, wallet.address);
    expect((await ask(raw)).result).toEqual({
      '@type': 'ext.tokens.jettonWalletData',
      address: raw,
      contract_type: 'jetton_wallet',
      balance: '1000000000000000000',
      owner: friendly(faucet),
      jetton: friendly(master),
      jetton_wallet_code: result.jetton_wallet_code,
    });
  });

  it('answers about NFTs: the collection, and an item that the collection confirms', async () => {
    const { faucet, nfts } = tokens();
    const collection = nfts.collection.address;
    expect((await ask(friendly(collection))).result).toMatchObject({
      '@type': 'ext.tokens.nftCollectionData',
      contract_type: 'nft_collection',
      next_item_index: '35',
      owner_address: friendly(faucet),
      collection_content: { data: { name: 'Localnet Postcards' } },
    });
    expect((await ask(friendly(nfts.items[1]!.address), '&seqno=1')).result).toMatchObject({
      '@type': 'ext.tokens.nftItemData',
      contract_type: 'nft_item',
      init: true,
      index: '1',
      collection_address: friendly(collection),
      owner_address: friendly(faucet),
      content: { type: 'onchain', data: { name: 'Postcard 2' } },
    });
  });

  it('answers about names: their records', async () => {
    const dns = genesisDns(tokens().faucet, [{ label: 'faucet', owner: tokens().faucet }]);
    const { faucet } = tokens();
    expect((await ask(friendly(dns.items[0]!.address))).result).toMatchObject({
      '@type': 'ext.tokens.nftItemData',
      collection_address: friendly(dns.collection.address),
      owner_address: friendly(faucet),
      content: {
        domain: 'faucet.ton',
        data: {
          wallet: {
            '@type': 'dns_smc_address',
            smc_addr: {
              '@type': 'addr_std',
              workchain_id: 0,
              address: Buffer.from(faucet.address).toString('hex'),
            },
          },
        },
      },
    });
  });

  it('reports that an account is no token', async () => {
    const { faucet } = tokens();
    const no = { status: 409, error: 'Smart contract is not Jetton or NFT' };
    expect(await ask(friendly(faucet))).toMatchObject(no);
    expect(await ask(`0:${'9'.repeat(64)}`)).toMatchObject(no);
    expect((await ask('nobody')).status).toBe(422);
  });
});
