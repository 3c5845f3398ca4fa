import type { PackedAddress, PackedMessage } from '../../../ton/columns/message-pack.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { type AccountId, rawAddress, toRawAddress } from '../../query/account-id.ts';
import type { MessageFilter } from './filter.ts';

/** Filters by which transactions are found: those without bounds. */
type Matched = Pick<MessageFilter, 'hashes' | 'bodyHash' | 'source' | 'destination' | 'opcode' | 'direction'>;

/** Whether a message of a transaction passes a filter, as `messageConditions` has it on rows. */
export function messageMatches(filter: Matched, message: PackedMessage): boolean {
  const { hashes = [], bodyHash, opcode, direction } = filter;
  return (
    (hashes.length === 0 || hasHash(hashes, message.hash) || hasHash(hashes, message.hashNorm)) &&
    (bodyHash === undefined || hasHash([bodyHash], message.bodyHash)) &&
    (opcode === undefined || message.opcode === opcode) &&
    (direction === undefined || message.direction === direction) &&
    (filter.source !== null || message.kind === 'ext_in') &&
    (filter.destination !== null || message.kind === 'ext_out') &&
    (!filter.source || isAccount(message.source, filter.source)) &&
    (!filter.destination || isAccount(message.destination, filter.destination))
  );
}

function hasHash(hashes: readonly string[], hash: Uint8Array): boolean {
  const own = toHex(hash).toUpperCase();
  return hashes.some((one) => one.toUpperCase() === own);
}

function isAccount(address: PackedAddress, account: AccountId): boolean {
  return address.kind === 'std' && toRawAddress(address.workchain, address.hash) === rawAddress(account);
}
