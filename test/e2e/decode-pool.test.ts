import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChunkDecoder, isFailure } from '../../src/engine/decoding/chunk.ts';
import { PooledDecoder } from '../../src/engine/decoding/pooled-decoder.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { readBlockHeader } from '../../src/ton/decode/block-header.ts';
import { decodeBlock } from '../../src/ton/decode/decode-block.ts';
import { decodeState } from '../../src/ton/decode/decode-state.ts';
import { sha256 } from '../../src/ton/hash/sha256.ts';
import { columnsOf, DECODER_OPTIONS, rawBlockRecord, rawStateRecord } from '../helpers/raw-block-records.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithChain } from '../helpers/shared-data.ts';
import { fileHashOf, ownMeta, readBytes, sharedBlocks } from './facts-blocks.ts';
import { damage } from './kernel-damage.ts';
import { columnDigests } from './kernel-digests.ts';

const MODULE = new URL('../../src/projections/records/kernel-decoder.ts', import.meta.url).href;
const STATE = 'accounts/states/mainnet_0_2000000000000000_571524.boc';

describeWithChain(
  'the pool: every column of every shared block as the reader writes it',
  ({ data, isMainnet, states }) => {
    let decoder: ChunkDecoder;
    beforeAll(async () => {
      const options = { ...DECODER_OPTIONS, startLts: String(1n << 63n) };
      const onWorkerCrash = (text: string) => {
        throw new Error(text);
      };
      decoder = await PooledDecoder.start({ module: MODULE, options, workers: 2, onWorkerCrash });
    });
    afterAll(() => decoder.close());

    it('in chunks of any size, refused blocks and states between', async () => {
      const random = new SeededRandom(20261121);
      const expected = new BaseColumns();
      const records = [];
      const wanted: string[] = [];
      const state = readBytes(isMainnet ? join(data, STATE) : states[1]);
      for (const [index, { path }] of sharedBlocks(data).entries()) {
        const bytes = readBytes(path);
        const meta = ownMeta(readBlockHeader(bytes));
        records.push(rawBlockRecord(bytes, meta));
        decodeBlock(bytes, meta, expected, { verify: 'root', oldStatesBelowLt: 1n << 63n });
        wanted.push('ok');
        if (index % 9 === 0) {
          const damaged = damage(bytes, random);
          records.push(
            rawBlockRecord(damaged, { ...meta, fileHash: fileHashOf(damaged), seqno: 4_000_000_000 }),
          );
          wanted.push('refused');
        }
        if (index % 301 === 150) {
          records.push(rawStateRecord(state, sha256(state), sha256(state)));
          decodeState(state, 0, expected);
          wanted.push('ok');
        }
      }
      const chunks = [];
      for (let at = 0; at < records.length; ) {
        const size = 1 + random.below(12);
        chunks.push(decoder.decode(records.slice(at, at + size)));
        at += size;
      }
      const decoded = await Promise.all(chunks);
      const outcomes = decoded.flatMap((chunk) => chunk.outcomes);
      expect(outcomes.map((outcome) => (isFailure(outcome) ? 'refused' : 'ok'))).toEqual(wanted);
      const found = columnsOf(decoded);
      expect(found.rows()).toEqual(expected.rows());
      expect(columnDigests(found)).toEqual(columnDigests(expected));
    });
  },
);
