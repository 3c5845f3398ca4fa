/** The column `transactions.states`; columns/state-pack.ts describes the format. Mirrors decode/account-sides.ts. */
import { STATUS_FROZEN, transactions_states } from '../../build/columns';
import { BALANCE, code, codeData, exists, extraRoot, FROZEN_HASH, status } from './account';
import { Area } from '../area';
import { ENTRIES, readEntries } from '../currencies';
import { findCurrencies } from '../currency-finder';
import { lowestHashOf } from '../bags/hash-cells';
import { amountSize, entriesSize, packAmount, packEntries } from '../messages/message-pack';
import { moveBytes } from '../move-bytes';
import { copyHash } from '../refuse';
import { beginString } from '../streams';

const PACK_VERSION: u8 = 1;
const PRESENT: u32 = 1;
const HAS_EXTRA: u32 = 1 << 3;
const HAS_CODE: u32 = 1 << 4;
const HAS_DATA: u32 = 1 << 5;
const HAS_FROZEN: u32 = 1 << 6;

/** The side before, until the size of the other one is known. */
const BEFORE = new Area();

/** No state before, until `packBefore`. */
export function beginStates(): void {
  BEFORE.length = 0;
  store<u8>(BEFORE.room(1), 0);
  BEFORE.length = 1;
}

/** The last read account is the state before, if the block contains all of it. */
export function packBefore(): void {
  if (!exists) return;
  const root = findCurrencies(extraRoot);
  if (extraRoot >= 0 && root < 0) return;
  const entries = ENTRIES.length;
  const count = root < 0 ? 0 : readEntries(root);
  BEFORE.length = 0;
  const size = sideSize(entries, count);
  packSide(BEFORE.room(size), entries, count);
  BEFORE.length = size;
  ENTRIES.length = entries;
}

/** Writes the states of an account's `count` transactions; with `hasAfter` the account read last is the state after. */
export function putStates(count: i32, hasAfter: bool): void {
  if (count > 1) {
    const to = beginPack(BEFORE.length + 1);
    moveBytes(to, BEFORE.start, BEFORE.length);
    store<u8>(to + BEFORE.length, 0);
    for (let k = 2; k < count; k++) store<u16>(beginPack(2), 0);
    beginStates();
  }
  const before = BEFORE.length;
  if (!hasAfter || !exists) {
    const to = beginPack(before + 1);
    moveBytes(to, BEFORE.start, before);
    store<u8>(to + before, 0);
    return;
  }
  const root = findCurrencies(extraRoot);
  const entries = ENTRIES.length;
  const found = root < 0 ? 0 : readEntries(root);
  const to = beginPack(before + sideSize(entries, found));
  moveBytes(to, BEFORE.start, before);
  packSide(to + before, entries, found);
  ENTRIES.length = entries;
}

/** Makes room for sides of that size after the version; returns their address. */
@inline
function beginPack(size: usize): usize {
  const to = beginString(transactions_states, size + 1);
  store<u8>(to, PACK_VERSION);
  return to + 1;
}

/** Bytes of the account that was read last; `entries` (offset in ENTRIES) and `count` are its currencies. */
function sideSize(entries: usize, count: i32): usize {
  let size: usize = 1 + 1 + amountSize(BALANCE, 16);
  if (count > 0) size += entriesSize(entries, count);
  if (code >= 0) size += 32;
  if (codeData >= 0) size += 32;
  if (status == STATUS_FROZEN) size += 32;
  return size;
}

function packSide(to: usize, entries: usize, count: i32): void {
  let flags = PRESENT | (<u32>status << 1);
  let at = packAmount(BALANCE, 16, to + 1);
  if (count > 0) {
    flags |= HAS_EXTRA;
    at = packEntries(entries, count, at);
  }
  if (code >= 0) {
    flags |= HAS_CODE;
    copyHash(lowestHashOf(code), at);
    at += 32;
  }
  if (codeData >= 0) {
    flags |= HAS_DATA;
    copyHash(lowestHashOf(codeData), at);
    at += 32;
  }
  if (status == STATUS_FROZEN) {
    flags |= HAS_FROZEN;
    copyHash(FROZEN_HASH, at);
  }
  store<u8>(to, <u8>flags);
}
