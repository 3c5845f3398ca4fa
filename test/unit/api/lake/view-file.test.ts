import { describe, expect, it } from 'vitest';
import { LakeFileError, readViewFile } from '../../../../src/api/lake/view-file.ts';
import { BLOCKS } from '../../../../src/tables/blocks.ts';
import { SHARDS } from '../../../../src/tables/shards.ts';

const view = (...columns: readonly string[]) =>
  ['-- Blocks.', '-- reads: base', 'SELECT', ...columns, 'FROM {base}.blocks AS b'].join('\n');

describe('columns of a view', () => {
  it('have the comment of their line, else that of the stored column', () => {
    const { columns, select } = readViewFile(
      'blocks',
      view('    b.seqno AS seqno,', '    toInt64(b.shard) AS shard -- Signed'),
    );
    expect(columns).toEqual([
      { name: 'seqno', comment: BLOCKS.columns.seqno.comment.slice(0, -1) },
      { name: 'shard', comment: 'Signed' },
    ]);
    expect(select).toBe(
      'SELECT\n    b.seqno AS seqno,\n    toInt64(b.shard) AS shard\nFROM {base}.blocks AS b',
    );
  });

  it.each([
    ["toDateTime(b.gen_utime, 'UTC') AS block_time", 'Time of the block, UTC'],
    ["toDate(toDateTime(b.gen_utime, 'UTC')) AS block_date", 'Date of the block, UTC'],
    [
      '{hash b.master_ref_root_hash} AS root_hash',
      'Root hash of that masterchain block; zeros in masterchain blocks',
    ],
    ['nullIf(b.prev2_seqno, 0) AS second', 'Seqno of the second previous block; null without after_merge'],
    ['toInt64(b.prev2_seqno) AS second', 'Seqno of the second previous block; 0 without after_merge'],
  ])('follow from the stored column: %s', (line, comment) => {
    expect(readViewFile('blocks', view(`    ${line}`)).columns[0]?.comment).toBe(comment);
  });

  it('follow from a joined table', () => {
    const text = [
      '-- Blocks.',
      'SELECT',
      '    s.seqno AS seqno',
      'FROM {base}.blocks AS b',
      'INNER JOIN {base}.shards AS s ON 1',
    ];
    expect(readViewFile('blocks', text.join('\n')).columns[0]?.comment).toBe(
      SHARDS.columns.seqno.comment.slice(0, -1),
    );
  });

  it.each([
    ['shows two columns', '    if(b.flags = 0, b.seqno, b.shard) AS seqno'],
    ['is not in the table', '    b.number AS number'],
    ['is an expression without the column', "    'x' AS seqno"],
  ])('need a comment if the column %s', (_, line) => {
    expect(() => readViewFile('blocks', view(line))).toThrow(LakeFileError);
  });
});
