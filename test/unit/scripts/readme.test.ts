import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coverageTable, withCoverageTable } from '../../../scripts/generate-coverage-table.ts';
import { withSettingsTable } from '../../../scripts/generate-settings-table.ts';
import { createProgram } from '../../../src/cli/program.ts';

const root = resolve(import.meta.dirname, '../../..');
const readme = readFileSync(resolve(root, 'README.md'), 'utf8');

describe('the README', () => {
  it('lists every setting as the code has it (scripts/generate-settings-table.ts --write)', () => {
    expect(withSettingsTable(readme)).toBe(readme);
  });

  it('lists every path as the routes have it (scripts/generate-coverage-table.ts --write)', async () => {
    expect(withCoverageTable(readme, await coverageTable())).toBe(readme);
  });

  it('has a row for every command', async () => {
    const { commands } = await createProgram([], () => {});
    const section = readme.split('\n## Commands\n')[1]!.split('\n## ')[0]!;
    const lacking = commands
      .map((command) => command.name())
      .filter((name) => !section.match(`\`${name}[ \`]`));
    expect([commands.length > 15, lacking]).toEqual([true, []]);
  });

  it('links to files that are there', () => {
    const links = [...readme.matchAll(/\]\((?!http|#)([^)#]+)(?:#[^)]*)?\)/g)].map(
      (match) => match[1] as string,
    );
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !existsSync(resolve(root, link)))).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name]) => name!);
    expect(named).toContain('bench:contracts');
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});
