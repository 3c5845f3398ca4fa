/** The dictionaries of imported and exported messages; mirrors decode/message-descr.ts. */
import { verifyLevel } from '../announced';
import { Area } from '../area';
import { skipCurrencies } from '../currencies';
import { end, enter, leave, maybeRef, skipCoins } from '../bags/cursor';
import { inMsg, outMsg } from './descr-messages';
import { nextLeaf, openWalk, walkKey } from '../bags/dictionary';
import { hashOf, want } from '../bags/hash-cells';
import { copyHash, expectHash, TRANSACTIONS } from '../refuse';

/** Keys that are to be the hashes of their messages: key (32 bytes), cell. */
const KEYS = new Area();
const KEY_BYTES: usize = 36;
export let inMessages: u32 = 0;
export let outMessages: u32 = 0;

/** Reads and counts both; from level `tx` on the messages' hashes are wanted. */
export function readMessageDescr(inCell: i32, outCell: i32): void {
  KEYS.length = 0;
  inMessages = readDescr(inCell, true);
  outMessages = readDescr(outCell, false);
}

/**
 *     _ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr;
 *     _ (HashmapAugE 256 OutMsg CurrencyCollection) = OutMsgDescr;
 */
function readDescr(cell: i32, isIn: bool): u32 {
  enter(cell);
  const root = maybeRef();
  skipExtra(isIn);
  leave(isIn ? 'InMsgDescr' : 'OutMsgDescr');
  if (root < 0) return 0;
  let count: u32 = 0;
  openWalk(root, 256, false);
  while (nextLeaf()) {
    skipExtra(isIn);
    const message = isIn ? inMsg() : outMsg();
    end(isIn ? 'InMsg' : 'OutMsg');
    if (verifyLevel >= 2 && message >= 0) remember(message);
    count++;
  }
  return count;
}

/** import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees; */
function skipExtra(isIn: bool): void {
  if (isIn) skipCoins();
  skipCurrencies();
}

function remember(message: i32): void {
  want(message);
  const to = KEYS.room(KEY_BYTES);
  copyHash(walkKey(), to);
  store<i32>(to, message, 32);
  KEYS.length += KEY_BYTES;
}

/** Once the cells are hashed: every key is the hash of its message. */
export function checkKeys(): void {
  for (let at: usize = 0; at < KEYS.length; at += KEY_BYTES) {
    const from = KEYS.start + at;
    expectHash(TRANSACTIONS, 'message of a descriptor', from, hashOf(load<i32>(from, 32)));
  }
}
