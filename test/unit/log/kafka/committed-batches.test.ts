import { describe, expect, it } from 'vitest';
import { committedBatches } from '../../../../src/log/kafka/wire/committed-batches.ts';
import { decodeRecords, type RecordBatch, readBatches } from '../../../../src/log/kafka/wire/record-batch.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
/** A control record's length, attributes, deltas, key length, and key: version 0, type 0 (abort) or 1 (commit). */
const MARKER = {
  abort: bytes('10 00 00 00 08 0000 0000 01 00'),
  commit: bytes('10 00 00 00 08 0000 0001 01 00'),
};

function batch(firstOffset: number, producerId: number, count = 1, marker?: 'abort' | 'commit'): RecordBatch {
  return {
    firstOffset,
    lastOffset: firstOffset + count - 1,
    producerId,
    transactional: true,
    control: marker !== undefined,
    codec: 0,
    firstTimestamp: 0,
    appendTime: null,
    count,
    records: marker ? MARKER[marker] : Buffer.alloc(0),
  };
}

const offsets = (batches: readonly RecordBatch[]) => batches.map(({ firstOffset }) => firstOffset);

describe('committed batches', () => {
  it('are without markers and without what was aborted', () => {
    const batches = [batch(0, 1, 2), batch(2, 1, 1, 'abort'), batch(3, 1, 2), batch(5, 1, 1, 'commit')];
    expect(offsets(committedBatches(batches, [{ producerId: 1, firstOffset: 0 }]))).toEqual([3]);
  });

  it('are separated if transactions of several producers overlap', () => {
    const batches = [
      batch(10, 1),
      batch(11, 2),
      batch(12, 3),
      batch(13, 2, 1, 'abort'),
      batch(14, 1),
      batch(15, 1, 1, 'abort'),
      batch(16, 2),
      batch(17, 3, 1, 'commit'),
    ];
    const aborted = [
      { producerId: 2, firstOffset: 11 },
      { producerId: 1, firstOffset: 3 },
    ];
    expect(offsets(committedBatches(batches, aborted))).toEqual([12, 16]);
  });

  it('leave out two transactions that were open before the first batch', () => {
    const batches = [batch(100, 2), batch(101, 1), batch(102, 2, 1, 'abort'), batch(103, 1, 1, 'abort')];
    const aborted = [
      { producerId: 1, firstOffset: 90 },
      { producerId: 2, firstOffset: 95 },
    ];
    expect(committedBatches(batches, aborted)).toEqual([]);
  });
});

describe('record batches', () => {
  // One record at offset 7: key "k", value "va", header h = 1; not compressed, time of creation 1000 + 5.
  const record = bytes('1a 00 0a 00 02 6b 04 7661 02 02 68 02 31');
  function written(attributes: number, lastDelta: number, records: Buffer, count: number): Buffer {
    const body = Buffer.alloc(49);
    body.writeInt8(2, 4);
    body.writeInt16BE(attributes, 9);
    body.writeInt32BE(lastDelta, 11);
    body.writeBigInt64BE(1_000n, 15);
    body.writeBigInt64BE(2_000n, 23);
    body.writeBigInt64BE(42n, 31);
    body.writeInt32BE(count, 45);
    const lead = Buffer.alloc(12);
    lead.writeBigInt64BE(7n, 0);
    lead.writeInt32BE(body.length + records.length, 8);
    return Buffer.concat([lead, body, records]);
  }

  it('give their records back, with the time of who made them or of the broker', async () => {
    const [made] = readBatches(written(0, 0, record, 1));
    const [appended] = readBatches(written(8, 0, record, 1));
    if (!made || !appended) throw new Error('no batch');
    const [read] = await decodeRecords(made);
    expect(read).toMatchObject({ offset: 7, timestamp: 1_005, key: 'k', headers: { h: '1' } });
    expect(Buffer.from(read?.value ?? []).toString()).toBe('va');
    expect((await decodeRecords(appended))[0]?.timestamp).toBe(2_000);
  });

  it('know their last offset where compaction took all their records', async () => {
    const [empty] = readBatches(written(0, 9, Buffer.alloc(0), 0));
    expect(empty).toMatchObject({ firstOffset: 7, lastOffset: 16, count: 0 });
    if (empty) expect(await decodeRecords(empty)).toEqual([]);
  });

  it('are omitted if the broker cut them off', () => {
    const whole = written(0, 0, record, 1);
    const cut = Buffer.concat([whole, whole.subarray(0, whole.length - 1)]);
    expect(readBatches(cut)).toHaveLength(1);
    expect(readBatches(whole.subarray(0, 11))).toEqual([]);
  });

  it('of a format of old are refused', () => {
    const old = written(0, 0, record, 1);
    old.writeInt8(1, 16);
    expect(() => readBatches(old)).toThrow('format 2, found 1');
  });
});
