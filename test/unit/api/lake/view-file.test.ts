import { describe, expect, it } from 'vitest';
import { LakeFileError, readViewFile } from '../../../../src/api/lake/view-file.ts';
import { BLOCKS } from '../../../../src/tables/blocks.ts';

const view = (...columns: readonly string[]) =>
  ['-- Blocks.', '-- reads: base', 'SELECT', ...columns, 'FROM {base}.blocks AS b'].join('\n');

describe('columns of a view', () => {
  it('have the comment of their line, else that of the column of the table', () => {
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
    ['shows another column', '    b.seqno AS shard'],
    ['is not in the table', '    b.number AS number'],
    ['is an expression without the column', "    'x' AS seqno"],
  ])('need a comment if the column %s', (_, line) => {
    expect(() => readViewFile('blocks', view(line))).toThrow(LakeFileError);
  });
});
