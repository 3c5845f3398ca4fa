/**
 * States of a transaction's account before and after it in one byte string: column `transactions.states`. An answer
 * then needs no second query.
 *
 * `before` is present for the account's first transaction in the block, from the old side of the state update; `after`
 * for its last one, from the new side. A side is absent between two transactions of one account in a block, and if the
 * account does not exist (its state hash is then the hash of account_none). `before` is also absent if the old side
 * omits the account or one of these facts; an earlier block may have them. Extra currencies of `after` that the block
 * does not show are stored as none, as in `account_states`.
 *
 * Version 1, after the version byte: side before, side after. A side, all integers little endian:
 *   flags u8: bit 0 present, bits 1–2 status (0 uninit, 1 frozen, 2 active), bit 3 HAS_EXTRA, bit 4 HAS_CODE,
 *   bit 5 HAS_DATA, bit 6 HAS_FROZEN; an absent side is the byte 0 and nothing more;
 *   balance as amount, extra currencies (if HAS_EXTRA): u16 count, then u32 id and amount each,
 *   code hash 32, data hash 32, frozen hash 32 as the flags say. Amount: u8 length, then that many bytes, least
 *   significant first.
 */
import { GrowableBytes } from './growable-bytes.ts';
import { writeAmount, writeBytes, writeCurrencies } from './pack-writer.ts';
import {
  HAS_CODE,
  HAS_DATA,
  HAS_EXTRA,
  HAS_FROZEN,
  type PackedState,
  type PackedStates,
  PRESENT,
  STATE_PACK_VERSION,
  STATUSES,
} from './packed-state.ts';

export {
  type PackedState,
  type PackedStates,
  STATE_PACK_VERSION,
  StatePackError,
} from './packed-state.ts';
export { unpackStates } from './state-unpack.ts';

/** Every pack is made here and copied out: its size is not known before. */
const SCRATCH = new GrowableBytes(512);

/** Packs both sides. @throws RangeError for more than 65535 extra currencies */
export function packStates({ before, after }: PackedStates): Uint8Array {
  const out = SCRATCH;
  out.length = 0;
  writeByte(out, STATE_PACK_VERSION);
  writeSide(out, before);
  writeSide(out, after);
  return out.bytes.slice(0, out.length);
}

function writeSide(out: GrowableBytes, state: PackedState | null): void {
  if (!state) {
    writeByte(out, 0);
    return;
  }
  const { balance, extra, codeHash, dataHash, frozenHash } = state;
  writeByte(out, getFlags(state));
  writeAmount(out, balance);
  if (extra.length > 0) writeCurrencies(out, extra);
  if (codeHash) writeBytes(out, codeHash);
  if (dataHash) writeBytes(out, dataHash);
  if (frozenHash) writeBytes(out, frozenHash);
}

function getFlags({ status, extra, codeHash, dataHash, frozenHash }: PackedState): number {
  let flags = PRESENT | (STATUSES.indexOf(status) << 1);
  if (extra.length > 0) flags |= HAS_EXTRA;
  if (codeHash) flags |= HAS_CODE;
  if (dataHash) flags |= HAS_DATA;
  if (frozenHash) flags |= HAS_FROZEN;
  return flags;
}

function writeByte(out: GrowableBytes, value: number): void {
  const at = out.grow(1);
  out.bytes[at] = value;
}
