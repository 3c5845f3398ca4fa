import { formatFriendly, formatRaw, type ParsedAddress } from '../../../ton/address/address.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import { noToken, readTokenData } from '../../chain/tokens/token-data.ts';
import type { TokenData } from '../../chain/tokens/token-facts.ts';
import { friendlyText } from '../format/account-address.ts';
import { TOKEN_DATA } from '../format/chain-schemas.ts';
import { STATE_SEQNO } from '../parameters/block-parameters.ts';
import { ACCOUNT } from '../parameters/history-parameters.ts';
import { chainAddress } from './message-parts.ts';
import { defineMethod } from './method.ts';

/** Data of a jetton's master or wallet, or of an NFT's collection or item (v2-endpoints.md section 9). */
export const getTokenData = defineMethod({
  name: 'getTokenData',
  group: 'accounts',
  reads: ['base'],
  summary: 'Token data of a jetton or NFT contract',
  parameters: { address: ACCOUNT, seqno: STATE_SEQNO },
  result: TOKEN_DATA,
  async answer(request, { address, seqno }) {
    const data = await readTokenData(request, chainAddress(address), seqno);
    if (!data) throw noToken();
    const { '@type': type, ...fields } = toFields(data);
    return { '@type': type, address: asGiven(address), contract_type: data.kind, ...fields };
  },
});

/** The address in the form of the request. */
function asGiven(address: ParsedAddress): string {
  const { workchain, hash, form, bounceable = true, testOnly = false } = address;
  return form === 'raw'
    ? formatRaw(workchain, hash)
    : formatFriendly(workchain, hash, { bounceable, testOnly });
}

/** An address that is none is left out. */
function named(name: string, address: AccountAddress | null): Record<string, string> {
  return address ? { [name]: friendly(address) } : {};
}

function friendly({ workchain, address }: AccountAddress): string {
  return friendlyText(workchain, address);
}

function toFields(data: TokenData): { readonly '@type': string; readonly [field: string]: unknown } {
  switch (data.kind) {
    case 'jetton_master':
      return {
        '@type': 'ext.tokens.jettonMasterData',
        total_supply: `${data.totalSupply}`,
        mintable: data.mintable,
        ...named('admin_address', data.admin),
        jetton_content: data.content,
        jetton_wallet_code: toBase64(data.walletCode),
      };
    case 'jetton_wallet':
      return {
        '@type': 'ext.tokens.jettonWalletData',
        balance: `${data.balance}`,
        owner: friendly(data.owner),
        jetton: friendly(data.master),
        ...(data.isClaimed === null ? {} : { mintless_is_claimed: data.isClaimed }),
        jetton_wallet_code: toBase64(data.walletCode),
      };
    case 'nft_collection':
      return {
        '@type': 'ext.tokens.nftCollectionData',
        next_item_index: `${data.nextIndex}`,
        ...named('owner_address', data.owner),
        collection_content: data.content,
      };
    case 'nft_item':
      return {
        '@type': 'ext.tokens.nftItemData',
        init: data.isInit,
        index: `${data.index}`,
        ...named('collection_address', data.collection),
        ...named('owner_address', data.owner),
        content: data.content,
      };
  }
}
