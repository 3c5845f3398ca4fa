/** Links of Markdown pages: where they are, and whether their file and heading exist. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Text without fenced blocks and inline code, whose brackets are no links; lines keep their numbers. */
export function withoutCode(text: string): string {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ');
  return text.replace(/^(```|~~~)[^\n]*\n[\s\S]*?^\1/gm, blank).replace(/`[^`\n]*`/g, blank);
}

/** Anchors of a page as GitHub makes them: lower case, without punctuation, dashes for spaces, numbers for repeats. */
export function findAnchors(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  const fenceless = text.replace(/^(```|~~~)[^\n]*\n[\s\S]*?^\1/gm, '');
  for (const [, title] of fenceless.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const words = (title as string).replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const slug = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  for (const [, name] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(name as string);
  return anchors;
}

/** Links of `page` (a path below `root`) to files or headings that do not exist, as `page:line: target`. */
export function brokenLinks(root: string, page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const prose = withoutCode(text);
  const links = [
    ...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: +"[^"]*")?\)/g),
    ...prose.matchAll(/^\[[^\]]+\]: +(\S+)/gm),
    ...prose.matchAll(/(?:src|href)="([^"]+)"/g),
  ];
  return links.flatMap((match) => {
    const target = match[1] as string;
    if (/^[a-z][a-z+.-]*:/i.test(target) || resolves(root, page, target)) return [];
    const line = prose.slice(0, match.index).split('\n').length;
    return [`${page}:${line}: no such file or heading: ${target}`];
  });
}

function resolves(root: string, page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)));
  if (file.startsWith('..') || !existsSync(join(root, file))) return false;
  if (anchor === undefined || !file.endsWith('.md')) return true;
  return findAnchors(readFileSync(join(root, file), 'utf8')).has(anchor);
}
