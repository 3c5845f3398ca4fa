import { describe, expect, test } from 'vitest';
import { MAX_PACKET, PacketError, PacketReader, writePacket } from '../../../src/liteapi/adnl/packets.ts';

const payloads = [Buffer.alloc(0), Buffer.from('one'), Buffer.alloc(70_000, 7)];
const stream = Buffer.concat(payloads.map(writePacket));

describe('packets', () => {
  test('are found in single bytes, in one chunk and in uneven chunks', () => {
    for (const size of [1, 3, 64, 4096, stream.length]) {
      const reader = new PacketReader();
      const found: Buffer[] = [];
      for (let at = 0; at < stream.length; at += size)
        found.push(...reader.push(stream.subarray(at, at + size)));
      expect(found.map((one) => one.length)).toEqual(payloads.map((one) => one.length));
      expect(Buffer.concat(found).equals(Buffer.concat(payloads))).toBe(true);
    }
  });

  test('of a wrong length are refused before their bytes come', () => {
    for (const length of [0, 63, MAX_PACKET + 1, 0xffffffff]) {
      const head = Buffer.alloc(4);
      head.writeUInt32LE(length);
      expect(() => new PacketReader().push(head)).toThrow(PacketError);
    }
  });

  test('with one turned bit are refused, wherever it is', () => {
    const packet = writePacket(Buffer.from('abc'));
    for (let at = 4; at < packet.length; at++) {
      const turned = Buffer.from(packet);
      turned[at] = (turned[at] as number) ^ 1;
      expect(() => new PacketReader().push(turned)).toThrow(/wrong hash/);
    }
  });

  test('of the largest length pass, and longer ones cannot be written', () => {
    const largest = Buffer.alloc(MAX_PACKET - 64, 1);
    expect(new PacketReader().push(writePacket(largest))[0]?.equals(largest)).toBe(true);
    expect(() => writePacket(Buffer.alloc(MAX_PACKET - 63))).toThrow(PacketError);
  });
});
