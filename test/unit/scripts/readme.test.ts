import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coverageTable, withCoverageTable } from '../../../scripts/generate-coverage-table.ts';
import { withSettingsTable } from '../../../scripts/generate-settings-table.ts';
import { tablesPage } from '../../../scripts/generate-tables-page.ts';
import { createProgram } from '../../../src/cli/program.ts';

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');

describe('generated tables of the reference', () => {
  it('docs/tables.md has every view of clickhouse/lake/views (scripts/generate-tables-page.ts --write)', () => {
    expect(tablesPage()).toBe(read('docs/tables.md'));
  });

  it('docs/settings.md lists every setting of the code (scripts/generate-settings-table.ts --write)', () => {
    const page = read('docs/settings.md');
    expect(withSettingsTable(page)).toBe(page);
  });

  it('docs/api.md lists every path of the routes (scripts/generate-coverage-table.ts --write)', async () => {
    const page = read('docs/api.md');
    expect(withCoverageTable(page, await coverageTable())).toBe(page);
  });
});

describe('docs/commands.md', () => {
  it('has a row for every command', async () => {
    const { commands } = await createProgram([], () => {});
    const page = read('docs/commands.md');
    const missing = commands
      .map((command) => command.name())
      .filter((name) => !page.match(`\\| .*\`${name}[ \`]`));
    expect([commands.length > 15, missing]).toEqual([true, []]);
  });
});

describe('npm scripts in README and docs', () => {
  it.each(['README.md', 'CONTRIBUTING.md', 'docs/benchmarks.md', 'docs/operations.md'])(
    '%s names scripts of package.json',
    (page) => {
      const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
      const named = [...read(page).matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name]) => name!);
      expect(named.filter((name) => !(name in scripts))).toEqual([]);
    },
  );
});
