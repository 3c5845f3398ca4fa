import { NO_CURRENCIES, PackReader } from './pack-reader.ts';
import {
  ADDRESS_KINDS,
  BOUNCE,
  BOUNCED,
  DIRECTIONS,
  HAS_EXTRA_FLAGS,
  HAS_HASH_NORM,
  HAS_INIT,
  HAS_OPCODE,
  HAS_VALUE_EXTRA,
  IHR_DISABLED,
  KINDS,
  MESSAGE_PACK_VERSION,
  MessagePackError,
  type PackedAddress,
  type PackedMessage,
} from './packed-message.ts';

/**
 * Reads the messages back, in the order in which they were packed. Hashes, bodies and address bits are views into
 * `bytes`. Throws MessagePackError for another version, missing bytes or bytes left over.
 */
export function unpackMessages(bytes: Uint8Array): PackedMessage[] {
  if (bytes[0] !== MESSAGE_PACK_VERSION) {
    throw new MessagePackError(`version ${MESSAGE_PACK_VERSION} expected, ${bytes[0]} found`);
  }
  const reader = new PackReader(bytes);
  const messages: PackedMessage[] = [];
  try {
    for (let left = reader.u16(); left > 0; left--) messages.push(readMessage(reader));
  } catch (error) {
    if (error instanceof RangeError) throw new MessagePackError('the bytes end inside a message');
    throw error;
  }
  if (reader.at !== bytes.length) {
    throw new MessagePackError(`${bytes.length} bytes, ${reader.at} of them read`);
  }
  return messages;
}

function readMessage(reader: PackReader): PackedMessage {
  const flags = reader.u16();
  const hash = reader.chunk(32);
  const hashNorm = flags & HAS_HASH_NORM ? reader.chunk(32) : hash;
  const createdLt = reader.u64();
  const createdAt = reader.u32();
  const source = readAddress(reader, (flags >> 3) & 3);
  const destination = readAddress(reader, (flags >> 5) & 3);
  const value = reader.amount();
  const fwdFee = reader.amount();
  const ihrFee = reader.amount();
  const importFee = reader.amount();
  const extraFlags = flags & HAS_EXTRA_FLAGS ? reader.amount() : null;
  const valueExtra = flags & HAS_VALUE_EXTRA ? reader.currencies() : NO_CURRENCIES;
  const opcode = flags & HAS_OPCODE ? reader.u32() : null;
  const bodyHash = reader.chunk(32);
  const body = reader.chunk(reader.u32());
  const initHash = flags & HAS_INIT ? reader.chunk(32) : null;
  const init = flags & HAS_INIT ? reader.chunk(reader.u32()) : null;
  return {
    direction: DIRECTIONS[flags & 1] as PackedMessage['direction'],
    kind: getKind((flags >> 1) & 3),
    hash,
    hashNorm,
    createdLt,
    createdAt,
    source,
    destination,
    value,
    valueExtra,
    fwdFee,
    ihrFee,
    importFee,
    extraFlags,
    ihrDisabled: (flags & IHR_DISABLED) !== 0,
    bounce: (flags & BOUNCE) !== 0,
    bounced: (flags & BOUNCED) !== 0,
    opcode,
    bodyHash,
    body,
    initHash,
    init,
  };
}

function getKind(code: number): PackedMessage['kind'] {
  const kind = KINDS[code];
  if (!kind) throw new MessagePackError(`message kind ${code}`);
  return kind;
}

const NO_ADDRESS: PackedAddress = { kind: 'none' };

function readAddress(reader: PackReader, code: number): PackedAddress {
  const kind = ADDRESS_KINDS[code] as PackedAddress['kind'];
  if (kind === 'none') return NO_ADDRESS;
  if (kind === 'std') return { kind, workchain: reader.i32(), hash: reader.chunk(32) };
  const workchain = kind === 'var' ? reader.i32() : 0;
  const bitLength = reader.u16();
  const bits = reader.chunk((bitLength + 7) >> 3);
  return kind === 'var' ? { kind, workchain, bits, bitLength } : { kind, bits, bitLength };
}
