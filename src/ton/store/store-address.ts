import type { CellBuilder } from '../cell/cell-builder.ts';

/** An account by workchain and 32 bytes. */
export interface AccountAddress {
  readonly workchain: number;
  readonly address: Uint8Array;
}

/** What columns store for no account. */
export const ZERO_ADDRESS: AccountAddress = { workchain: 0, address: new Uint8Array(32) };

/** `workchain:hash`, lower-case hex: a key of maps by account. */
export function toAccountName({ workchain, address }: AccountAddress): string {
  return `${workchain}:${Buffer.from(address.buffer, address.byteOffset, address.length).toString('hex')}`;
}

// addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;
export function storeAddress(builder: CellBuilder, { workchain, address }: AccountAddress): void {
  builder.uint(0b10, 2).bit(false).int(workchain, 8).bytes(address);
}
