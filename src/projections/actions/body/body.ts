import { formatRaw } from '../../../ton/address/address.ts';
import { type Boc, onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { CellHashes } from '../../../ton/boc/cell-hashes.ts';
import { CellSlice } from '../../../ton/boc/cell-slice.ts';
import { withoutCrc } from '../../../ton/boc/plain-bag.ts';
import { serializeCell, serializeSlice } from '../../../ton/boc/serialize.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { loadPayload, openPayload } from '../../../ton/messages/payload.ts';
import { loadMsgAddress, type MsgAddress } from '../../../ton/tlb/msg-address.ts';
import type { Part } from '../../../ton/tlb/part.ts';

/** Raw text of a standard address, without its anycast prefix; null for `addr_none`, external and variable addresses. */
export function rawText(address: MsgAddress): string | null {
  return address.kind === 'std' ? formatRaw(address.workchain, address.address) : null;
}

/**
 * Reader of a message body or payload: a cursor over one cell that gives addresses as raw text and references as readers
 * of their own. Every read beyond the cell throws `CellError`.
 */
export class Body {
  readonly slice: CellSlice;

  constructor(slice: CellSlice) {
    this.slice = slice;
  }

  /**
   * At the start of the bag's root.
   * @throws BocError, CellError
   */
  static of(bytes: Uint8Array): Body {
    const boc = parseBoc(bytes);
    return new Body(new CellSlice(boc, onlyRoot(boc)));
  }

  /** At the start of a part of a body. @throws CellError exotic cell */
  static ofPart(boc: Boc, part: Part): Body {
    return new Body(openPayload(boc, part));
  }

  get bitsLeft(): number {
    return this.slice.bitsLeft;
  }

  get refsLeft(): number {
    return this.slice.refsLeft;
  }

  /** An independent reader at the same place. */
  clone(): Body {
    return new Body(this.slice.clone());
  }

  bit(): boolean {
    return this.slice.bit();
  }

  /** Unsigned number of up to 32 bits. */
  uint(bits: number): number {
    return this.slice.uint(bits);
  }

  /** Signed number of up to 32 bits. */
  int(bits: number): number {
    return this.slice.int(bits);
  }

  /** Unsigned number of any width. */
  big(bits: number): bigint {
    return this.slice.bigUint(bits);
  }

  /** u64: query ids, lt, asset amounts of some protocols. */
  u64(): bigint {
    return this.slice.bigUint(64);
  }

  /** `Coins`. */
  coins(): bigint {
    return this.slice.coins();
  }

  /** `bits` bits as lower-case hex; a multiple of 8. */
  hex(bits: number): string {
    return toHex(this.slice.bytes(bits / 8));
  }

  bytes(count: number): Uint8Array {
    return this.slice.bytes(count);
  }

  skip(bits: number): this {
    this.slice.skipBits(bits);
    return this;
  }

  /** `MsgAddress` as raw text; null for `addr_none`, external and variable addresses. */
  address(): string | null {
    return rawText(loadMsgAddress(this.slice));
  }

  /** As `address`, with an external address as `<bit length>;<hex>`. */
  anyAddress(): string | null {
    if (this.slice.peekUint(2) !== 0b01) return this.address();
    this.slice.skipBits(2);
    const bits = this.slice.uint(9);
    const digits = Math.ceil(bits / 4);
    return `${bits};${this.slice.bigUint(bits).toString(16).padStart(digits, '0')}`;
  }

  /** The next reference, as a reader at its start. */
  ref(): Body {
    return new Body(new CellSlice(this.slice.boc, this.slice.ref()));
  }

  /** `Maybe ^X`. */
  maybeRef(): Body | null {
    const cell = this.slice.maybeRef();
    return cell === -1 ? null : new Body(new CellSlice(this.slice.boc, cell));
  }

  /** The next 32 bits without taking them; null where fewer are left. */
  peekOp(): number | null {
    return this.bitsLeft < 32 ? null : this.slice.peekUint(32);
  }

  /**
   * `Either X ^X`, as most payloads end: the reference, or the rest of this reader; null where not even the bit is there.
   */
  either(): Body | null {
    const payload = loadPayload(this.slice);
    return payload && Body.ofPart(this.slice.boc, payload);
  }

  /** The rest as a base64 bag of one root with CRC32C. The reader is not moved. */
  toBoc(): string {
    return toBase64(this.toBytes());
  }

  /** As `toBoc`, without the checksum. */
  toPlainBoc(): string {
    return toBase64(withoutCrc(this.toBytes()));
  }

  /** Representation hash of what is left, as a cell of its own. The reader is not moved. */
  hash(): Uint8Array {
    return new CellHashes(this.slice.boc).hashOfRest(this.slice);
  }

  /** The rest as a bag of one root with CRC32C. The reader is not moved. */
  toBytes(): Uint8Array {
    const { slice } = this;
    return slice.bitPosition === 0 && slice.refPosition === 0
      ? serializeCell(slice.boc, slice.cell)
      : serializeSlice(slice);
  }
}
