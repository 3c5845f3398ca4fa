import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { brokenLinks, findAnchors } from '../../../scripts/docs/links.ts';

function project(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'tonhouse-links-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'docs'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return root;
}

describe('links of Markdown pages', () => {
  it('are found if the file or the heading is missing, with their line', () => {
    const root = project({
      'README.md': '[a](docs/a.md)\n[b](docs/b.md)\n[c](docs/a.md#none) [d](#none)\n[e](../outside.md)',
      'docs/a.md': '# A',
    });
    expect(brokenLinks(root, 'README.md')).toEqual([
      'README.md:2: no such file or heading: docs/b.md',
      'README.md:3: no such file or heading: docs/a.md#none',
      'README.md:3: no such file or heading: #none',
      'README.md:4: no such file or heading: ../outside.md',
    ]);
  });

  it('resolve from the folder of the page, with title, reference and image', () => {
    const root = project({
      'README.md': '# Start here',
      'docs/a.md':
        '[up](../README.md#start-here "title")\n\n[ref]: b.md\n<img src="b.md">\n[web](https://x.org/#y)',
      'docs/b.md': '',
    });
    expect(brokenLinks(root, 'docs/a.md')).toEqual([]);
  });

  it('are ignored in code', () => {
    const root = project({ 'README.md': '```ts\nx[0](none.md)\n```\nand `[x](none.md)`' });
    expect(brokenLinks(root, 'README.md')).toEqual([]);
  });

  it('may lead to headings with code, punctuation and repeats', () => {
    const text =
      '# `--data DIR`: the folder\n## Run\n## Run\n```sh\n# no heading\n```\n## A [link](x.md), two';
    expect([...findAnchors(text)]).toEqual(['--data-dir-the-folder', 'run', 'run-1', 'a-link-two']);
  });
});
