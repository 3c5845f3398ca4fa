import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limitsTable, withLimitsTable } from '../../../scripts/generate-limits-table.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('docs/projections.md', () => {
  const page = read('docs/projections.md');

  it('names files and folders that are there', () => {
    const named = [
      ...page.matchAll(/`((?:src|pipelines|clickhouse|schemas|scripts|test|docs)\/[\w./-]+)`/g),
    ].map((match) => match[1] as string);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('docs/security.md', () => {
  it('tells the bounds of every route as a server has them (scripts/generate-limits-table.ts --write)', async () => {
    const page = read('docs/security.md');
    expect(withLimitsTable(page, await limitsTable())).toBe(page);
  });
});
