import type { CurrencyEntries } from '../../tables/column-type.ts';

export const STATE_PACK_VERSION = 1;

/** An account state as answers show it. Balances are nanotons, hashes are level-0 hashes; null if absent. */
export interface PackedState {
  readonly status: 'uninit' | 'frozen' | 'active';
  readonly balance: bigint;
  readonly extra: CurrencyEntries;
  readonly codeHash: Uint8Array | null;
  readonly dataHash: Uint8Array | null;
  /** Only of a frozen account: the hash of the state that it had. */
  readonly frozenHash: Uint8Array | null;
}

/** States of a transaction's account before and after it, if its block shows them; otherwise null. */
export interface PackedStates {
  readonly before: PackedState | null;
  readonly after: PackedState | null;
}

/** Bytes that are no state pack of a known version. */
export class StatePackError extends Error {
  override readonly name = 'StatePackError';
}

/** In the order of the enum of src/tables/base-types.ts. */
export const STATUSES = ['uninit', 'frozen', 'active'] as const;

/** Flag bits; 1–2: status. */
export const PRESENT = 1 << 0;
export const HAS_EXTRA = 1 << 3;
export const HAS_CODE = 1 << 4;
export const HAS_DATA = 1 << 5;
export const HAS_FROZEN = 1 << 6;
/** Bits that no side has. */
export const UNUSED = 1 << 7;
