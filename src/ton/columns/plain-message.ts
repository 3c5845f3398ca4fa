import { formatRaw } from '../address/address.ts';
import { toBase64 } from '../hash/base64.ts';
import type { PackedAddress, PackedMessage } from './message-pack.ts';

/** A message in texts and numbers: addresses raw with upper-case hex, hashes base64. */
export interface PlainMessage {
  readonly hash: string;
  /** null: external-in, or no standard address. */
  readonly source: string | null;
  /** null: external-out, or no standard address. */
  readonly destination: string | null;
  /** Nanotons; null for external messages. */
  readonly value: bigint | null;
  /** Amounts by decimal id. */
  readonly extraCurrencies: Readonly<Record<string, string>>;
  /** null for external-in messages, as is `createdAt` (Unix seconds). */
  readonly createdLt: bigint | null;
  readonly createdAt: number | null;
  readonly opcode: number | null;
  /** null for external messages. */
  readonly bounce: boolean | null;
  /** Bags of cells. */
  readonly body: Uint8Array;
  readonly stateInit: Uint8Array | null;
}

/** The message as classifiers of traces take it; fields that its kind has not are null. */
export function plainMessage(message: PackedMessage): PlainMessage {
  const isInternal = message.kind === 'internal';
  const isSent = message.kind !== 'ext_in';
  return {
    hash: toBase64(message.hash),
    source: isSent ? toRawAddress(message.source) : null,
    destination: message.kind === 'ext_out' ? null : toRawAddress(message.destination),
    value: isInternal ? message.value : null,
    extraCurrencies: isInternal
      ? Object.fromEntries(message.valueExtra.map(([id, amount]) => [`${id}`, `${amount}`]))
      : {},
    createdLt: isSent ? message.createdLt : null,
    createdAt: isSent ? message.createdAt : null,
    opcode: message.opcode,
    bounce: isInternal ? message.bounce : null,
    body: message.body,
    stateInit: message.init,
  };
}

function toRawAddress(address: PackedAddress): string | null {
  return address.kind === 'std' ? formatRaw(address.workchain, address.hash) : null;
}
