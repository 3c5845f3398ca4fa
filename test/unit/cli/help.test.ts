import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/cli/program.ts';
import type { Setting } from '../../../src/platform/config/setting.ts';
import { SETTING_THEMES, SETTINGS } from '../../../src/platform/config/settings.ts';

async function helpOf(name: string): Promise<string> {
  const { commands } = await createProgram([name], () => {});
  return (commands.find((command) => command.name() === name) as Command).helpInformation();
}

const settings = Object.values(SETTINGS) as Setting<unknown>[];

describe('--help', () => {
  it.each(['up', 'serve', 'index'])(
    'of %s shows the common settings first, then the others by theme',
    async (name) => {
      const help = await helpOf(name);
      const titles = [...help.matchAll(/^(\S.*):$/gm)].map(([, title]) => title);
      const themes = titles.filter((title) => title !== 'Options' && title !== 'Arguments');
      const all = SETTING_THEMES.map(({ title }) => title);
      expect(themes[0]).toBe('Common');
      expect(titles.at(-1)).toBe('Options');
      expect(themes.length).toBeGreaterThan(3);
      expect(themes).toEqual(all.filter((title) => themes.includes(title)));
    },
  );

  it('has about a dozen common settings', () => {
    expect(SETTING_THEMES[0]!.names.length).toBeLessThanOrEqual(12);
  });

  it('explains a setting in 20 words or fewer', () => {
    const long = settings.filter(({ help }) => help.split(/\s+/).length > 20);
    expect(long).toEqual([]);
  });

  it('does not show former names, which still work', async () => {
    const help = await helpOf('up');
    const former = settings.flatMap(({ former: names = [] }) => names);
    expect(former).toEqual(expect.arrayContaining(['rest-ms', 'clickhouse-deaf-ms']));
    expect(former.filter((flag) => help.includes(flag))).toEqual([]);
  });

  it('has no former name that is a name of another setting', () => {
    const names = settings.flatMap(({ flag, former = [] }) => [flag, ...former]);
    expect(new Set(names).size).toBe(names.length);
  });
});
