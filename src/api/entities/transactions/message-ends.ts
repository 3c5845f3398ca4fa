import { getLookUp, keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import { MESSAGE_TARGETS } from '../../../tables/messages.ts';
import type { PackedMessage } from '../../../ton/columns/message-pack.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import type { IndexedRow, LookUps } from '../../look-up-port.ts';
import { hash8 } from '../../query/keys.ts';
import { getLookUps, keysWith } from '../../query/look-ups.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import type { MessageRow } from '../messages/payload.ts';
import { findIndexed } from './indexed.ts';
import type { TransactionRow } from './model.ts';

const getTable = (name: string) => MESSAGE_TARGETS.find((table) => table.name === name)!;
const BY_HASH = getLookUp(getTable('messages'), 'transaction_by_message');
const BY_NORM = getLookUp(getTable('external_messages'), 'transaction_by_norm_hash');
const toHashKey = keyBuilder(BY_HASH);
const toNormKey = keyBuilder(BY_NORM);
const HASH_BYTES = 32;
/** An external message may be accepted any number of times; above this, a statement reads it. */
const MAX_TRANSACTIONS = 64;

/** A message at an end: its transaction, and the row of `messages`. */
export interface MessageEnd {
  readonly transaction: TransactionRow;
  readonly message: MessageRow;
}

/**
 * Visible ends of messages by hash (64 upper-case hex digits), from the look-up index. `name`: which hash it is. Null if
 * a statement has to find them.
 */
export function findEnds(
  scope: ReadScope,
  hashes: readonly string[],
  name: 'hash' | 'hashNorm',
): ReadonlyMap<string, readonly MessageEnd[]> | null {
  const { lookUp } = name === 'hash' ? BY_HASH : BY_NORM;
  const lookUps = getLookUps(scope, scope.databases.base, lookUp.name);
  if (!lookUps) return null;
  const ends = new Map<string, readonly MessageEnd[]>();
  for (const hash of hashes) {
    const keys = name === 'hash' ? findByHash(lookUps, hash) : findByNorm(lookUps, hash);
    const transactions = keys?.filter(({ step }) => isVisible(step, scope.visible)) ?? [];
    const { found } = findIndexed(scope, [...new Set(transactions.map(toTransaction))]);
    if (!keys || found.size < transactions.length) return null;
    ends.set(
      hash,
      [...found.values()].flatMap((row) => toEnds(row, hash, name)),
    );
  }
  // Asked afterwards: a step that left the index meanwhile makes nothing absent.
  return lookUps.covers(scope.visible) ? ends : null;
}

/** Keys of transactions at the ends of a message; null if a statement has to find them. */
function findByHash(lookUps: LookUps, hash: string): readonly IndexedRow[] | null {
  const rows = lookUps.range(BY_HASH.lookUp.name, keysWith(toHashKey(hash8(hash))), MAX_TRANSACTIONS);
  // The statement finds a message by the row that lists it, which may be below the index.
  const isListed = rows.length === 0 || rows.some(({ value }) => value[0] === 1);
  return isListed && rows.length < MAX_TRANSACTIONS ? rows : null;
}

function findByNorm(lookUps: LookUps, hash: string): readonly IndexedRow[] | null {
  const bounds = keysWith(toNormKey(Buffer.from(hash, 'hex')));
  const rows = lookUps.range(BY_NORM.lookUp.name, bounds, MAX_TRANSACTIONS);
  return rows.length < MAX_TRANSACTIONS ? rows : null;
}

/** A key ends with the hash of the transaction. */
function toTransaction({ key }: IndexedRow): string {
  return toHex(key.subarray(-HASH_BYTES)).toUpperCase();
}

function toEnds(row: TransactionRow, wanted: string, name: 'hash' | 'hashNorm'): MessageEnd[] {
  const hash = Buffer.from(wanted, 'hex');
  const isWanted = (message: PackedMessage) =>
    (name === 'hash' || message.kind === 'ext_in') && hash.equals(message[name]);
  return row.messages.filter(isWanted).map((message) => ({
    transaction: row,
    message: { mc_seqno: row.mc_seqno, tx_hash: row.hash, message: asStored(message) },
  }));
}

const NO_BITS = new Uint8Array();

/** A message as the table `messages` has it: without the bits of addresses that are not accounts. */
function asStored(message: PackedMessage): PackedMessage {
  return { ...message, source: withoutBits(message.source), destination: withoutBits(message.destination) };
}

function withoutBits(address: PackedMessage['source']): PackedMessage['source'] {
  if (address.kind === 'var') return { ...address, bits: NO_BITS, bitLength: 0 };
  return address.kind === 'extern' ? { ...address, bits: NO_BITS, bitLength: 0 } : address;
}
