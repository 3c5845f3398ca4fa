import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AvroCodec } from '../../../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../../../src/platform/avro/schema-files.ts';
import { ViewCodec } from '../../../../src/platform/avro/view-codec.ts';

const schemas = loadSchemas(fileURLToPath(new URL('../../../../schemas/', import.meta.url)));
const codec = new AvroCodec(schemas);
const views = new ViewCodec(schemas);

const block = (size: number) => ({
  network: 'mainnet',
  workchain: -1,
  shard: -(1n << 63n),
  seqno: 4_000_000_000n,
  root_hash: new Uint8Array(32).fill(1),
  file_hash: new Uint8Array(32).fill(2),
  mc_seqno: 7n,
  boc: Uint8Array.from({ length: size }, (_, i) => i * 31),
});

/** Outcome of decoding by either codec: the datum, or the error. */
function outcome(decode: () => unknown): unknown {
  try {
    return decode();
  } catch (error) {
    return [(error as Error).name, (error as Error).message];
  }
}

describe('ViewCodec', () => {
  it.each([0, 1, 63, 64, 8_191, 8_192, 100_000, 1_100_000])(
    'reads a block of %i bytes without copying it',
    (size) => {
      const bytes = codec.encode('raw-block', block(size));
      const datum = views.decode(bytes);
      const { boc, ...others } = datum.value as { boc: Uint8Array };
      const { boc: copied, ...expected } = codec.decode(bytes).value as { boc: Uint8Array };
      expect(others).toEqual(expected);
      expect(Buffer.compare(boc, copied)).toBe(0);
      expect(boc.buffer).toBe(bytes.buffer);
      expect(boc.byteOffset).toBe(bytes.length - size);
    },
  );

  it('reads from the middle of a larger buffer', () => {
    const bytes = codec.encode('raw-state', block(300));
    const larger = new Uint8Array(bytes.length + 20);
    larger.set(bytes, 7);
    expect(views.decode(larger.subarray(7, 7 + bytes.length))).toEqual(codec.decode(bytes));
  });

  it('gives the result of the other codec for every cut and every changed byte before the block', () => {
    const bytes = codec.encode('raw-block', block(90));
    const head = bytes.length - 90;
    for (let end = 0; end < bytes.length; end++) {
      const cut = bytes.subarray(0, end);
      expect(outcome(() => views.decode(cut))).toEqual(outcome(() => codec.decode(cut)));
    }
    for (let at = 0; at < head; at++) {
      for (const flip of [1, 2, 64, 128, 255]) {
        const changed = bytes.slice();
        changed[at] = (changed[at] as number) ^ flip;
        expect(
          outcome(() => views.decode(changed)),
          `byte ${at}`,
        ).toEqual(outcome(() => codec.decode(changed)));
      }
    }
    const longer = new Uint8Array([...bytes, 0]);
    expect(outcome(() => views.decode(longer))).toEqual(outcome(() => codec.decode(longer)));
  });
});
