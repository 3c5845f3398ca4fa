import { NO_CURRENCIES, PackReader } from './pack-reader.ts';
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
  StatePackError,
  UNUSED,
} from './packed-state.ts';

/**
 * Reads both sides back. Hashes are views into `bytes`. Throws StatePackError for another version, flags that no side
 * has, missing bytes or bytes left over.
 */
export function unpackStates(bytes: Uint8Array): PackedStates {
  if (bytes[0] !== STATE_PACK_VERSION) {
    throw new StatePackError(`version ${STATE_PACK_VERSION} expected, ${bytes[0]} found`);
  }
  const reader = new PackReader(bytes);
  const states = readSides(reader);
  if (reader.at !== bytes.length) {
    throw new StatePackError(`${bytes.length} bytes, ${reader.at} of them read`);
  }
  return states;
}

function readSides(reader: PackReader): PackedStates {
  try {
    return { before: readSide(reader), after: readSide(reader) };
  } catch (error) {
    if (error instanceof RangeError) throw new StatePackError('the bytes end inside a state');
    throw error;
  }
}

function readSide(reader: PackReader): PackedState | null {
  const flags = reader.u8();
  if (flags === 0) return null;
  const status = STATUSES[(flags >> 1) & 3];
  if (!(flags & PRESENT) || flags & UNUSED || !status) throw new StatePackError(`flags ${flags} of a state`);
  return {
    status,
    balance: reader.amount(),
    extra: flags & HAS_EXTRA ? reader.currencies() : NO_CURRENCIES,
    codeHash: flags & HAS_CODE ? reader.chunk(32) : null,
    dataHash: flags & HAS_DATA ? reader.chunk(32) : null,
    frozenHash: flags & HAS_FROZEN ? reader.chunk(32) : null,
  };
}
