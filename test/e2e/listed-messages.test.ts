import { expect, it } from 'vitest';
import type { BASE_TABLES } from '../../src/tables/base-tables.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { readTable } from '../../src/ton/columns/column-reader.ts';
import { readBlockHeader } from '../../src/ton/decode/block-header.ts';
import { decodeBlock } from '../../src/ton/decode/decode-block.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { ownMeta, readBytes, sharedBlocks } from './facts-blocks.ts';

const OPTIONS = { verify: 'none', oldStatesBelowLt: 0n } as const;
const NO_ACCOUNT = '00'.repeat(32);

describeWithData('messages that indexes list', (data) => {
  const blocks = sharedBlocks(data).map(({ path }) => readBytes(path));
  const messagesFrom = (indexedFromLt: (startLt: bigint) => bigint) =>
    blocks.flatMap((bytes) => {
      const columns = new BaseColumns();
      const header = readBlockHeader(bytes);
      const meta = { ...ownMeta(header), indexedFromLt: indexedFromLt(header.startLt) };
      decodeBlock(bytes, meta, columns, OPTIONS);
      return readTable<typeof BASE_TABLES.messages>(columns.tables.messages).map((row) => ({
        ...row,
        isOwn: row.side === 'out' || row.kind !== 'internal',
        isSystem: row.source_workchain === -1 && row.source.toHex() === NO_ACCOUNT,
        isBefore: row.created_lt < header.startLt,
      }));
    });

  it('are the sent ones, those from outside, and the new coins of the system', () => {
    const rows = messagesFrom(() => 0n);
    expect(rows.map(({ listed }) => listed)).toEqual(rows.map(({ isOwn, isSystem }) => isOwn || isSystem));
    expect(rows.some(({ listed }) => !listed)).toBe(true);
    expect(rows.some(({ isOwn, isSystem }) => isSystem && !isOwn)).toBe(true);
  });

  it('are at the start of an index the received ones too that were sent before', () => {
    const rows = messagesFrom((startLt) => startLt);
    const wanted = rows.map(({ isOwn, isSystem, isBefore }) => isOwn || isSystem || isBefore);
    expect(rows.map(({ listed }) => listed)).toEqual(wanted);
    expect(rows.some(({ isOwn, isBefore }) => isBefore && !isOwn)).toBe(true);
    expect(rows.some(({ listed }) => !listed)).toBe(true);
  });

  it('are all where blocks are unrelated', () => {
    expect(messagesFrom(() => (1n << 64n) - 1n).every(({ listed }) => listed)).toBe(true);
  });
});
