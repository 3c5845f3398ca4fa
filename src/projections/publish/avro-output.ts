const FIRST_BYTES = 256 << 10;
/** Confluent's wire format: a zero, then the schema id as 4 bytes big endian. */
const HEADER_LENGTH = 5;

/**
 * Writes Avro's binary form (specification 1.11), datum after datum. Data that `finish` gave stay valid: memory is not
 * used twice, so an output serves one batch.
 */
export class AvroOutput {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #start = 0;
  #at = 0;

  /** Begins a datum with its header; one that was not finished is dropped. */
  begin(schemaId: number): void {
    this.#at = this.#start;
    const at = this.#room(HEADER_LENGTH);
    this.#bytes[at] = 0;
    this.#bytes.writeUInt32BE(schemaId, at + 1);
  }

  /** The datum: a view. */
  finish(): Uint8Array {
    const datum = this.#bytes.subarray(this.#start, this.#at);
    this.#start = this.#at;
    return datum;
  }

  boolean(value: boolean): void {
    this.#byte(value ? 1 : 0);
  }

  /** An int, or a long from -2^52 to 2^53 - 1: zigzag, seven bits a byte, the low ones first. */
  long(value: number): void {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    while (rest > 0x7f) {
      this.#byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#byte(rest);
  }

  /** A long of any 64 bits. */
  bigLong(value: bigint): void {
    let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
    while (rest > 0x7fn) {
      this.#byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.#byte(Number(rest));
  }

  /** A string of ASCII characters only. */
  ascii(text: string): void {
    this.long(text.length);
    const at = this.#room(text.length);
    this.#bytes.write(text, at, 'latin1');
  }

  bytes(source: Uint8Array, from: number, length: number): void {
    this.long(length);
    this.fixed(source, from, length);
  }

  fixed(source: Uint8Array, from: number, length: number): void {
    const at = this.#room(length);
    for (let i = 0; i < length; i++) this.#bytes[at + i] = source[from + i] as number;
  }

  #byte(value: number): void {
    // First the place: making room may put other memory in place of this.
    const at = this.#room(1);
    this.#bytes[at] = value;
  }

  /** Place of `size` more bytes. Datums that are finished keep the memory that they are in. */
  #room(size: number): number {
    const at = this.#at;
    if (at + size <= this.#bytes.length) {
      this.#at = at + size;
      return at;
    }
    const begun = this.#bytes.subarray(this.#start, at);
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * (begun.length + size)));
    this.#bytes.set(begun);
    this.#start = 0;
    this.#at = begun.length + size;
    return begun.length;
  }
}
