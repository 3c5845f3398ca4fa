import { expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { LocalDecoder } from '../../../src/engine/decoding/local-decoder.ts';
import { replayDecoder } from '../../../src/engine/replay/decoder.ts';
import type { LogRecord } from '../../../src/log/port.ts';
import { beginBase } from '../../../src/projections/base/base-rows.ts';
import { createDecoder } from '../../../src/projections/records/kernel-decoder.ts';
import { readBlockHeader } from '../../../src/ton/decode/block-header.ts';
import { ownMeta, readBytes, sharedBlocks } from '../../e2e/facts-blocks.ts';
import { DECODER_OPTIONS, rawBlockRecord } from '../../helpers/raw-block-records.ts';
import { describeWithData } from '../../helpers/shared-data.ts';

describeWithData('decoding again what is stored', (data) => {
  it.each([
    ['of the store is trusted', new Set<string>(), 1],
    ['of a dead letter is compared with its file hash again', null, 0],
  ])('a block %s', async (_name, letters, blocks) => {
    const bytes = readBytes(sharedBlocks(data, 'mainnet-genesis-0001')[0]?.path as string);
    const meta = { ...ownMeta(readBlockHeader(bytes)), fileHash: new Uint8Array(32) };
    const record: LogRecord = {
      ...rawBlockRecord(bytes, meta),
      headers: { kind: 'block', root_hash: meta.rootHash.toHex() },
      lane: 0,
      offset: 0,
      epoch: 0,
      endsStep: true,
      appendedAt: 0,
    };
    const decode = replayDecoder({
      decoder: new LocalDecoder(await createDecoder(DECODER_OPTIONS)),
      maker: beginBase(),
      definition: BASE.sink,
      batchRows: 1,
      lanes: 1,
      leaveOut: [],
      mayFail: letters ?? new Set([record.key]),
    });
    const decoded: number[] = [];
    for await (const batch of decode(async (from) => (from === 0 ? [record] : []), 0)) {
      decoded.push(batch.blocks);
      batch.release();
    }
    expect(decoded.reduce((sum, count) => sum + count, 0)).toBe(blocks);
  });
});
