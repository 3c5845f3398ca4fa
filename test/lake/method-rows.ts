/** Rows of the lake, from get methods of the contracts. */
import { Cell } from '@ton/core';
import type { LakeServer, Row } from './lake-server.ts';

type Entry = { readonly type: string; readonly value: unknown };

function toAddress({ value }: Entry): string | null {
  const found = Cell.fromBase64(String(value)).beginParse().loadMaybeAddress();
  return found ? found.toRawString().replace(/:.*/, (hash) => hash.toUpperCase()) : null;
}
const toNumber = ({ value }: Entry) =>
  BigInt(String(value).replace(/^-(0x.*)$/, '$1')) * (String(value).startsWith('-') ? -1n : 1n);

/** Rows of `latest_balances` of jettons: `get_wallet_data` of each wallet. */
export async function methodBalances(
  server: LakeServer,
  wallets: readonly string[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const wallet of wallets) {
    const [balance, owner, master] = await server.runGetMethod(wallet, 'get_wallet_data');
    rows.push({ address: toAddress(owner!), asset: toAddress(master!), amount: toNumber(balance!) });
  }
  return rows;
}

/** Rows of `jetton_metadata_latest`: `get_jetton_data` of each master. */
export async function methodMasters(server: LakeServer, masters: readonly string[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const address of masters) {
    const [, mintable, admin, , code] = await server.runGetMethod(address, 'get_jetton_data');
    const wallet = Cell.fromBase64(String(code!.value));
    rows.push({
      address,
      mintable: toNumber(mintable!) !== 0n,
      admin_address: toAddress(admin!),
      jetton_wallet_code_hash: wallet.hash().toString('base64'),
    });
  }
  return rows;
}

/** Rows of `nft_items_latest_state`: `get_nft_data` of each item. */
export async function methodItems(server: LakeServer, items: readonly string[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const address of items) {
    const [init, index, collection, owner] = await server.runGetMethod(address, 'get_nft_data');
    rows.push({
      address,
      is_init: toNumber(init!) !== 0n,
      index: toNumber(index!),
      collection_address: toAddress(collection!),
      owner_address: toAddress(owner!),
    });
  }
  return rows;
}
