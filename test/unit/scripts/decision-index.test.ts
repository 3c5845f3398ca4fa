import { expect, test } from 'vitest';
import { checkDecisions, readDecision } from '../../../scripts/generate-decision-index.ts';

const HEAD = '| status | date | theme |\n| --- | --- | --- |\n| accepted | 2026-11-21 | Store |\n';

test('a decision has its number, title, status, date and theme in its head', () => {
  const read = readDecision('0007-name.md', `# 7. A title\n\n${HEAD}\nText.\n`);
  expect(read).toMatchObject({
    number: 7,
    title: 'A title',
    status: 'accepted',
    date: '2026-11-21',
    theme: 'Store',
  });
});

test.each([
  ['no status', '# 7. A title\n\nText.\n', 'has no status'],
  ['an unknown status', `# 7. A title\n\n${HEAD.replace('accepted', 'perhaps')}`, 'has no status'],
  ['an unknown theme', `# 7. A title\n\n${HEAD.replace('Store', 'Kitchen')}`, 'has no theme'],
  ['another number', `# 8. A title\n\n${HEAD}`, 'has the number 8'],
])('a decision with %s is refused', (_, text, reason) => {
  expect(() => readDecision('0007-name.md', text)).toThrow(reason);
});

test('the decisions of the repository follow the rules, and their index is current', () => {
  expect(checkDecisions()).toEqual([]);
});
