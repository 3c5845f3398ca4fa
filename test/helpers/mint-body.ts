import { type Address, beginCell, type Cell } from '@ton/core';

/** What a minter of TEP-74's authors takes to mint. `value`: nanotons for the wallet. */
export function mintBody(
  to: Address,
  amount: bigint,
  { value, queryId = 1 }: { readonly value: bigint; readonly queryId?: number },
): Cell {
  const transfer = beginCell().storeUint(0x178d4519, 32).storeUint(queryId, 64).storeCoins(amount);
  transfer.storeAddress(null).storeAddress(to).storeCoins(0).storeBit(false);
  const body = beginCell().storeUint(0x15, 32).storeUint(queryId, 64).storeAddress(to).storeCoins(value);
  return body.storeRef(transfer).endCell();
}
