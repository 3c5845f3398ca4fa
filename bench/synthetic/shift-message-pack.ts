import type { PlannedBlock } from './chain-plan.ts';
import type { CopyMasks } from './masks.ts';
import { addU32, addU64, xorAccount, xorHash } from './shift-bytes.ts';

/** Flag bits of a packed message (src/ton/columns/message-pack.ts). */
const HAS_HASH_NORM = 1 << 10;
const HAS_EXTRA_FLAGS = 1 << 11;
const HAS_VALUE_EXTRA = 1 << 12;
const HAS_OPCODE = 1 << 13;
const HAS_INIT = 1 << 14;
const NONE = 0;
const EXTERN = 1;
const STD = 2;

/**
 * Shifts packed messages in place: hashes, accounts, lt and time; fields of other lengths do not change. `bytes` is a
 * String column (LEB128 length, then the pack), `from` is the position of the first pack's length.
 */
export function shiftMessagePacks(
  bytes: Uint8Array,
  from: number,
  block: PlannedBlock,
  masks: CopyMasks,
): void {
  const walk = new PackWalk(bytes, from, block, masks);
  while (walk.at < bytes.length) walk.pack();
}

class PackWalk {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #masks: CopyMasks;
  readonly #low: number;
  readonly #high: number;
  readonly #time: number;

  constructor(bytes: Uint8Array, at: number, block: PlannedBlock, masks: CopyMasks) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
    this.#masks = masks;
    this.#low = Number(BigInt.asUintN(32, block.ltShift));
    this.#high = Number(BigInt.asUintN(32, block.ltShift >> 32n));
    this.#time = block.timeShift;
  }

  pack(): void {
    while ((this.#bytes[this.at++] as number) >= 0x80);
    this.at += 1;
    for (let left = this.#u16(); left > 0; left--) this.#message();
  }

  #message(): void {
    const flags = this.#u16();
    this.#hash();
    if (flags & HAS_HASH_NORM) this.#hash();
    addU64(this.#view, this.at, this.#low, this.#high);
    addU32(this.#view, this.at + 8, this.#time);
    this.at += 12;
    this.#address((flags >> 3) & 3);
    this.#address((flags >> 5) & 3);
    for (let amounts = flags & HAS_EXTRA_FLAGS ? 5 : 4; amounts > 0; amounts--) this.#amount();
    if (flags & HAS_VALUE_EXTRA) this.#currencies();
    if (flags & HAS_OPCODE) this.at += 4;
    this.at += 32;
    this.#blob();
    if (flags & HAS_INIT) {
      this.at += 32;
      this.#blob();
    }
  }

  #hash(): void {
    xorHash(this.#view, this.at, this.#masks.hash);
    this.at += 32;
  }

  #address(kind: number): void {
    if (kind === NONE) return;
    if (kind === STD) {
      xorAccount(this.#view, this.at + 4, this.#masks);
      this.at += 36;
      return;
    }
    if (kind !== EXTERN) this.at += 4;
    const bits = this.#u16();
    this.at += (bits + 7) >> 3;
  }

  #amount(): void {
    this.at += 1 + (this.#bytes[this.at] as number);
  }

  #currencies(): void {
    for (let left = this.#u16(); left > 0; left--) {
      this.at += 4;
      this.#amount();
    }
  }

  #blob(): void {
    this.at += 4 + this.#view.getUint32(this.at, true);
  }

  #u16(): number {
    this.at += 2;
    return this.#view.getUint16(this.at - 2, true);
  }
}
