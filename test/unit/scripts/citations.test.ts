import { describe, expect, it } from 'vitest';
import { brokenCitations, findSections } from '../../../scripts/docs/citations.ts';

const SECTIONS = new Map([
  [
    'v3-models',
    findSections('# Models\n## 1. Encodings\n### Enumerations\n## 8. Accounts\n### 8.1 Full state\n'),
  ],
  ['streaming', findSections('## 10. Errors\n## 4. WebSocket\n')],
]);
const broken = (text: string) => brokenCitations(text, SECTIONS);

describe('citations of the contract', () => {
  it('resolve to a page, and to each section that they name', () => {
    const text = `/** An account (v3-models.md 8.1), docs/contract/v3-models.md section 8; errors: streaming.md 4 and 10. */
      // Of a whole page: contract/v3-models.md. At the end of a line: v3-models.md
      // 8.1.`;
    expect(broken(text)).toEqual([]);
  });

  it.each([
    ['v3-models.md 8.2', 'docs/contract/v3-models.md has no section 8.2'],
    ['v3-models.md section 2.', 'docs/contract/v3-models.md has no section 2'],
    ['streaming.md 10 and 11', 'docs/contract/streaming.md has no section 11'],
    ['(contract/v4-models.md 1)', 'no page docs/contract/v4-models.md'],
    ['/**\n * v3-models.md\n * 9 */', 'docs/contract/v3-models.md has no section 9'],
  ])('are reported if there is no such page or section: %j', (text, reason) => {
    expect(broken(text)).toEqual([reason]);
  });

  it('are not the paths of other pages', () => {
    expect(broken('see docs/settings.md and README.md 7')).toEqual([]);
  });
});
