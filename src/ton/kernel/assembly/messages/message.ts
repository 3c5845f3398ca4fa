/** Reads a message into its record; mirrors tlb/message/message.ts, tlb/message/common-msg-info.ts, decode/message-reader.ts. */
import { KIND_EXT_IN, KIND_EXT_OUT, KIND_INTERNAL } from '../../build/columns';
import { externalAddress, internalAddress } from '../address';
import { bitLength, cellType, data, ORDINARY } from '../bags/bag';
import { ENTRIES, readEntries } from '../currencies';
import {
  bit, bitEnd, bitPosition, coins, end, enter, leave, maybeRef, peek, ref, refPosition, restore, uint,
  uint64,
} from '../bags/cursor';
import { hashOf } from '../bags/hash-cells';
import {
  addRecord, M_BODY_BIT, M_BODY_CELL, M_BODY_REF, M_BOUNCE, M_BOUNCED, M_CELL, M_CREATED_AT, M_CREATED_LT, M_DEST_BIT,
  M_DEST_BITS, M_DESTINATION, M_ENTRIES, M_ENTRY_COUNT, M_EXTRA_FLAGS, M_FWD_FEE, M_HAS_EXTRA_FLAGS, M_HAS_INIT,
  M_HAS_OPCODE, M_HASH, M_IHR_DISABLED, M_IHR_FEE, M_IMPORT_FEE, M_INIT_BIT, M_INIT_BIT_END, M_INIT_CELL, M_INIT_REF,
  M_INIT_REF_END, M_KIND, M_OPCODE, M_SOURCE, M_VALUE, record, recordOf,
} from './message-record';
import { copyHash } from '../refuse';
import { stateInit } from '../accounts/state-init';

/** Whether messages carry `extra_flags` in the place of `ihr_fee`: from software version 12 on. */
let hasExtraFlags: bool = false;

export function setSoftwareVersion(version: u32): void {
  hasExtraFlags = version >= 12;
}

/** The record of a hashed message cell, read now if it has not been before. */
export function readMessage(cell: i32): i32 {
  const known = recordOf(cell);
  if (known >= 0) return known;
  const index = addRecord(cell);
  const to = record(index);
  store<i32>(to, cell, M_CELL);
  copyHash(hashOf(cell), to + M_HASH);
  enter(cell);
  readInfo(to);
  if (bit()) readInit(to);
  readBody(to);
  restore();
  return index;
}

function readInfo(to: usize): void {
  if (!bit()) {
    store<u8>(to, KIND_INTERNAL, M_KIND);
    readInternal(to);
  } else if (!bit()) {
    store<u8>(to, KIND_EXT_IN, M_KIND);
    externalAddress(to + M_SOURCE);
    const from = bitPosition;
    internalAddress(to + M_DESTINATION);
    store<i32>(to, from, M_DEST_BIT);
    store<i32>(to, bitPosition - from, M_DEST_BITS);
    coins(to + M_IMPORT_FEE);
  } else {
    store<u8>(to, KIND_EXT_OUT, M_KIND);
    internalAddress(to + M_SOURCE);
    externalAddress(to + M_DESTINATION);
    readCreated(to);
  }
}

function readInternal(to: usize): void {
  store<u8>(to, bit() ? 1 : 0, M_IHR_DISABLED);
  store<u8>(to, bit() ? 1 : 0, M_BOUNCE);
  store<u8>(to, bit() ? 1 : 0, M_BOUNCED);
  internalAddress(to + M_SOURCE);
  internalAddress(to + M_DESTINATION);
  coins(to + M_VALUE);
  const extra = maybeRef();
  if (extra >= 0) {
    store<u32>(to, <u32>ENTRIES.length, M_ENTRIES);
    store<i32>(to, readEntries(extra), M_ENTRY_COUNT);
  }
  store<u8>(to, hasExtraFlags ? 1 : 0, M_HAS_EXTRA_FLAGS);
  coins(to + (hasExtraFlags ? M_EXTRA_FLAGS : M_IHR_FEE));
  coins(to + M_FWD_FEE);
  readCreated(to);
}

function readCreated(to: usize): void {
  store<u64>(to, uint64(64), M_CREATED_LT);
  store<u32>(to, uint(32), M_CREATED_AT);
}

/** Either StateInit ^StateInit */
function readInit(to: usize): void {
  store<u8>(to, 1, M_HAS_INIT);
  if (bit()) {
    const cell = ref();
    store<i32>(to, cell, M_INIT_CELL);
    enter(cell);
    stateInit();
    leave('StateInit');
    return;
  }
  store<i32>(to, -1, M_INIT_CELL);
  store<i32>(to, bitPosition, M_INIT_BIT);
  store<i32>(to, refPosition, M_INIT_REF);
  stateInit();
  store<i32>(to, bitPosition, M_INIT_BIT_END);
  store<i32>(to, refPosition, M_INIT_REF_END);
}

/** Either X ^X: an inline body is all that is left of the message. */
function readBody(to: usize): void {
  if (bit()) {
    const cell = ref();
    end('Message');
    store<i32>(to, cell, M_BODY_CELL);
    if (cellType(cell) == ORDINARY && bitLength(cell) >= 32) {
      store<u8>(to, 1, M_HAS_OPCODE);
      store<u32>(to, bswap<u32>(load<u32>(data(cell))), M_OPCODE);
    }
    return;
  }
  store<i32>(to, -1, M_BODY_CELL);
  store<i32>(to, bitPosition, M_BODY_BIT);
  store<i32>(to, refPosition, M_BODY_REF);
  if (bitEnd - bitPosition >= 32) {
    store<u8>(to, 1, M_HAS_OPCODE);
    store<u32>(to, peek(32), M_OPCODE);
  }
}
