import { formatRaw, parseAddress } from '../../ton/address/address.ts';

/** An account as queries and answers name it. */
export interface AccountId {
  readonly workchain: number;
  /** The 256-bit id, 64 upper-case hex digits. */
  readonly hash: string;
}

/** `workchain:HASH`, the key of address books and of maps by account. */
export function rawAddress(account: AccountId): string {
  // The hash already has upper case: a concatenated text becomes one piece, which JSON.stringify writes faster.
  return `${account.workchain}:${account.hash}`.toUpperCase();
}

/** Reads any form of an address (raw or friendly); null for any other text. */
export function accountFromText(text: string): AccountId | null {
  const parsed = parseAddress(text);
  if (!parsed) return null;
  return { workchain: parsed.workchain, hash: parsed.hash.toHex().toUpperCase() };
}

/** `workchain:HASH` of a workchain and 32 bytes. */
export function toRawAddress(workchain: number, hash: Uint8Array): string {
  return formatRaw(workchain, hash);
}

/** Each account once, in the order of their first appearance. */
export function distinctAccounts(accounts: readonly AccountId[]): AccountId[] {
  return [...new Map(accounts.map((account) => [rawAddress(account), account])).values()];
}

/** The account of a raw address as `rawAddress` writes it. */
export function accountOfRaw(raw: string): AccountId {
  const colon = raw.indexOf(':');
  return { workchain: Number(raw.slice(0, colon)), hash: raw.slice(colon + 1) };
}
