import { formatFriendly, formatRaw } from '../../../ton/address/address.ts';
import type { PackedAddress } from '../../../ton/columns/message-pack.ts';

/** accountAddress of contract/v2-endpoints.md section 5. */
export interface AccountAddress {
  readonly '@type': 'accountAddress';
  readonly account_address: string;
}

/** An address as answers name an account: friendly, bounceable, url-safe, never marked test-only. */
export function friendlyText(workchain: number, hash: Uint8Array): string {
  // Only eight bits of the workchain fit into the friendly form; the raw one is the only name of the others.
  if (workchain < -128 || workchain > 127) return formatRaw(workchain, hash);
  return formatFriendly(workchain, hash, { bounceable: true, testOnly: false });
}

/** As `friendlyText`, of an account id in hex. */
export function friendlyOfHex(workchain: number, hash: string): string {
  return friendlyText(workchain, Uint8Array.fromHex(hash));
}

/** A side of a message: `""` if it is not an account (none, or outside of the chain). */
export function addressText(address: PackedAddress): string {
  if (address.kind === 'std') return friendlyText(address.workchain, address.hash);
  if (address.kind === 'var' && address.bitLength === 256)
    return friendlyText(address.workchain, address.bits);
  return '';
}

export function accountAddress(text: string): AccountAddress {
  return { '@type': 'accountAddress', account_address: text };
}
