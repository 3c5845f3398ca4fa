import { hash } from 'node:crypto';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { randomInto } from './random-into.ts';

const LENGTH = 4;
const NONCE = 32;
const HASH = 32;
/** Largest length field of a packet: 16 MiB, nonce and hash included. */
export const MAX_PACKET = 2 ** 24;

/** A packet with a length or hash that the protocol does not allow: the connection must be closed. */
export class PacketError extends DataError {}

/** Makes a packet: length, nonce, payload, hash of nonce and payload. */
export function writePacket(payload: Uint8Array): Buffer {
  const length = NONCE + payload.length + HASH;
  if (length > MAX_PACKET) throw new PacketError(`packet of ${length} bytes, at most ${MAX_PACKET}`);
  const packet = Buffer.allocUnsafe(LENGTH + length);
  packet.writeUInt32LE(length);
  randomInto(packet, LENGTH, NONCE);
  packet.set(payload, LENGTH + NONCE);
  packet.set(hash('sha256', packet.subarray(LENGTH, -HASH), 'buffer'), packet.length - HASH);
  return packet;
}

/** Cuts a decrypted stream into packets. A chunk may hold a part of a packet, or several. */
export class PacketReader {
  private readonly maxPacket: number;
  private chunks: Buffer[] = [];
  private have = 0;
  /** Length of the packet that is being received, or null between packets. */
  private length: number | null = null;

  /** `maxPacket`: largest length field that the other end may send. */
  constructor(maxPacket: number = MAX_PACKET) {
    this.maxPacket = maxPacket;
  }

  /**
   * Takes a chunk and returns the payloads that it completes.
   * @throws PacketError
   */
  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.have += chunk.length;
    const payloads: Buffer[] = [];
    for (let payload = this.next(); payload !== null; payload = this.next()) payloads.push(payload);
    return payloads;
  }

  private next(): Buffer | null {
    if (this.length === null) {
      if (this.have < LENGTH) return null;
      const length = this.pull(LENGTH).readUInt32LE();
      if (length < NONCE + HASH || length > this.maxPacket)
        throw new PacketError(`packet of ${length} bytes, expected ${NONCE + HASH} to ${this.maxPacket}`);
      this.length = length;
    }
    if (this.have < this.length) return null;
    const packet = this.pull(this.length);
    this.length = null;
    const body = packet.subarray(0, -HASH);
    if (!packet.subarray(-HASH).equals(hash('sha256', body, 'buffer')))
      throw new PacketError(`packet of ${packet.length} bytes with a wrong hash`);
    return body.subarray(NONCE);
  }

  /** Takes `length` bytes; chunks are joined only when a packet is complete. */
  private pull(length: number): Buffer {
    if ((this.chunks[0] as Buffer).length < length) this.chunks = [Buffer.concat(this.chunks)];
    const first = this.chunks[0] as Buffer;
    this.have -= length;
    if (first.length === length) this.chunks.shift();
    else this.chunks[0] = first.subarray(length);
    return first.subarray(0, length);
  }
}
