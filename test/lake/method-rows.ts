/** Rows of the lake, from get methods of the contracts. */
import { Cell } from '@ton/core';
import type { Entry, LakeServer, Row } from './lake-server.ts';

/** An address on the stack as raw text in capitals; null for none. */
export function toAddress({ value }: Entry): string | null {
  const found = Cell.fromBase64(String(value)).beginParse().loadMaybeAddress();
  return found ? found.toRawString().toUpperCase() : null;
}

/** A number on the stack. */
export const toNumber = ({ value }: Entry): bigint =>
  BigInt(String(value).replace(/^-/, '')) * (String(value).startsWith('-') ? -1n : 1n);

/** A number of seconds; null for 0. */
export const toSeconds = (entry: Entry): number | null => Number(toNumber(entry)) || null;

/** Rows of `latest_balances` of jettons: `get_wallet_data` of each wallet. */
export async function methodBalances(
  server: LakeServer,
  wallets: readonly string[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const wallet of wallets) {
    const [balance, owner, master] = await server.runGetMethod(wallet, 'get_wallet_data');
    rows.push({ wallet, address: toAddress(owner!), asset: toAddress(master!), amount: toNumber(balance!) });
  }
  return rows;
}
