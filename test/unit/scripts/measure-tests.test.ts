import { describe, expect, it } from 'vitest';
import { timesTable, withTimes } from '../../../scripts/measure-tests.ts';

const FILES = [
  { file: 'test/unit/ton/a.test.ts', tests: 0.5, imports: 0.25, cpu: 0.5 },
  { file: 'test/unit/api/b.test.ts', tests: 3, imports: 1, cpu: 2 },
  { file: 'test/e2e/c.slow.test.ts', tests: 60, imports: 1 },
];

describe('the times of test files', () => {
  it('are summed for each folder, and listed above two seconds', () => {
    expect(timesTable(FILES).split('\n')).toEqual([
      '| folder | files | seconds | of which imports | processor |',
      '|---|---|---|---|---|',
      '| test/e2e (slow) | 1 | 61.0 | 1.0 | 0.0 |',
      '| test/unit | 2 | 4.8 | 1.3 | 2.5 |',
      '| all | 3 | 65.8 | 2.3 | 2.5 |',
      '',
      'Files above 2 s:',
      '',
      '| file | seconds | of which imports | processor |',
      '|---|---|---|---|',
      '| `test/e2e/c.slow.test.ts` | 61.0 | 1.0 | 0.0 |',
      '| `test/unit/api/b.test.ts` | 4.0 | 1.0 | 2.0 |',
    ]);
  });

  it('replace what a page has between its markers', () => {
    const page = 'a\n<!-- times: written by npm run measure:tests -->\nold\n<!-- /times -->\nb\n';
    expect(withTimes(page, 'new')).toBe(
      'a\n<!-- times: written by npm run measure:tests -->\n\nnew\n\n<!-- /times -->\nb\n',
    );
    expect(() => withTimes('a page', 'new')).toThrow('expected <!-- times');
  });
});
