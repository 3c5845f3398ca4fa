import type { CurrencyEntries } from '../../tables/column-type.ts';

export const MESSAGE_PACK_VERSION = 1;

/** A message address. `hash` of a standard address is the account's id, after any anycast rewriting. */
export type PackedAddress =
  | { readonly kind: 'none' }
  | { readonly kind: 'extern'; readonly bits: Uint8Array; readonly bitLength: number }
  | { readonly kind: 'std'; readonly workchain: number; readonly hash: Uint8Array }
  | {
      readonly kind: 'var';
      readonly workchain: number;
      readonly bits: Uint8Array;
      readonly bitLength: number;
    };

/** A message as answers show it. Amounts are nanotons; fields that a kind lacks are zero. */
export interface PackedMessage {
  readonly direction: 'in' | 'out';
  readonly kind: 'internal' | 'ext_in' | 'ext_out';
  readonly hash: Uint8Array;
  /** TEP-467 hash of an external-in message; equals `hash` for the other kinds. */
  readonly hashNorm: Uint8Array;
  /** 0 for external-in messages. */
  readonly createdLt: bigint;
  readonly createdAt: number;
  readonly source: PackedAddress;
  readonly destination: PackedAddress;
  readonly value: bigint;
  readonly valueExtra: CurrencyEntries;
  readonly fwdFee: bigint;
  readonly ihrFee: bigint;
  readonly importFee: bigint;
  /** null before global version 12. */
  readonly extraFlags: bigint | null;
  readonly ihrDisabled: boolean;
  readonly bounce: boolean;
  readonly bounced: boolean;
  /** First 32 bits of the body; null if the body is shorter. */
  readonly opcode: number | null;
  readonly bodyHash: Uint8Array;
  /** BoC of the body as a cell of its own. */
  readonly body: Uint8Array;
  /** null if the message has no state init. */
  readonly initHash: Uint8Array | null;
  readonly init: Uint8Array | null;
}

/** Bytes that are no message pack of a known version. */
export class MessagePackError extends Error {
  override readonly name = 'MessagePackError';
}

export const DIRECTIONS = ['in', 'out'] as const;
export const KINDS = ['internal', 'ext_in', 'ext_out'] as const;
export const ADDRESS_KINDS = ['none', 'extern', 'std', 'var'] as const;

/** Flag bits; 0: direction, 1–2: kind, 3–4: source kind, 5–6: destination kind. */
export const IHR_DISABLED = 1 << 7;
export const BOUNCE = 1 << 8;
export const BOUNCED = 1 << 9;
export const HAS_HASH_NORM = 1 << 10;
export const HAS_EXTRA_FLAGS = 1 << 11;
export const HAS_VALUE_EXTRA = 1 << 12;
export const HAS_OPCODE = 1 << 13;
export const HAS_INIT = 1 << 14;
