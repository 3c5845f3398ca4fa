import { describe, expect, it } from 'vitest';
import { KafkaCodeError } from '../../../../src/log/kafka/client/errors.ts';
import { describeProducersCall } from '../../../../src/log/kafka/wire/describe-producers.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const decode = (hex: string) => describeProducersCall([]).response.decode(bytes(hex));

/** producer_id, producer_epoch, last_sequence, last_timestamp, coordinator_epoch, current_txn_start_offset, tags */
const producer = (id: string, from: string) =>
  `00000000000000${id} 00000003 00000009 0000019000000000 00000001 ${from} 00`;
const NONE = 'ffffffffffffffff';

describe('DescribeProducers', () => {
  it('asks for partitions by topic', async () => {
    const { request } = describeProducersCall([
      { topic: 'a', partition: 1 },
      { topic: 'bc', partition: 0 },
      { topic: 'a', partition: 258 },
    ]);
    expect((await request.encode()).buffer.toString('hex')).toBe(
      bytes('00 03 02 61 03 00000001 00000102 00 03 6263 02 00000000 00 00').toString('hex'),
    );
  });

  it('returns the open transactions, and ignores what newer brokers add', async () => {
    const open = producer('07', '0000000000000102');
    const partition = `00000001 0000 00 03 ${open} ${producer('08', NONE)} 01 05 02 aabb`;
    expect(await decode(`00 00000000 02 02 61 02 ${partition} 00 00`)).toEqual([
      { topic: 'a', partition: 1, producerId: 7, from: 258 },
    ]);
  });

  it('names a partition that is led by another broker, and passes over one that may not be read', async () => {
    await expect(decode('00 00000000 02 02 61 02 00000001 0006 00 01 00 00 00')).rejects.toThrow(
      KafkaCodeError,
    );
    expect(await decode('00 00000000 02 02 61 02 00000001 001d 03 6e6f 00 00 00 00')).toEqual([]);
  });
});
