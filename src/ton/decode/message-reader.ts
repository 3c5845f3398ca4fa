import type { Boc } from '../boc/boc.ts';
import type { CellHashes } from '../boc/cell-hashes.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import { ORDINARY } from '../boc/cell-type.ts';
import { EMPTY_CELL_BOC, EMPTY_CELL_HASH, serializeCell, serializeSlice } from '../boc/serialize.ts';
import { hashSlice, hashVirtualCell } from '../boc/virtual-cell.ts';
import type { PackedAddress, PackedMessage } from '../columns/message-pack.ts';
import { rewriteAddress } from '../tlb/anycast.ts';
import { NO_CURRENCIES } from '../tlb/extra-currency-collection.ts';
import { loadMessage, type Message, type MessageInit } from '../tlb/message/message.ts';
import type { MsgAddress } from '../tlb/msg-address.ts';
import type { Part } from '../tlb/part.ts';
import { normalisedHash } from './normalised-hash.ts';

/** A message without its direction: the same cell is one transaction's outgoing and another's incoming message. */
export type ReadMessage = Omit<PackedMessage, 'direction'>;

/** The first software version whose messages carry `extra_flags` in the place of `ihr_fee`. */
const EXTRA_FLAGS_VERSION = 12;

/** Reads the messages of one block, each cell once. */
export class MessageReader {
  private readonly boc: Boc;
  private readonly hashes: CellHashes;
  private readonly hasExtraFlags: boolean;
  private readonly known = new Map<number, ReadMessage>();

  /** `softwareVersion`: gen_software.version of the block, 0 if it has none. */
  constructor(boc: Boc, hashes: CellHashes, softwareVersion: number) {
    this.boc = boc;
    this.hashes = hashes;
    this.hasExtraFlags = softwareVersion >= EXTRA_FLAGS_VERSION;
  }

  /** @throws CellError */
  read(cell: number): ReadMessage {
    let message = this.known.get(cell);
    if (!message) {
      message = this.readCell(cell);
      this.known.set(cell, message);
    }
    return message;
  }

  private readCell(cell: number): ReadMessage {
    const message = loadMessage(new CellSlice(this.boc, cell));
    const hash = this.hashes.hash(cell);
    const external = message.info.kind === 'ext_in';
    return {
      ...infoFields(message, this.hasExtraFlags),
      hash,
      hashNorm: external ? normalisedHash(this.boc, this.hashes, cell, message.body) : hash,
      source: packAddress(message.info.src),
      destination: packAddress(message.info.dest),
      ...this.bodyFields(message.body),
      ...this.initFields(message.init),
    };
  }

  private bodyFields(body: Part): Pick<ReadMessage, 'opcode' | 'bodyHash' | 'body'> {
    if ('cell' in body) {
      return {
        opcode: this.boc.type[body.cell] === ORDINARY ? readOpcode(new CellSlice(this.boc, body.cell)) : null,
        bodyHash: this.hashes.hash(body.cell),
        body: serializeCell(this.boc, body.cell),
      };
    }
    if (body.slice.done()) return { opcode: null, bodyHash: EMPTY_CELL_HASH, body: EMPTY_CELL_BOC };
    return {
      opcode: readOpcode(body.slice),
      bodyHash: hashSlice(body.slice, this.hashes),
      body: serializeSlice(body.slice),
    };
  }

  private initFields(init: MessageInit | null): Pick<ReadMessage, 'initHash' | 'init'> {
    if (!init) return { initHash: null, init: null };
    const { part } = init;
    if ('cell' in part) {
      return { initHash: this.hashes.hash(part.cell), init: serializeCell(this.boc, part.cell) };
    }
    return { initHash: hashPiece(part.slice, this.hashes), init: serializeSlice(part.slice) };
  }
}

function readOpcode(body: CellSlice): number | null {
  return body.bitsLeft < 32 ? null : body.peekUint(32);
}

/** The hash of a piece that does not reach to the end of its cell. */
function hashPiece(piece: CellSlice, hashes: CellHashes): Uint8Array {
  const slice = piece.clone();
  const bitLength = slice.bitsLeft;
  const refs = Array.from({ length: slice.refsLeft }, () => {
    const cell = slice.ref();
    return { hash: hashes.hash(cell), depth: hashes.depth(cell) };
  });
  const bits = new Uint8Array((bitLength + 7) >> 3);
  for (let bit = 0; bit < bitLength; bit++) {
    if (slice.bit()) bits[bit >> 3] = (bits[bit >> 3] as number) | (0x80 >> (bit & 7));
  }
  return hashVirtualCell(bits, bitLength, refs).hash;
}

const NO_AMOUNTS = { value: 0n, valueExtra: NO_CURRENCIES, fwdFee: 0n, ihrFee: 0n, importFee: 0n } as const;
const NO_FLAGS = { extraFlags: null, ihrDisabled: false, bounce: false, bounced: false } as const;

function infoFields({ info }: Message, hasExtraFlags: boolean) {
  switch (info.kind) {
    case 'ext_in':
      return {
        kind: info.kind,
        createdLt: 0n,
        createdAt: 0,
        ...NO_AMOUNTS,
        ...NO_FLAGS,
        importFee: info.importFee,
      };
    case 'ext_out': {
      const { kind, createdLt, createdAt } = info;
      return { kind, createdLt, createdAt, ...NO_AMOUNTS, ...NO_FLAGS };
    }
    case 'internal': {
      const { kind, createdLt, createdAt, value, fwdFee, ihrDisabled, bounce, bounced } = info;
      const fees = hasExtraFlags
        ? { ihrFee: 0n, extraFlags: info.ihrFee }
        : { ihrFee: info.ihrFee, extraFlags: null };
      const amounts = { value: value.grams, valueExtra: value.extra, fwdFee, importFee: 0n, ...fees };
      return { kind, createdLt, createdAt, ...amounts, ihrDisabled, bounce, bounced };
    }
  }
}

const NO_ADDRESS: PackedAddress = { kind: 'none' };

function packAddress(address: MsgAddress): PackedAddress {
  switch (address.kind) {
    case 'none':
      return NO_ADDRESS;
    case 'extern': {
      const { bytes: bits, bitLength } = address.address;
      return { kind: 'extern', bits, bitLength };
    }
    case 'std': {
      const { workchain, address: id, anycast } = address;
      return { kind: 'std', workchain, hash: rewriteAddress(id, anycast) };
    }
    case 'var': {
      const { workchain, address: id, anycast } = address;
      return { kind: 'var', workchain, bits: rewriteAddress(id.bytes, anycast), bitLength: id.bitLength };
    }
  }
}
